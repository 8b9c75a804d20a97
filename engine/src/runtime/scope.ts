/** Data that one page collects while it is rendered. */
import { createContext } from "preact";
import type { Diagnostic } from "../diagnostics";
import { Slugger } from "../slug";
import type { Island } from "./island";

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

/** A code block, which Python highlights and puts in its frame. */
export interface Fence {
  code: string;
  language: string;
  meta: string;
  options: Record<string, unknown>;
}

export class PageScope {
  readonly anchors = new Slugger();
  readonly headings: Heading[] = [];
  readonly fences: Fence[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly islands: Island[] = [];
  private firstView: string | undefined;

  constructor(
    readonly file: string,
    /** The first position of a component's tag in the page's source. */
    private readonly locate: (name: string) => { line: number; column: number },
  ) {}

  /** Whether views of this title come first on the page, and are shown until readers choose. */
  isFirstView(title: string): boolean {
    this.firstView ??= title;
    return this.firstView === title;
  }

  warn(code: string, message: string, about: string, hint = ""): void {
    const diagnostic = { file: this.file, severity: "warning" as const, code, message, hint };
    this.note({ ...this.locate(about), ...diagnostic });
  }

  note(diagnostic: Diagnostic): void {
    if (!this.diagnostics.some((known) => isSame(known, diagnostic))) this.diagnostics.push(diagnostic);
  }
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  const isSamePosition = one.file === other.file && one.line === other.line && one.column === other.column;
  return isSamePosition && one.code === other.code && one.message === other.message;
}

/** The page around a component; absent only outside of pages. */
export const Page = createContext<PageScope | null>(null);

/** Props that an author passed to the snippet around a component. */
export const SnippetProps = createContext<Readonly<Record<string, unknown>>>({});

/** Whether a link is around a component: HTML allows no link within another. */
export const InLink = createContext(false);
