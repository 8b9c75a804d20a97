/** Settings that authors write into their diagrams. */
import { AUTHORS } from "./colors";
import { Unsupported } from "./dom";

const DIRECTIVE = /%%\{[^]*?\}%%/g;
const KEY = /["']?([\w-]+)["']?\s*:/g;
const KNOWN = new Set(
  "init initialize flowchart sequence er state theme nodeSpacing rankSpacing curve padding diagramPadding wrappingWidth".split(" "),
);
/** Icons, pictures, links, formulas, and shapes whose labels only a browser can set. */
const NEEDS_BROWSER = /\$\$|\bfa[bklrs]?:fa-|@\{|^\s*(?:click|links?)\b|\bhref\b|\bimg\b/m;

/** Larger diagrams would hold up the publishing of pages; readers wait for their own alone. */
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

/** Return the theme that an author names. Raises `Unsupported` for what is not drawn here. */
export function check(source: string): string | undefined {
  if (isLarge(source)) throw new Unsupported("a diagram of this size");
  if (source.trimStart().startsWith("---") || NEEDS_BROWSER.test(source)) {
    throw new Unsupported("settings or parts that a browser has to draw");
  }
  const directives = (source.match(DIRECTIVE) ?? []).join("\n");
  for (const [, key] of directives.matchAll(KEY)) {
    if (!KNOWN.has(key!)) throw new Unsupported(`the setting ${key!}`);
  }
  const theme = /["']?theme["']?\s*:\s*["'](\w+)/.exec(directives)?.[1];
  if (theme && !AUTHORS.includes(theme)) throw new Unsupported(`the theme ${theme}`);
  return theme;
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
