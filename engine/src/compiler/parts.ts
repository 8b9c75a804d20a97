/**
 * Repairs the parts of a long source one by one, so that a diagnostic costs the compilation of its
 * part only. Parts are paragraphs that no tag, expression or comment connects with another one.
 */
import { Draft, type Piece } from "../draft";
import type { LocalDiagnostic } from "../diagnostics";
import { codeRanges, type Position, type Range } from "../text";
import { indentOf, notClosed } from "./pairs";
import { repairVoidTags } from "./repair";
import { tokensOf, VOID, type Token } from "./tokens";

export interface Part {
  start: number;
  end: number;
  line: number; // of its start, from 0
}

type Parse = (text: string) => void;
type Repair = (draft: Draft, error: unknown) => LocalDiagnostic | null;

const MOST_REPAIRS = 200; // of one part
const LONG = 16_000; // characters
const MANY = 20;
const LONG_PART = 250; // characters; a longer one ends with its line, if nothing goes on there
const STATEMENT = /^(?:import|export)\b/;
const MATH = /^[ \t]*\$\$[ \t]*\n?$/;

/** Repair the parts of a draft that cannot be parsed, as far as `repair` can. */
export function repairParts(draft: Draft, parse: Parse, repair: Repair): LocalDiagnostic[] {
  const tokens = tokensOf(draft.text);
  const diagnostics: LocalDiagnostic[] = [];
  const pieces: Piece[] = [];
  const keep = (part: Part, piece: Draft, found: LocalDiagnostic[]) => {
    pieces.push({ ...part, draft: piece });
    diagnostics.push(...found.map((diagnostic) => ({ ...diagnostic, ...originalOf(draft, part, diagnostic) })));
  };
  for (const part of suspectsOf(draft.text, tokens)) {
    const piece = new Draft(draft.text.slice(part.start, part.end));
    const found = repairPiece(piece, parse, repair);
    if (found?.length) keep(part, piece, found);
  }
  for (const [line, inner] of unclosedOf(draft.text, tokens)) {
    const piece = new Draft(draft.text.slice(line.start, line.end));
    closeAll(piece, draft.text, inner);
    keep(line, piece, []);
    diagnostics.push(...inner.map(({ start, name, within }) => notClosed(draft.originalOf(start), name, within!.name)));
  }
  draft.adopt(pieces.sort((one, other) => one.start - other.start));
  return diagnostics;
}

/** The lines with only a closing tag before which tags on lines of their own are open, the last first. */
function unclosedOf(source: string, tokens: readonly Token[]): [Part, Token[]][] {
  const found = new Map<Token, Token[]>();
  for (const token of tokens) {
    if (isOpenBefore(source, token)) found.set(token.within!, [token, ...(found.get(token.within!) ?? [])]);
  }
  const lines = new Map(tokens.filter((token) => found.has(token)).map((token) => [lineStart(source, token.start), token]));
  const parts: [Part, Token[]][] = [];
  for (const { start, end, line } of linesOf(source, [])) {
    const close = lines.get(start);
    if (close) parts.push([{ start, end, line }, found.get(close)!]);
  }
  return parts;
}

function isOpenBefore(source: string, token: Token): boolean {
  return token.kind === "open" && !!token.within && isOnOwnLine(source, token) && isOnOwnLine(source, token.within);
}

/** Closes tags before the one of a line. */
function closeAll(piece: Draft, source: string, inner: readonly Token[]): void {
  for (const { name, start } of inner) {
    const at = piece.text.lastIndexOf("</");
    piece.replace(at, at, `</${name}>`);
    piece.breakAt(at + name.length + 3, indentOf(source, start));
  }
}

function originalOf(draft: Draft, part: Part, { line, column }: LocalDiagnostic): Position {
  return draft.original({ line: line + part.line, column });
}

/**
 * Report whether a long source has many faulty tags. The compiler's time for a source that it
 * refuses grows with the square of their number.
 */
export function hasManyErrors(source: string): boolean {
  if (source.length < LONG) return false;
  return tokensOf(source).filter((token) => isBroken(source, token)).length > MANY;
}

function isBroken(source: string, { kind, name, end, partner }: Token): boolean {
  if (kind === "comment") return true;
  if (kind === "complete") return VOID.test(name) && source[end - 2] !== "/";
  if (kind !== "open") return kind === "close" && !partner;
  return !partner || (source[end] !== "\n" && source.slice(end, partner.start).includes("\n\n"));
}

