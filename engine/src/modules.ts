/** Files that import one another, evaluated for the page that needs them. */
import { jsx as createElement } from "preact/jsx-runtime";
import { CompileError } from "./compiler/compile";
import type { LinkPosition } from "./compiler/notes";
import type { Part } from "./compiler/plain";
import { components } from "./components/index";
import { diagnosticsOf, messageOf, type Diagnostic, type LocalDiagnostic } from "./diagnostics";
import { directoryOf, normalize } from "./links";
import { react } from "./names";
import { importedProgram, pageProgram, Program, type Executable, type Script } from "./programs";
import { runtimeOf } from "./runtime/elements";
import { noteOrigins } from "./runtime/island";
import { SnippetProps } from "./runtime/scope";
import { missingComponent, unknownComponent } from "./runtime/unknown";
import { moduleSource } from "./site";
import { positionOf } from "./text";

type Exports = Record<string, any>;
type Content = (props: Exports) => unknown;

const SUFFIXES = ["", ".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"];
const SNIPPET_FOLDERS = ["/_snippets/", "/snippets/", "/"];
const MOST_NAMES = 50;
const FIX_FILE = "fix the file; what imports it shows placeholders";
const NOT_DEFINED = /^([\w$]+) is not defined$/;

/** One evaluated file. */
export interface Module {
  source: string;
  firstLine: number;
  exports: Exports;
  diagnostics: Diagnostic[];
  links: LinkPosition[];
  html: string | null; // the compiler's, of a page without code
  parts: readonly Part[]; // of this HTML
  imports: Module[];
  path: string; // root-absolute
  code: string; // the body of a function of `require` and `exports`
  required: Map<string, Module>; // the imports, by what the file calls them
}

let loaded = new Map<string, Module>();

/** Modules are evaluated for each page, so no page sees changes by another one. */
export function beginPage(): void {
  loaded = new Map();
}

/** The module at a root-absolute path; null where the site has no such file. */
export function load(path: string): Module | null {
  const known = loaded.get(path);
  if (known) return known;
  const file = moduleSource(path);
  if (!file) return null;
  const module = empty(path, file.source, file.firstLine);
  // Put down before it is evaluated, so that files which import each other both end.
  loaded.set(path, module);
  fill(module);
  return module;
}

function fill(module: Module): void {
  try {
    const program = importedProgram(module.path);
    if (program instanceof Program) evaluateMdx(module, program);
    else evaluateScript(module, program);
  } catch (error) {
    module.diagnostics.push(...failure(module, error));
    module.exports = placeholders(module.path);
  }
}

/** Return the diagnostic of a module that failed. Its importers show placeholders, so it is an error here only. */
function failure(module: Module, error: unknown): Diagnostic[] {
  const known = error instanceof CompileError;
  const { line, column } = known ? error : { line: 1, column: 1 };
  const message = `this file cannot be imported: ${messageOf(error)}`;
  const diagnostic: LocalDiagnostic = { line, column, severity: "error", code: "module-error", message, hint: FIX_FILE };
  const diagnostics = known ? [...error.diagnostics, diagnostic] : [diagnostic];
  return diagnosticsOf(module.path.slice(1), module.firstLine, diagnostics);
}

export function empty(path: string, source: string, firstLine: number): Module {
  const known = { exports: {}, diagnostics: [], links: [], html: null, parts: [], imports: [] };
  return { path, source, firstLine, code: "", required: new Map(), ...known };
}

/** Compiles and evaluates a page; raises what cannot be repaired. */
export function evaluatePage(module: Module): void {
  evaluateMdx(module, pageProgram(module.path, module.source));
}

function evaluateMdx(module: Module, program: Program): void {
  module.links = program.links;
  module.html = program.html;
  module.parts = program.parts;
  if (program.html !== null) {
    report(module, program.diagnostics);
    return;
  }
  const mdx = new Mdx(module, program);
  module.exports.default = (props: Exports) => mdx.render(props);
}

function report(module: Module, diagnostics: readonly LocalDiagnostic[]): void {
  module.diagnostics.push(...diagnosticsOf(module.path.slice(1), module.firstLine, diagnostics));
}

/** The content of an MDX file. The meaning of its names is known from its first use in a page. */
class Mdx {
  private content: Content;
  private readonly props = new Set<string>();

  constructor(
    private readonly module: Module,
    private program: Program,
  ) {
    report(this.module, program.diagnostics);
    this.content = this.evaluate();
  }

