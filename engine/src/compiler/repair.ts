/**
 * Repairs a source that strict MDX refuses, one diagnostic at a time, the way an author would:
 * a stray `<` or `{` becomes text, HTML's void tags are closed, HTML comments become
 * MDX comments, tags that are closed in another paragraph stand on lines of their own.
 */
import type { Draft } from "../draft";
import { messageOf, type LocalDiagnostic } from "../diagnostics";
import { codeRanges, isWithin, offsetOf, type Position } from "../text";
import { repairPair } from "./pairs";
import { tokensOf } from "./tokens";

const VOID = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i;
const TAG = /^<(?:"[^"]*"|'[^']*'|\{[^}]*\}|[^>"'{])*>/;
const POSITION = /^(\d+):(\d+): /;
const OPENED_AT = /(?:closing tag for `<[^`]*>` \(|`<[^`]*>` opened at )(\d+):(\d+)\)/;
const ELSEWHERE = /\s*\(mdx[\w-]*:[\w-]+\)\s*$/;

type DiagnosticText = Pick<LocalDiagnostic, "code" | "message" | "hint">;

/** The position at the beginning of a compiler's message, and the rest of the message. */
export function readMessage(error: unknown): { position: Position | null; text: string } {
  const message = messageOf(error);
  const match = POSITION.exec(message);
  const text = message.replace(POSITION, "").replace(ELSEWHERE, "");
  return { position: match && { line: Number(match[1]), column: Number(match[2]) }, text };
}

/** The offset of an error's cause: the opening tag of a pair, or the position at which the compiler stopped. */
function offsetIn(source: string, error: unknown, position: Position): number {
  const opened = OPENED_AT.exec(messageOf(error));
  return offsetOf(source, opened ? { line: Number(opened[1]), column: Number(opened[2]) } : position);
}

/** Repairs the error that stopped the compiler and returns its diagnostic; null if it cannot be repaired. */
export function repair(draft: Draft, error: unknown): LocalDiagnostic | null {
  const { position, text } = readMessage(error);
  if (!position) return null;
  const at = offsetIn(draft.text, error, position);
  if (/expression|closing brace/.test(text)) return repairBrace(draft, at);
  const isVoid = VOID.test(draft.text.slice(at, at + 20));
  const repaired = isVoid ? null : repairPair(draft, text, at, offsetOf(draft.text, position));
  return repaired ?? repairTag(draft, at);
}

function repairTag(draft: Draft, near: number): LocalDiagnostic | null {
  const source = draft.text;
  const at = source[near] === "<" ? near : source.lastIndexOf("<", near);
  if (at < 0 || source[at - 1] === "\\") return null;
  const rest = source.slice(at, at + 2_000);
  return (
    repairComment(draft, at) ??
    repairAutolink(draft, at, rest) ??
    repairVoidTag(draft, at, rest) ??
    repairAttributes(draft, at, rest) ??
    escapeAt(draft, at, "a `<` that opens no tag is shown as text")
  );
}

function repairComment(draft: Draft, at: number): LocalDiagnostic | null {
  const source = draft.text;
  const end = source.startsWith("<!--", at) ? source.indexOf("-->", at) : -1;
  if (end < 0) return null;
  const text = source.slice(at + 4, end).replaceAll("*/", "* /");
  return edit(draft, at, end + 3, `{/*${text}*/}`, {
    code: "html-comment",
    message: "HTML comments are not MDX; write {/* … */}",
    hint: "Write {/* … */}",
  });
}

function repairAutolink(draft: Draft, at: number, rest: string): LocalDiagnostic | null {
  const match = /^<((?:https?:\/\/|mailto:)[^\s<>]+|[\w.+-]+@[\w-]+\.[\w.-]+)>/.exec(rest);
  if (!match) return null;
  const url = match[1].includes(":") ? match[1] : `mailto:${match[1]}`;
  return edit(draft, at, at + match[0].length, `[${match[1]}](${url})`, {
    code: "autolink",
    message: "a URL or email address in angle brackets is not MDX; write [text](url)",
    hint: `Write [${match[1]}](${url})`,
  });
}