/** Repair a piece and return its diagnostics; null if it cannot be repaired. */
function repairPiece(piece: Draft, parse: Parse, repair: Repair): LocalDiagnostic[] | null {
  const diagnostics = repairVoidTags(piece);
  if (diagnostics.length > 0 && !tokensOf(piece.text).some((token) => isDoubtful(piece.text, token))) return diagnostics;
  for (let count = 0; count < MOST_REPAIRS; count += 1) {
    try {
      parse(piece.text);
      return diagnostics;
    } catch (error) {
      const found = repair(piece, error);
      if (!found) return null;
      diagnostics.push(found);
    }
  }
  return null;
}

/** The parts that may have a diagnostic. */
function suspectsOf(source: string, tokens: readonly Token[]): Part[] {
  const doubtful = tokens.filter((token) => isDoubtful(source, token));
  let next = 0;
  return partsOf(source, tokens).filter(({ start, end }) => {
    while (next < doubtful.length && doubtful[next].start < start) next += 1;
    return next < doubtful.length && doubtful[next].start < end;
  });
}

const WELL_FORMED = /^<\/?[A-Za-z][\w.:-]*(?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'))?)*\s*\/?>$/;

/** Whether a token may be a diagnostic; a pair within a line is none. */
function isDoubtful(source: string, { kind, start, end, partner }: Token): boolean {
  if (kind !== "open" && kind !== "close" && kind !== "complete") return true;
  const text = source.slice(start, end);
  if (!WELL_FORMED.test(text)) return true;
  if (kind === "complete") return !text.endsWith("/>");
  if (!partner) return true;
  return source.slice(Math.min(start, partner.start), Math.max(start, partner.start)).includes("\n");
}

/** The parts of a source, in order. */
export function partsOf(source: string, tokens: readonly Token[] = tokensOf(source)): Part[] {
  const { joined, ownLines } = connectionsOf(source, tokens);
  const parts: Part[] = [];
  let part: Part | null = null;
  let isStatement = false;
  for (const { start, end, line, text, isFree } of linesOf(source, joined)) {
    if (isFree && (text.trim() === "" || ownLines.has(start))) {
      part = null;
      isStatement = false;
      continue;
    }
    isStatement ||= isFree && !part && STATEMENT.test(text);
    if (isStatement) continue;
    if (part && (!isFree || start - part.start < LONG_PART)) part.end = end;
    else parts.push((part = { start, end, line }));
  }
  return parts;
}

interface Line extends Part {
  text: string;
  isFree: boolean; // from the line before it
}

function* linesOf(source: string, joined: readonly Range[]): Generator<Line> {
  let held = 0; // the end of what connects lines
  let next = 0;
  let isMath = false;
  for (let start = 0, line = 0; start < source.length; line += 1) {
    const newline = source.indexOf("\n", start);
    const end = newline < 0 ? source.length : newline + 1;
    const text = source.slice(start, end);
    yield { start, end, line, text, isFree: start >= held && !isMath };
    if (start >= held && MATH.test(text)) isMath = !isMath;
    while (next < joined.length && joined[next][0] < end) held = Math.max(held, joined[next++][1]);
    start = end;
  }
}

interface Connections {
  joined: Range[]; // in order
  ownLines: ReadonlySet<number>; // lines with only a tag of a pair whose tags are both on such lines
}

/** Return what connects lines: code, comments, tags, and pairs unless both tags are on lines of their own. */
function connectionsOf(source: string, tokens: readonly Token[]): Connections {
  const joined = codeRanges(source);
  const ownLines = new Set<number>();
  for (const token of tokens) {
    const { kind, name, start, end, partner } = token;
    if (isOpenBefore(source, token)) ownLines.add(lineStart(source, start));
    if (!partner && name !== "{") joined.push([start, end]);
    if (!partner || kind === "close" || name === "}") continue;
    if (name !== "{" && isOnOwnLine(source, token) && isOnOwnLine(source, partner)) {
      [token, partner].forEach((tag) => ownLines.add(lineStart(source, tag.start)));
      joined.push([start, end], [partner.start, partner.end]);
    } else {
      joined.push([start, partner.end]);
    }
  }
  return { joined: joined.sort((one, other) => one[0] - other[0]), ownLines };
}

function isOnOwnLine(source: string, { start, end }: Token): boolean {
  const newline = source.indexOf("\n", end);
  const after = source.slice(end, newline < 0 ? source.length : newline);
  return after.trim() === "" && source.slice(lineStart(source, start), start).trim() === "";
}

function lineStart(source: string, at: number): number {
  return source.lastIndexOf("\n", at - 1) + 1;
}