  /** Builds elements without rendering them, so that it can be repeated. */
  render(props: Exports): unknown {
    for (let count = 0; ; count += 1) {
      try {
        const children = this.content(props);
        return createElement(SnippetProps.Provider, { value: props, children } as never);
      } catch (error) {
        if (count >= MOST_NAMES || !this.repair(error, props)) throw error;
      }
    }
  }

  private evaluate(): Content {
    const { default: content, ...named } = run(this.module, this.program.withProps(this.props));
    Object.assign(this.module.exports, named);
    noteOrigins(this.module.path, named);
    const all = { ...globals };
    for (const name of this.program.references) all[name] ??= unknownComponent(name);
    return (props) => content({ ...props, components: all });
  }

  /** A name that is not defined is a prop of the snippet, or else text. */
  private repair(error: unknown, props: Exports): boolean {
    const name = error instanceof ReferenceError ? NOT_DEFINED.exec(error.message)?.[1] : undefined;
    if (name === undefined) return false;
    if (Object.hasOwn(props, name) && !this.props.has(name)) {
      this.props.add(name);
    } else {
      const escaped = this.program.escape(name);
      if (!escaped) return false;
      report(this.module, escaped.diagnostics);
      this.program = escaped.program;
    }
    this.content = this.evaluate();
    return true;
  }
}

function evaluateScript(module: Module, script: Script): void {
  Object.assign(module.exports, run(module, script));
  noteOrigins(module.path, module.exports, script.isAlive);
}

function run(module: Module, { code, evaluate }: Executable): Exports {
  const exports: Exports = {};
  module.code = code;
  const runtime = runtimeOf({ directory: directoryOf(module.path), own: false });
  const require = (specifier: string): unknown => {
    if (specifier === "#runtime/jsx-runtime") return runtime;
    return required(module, specifier);
  };
  evaluate(require, exports);
  return exports;
}

function required(module: Module, specifier: string): unknown {
  if (/^(?:react|react-dom|preact(?:\/(?:hooks|compat))?)$/.test(specifier)) return react;
  const isFile = /^\.{0,2}\//.test(specifier);
  const found = find(specifier, directoryOf(module.path));
  if (found) {
    module.imports.push(found);
    module.required.set(specifier, found);
    return new Proxy(found.exports, {
      get: (target, name) => exported(target, name, specifier),
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
    });
  }
  // Files that are missing are found when the repository is read.
  if (!isFile) module.diagnostics.push(unknownPackage(module, specifier));
  return placeholders(specifier);
}

function exported(target: Exports, name: string | symbol, specifier: string): unknown {
  if (name === "__esModule") return true;
  if (typeof name === "symbol" || name in target) return target[name as string];
  if (!/^[A-Z]/.test(name) && name !== "default") return undefined;
  return unknownComponent(name === "default" ? specifier : name);
}

function unknownPackage(module: Module, specifier: string): Diagnostic {
  const at = Math.max(0, module.source.search(new RegExp(`["']${escaped(specifier)}["']`)));
  const { line, column } = positionOf(module.source, at);
  return {
    file: module.path.slice(1),
    line: line + module.firstLine - 1,
    column,
    severity: "warning",
    code: "unknown-import",
    message: `"${specifier}" cannot be imported: packages are not available to pages`,
    hint: "Import files of the repository, or react.",
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function find(specifier: string, directory: string): Module | null {
  const relative = specifier[0] === "." ? directory + specifier : `/${specifier}`;
  return first(normalize(relative));
}

function first(path: string): Module | null {
  for (const suffix of SUFFIXES) {
    const module = load(path + suffix);
    if (module) return module;
  }
  for (const suffix of SUFFIXES.slice(1)) {
    const module = load(`${path}/index${suffix}`);
    if (module) return module;
  }
  return null;
}

/** The older way to include a file, by its name in the folder of snippets. */
export function snippet(file: string): Module | null {
  for (const folder of SNIPPET_FOLDERS) {
    const module = first(normalize(folder + file));
    if (module) return module;
  }
  return null;
}

/** Exports of a missing module: each name is a placeholder. */
function placeholders(specifier: string): Exports {
  return new Proxy({} as Exports, {
    get(_, name) {
      if (name === "__esModule") return true;
      if (typeof name === "symbol") return undefined;
      return missingComponent(name === "default" ? specifier : name);
    },
  });
}

/** Names that pages use without importing them. */
export const globals: Exports = { ...components };

/** All diagnostics of a module and of those that it imports, each once. */
export function diagnosticsWithin(module: Module, seen = new Set<Module>()): Diagnostic[] {
  if (seen.has(module)) return [];
  seen.add(module);
  return [...module.diagnostics, ...module.imports.flatMap((each) => diagnosticsWithin(each, seen))];
}
