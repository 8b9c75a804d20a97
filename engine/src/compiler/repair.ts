/**
 * Mends a source that strict MDX refuses, one fault at a time, the way an author would:
 * a stray `<` or `{` becomes text, HTML's void tags are closed, HTML comments become
 * MDX comments. No line is ever added or removed, so that places stay true.
 */
import { messageOf, type LocalFault } from "../faults";
import { codeRanges, isWithin, offsetOf, placeOf, type Place } from "../text";

const VOID = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i;
const PLACE = /^(\d+):(\d+): /;
const OPENED_AT = /closing tag for `<[^`]*>` \((\d+):(\d+)\)/;
const ELSEWHERE = /\s*\(mdx[\w-]*:[\w-]+\)\s*$/;

export interface Repair {
  source: string;
  fault: LocalFault;
}

/** The place that a compiler's message begins with, and the rest of it. */
export function readMessage(error: unknown): { place: Place | null; text: string } {
  const message = messageOf(error);
  const match = PLACE.exec(message);
  const text = message.replace(PLACE, "").replace(ELSEWHERE, "");
  return { place: match && { line: Number(match[1]), column: Number(match[2]) }, text };
}

/** The source with the fault that stopped the compiler mended; null where nothing helps. */
export function repair(source: string, error: unknown): Repair | null {
  const { place, text } = readMessage(error);
  if (!place) return null;
  const opened = OPENED_AT.exec(messageOf(error));
  const at = opened
    ? offsetOf(source, { line: Number(opened[1]), column: Number(opened[2]) })
    : offsetOf(source, place);
  return /expression|closing brace/.test(text) ? mendBrace(source, at) : mendTag(source, at);
}

function mendTag(source: string, near: number): Repair | null {
  const at = source[near] === "<" ? near : source.lastIndexOf("<", near);
  if (at < 0 || source[at - 1] === "\\") return null;
  const rest = source.slice(at, at + 2_000);
  return (
    mendComment(source, at) ??
    mendAutolink(source, at, rest) ??
    mendVoidTag(source, at, rest) ??
    escapeAt(source, at, "a `<` that opens no tag is shown as text")
  );
}

function mendComment(source: string, at: number): Repair | null {
  if (!source.startsWith("<!--", at)) return null;
  const end = source.indexOf("-->", at);
  if (end < 0) return null;
  const text = source.slice(at + 4, end).replaceAll("*/", "* /");
  return edit(source, at, end + 3, `{/*${text}*/}`, {
    code: "html-comment",
    message: "HTML comments are not MDX; write {/* … */}",
  });
}

function mendAutolink(source: string, at: number, rest: string): Repair | null {
  const match = /^<((?:https?:\/\/|mailto:)[^\s<>]+|[\w.+-]+@[\w-]+\.[\w.-]+)>/.exec(rest);
  if (!match) return null;
  const address = match[1].includes(":") ? match[1] : `mailto:${match[1]}`;
  return edit(source, at, at + match[0].length, `[${match[1]}](${address})`, {
    code: "autolink",
    message: "an address in angle brackets is not MDX; write [text](address)",
  });
}

function mendVoidTag(source: string, at: number, rest: string): Repair | null {
  if (!VOID.test(rest)) return null;
  const length = /^<(?:"[^"]*"|'[^']*'|\{[^}]*\}|[^>"'{])*>/.exec(rest)?.[0].length;
  if (!length || rest[length - 2] === "/") return null;
  const end = at + length - 1;
  return edit(source, end, end, "/", {
    code: "unclosed-tag",
    message: `${rest.slice(0, length)} is not closed`,
  });
}

function mendBrace(source: string, near: number): Repair | null {
  const code = codeRanges(source);
  for (let at = source.lastIndexOf("{", near); at >= 0; at = source.lastIndexOf("{", at - 1)) {
    if (source[at - 1] === "\\" || isWithin(code, at)) continue;
    if (source[at - 1] === "=") return null;
    return escapeAt(source, at, "a `{` that opens no expression is shown as text");
  }
  return null;
}

function escapeAt(source: string, at: number, message: string): Repair {
  return edit(source, at, at, "\\", { code: "unescaped-character", message });
}

/** `{name}` of which nothing is known becomes text; null where there is no such expression. */
export function escapeName(source: string, name: string): Repair | null {
  const code = codeRanges(source);
  const expressions = /(?<![\\=])\{[^{}]*\}/g;
  for (const match of source.matchAll(expressions)) {
    if (isWithin(code, match.index) || !wordsOf(match[0]).has(name)) continue;
    return edit(source, match.index, match.index, "\\", {
      code: "unknown-name",
      message: `"${name}" is not defined; ${match[0]} is shown as text`,
    });
  }
  return null;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\w$]+/g));
}

function edit(
  source: string,
  start: number,
  end: number,
  text: string,
  fault: Pick<LocalFault, "code" | "message">,
): Repair {
  const hint = fault.code === "unescaped-character" ? "write \\< or \\{, or use inline code" : "";
  return {
    source: source.slice(0, start) + text + source.slice(end),
    fault: { ...placeOf(source, start), severity: "warning", hint, ...fault },
  };
}
