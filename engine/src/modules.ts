/** Files that import one another: each is compiled and evaluated once for a site. */
import * as compat from "preact/compat";
import { jsx as createElement } from "preact/jsx-runtime";
import { CompileError, compile, type Compiled, type LinkPlace } from "./compiler/compile";
import { lowerScript } from "./compiler/lower";
import { escapeName } from "./compiler/repair";
import { components } from "./components/index";
import { faultsOf, messageOf, type Fault, type LocalFault } from "./faults";
import { directoryOf, normalize } from "./links";
import { runtimeOf } from "./runtime/elements";
import { SnippetProps } from "./runtime/scope";
import { unknownComponent } from "./runtime/unknown";
import { moduleSource, variables } from "./site";
import { fillVariables } from "./variables";

type Exports = Record<string, any>;
type Content = (props: Exports) => unknown;

const SUFFIXES = ["", ".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"];
const SNIPPET_FOLDERS = ["/_snippets/", "/snippets/", "/"];
const MOST_NAMES = 50;
const NOT_DEFINED = /^([\w$]+) is not defined$/;

/** One evaluated file. */
export interface Module {
  exports: Exports;
  faults: Fault[];
  links: LinkPlace[];
  imports: Module[];
}

const loaded = new Map<string, Module>();

/** Forgets every module, before another site is described. */
export function forget(): void {
  loaded.clear();
}

/** The module at a root-absolute path; null where the site has no such file. */
export function load(path: string): Module | null {
  const known = loaded.get(path);
  if (known) return known;
  const file = moduleSource(path);
  if (!file) return null;
  const module = empty();
  // Put down before it is evaluated, so that files which import each other both end.
  loaded.set(path, module);
  fill(module, path, file.source, file.firstLine);
  return module;
}

function fill(module: Module, path: string, source: string, firstLine: number): void {
  try {
    if (/\.mdx?$/.test(path)) evaluateMdx(module, path, source, firstLine);
    else evaluateScript(module, path, source);
  } catch (error) {
    const place = error instanceof CompileError ? error : { line: 1, column: 1, faults: [] };
    const message = `${path} cannot be used: ${messageOf(error)}`;
    const fault: LocalFault = { ...place, severity: "error", code: "module-error", message };
    const { line, column, severity, code } = fault;
    const plain = { line, column, severity, code, message };
    module.faults.push(...faultsOf(path.slice(1), firstLine, [...place.faults, plain]));
    module.exports = placeholders(path);
  }
}

export function empty(): Module {
  return { exports: {}, faults: [], links: [], imports: [] };
}

/** Compiles and evaluates a page or an MDX snippet; raises what cannot be mended. */
export function evaluateMdx(
  module: Module,
  path: string,
  source: string,
  firstLine: number,
): void {
  const filled = fillVariables(source, variables());
  const report = (faults: LocalFault[]) =>
    module.faults.push(...faultsOf(path.slice(1), firstLine, faults));
  report(filled.faults);
  const compiled = compileFile(path, filled.source);
  report(compiled.faults);
  module.links = compiled.links;
  const mdx = new Mdx(module, path, filled.source, compiled, report);
  module.exports.default = (props: Exports) => mdx.render(props);
}

/** Markdown files are MDX as a rule; one that is not is read as Markdown proper. */
function compileFile(path: string, source: string): Compiled {
  try {
    return compile(source);
  } catch (error) {
    if (!path.endsWith(".md")) throw error;
    return compile(source, true);
  }
}

/** The content of an MDX file, which learns from its first use what its names mean. */
class Mdx {
  private content: Content;
  private readonly props = new Set<string>();

  constructor(
    private readonly module: Module,
    private readonly path: string,
    private source: string,
    private compiled: Compiled,
    private readonly report: (faults: LocalFault[]) => void,
  ) {
    this.content = this.evaluate();
  }