/** Closes all void tags of a source without expressions and formulas at once, instead of one for each error. */
export function repairVoidTags(draft: Draft): LocalDiagnostic[] {
  if (/[{$]/.test(draft.text)) return [];
  const tags = tokensOf(draft.text).filter(({ kind }) => kind === "complete");
  const found = tags.reverse().map(({ start, end }) => repairVoidTag(draft, start, draft.text.slice(start, end)));
  return found.filter((diagnostic) => diagnostic !== null).reverse();
}

function repairVoidTag(draft: Draft, at: number, rest: string): LocalDiagnostic | null {
  if (!VOID.test(rest)) return null;
  const tag = TAG.exec(rest)?.[0];
  if (!tag || tag.endsWith("/>")) return null;
  const closed = `${tag.slice(0, -1)}/>`.replace(/^<\w+/, (name) => name.toLowerCase());
  return edit(draft, at, at + tag.length, closed, {
    code: "unclosed-tag",
    message: `${tag} is not closed`,
    hint: `Write ${closed}`,
  });
}

function repairAttributes(draft: Draft, at: number, rest: string): LocalDiagnostic | null {
  const tag = TAG.exec(rest)?.[0];
  if (!tag || !/^<[A-Za-z][\w.]*(?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{[^}]*\}|[^\s"'{}=<>]+))?)*\s*\/?>$/.test(tag)) {
    return null;
  }
  const quoted = tag.replace(/=([^\s"'{}=<>]+?)(?=\s|\/?>$)/g, '="$1"');
  if (quoted === tag) return null;
  return edit(draft, at, at + tag.length, quoted, {
    code: "unquoted-attribute",
    message: `a value in ${tag} stands without quotes`,
    hint: `Write ${quoted}`,
  });
}

function repairBrace(draft: Draft, near: number): LocalDiagnostic | null {
  const source = draft.text;
  const code = codeRanges(source);
  for (let at = source.lastIndexOf("{", near); at >= 0; at = source.lastIndexOf("{", at - 1)) {
    if (source[at - 1] === "\\" || isWithin(code, at)) continue;
    if (source[at - 1] === "=") return null;
    return escapeAt(draft, at, "a `{` that opens no expression is shown as text");
  }
  return null;
}

function escapeAt(draft: Draft, at: number, message: string): LocalDiagnostic {
  return edit(draft, at, at, "\\", {
    code: "unescaped-character",
    message,
    hint: `Write \\${draft.text[at]}, or use inline code.`,
  });
}

/**
 * Turn each `{name}` with an unknown name into text. Within other expressions, as in a function, only
 * the first one is changed. Return no diagnostics if there is no such expression.
 */
export function escapeName(draft: Draft, name: string): LocalDiagnostic[] {
  const code = codeRanges(draft.text);
  const found = [...draft.text.matchAll(/(?<![\\=])\{[^{}]*\}/g)].filter(
    (match) => wordsOf(match[0]).has(name) && !isWithin(code, match.index),
  );
  const nested = nestedBraces(draft.text, code);
  const separate = found.filter((match) => !nested.has(match.index) && !match[0].includes("=>"));
  const chosen = separate.length > 0 ? separate : found.slice(0, 1);
  // From the last one: an edit moves what comes after it.
  return chosen
    .reverse()
    .map((match) =>
      edit(draft, match.index, match.index, "\\", {
        code: "unknown-name",
        message: `"${name}" is not defined; ${match[0]} is shown as text`,
        hint: `Write \\${match[0]} where text is meant, or define ${name}.`,
      }),
    )
    .reverse();
}

/** Positions of braces that open within others. */
function nestedBraces(text: string, code: ReturnType<typeof codeRanges>): Set<number> {
  const nested = new Set<number>();
  let depth = 0;
  for (const { 0: brace, index } of text.matchAll(/(?<!\\)[{}]/g)) {
    if (isWithin(code, index)) continue;
    if (brace === "{" && depth > 0) nested.add(index);
    depth = brace === "{" ? depth + 1 : Math.max(0, depth - 1);
  }
  return nested;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\w$]+/g));
}

function edit(
  draft: Draft,
  start: number,
  end: number,
  text: string,
  diagnostic: DiagnosticText,
): LocalDiagnostic {
  const position = draft.originalOf(start);
  draft.replace(start, end, text);
  return { ...position, severity: "warning", ...diagnostic };
}
