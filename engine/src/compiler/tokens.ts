/** Tags, braces and comments of a source outside its code, and which of them belong together. */
import { codeRanges } from "../text";

export interface Token {
  kind: "open" | "close" | "complete" | "comment" | "brace" | "other";
  name: string; // of a tag; "{" and "}" of braces
  start: number;
  end: number;
  partner?: Token;
  within?: Token; // the tag whose closing tag ended this one, too
}

// An expression with up to two levels of objects in it: `rss={{ title: "News" }}`.
const BRACES = [1, 2].reduce((inner) => `\\{(?:[^{}]|${inner}){0,2000}\\}`, "\\{[^{}]{0,2000}\\}");
const TAG = new RegExp(`<(/?)([A-Za-z][\\w.:-]*)?(?:"[^"]{0,2000}"|'[^']{0,2000}'|${BRACES}|[^<>"'{])*>`, "y");
const START = /<!--|[<{}]/g;
export const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** The tokens in order, matched. The time is linear in the length of the source. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const code = codeRanges(source);
  let next = 0;
  START.lastIndex = 0;
  for (let match = START.exec(source); match; match = START.exec(source)) {
    const at = match.index;
    while (next < code.length && code[next][1] <= at) next += 1;
    if (next < code.length && code[next][0] <= at) {
      START.lastIndex = code[next][1];
    } else if (source[at - 1] !== "\\") {
      const token = tokenAt(source, at, match[0]);
      tokens.push(token);
      START.lastIndex = token.end;
    }
  }
  pair(tokens);
  return tokens;
}

function tokenAt(source: string, start: number, mark: string): Token {
  if (mark === "<!--") {
    const end = source.indexOf("-->", start);
    return { kind: "comment", name: "", start, end: end < 0 ? start + 4 : end + 3 };
  }
  if (mark !== "<") return { kind: "brace", name: mark, start, end: start + 1 };
  TAG.lastIndex = start;
  const tag = TAG.exec(source);
  if (!tag) return { kind: "other", name: "", start, end: start + 1 };
  const [text, slash, name = ""] = tag;
  const isComplete = text.endsWith("/>") || (!slash && VOID.test(name));
  return { kind: slash ? "close" : isComplete ? "complete" : "open", name, start, end: start + text.length };
}

/** A closing tag belongs to the nearest one of its name that is open. */
function pair(tokens: readonly Token[]): void {
  const open: Token[] = [];
  const counts = new Map<string, number>();
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count);
  for (const token of tokens) {
    if (token.kind === "open" || token.name === "{") {
      open.push(token);
      add(token.name, 1);
      continue;
    }
    const name = token.kind === "close" ? token.name : token.name === "}" ? "{" : undefined;
    if (name === undefined || !counts.get(name)) continue;
    for (let last = open.pop(); last; last = open.pop()) {
      add(last.name, -1);
      if (last.name === name) {
        last.partner = token;
        token.partner = last;
        break;
      }
      last.within = token;
    }
  }
}