  /** Builds elements and renders nothing yet, so that it can simply be tried again. */
  render(props: Exports): unknown {
    for (let count = 0; ; count += 1) {
      try {
        const children = this.content(props);
        return createElement(SnippetProps.Provider, { value: props, children } as never);
      } catch (error) {
        if (count >= MOST_NAMES || !this.mend(error, props)) throw error;
      }
    }
  }

  private evaluate(): Content {
    const code = withProps(this.compiled.code, this.props);
    const { default: content, ...named } = run(this.module, this.path, code);
    Object.assign(this.module.exports, named);
    const all = { ...globals };
    for (const name of this.compiled.references) all[name] ??= unknownComponent(name);
    return (props) => content({ ...props, components: all });
  }

  /** A name that is not defined is a prop of the snippet, or else text. */
  private mend(error: unknown, props: Exports): boolean {
    const name = error instanceof ReferenceError ? NOT_DEFINED.exec(error.message)?.[1] : undefined;
    if (name === undefined) return false;
    if (Object.hasOwn(props, name) && !this.props.has(name)) {
      this.props.add(name);
    } else {
      const mended = escapeName(this.source, name);
      if (!mended) return false;
      this.source = mended.source;
      this.report([mended.fault]);
      this.compiled = compileFile(this.path, this.source);
    }
    this.content = this.evaluate();
    return true;
  }
}

/** `{word}` in a snippet is what `<Snippet word="x" />` passes. */
function withProps(code: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return code;
  const lines = [...names].map((name) => `const ${name} = props[${JSON.stringify(name)}];`);
  return code.replace(
    "function _createMdxContent(props) {",
    (start) => `${start}\n${lines.join("\n")}`,
  );
}

function evaluateScript(module: Module, path: string, source: string): void {
  const filled = fillVariables(source, variables());
  Object.assign(module.exports, run(module, path, lowerScript(filled.source, path)));
}

function run(module: Module, path: string, code: string): Exports {
  const exports: Exports = {};
  const directory = directoryOf(path);
  const runtime = runtimeOf({ directory, own: false });
  const require = (specifier: string): unknown => {
    if (specifier === "#runtime/jsx-runtime") return runtime;
    return required(module, path, specifier);
  };
  new Function("require", "exports", code)(require, exports);
  return exports;
}

const REACT = { ...compat, default: compat, __esModule: true };

function required(module: Module, path: string, specifier: string): unknown {
  if (/^(?:react|react-dom|preact(?:\/(?:hooks|compat))?)$/.test(specifier)) return REACT;
  const found = find(specifier, directoryOf(path));
  if (!found) {
    module.faults.push(missingImport(path, specifier));
    return placeholders(specifier);
  }
  module.imports.push(found);
  return new Proxy(found.exports, { get: (target, name) => exported(target, name, specifier) });
}

function exported(target: Exports, name: string | symbol, specifier: string): unknown {
  if (name === "__esModule") return true;
  if (typeof name === "symbol" || name in target) return target[name as string];
  return /^[A-Z]/.test(name) || name === "default" ? placeholders(specifier)[name] : undefined;
}

function missingImport(path: string, specifier: string): Fault {
  return {
    file: path.slice(1),
    line: 0,
    column: 0,
    severity: "warning",
    code: "unknown-import",
    message: `"${specifier}" cannot be imported: the repository has no such file`,
  };
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

/** Stands for a module that is missing: whatever name is taken from it is a placeholder. */
function placeholders(specifier: string): Exports {
  return new Proxy({} as Exports, {
    get(_, name) {
      if (name === "__esModule") return true;
      if (typeof name === "symbol") return undefined;
      return unknownComponent(name === "default" ? specifier : name);
    },
  });
}

/** What pages may use without importing it. */
export const globals: Exports = { ...components };

/** All faults of a module and of those that it imports, each once. */
export function faultsWithin(module: Module, seen = new Set<Module>()): Fault[] {
  if (seen.has(module)) return [];
  seen.add(module);
  return [...module.faults, ...module.imports.flatMap((each) => faultsWithin(each, seen))];
}
