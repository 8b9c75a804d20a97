/**
 * The engine's whole interface to its host: text in, text out.
 *
 *     docstead.describe(json)    the site: modules, variables, paths
 *     docstead.render(json)      renders a list of pages; "", or why they have no results
 *     docstead.results()         the results of these pages, in the same order
 *     docstead.harden(...)       from here on nothing of the language can be changed
 */
import "./shims";
import { hasFailed, lacksMemory } from "./compiler/binding";
import { harden } from "./harden";
import { globals } from "./modules";
import { authorScope } from "./names";
import { bytesOf, renderPage, type PageResult, type PageSource } from "./page";
import { forget } from "./programs";
import { trust } from "./runtime/boundary";
import { InlineMath } from "./runtime/math";
import { shareProviders } from "./runtime/providers";
import { Snippet } from "./runtime/snippet";
import { writeOwnElements } from "./runtime/written";
import { describe, type SiteDescription } from "./site";

// V8 ends the process where the JSON of the results finds no memory. A batch of this size never
// did, and pages that are longer are refused with a reason.
const LONGEST_BYTES = 32_000_000;
const TOO_LONG = "its HTML, code blocks and scripts are too long";
const TOO_MANY = "it has too many elements for the memory of a page; divide it into several pages";
const TOO_DEEP = "its lists, quotes, tags or expressions are nested too deeply";

Object.assign(globals, { Latex: InlineMath, Snippet });
trust(globals);
shareProviders();
writeOwnElements();

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
  results(): string {
    return JSON.stringify(results.splice(0));
  },
  harden,
};

const results: PageResult[] = [];

function renderPages(pages: PageSource[]): string {
  results.length = 0;
  let remaining = LONGEST_BYTES;
  for (const page of pages) {
    const result = renderPage(page);
    if (hasFailed()) return lacksMemory() ? TOO_MANY : TOO_DEEP;
    remaining -= bytesOf(result);
    if (remaining < 0) return TOO_LONG;
    results.push(result);
  }
  return "";
}
