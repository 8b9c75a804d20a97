/**
 * Repairs tags whose partner is missing, or is in another paragraph.
 *
 * Strict MDX wants both tags of a pair in one paragraph, or each on a line of its own;
 * authors write `<details><summary>…` and `<Tab title="x">text` and mean the latter.
 */
import type { Draft } from "../draft";
import type { LocalDiagnostic } from "../diagnostics";
import { codeRanges, isWithin, type Position, type Range } from "../text";

const APART = /before the end of `|either after the end of `/;
const NAMED = /closing tag (?:for )?`<\/?([\w.:-]+)>`/;
const CROSSED = /^Unexpected closing tag `<\/([\w.:-]+)>`, expected corresponding closing tag for `<([\w.:-]+)>`/;
const STRAY = /^Unexpected closing tag `<\/([\w.:-]+)>`, expected an open tag first/;

const ELEMENT =
  /^(?:[A-Z].*|a|b|button|code|details|div|em|h[1-6]|i|iframe|li|ol|p|pre|section|span|strong|summary|svg|table|t[dhr]|ul|video)$/;

interface Tag {
  start: number;
  end: number;
  isClosing: boolean;
}

/** Repair the pair whose opening tag is `opened`, and return its diagnostics; null if it is no pair. */
export function repairPair(
  draft: Draft,
  message: string,
  opened: number,
  at: number,
): LocalDiagnostic | null {
  const crossed = CROSSED.exec(message);
  if (crossed) return closeBefore(draft, { outer: crossed[1], inner: crossed[2] }, opened, at);
  const stray = STRAY.exec(message);
  if (stray) return escape(draft, at, `</${stray[1]}> closes nothing; it is shown as text`, true);
  const name = NAMED.exec(message)?.[1];
  if (!name || draft.text[opened] !== "<") return null;
  const apart = APART.test(message) ? setApart(draft, name, opened) : null;
  if (apart) return apart;
  if (!ELEMENT.test(name)) return null; // a placeholder, such as <your-key>
  return escape(draft, opened, `<${name}> is never closed; it is shown as text`);
}

/** Puts both tags of a pair on lines of their own, as strict MDX requires. */
function setApart(draft: Draft, name: string, opened: number): LocalDiagnostic | null {
  const pair = pairOf(draft.text, name, opened);
  if (!pair || isRow(draft.text, opened)) return null;
  const [open, close] = pair;
  const position = draft.originalOf(open.start);
  const indent = indentOf(draft.text, open.start);
  const size = draft.text.length;
  if (isInLine(draft.text, close.end, "after")) draft.breakAt(close.end, indent);
  if (isInLine(draft.text, close.start, "before")) draft.breakAt(close.start, indent);
  if (isInLine(draft.text, open.end, "after")) draft.breakAt(open.end, indent);
  if (isInLine(draft.text, open.start, "before")) draft.breakAt(open.start, indent);
  if (draft.text.length === size) return null;
  return {
    ...position,
    severity: "warning",
    code: "unclosed-tag",
    message: `<${name}> is not closed in the paragraph that opens it`,
    hint: `Put <${name}> and </${name}> on lines of their own.`,
  };
}

/** `<Steps><Step></Steps>`: inner tags are closed before the outer one. */
function closeBefore(
  draft: Draft,
  { outer, inner }: { outer: string; inner: string },
  opened: number,
  at: number,
): LocalDiagnostic | null {
  const source = draft.text;
  const close = source[at] === "<" ? at : source.lastIndexOf("<", at);
  const code = codeRanges(source);
  const before = [...tagsOf(source, outer, 0, code)].filter(({ start }) => start < opened);
  const open = before.reduce((depth, tag) => depth + (tag.isClosing ? -1 : 1), 0);
  if (open <= 0) return escape(draft, close, `</${outer}> closes nothing; it is shown as text`, true);
  const position = draft.originalOf(opened);
  draft.replace(close, close, `</${inner}>`);
  const ownLine = !isInLine(source, close, "before");
  if (ownLine) draft.breakAt(close + inner.length + 3, indentOf(source, opened));
  return notClosed(position, inner, outer);
}

export function notClosed(position: Position, inner: string, outer: string): LocalDiagnostic {
  return {
    ...position,
    severity: "warning",
    code: "unclosed-tag",
    message: `<${inner}> is not closed before </${outer}>`,
    hint: `Add </${inner}>.`,
  };
}

function escape(draft: Draft, at: number, message: string, isStray = false): LocalDiagnostic | null {
  const start = draft.text[at] === "<" ? at : draft.text.lastIndexOf("<", at);
  if (start < 0 || draft.text[start - 1] === "\\") return null;
  const position = draft.originalOf(start);
  draft.replace(start, start, "\\");
  const code = isStray ? "unopened-tag" : "unclosed-tag";
  const hint = isStray ? "Remove it, or add the tag that it closes." : "Close it, or write \\<.";
  return { ...position, severity: "warning", code, message, hint };
}

function pairOf(source: string, name: string, opened: number): [Tag, Tag] | null {
  let depth = 0;
  let open: Tag | null = null;
  for (const tag of tagsOf(source, name, opened, codeRanges(source))) {
    open ??= tag;
    depth += tag.isClosing ? -1 : 1;
    if (depth === 0) return [open, tag];
  }
  return null;
}

/** The tags of one name from an offset on, in order, without those that close themselves. */
function* tagsOf(source: string, name: string, from: number, code: Range[]): Generator<Tag> {
  const plain = name.replaceAll(".", "\\.");
  const tags = new RegExp(`<(/?)${plain}(?![\\w.:-])(?:"[^"]*"|'[^']*'|\\{[^}]*\\}|[^>"'{])*>`, "g");
  tags.lastIndex = from;
  for (let match = tags.exec(source); match; match = tags.exec(source)) {
    if (isWithin(code, match.index) || match[0].endsWith("/>")) continue;
    if (source[match.index - 1] === "\\") continue;
    yield { start: match.index, end: tags.lastIndex, isClosing: match[1] === "/" };
  }
}

function isInLine(source: string, at: number, direction: "before" | "after"): boolean {
  if (direction === "after") return /[^\s]/.test(lineAfter(source, at));
  return /[^\s>]/.test(lineBefore(source, at));
}

/** Report whether a position is in a row of a table, which always has one line. */
function isRow(source: string, at: number): boolean {
  return /^[ \t]*\|/.test(lineBefore(source, at));
}

function lineBefore(source: string, at: number): string {
  return source.slice(source.lastIndexOf("\n", at - 1) + 1, at);
}

function lineAfter(source: string, at: number): string {
  const end = source.indexOf("\n", at);
  return source.slice(at, end < 0 ? source.length : end);
}

/** Return the beginning of another line in the same list item or quotation. */
export function indentOf(source: string, at: number): string {
  const lead = /^[ \t]*(?:(?:[-*+]|\d+[.)]|>)[ \t]+)*/.exec(lineBefore(source, at))?.[0] ?? "";
  return lead.replace(/[^\s>]/g, " ");
}
