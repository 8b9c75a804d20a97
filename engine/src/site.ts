/** Values that all pages of one site share; set once, before the first page. */
import { absolute, linkOf, mediaOf } from "./links";

export interface ModuleSource {
  source: string;
  firstLine: number;
}

export interface SiteDescription {
  modules: Record<string, ModuleSource>; // by root-absolute path
  variables: Record<string, string>;
  paths: string[]; // of pages and static files, root-absolute
  basePath: string; // that the repository's own links begin with, "" at a root
  words: Record<string, Record<string, string>>; // that components add, by language
  math: boolean | null; // whether dollars mean formulas; null where each page shows it
}

let description: SiteDescription = {
  modules: {},
  variables: {},
  paths: [],
  basePath: "",
  words: {},
  math: null,
};
let paths: ReadonlySet<string> = new Set();

export function describe(site: SiteDescription): void {
  description = site;
  paths = new Set(site.paths);
}

export function mathSetting(): boolean | null {
  return description.math;
}

export function wordsIn(language: string | null): Record<string, string> | undefined {
  return language === null ? undefined : description.words[language];
}

export function variables(): Readonly<Record<string, string>> {
  return description.variables;
}

export function moduleSource(path: string): ModuleSource | undefined {
  return Object.hasOwn(description.modules, path) ? description.modules[path] : undefined;
}

export function isKnown(path: string): boolean {
  return paths.has(path.replace(/\.mdx?$/, "").replace(/(.)\/$/, "$1"));
}

export const link = (href: string, directory: string) =>
  linkOf(withoutBase(href), directory, isKnown);
export const media = (src: string, directory: string) =>
  mediaOf(withoutBase(src), directory, isKnown);
export const resolve = (path: string, directory: string) =>
  absolute(withoutBase(path), directory, isKnown);

/** A site that is served below a path is written with that path by its authors. */
function withoutBase(url: string): string {
  const { basePath } = description;
  if (!basePath || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  return rest === "" || /^[#?]/.test(rest) ? `/${rest}` : rest[0] === "/" ? rest : url;
}
