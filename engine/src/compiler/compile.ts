/** Compiles the MDX of a page or snippet into a program, and repairs what strict MDX refuses. */
import { markdownToJs, mdxToJs, type MdxToJsResult } from "satteri";
import type { Draft } from "../draft";
import type { LocalDiagnostic } from "../diagnostics";
import { matchesOf } from "../patterns";
import { mathSetting } from "../site";
import { mathIn } from "./math";
import { hasManyErrors, repairParts } from "./parts";
import { compileAsHtml, compileWithReader } from "./binding";
import { MOST_LEVELS, tooDeepIn } from "./nesting";
import { Notes, readerOf, visitNodes, type LinkPosition } from "./notes";
import { isReadable, PlainReader, type Part } from "./plain";
import { readMessage, repair } from "./repair";

const MOST_REPAIRS = 200;
const MOST_ATTEMPTS = 20; // with the whole file, before its parts are repaired
const MOST_CHARACTERS = 8_000_000; // of all attempts
const REFERENCE = /_missingMdxReference\("([^"]+)", (?:true|false)\)/g;
const ESM_ERROR = /only import\/exports are supported/;

export interface Compiled {
  code: string; // with `import` and `export` statements; HTML where it `isHtml`
  isHtml: boolean;
  parts: readonly Part[]; // of the HTML
  references: string[]; // components that neither the file nor its imports define
  links: LinkPosition[];
  diagnostics: LocalDiagnostic[];
}

/** Raised for a file that cannot be compiled, even after repairs. */
export class CompileError extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
    readonly diagnostics: LocalDiagnostic[],
  ) {
    super(message);
  }
}

/**
 * `plain` says that the file is Markdown proper, in which HTML may stand. With `asHtml`, MDX that
 * has no code becomes HTML at once (`runtime/plain.ts` reads it), in place of a program.
 *
 * A file with many diagnostics is repaired part by part, for each attempt takes as long as it is.
 */
export function compile(draft: Draft, plain = false, asHtml = false): Compiled {
  if (!plain) refuseDeep(draft);
  const parse = parserOf(draft.text, plain);
  let isRepaired = hasManyErrors(draft.text);
  const diagnostics = isRepaired ? repairParts(draft, parse, repair) : [];
  let characters = 0;
  for (let count = 0; ; count += 1) {
    try {
      return { ...attempt(draft.text, plain, asHtml), diagnostics };
    } catch (error) {
      characters += draft.text.length;
      if (!isRepaired && count >= MOST_ATTEMPTS) {
        isRepaired = true;
        diagnostics.push(...repairParts(draft, parse, repair));
      } else {
        const isEnd = count >= MOST_REPAIRS || characters > MOST_CHARACTERS;
        const diagnostic = isEnd ? null : repair(draft, error);
        if (!diagnostic) throw failure(draft, error, diagnostics);
        diagnostics.push(diagnostic);
      }
    }
  }
}

/** Raises `CompileError` for code that would take the compiler too long. */
function refuseDeep(draft: Draft): void {
  const at = tooDeepIn(draft.text);
  if (at === null) return;
  const { line, column } = draft.originalOf(at);
  throw new CompileError(`elements and expressions are nested in one another more than ${MOST_LEVELS} times`, line, column, []);
}

function failure(draft: Draft, error: unknown, diagnostics: LocalDiagnostic[]): CompileError {
  const { position, text } = readMessage(error);
  const hint = ESM_ERROR.test(text) ? `${text}; leave a blank line after them` : text;
  const { line, column } = draft.original(position ?? { line: 1, column: 1 });
  return new CompileError(hint, line, column, diagnostics);
}

/** Return a parser that throws the diagnostics of a part of a source. */
function parserOf(source: string, plain: boolean): (part: string) => void {
  const features = featuresOf(source);
  return (part) => {
    if (plain) markdownToJs(part, { features: { ...features, rawHtml: true } });
    else mdxToJs(part, { features });
  };
}

function featuresOf(source: string) {
  return { headingAttributes: true, math: mathSetting() ?? mathIn(source), frontmatter: false };
}

/** Raised when a page needs a program, but its tree has already been changed for HTML. */
class NeedsProgram extends Error {}

function attempt(source: string, plain: boolean, asHtml: boolean): Omit<Compiled, "diagnostics"> {
  if (!asHtml) return { ...programOf(source, plain), isHtml: false, parts: [] };
  const reading = new PlainReader(source);
  const isHtmlRequested = () => {
    if (!reading.isPlain && reading.parts.length > 0) throw new NeedsProgram();
    return reading.isPlain;
  };
  try {
    const compiled = compileAsHtml(isHtmlRequested, () => programOf(source, plain, reading));
    if (!reading.isPlain) return { ...compiled, isHtml: false, parts: [] };
    if (isReadable(compiled.code)) return { ...compiled, isHtml: true, parts: reading.parts };
  } catch (error) {
    if (!(error instanceof NeedsProgram)) throw error;
  }
  return attempt(source, plain, false);
}

function referencesIn(program: string): string[] {
  return [...new Set([...matchesOf(REFERENCE, program)].map((match) => match[1]))];
}

function programOf(source: string, plain: boolean, reading?: PlainReader): Pick<Compiled, "code" | "links" | "references"> {
  const notes = new Notes(source, reading);
  const features = featuresOf(source);
  const options = { mdastPlugins: [readerOf(source)], jsxImportSource: "#runtime", data: { notes } };
  const run = () =>
    plain
      ? markdownToJs(source, { ...options, features: { ...features, rawHtml: true } })
      : mdxToJs(source, { ...options, features });
  // Only the library knows what is around a link.
  const compiled = notes.mayBeInLink ? run() : compileWithReader((found, types) => visitNodes(notes, found, types), run);
  const { code } = compiled as MdxToJsResult;
  const references = reading?.isPlain ? [] : referencesIn(code);
  return { code, references, links: notes.links };
}
