/**
 * The engine's whole interface to its host: text in, text out.
 *
 *     docstead.describe(json)    the site: modules, variables, paths
 *     docstead.render(json)      a list of pages -> a list of results, in the same order
 */
import "./shims";
import * as hooks from "preact/hooks";
import * as compat from "preact/compat";
import { components } from "./components/index";
import { forget, globals } from "./modules";
import { renderPage, type PageSource } from "./page";
import { trust } from "./runtime/boundary";
import { InlineMath } from "./runtime/math";
import { Snippet } from "./runtime/snippet";
import { describe, type SiteDescription } from "./site";

Object.assign(globals, { Latex: InlineMath, Snippet });
trust(globals);

// Authors use hooks and our components in scripts without importing them, and read `user`,
// which is empty for a reader who is not signed in.
const scope = globalThis as unknown as Record<string, unknown>;
const names = { ...globals, React: compat, Fragment: compat.Fragment, user: {} };
for (const [name, value] of Object.entries({ ...hooks, ...names })) {
  if (/^use|^[A-Z]|^user$/.test(name)) scope[name] ??= value;
}

scope.docstead = {
  describe(json: string): void {
    forget();
    describe(JSON.parse(json) as SiteDescription);
  },
  render(json: string): string {
    return JSON.stringify((JSON.parse(json) as PageSource[]).map(renderPage));
  },
};
