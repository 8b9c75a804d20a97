/** Errors of authors in diagrams: message and position of the library's parser. */
import mermaid from "mermaid";
import { isLarge, quoteNames } from "./authors";

export interface Problem {
  message: string;
  line: number; // of the source, from 1; 0 where it is unknown
  column: number; // from 1
}

interface ParserError {
  message?: string;
  hash?: { loc?: { first_line?: number; first_column?: number } };
}

const OTHER = "This diagram needs the complete library."; // of scripts/build.mjs
const SETTINGS = /^\s*---\s*\n[^]*?\n\s*---\s*?\n/;
const COMMENT = /^\s*%%(?!\{)[^\n]+$/;
const POSITION = /\bon line (\d+)(?:, column (\d+))?/i;
const EXCERPT = /^Parse error on line \d+:\n[^]*?\n-*\^\n/;
const PREFIX = /^Parsing failed:|\b(?:Lexer|Parse) error on line \d+, column \d+:/g;
const LIMIT = /^Edge limit exceeded/; // browsers have a higher one
const DATE = /^Invalid date/; // found by drawing only
const MOST_CHARACTERS = 200;

/** The error of a source that was not rendered because of `thrown`; none where it has no error of its own. */
export async function problemOf(source: string, thrown: unknown): Promise<Problem | undefined> {
  if (isLarge(source)) return undefined;
  if (DATE.test(messageOf(thrown))) return problem(source, thrown as ParserError);
  try {
    await mermaid.parse(quoteNames(source));
    return undefined;
  } catch (error) {
    return messageOf(error) === OTHER || LIMIT.test(messageOf(error)) ? undefined : problem(source, error as ParserError);
  }
}

function problem(source: string, error: ParserError): Problem {
  const text = messageOf(error);
  const start = error.hash?.loc;
  const said = POSITION.exec(text);
  const line = start?.first_line ?? Number(said?.[1] ?? 0);
  const column = start?.first_column === undefined ? Number(said?.[2] ?? 1) : start.first_column + 1;
  return { message: shortened(text), line: writtenLine(source, line), column };
}

function messageOf(error: unknown): string {
  return String((error as Error | undefined)?.message ?? error).trim();
}

/** The reason without the excerpt that shows its position, and without what follows a long list. */
function shortened(text: string): string {
  const kind = /^No diagram type detected/.test(text) ? "its first line names no type of diagram" : text;
  const reason = kind.replace(EXCERPT, "").replace(PREFIX, "").replace(/\s+/g, " ").trim();
  if (reason.length <= MOST_CHARACTERS) return reason;
  const found = /, got '[^']*'$/.exec(reason)?.[0] ?? "";
  return `${reason.slice(0, MOST_CHARACTERS - found.length)}…${found}`;
}

/** The parser does not see settings, comments and the blank lines before the first line. */
function writtenLine(source: string, line: number): number {
  if (!line) return 0;
  const numbered = source.split("\n").map((text, index) => ({ text, number: index + 1 }));
  const settings = SETTINGS.exec(source)?.[0].match(/\n/g)?.length ?? 0;
  const read = numbered.slice(settings).filter(({ text }) => !COMMENT.test(text));
  const first = read.findIndex(({ text }) => text.trim() !== "");
  const last = read.findLast(({ text }) => text.trim() !== "");
  return Math.min(read[first + line - 1]?.number ?? source.length, last?.number ?? 1);
}
