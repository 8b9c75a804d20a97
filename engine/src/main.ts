/**
 * The engine's whole interface to its host: text in, text out.
 *
 *     docstead.describe(json)    the site: modules, variables, paths
 *     docstead.render(json)      a list of pages -> a list of results, in the same order;
 *                                nothing where they are too long together
 *     docstead.harden(...)       from here on nothing of the language can be changed
 */
import "./shims";
import { components } from "./components/index";
import { harden } from "./harden";
import { globals } from "./modules";
import { authorScope } from "./names";
import { lengthOf, renderPage, type PageSource } from "./page";
import { forget } from "./programs";
import { trust } from "./runtime/boundary";
import { InlineMath } from "./runtime/math";
import { Snippet } from "./runtime/snippet";
import { describe, type SiteDescription } from "./site";

// V8 ends the process where a string of JSON finds no memory.
const LONGEST = 8_000_000;

Object.assign(globals, { Latex: InlineMath, Snippet });
trust(globals);

const scope = globalThis as unknown as Record<string, unknown>;
for (const [name, value] of Object.entries(authorScope(globals))) scope[name] ??= value;

scope.docstead = {
  describe(json: string): void {
    forget();
    describe(JSON.parse(json) as SiteDescription);
  },
  render(json: string): string {
    return renderPages(JSON.parse(json) as PageSource[]);
  },
  harden,
};

function renderPages(pages: PageSource[]): string {
  const results: string[] = [];
  let room = LONGEST;
  for (const page of pages) {
    const result = renderPage(page);
    room -= lengthOf(result);
    if (room < 0) return "";
    results.push(JSON.stringify(result));
  }
  return `[${results.join(",")}]`;
}
