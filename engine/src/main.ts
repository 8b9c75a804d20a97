/**
 * The engine's whole interface to its host: text in, text out.
 *
 *     docstead.describe(json)    the site: modules, variables, paths
 *     docstead.render(json)      a list of pages -> a list of results, in the same order
 *     docstead.harden(...)       from here on nothing of the language can be changed
 */
import "./shims";
import { components } from "./components/index";
import { harden } from "./harden";
import { globals } from "./modules";
import { authorScope } from "./names";
import { renderPage, type PageSource } from "./page";
import { forget } from "./programs";
import { trust } from "./runtime/boundary";
import { InlineMath } from "./runtime/math";
import { Snippet } from "./runtime/snippet";
import { describe, type SiteDescription } from "./site";

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
    return JSON.stringify((JSON.parse(json) as PageSource[]).map(renderPage));
  },
  harden,
};
