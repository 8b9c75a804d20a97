/**
 * The script of a page's islands: their files, as functions, and the props of each island. Only
 * `docsteadIslands` of the browser's runtime reads it.
 */
import type { Module } from "./modules";
import { scopeNames } from "./names";
import type { Island } from "./runtime/island";

const CONTENT = /^(?:async )?function _createMdxContent\(/m;

/** "" where there is no island. */
export function islandScript(page: Module, islands: readonly Island[]): string {
  if (islands.length === 0) return "";
  const needed = new Set(islands.map((island) => island.module));
  const files = [...reachable(page)].filter((each) => needed.has(each.path) || isScript(each));
  const names = `const {${scopeNames().join(", ")}} = scope;`;
  const entries = files.map((file) => `${JSON.stringify(file.path)}: ${asFunction(file, names)}`);
  return `docsteadIslands({\n${entries.join(",\n")}\n}, ${literal(islands)});\n`;
}

function asFunction(file: Module, names: string): string {
  const paths = Object.fromEntries([...file.required].map(([name, { path }]) => [name, path]));
  const body = `${names}\n(function () {\n"use strict";\n${withoutContent(file.code)}\n})();`;
  return `[${literal(paths)}, function (require, exports, scope) {\n${body}\n}]`;
}

/** Remove what an MDX file shows, since only its exports are needed. */
function withoutContent(code: string): string {
  const at = code.search(CONTENT);
  return at < 0 ? code : code.slice(0, at);
}

function isScript(file: Module): boolean {
  return /\.[jt]sx?$/.test(file.path);
}

function reachable(module: Module, seen = new Set<Module>()): Set<Module> {
  if (seen.has(module)) return seen;
  seen.add(module);
  for (const each of module.imports) reachable(each, seen);
  return seen;
}

/** JSON that may stand in a script. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029");
}
