/** Rendering of one page: MDX in, HTML and facts about the page out. */
import { renderToString } from "preact-render-to-string";
import { jsx } from "preact/jsx-runtime";
import { CompileError } from "./compiler/compile";
import type { LinkPosition } from "./compiler/notes";
import { Anchors, PartAnchors } from "./components/index";
import { diagnosticsOf, messageOf, type Diagnostic } from "./diagnostics";
import { directoryOf, isOwnLink } from "./links";
import { beginPage, empty, evaluatePage, diagnosticsWithin, type Module } from "./modules";
import { mixedContent } from "./runtime/mixed";
import { renderPlain } from "./runtime/plain";
import { Page, PageScope, type Fence, type Heading } from "./runtime/scope";
import { islandScript } from "./script";
import { resolve, wordsIn } from "./site";
import { speakFrom } from "./words";
import { codeRanges, isWithin, positionOf } from "./text";

export interface PageSource {
  file: string;
  body: string;
  firstLine: number;
  language: string | null; // of our own words; null for English
}

export interface PageResult {
  html: string;
  headings: Heading[];
  fences: Fence[];
  diagnostics: Diagnostic[];
  links: [href: string, line: number, column: number][];
  script: string; // brings the page's islands to life; "" where there are none
  failed: boolean;
}

/** The bytes of a page's long strings in V8, which takes one or two for each character. */
export function bytesOf({ html, script, fences }: PageResult): number {
  const texts = [html, script, ...fences.map((fence) => fence.code)];
  return texts.reduce((sum, text) => sum + text.length * (isWide(text) ? 2 : 1), 0);
}

/** Whether V8 takes two bytes for each character; short strings need no search. */
function isWide(text: string): boolean {
  return text.length > 100_000 && /[^\x00-\xff]/.test(text);
}

export function renderPage(source: PageSource): PageResult {
  speakFrom(wordsIn(source.language));
  beginPage();
  const module = empty(`/${source.file}`, source.body, source.firstLine);
  const scope = new PageScope(source.file, (name) => locate(source, name));
  try {
    evaluatePage(module);
    const html = toHtml(module, scope);
    const script = islandScript(module, scope.islands);
    return { ...gathered(source, module, scope), html, script, failed: false };
  } catch (error) {
    const failure = gathered(source, module, scope);
    failure.diagnostics.push(...failureOf(source, error));
    return { ...failure, html: "", headings: [], fences: [], failed: true };
  }
}

function toHtml(module: Module, scope: PageScope): string {
  const { html: plain, parts: written } = module;
  const directory = directoryOf(module.path);
  if (plain !== null && written.length === 0) return renderPlain(plain, scope, directory);
  const parts = new PartAnchors();
  const content = plain === null ? jsx(module.exports.default, {}) : mixedContent(plain, written, scope, directory);
  const anchored = jsx(Anchors.Provider, { value: parts, children: content });
  const html = renderToString(jsx(Page.Provider, { value: scope, children: anchored }));
  const headings = scope.headings.map((heading) => heading.anchor);
  return parts.resolve(html, scope.anchors, headings).toWellFormed();
}

function gathered(source: PageSource, module: Module, scope: PageScope): PageResult {
  for (const diagnostic of diagnosticsWithin(module)) scope.note(diagnostic);
  const { headings, fences, diagnostics } = scope;
  const links = module.links.filter(({ href }) => isOwnLink(href) || (href[0] === "#" && href.length > 1));
  return {
    html: "",
    headings,
    fences,
    diagnostics,
    links: links.map((link) => placed(source, link)),
    script: "",
    failed: false,
  };
}

function placed(source: PageSource, link: LinkPosition): [string, number, number] {
  return [resolve(link.href, directoryOf(`/${source.file}`)), link.line + source.firstLine - 1, link.column];
}

function failureOf(source: PageSource, error: unknown): Diagnostic[] {
  const compile = error instanceof CompileError;
  const position = compile ? { line: error.line, column: error.column } : codeOf(source.body, messageOf(error));
  const code = compile ? "mdx-syntax" : "render-error";
  const hint = compile ? "correct the MDX at this position" : "correct the code at this position";
  const diagnostic = { ...position, severity: "error" as const, code, message: messageOf(error), hint };
  const earlier = compile ? error.diagnostics : [];
  return diagnosticsOf(source.file, source.firstLine, [...earlier, diagnostic]);
}

/** The position in a page's code that an error most likely came from: a name of its message, or `throw`. */
function codeOf(body: string, message: string): { line: number; column: number } {
  const fences = codeRanges(body);
  const code = [...body.matchAll(/\{|^(?:export|import)\b/gm)].filter(({ index }) => !isWithin(fences, index));
  const pieces = code.map(({ index }, number) => ({ index, text: body.slice(index, code[number + 1]?.index) }));
  const name = /\b([\w$]+) is not (?:defined|a function)|'([\w$]+)'\)?$/m.exec(message);
  const word = name?.[1] ?? name?.[2];
  const cause = word ? new RegExp(`\\b${word.replace(/\$/g, "\\$")}\\b`) : /\bthrow\b/;
  const likely = pieces.filter(({ text }) => cause.test(text));
  const found = likely.findLast(({ text }) => !word && text.includes(message)) ?? likely.at(-1) ?? pieces[0];
  return found ? causeWithin(body, found.index, found.text.search(cause)) : { line: 1, column: 1 };
}

/** The position of a piece of code, or of its cause of an error on a later line. */
function causeWithin(body: string, piece: number, cause: number): { line: number; column: number } {
  const start = positionOf(body, piece);
  const own = positionOf(body, piece + Math.max(cause, 0));
  return own.line > start.line ? own : start;
}

/** Return the position of a component's first tag outside code. */
function locate(source: PageSource, name: string): { line: number; column: number } {
  const tag = new RegExp(`<${name.replace(/[^\w.]/g, "")}(?![\\w.])`, "g");
  const code = name ? codeRanges(source.body) : [];
  for (const match of name ? source.body.matchAll(tag) : []) {
    if (isWithin(code, match.index)) continue;
    const { line, column } = positionOf(source.body, match.index);
    return { line: line + source.firstLine - 1, column };
  }
  return { line: source.firstLine, column: 1 };
}
