/** Settings that authors write into their diagrams. */
import { AUTHORS } from "./colors";
import { Unsupported } from "./dom";

const DIRECTIVE = /%%\{[^]*?\}%%/g;
export const FRONTMATTER = /^\s*---\s*\n[^]*?\n\s*---\s*?\n/;
const KEY = /["']?([\w-]+)["']?\s*:/g;
/** Settings of drawings whose styles are those of the built sheet. */
const COMMON = new Set(
  "init initialize flowchart sequence er state theme nodeSpacing rankSpacing curve padding diagramPadding wrappingWidth".split(" "),
);
/** Settings that change how texts are measured or rendered, and a layout that is not part of the engine. */
const NEEDS_BROWSER_KEY = /^(?:look|layout|htmlLabels|themeCSS|fontFamily|fontSize|securityLevel|defaultRenderer)$/i;
/** Icons, pictures, links, formulas, and shapes whose labels only a browser can set. */
const NEEDS_BROWSER = /\$\$|\bfa[bklrs]?:fa-|^\s*(?:click|links?)\b|\bhref\b|\bimg\b/m;
const SHAPE_DATA = /@\{/;
const HAS_CARDS = /^\s*kanban\b/m; // their data are texts

/** Larger diagrams would hold up the publishing of pages; readers wait only for their own. */
const MOST_CHARACTERS = 6_000;
const MOST_LINES = 120;
const MOST_GROUPS = 30;
const GROUP = /\b(?:subgraph|loop|alt|opt|par|rect|critical|break|box)\b|\{\s*$/gm;
export const MOST_EDGES = 120;

export function isLarge(source: string): boolean {
  if (source.length > MOST_CHARACTERS) return true;
  const lines = source.split(/[\n;]/).length;
  return lines > MOST_LINES || (source.match(GROUP) ?? []).length > MOST_GROUPS;
}

interface AuthorSettings {
  theme?: string;
  isCommon: boolean; // whether the built sheet has the styles
}

/** Return what an author sets. Raises `Unsupported` for what is not rendered here. */
export function settingsOf(source: string): AuthorSettings {
  if (isLarge(source)) throw new Unsupported("a diagram of this size");
  const needsShapes = SHAPE_DATA.test(source) && !HAS_CARDS.test(source);
  if (needsShapes || NEEDS_BROWSER.test(source)) throw new Unsupported("parts that a browser has to render");
  const frontmatter = FRONTMATTER.exec(source)?.[0] ?? "";
  const directives = (source.match(DIRECTIVE) ?? []).join("\n");
  const keys = [...`${frontmatter}\n${directives}`.matchAll(KEY)].map(([, key]) => key!);
  const needed = keys.find((key) => NEEDS_BROWSER_KEY.test(key));
  if (needed) throw new Unsupported(`the setting ${needed}`);
  const theme = /["']?theme["']?\s*:\s*["'](\w+)/.exec(directives)?.[1];
  const isKnownTheme = theme === undefined || AUTHORS.includes(theme);
  return { theme, isCommon: !frontmatter && isKnownTheme && keys.every((key) => COMMON.has(key)) };
}

/** Names and labels that the library takes for words of a relation. */
const FIRST_NAME = /^(\s*)(one|many|to)(?=\s|$)/i;
const SECOND_NAME = /(\s)(one|many|to)(?=\s*(?::|$))/i;
const LABEL = /(:\s*)(one|many|to)(?=\s*$)/i;

/** Quote the names and labels of an ER diagram that are `ONE`, `MANY` or `TO`. */
export function quoteNames(source: string): string {
  if (!/^\s*erDiagram\b/m.test(source)) return source;
  let isWithin = false;
  const lines = source.split("\n").map((line) => {
    const wasWithin = isWithin;
    isWithin = wasWithin ? !/^\s*\}/.test(line) : /\{\s*$/.test(line);
    return wasWithin ? line : [FIRST_NAME, SECOND_NAME, LABEL].reduce(quoted, line);
  });
  return lines.join("\n");
}

function quoted(line: string, word: RegExp): string {
  return line.replace(word, '$1"$2"');
}
