/**
 * Files as programs. Each is compiled once for a site, and evaluated for every page that needs
 * it: what one page writes to the values of a module, the next page does not see.
 */
import { compile, CompileError, type Compiled } from "./compiler/compile";
import type { LinkPosition } from "./compiler/notes";
import type { Part } from "./compiler/plain";
import { lowerImported, lowerPage, lowerScript } from "./compiler/lower";
import { escapeName } from "./compiler/repair";
import { Draft } from "./draft";
import type { LocalDiagnostic } from "./diagnostics";
import { isAlive } from "./runtime/island";
import { moduleSource, variables } from "./site";
import { fillVariables } from "./variables";

type Require = (specifier: string) => unknown;

/** The body of a function of `require` and `exports`, as text and as that function. */
export interface Executable {
  code: string;
  evaluate: (require: Require, exports: object) => void;
}

function executable(code: string): Executable {
  const evaluate = new Function("require", "exports", `"use strict";\n${code}`);
  return { code, evaluate: evaluate as Executable["evaluate"] };
}

/** A script of the repository. */
export interface Script extends Executable {
  isAlive: boolean; // whether it has state or events, which the browser is to have too
}

/** An MDX file, immutable: `escape` returns another one. */
export class Program {
  readonly links: LinkPosition[]; // at their positions in the original
  private readonly executables = new Map<string, Executable>();
  private readonly escaped = new Map<string, Escaped | null>();

  constructor(
    private readonly path: string,
    private readonly draft: Draft,
    private readonly compiled: Compiled,
    private readonly lower: (program: string) => string,
    readonly diagnostics: readonly LocalDiagnostic[],
  ) {
    this.links = compiled.links.map((link) => ({ ...link, ...draft.original(link) }));
  }

  /** The compiler's HTML of a page without code; null for any other. */
  get html(): string | null {
    return this.compiled.isHtml ? this.compiled.code : null;
  }

  /** Components and elements that authors wrote, by their numbers in the HTML. */
  get parts(): readonly Part[] {
    return this.compiled.parts;
  }

  /** Components that neither the file nor its imports define. */
  get references(): readonly string[] {
    return this.compiled.references;
  }

  /** The program with the given names taken from its props. */
  withProps(names: ReadonlySet<string>): Executable {
    const key = [...names].join();
    let known = this.executables.get(key);
    if (!known) {
      known = executable(declared(this.lower(this.compiled.code), names));
      this.executables.set(key, known);
    }
    return known;
  }

  /** The program in which a name that is not defined is text; null where it does not stand in one. */
  escape(name: string): Escaped | null {
    let known = this.escaped.get(name);
    if (known === undefined) {
      known = this.withEscaped(name);
      this.escaped.set(name, known);
    }
    return known;
  }

  private withEscaped(name: string): Escaped | null {
    const draft = this.draft.copy();
    const diagnostics = escapeName(draft, name);
    if (diagnostics.length === 0) return null;
    const compiled = compileFile(this.path, draft, false);
    return { diagnostics, program: new Program(this.path, draft, compiled, this.lower, this.diagnostics) };
  }
}

interface Escaped {
  diagnostics: readonly LocalDiagnostic[];
  program: Program;
}

/** `{word}` in a snippet is what `<Snippet word="x" />` passes. */
function declared(code: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return code;
  const lines = [...names].map((name) => `const ${name} = props[${JSON.stringify(name)}];`);
  return code.replace(
    "function _createMdxContent(props) {",
    (start) => `${start}\n${lines.join("\n")}`,
  );
}

/** Compiles a page; raises `CompileError` if it cannot be repaired. */
export function pageProgram(path: string, source: string): Program {
  return program(path, source, lowerPage, true);
}

function program(
  path: string,
  source: string,
  lower: (program: string) => string,
  asHtml: boolean,
): Program {
  const draft = new Draft(source);
  const diagnostics = fillVariables(draft, variables());
  try {
    const compiled = compileFile(path, draft, asHtml);
    return new Program(path, draft, compiled, lower, [...diagnostics, ...compiled.diagnostics]);
  } catch (error) {
    if (error instanceof CompileError) error.diagnostics.unshift(...diagnostics);
    throw error;
  }
}

/** Markdown files are MDX as a rule; one that is not is read as Markdown proper. */
function compileFile(path: string, draft: Draft, asHtml: boolean): Compiled {
  const written = draft.text;
  try {
    return compile(draft, false, asHtml);
  } catch (error) {
    if (!path.endsWith(".md")) throw error;
    return compile(new Draft(written), true);
  }
}

const compiledFiles = new Map<string, () => Program | Script>();

/** Forgets every file, before another site is described. */
export function forget(): void {
  compiledFiles.clear();
}

/** An imported file of the site, compiled at the first call; raises the same error each time. */
export function importedProgram(path: string): Program | Script {
  let known = compiledFiles.get(path);
  if (!known) {
    known = outcome(() => compileImported(path));
    compiledFiles.set(path, known);
  }
  return known();
}

function compileImported(path: string): Program | Script {
  const source = moduleSource(path)?.source ?? "";
  if (/\.mdx?$/.test(path)) return program(path, source, lowerImported, false);
  const draft = new Draft(source);
  fillVariables(draft, variables());
  const code = lowerScript(draft.text, path);
  return { ...executable(code), isAlive: isAlive(code) };
}

function outcome<T>(make: () => T): () => T {
  try {
    const made = make();
    return () => made;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
