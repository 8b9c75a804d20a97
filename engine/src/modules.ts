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
  let content = evaluateContent(module, path, compiled);
  let text = filled.source;
  const mend = (error: unknown): boolean => {
    const name = error instanceof ReferenceError ? NOT_DEFINED.exec(error.message)?.[1] : undefined;
    const mended = name === undefined ? null : escapeName(text, name);
    if (!mended) return false;
    text = mended.source;
    report([mended.fault]);
    content = evaluateContent(module, path, compileFile(path, text));
    return true;
  };
  const Mdx = (props: Exports) => mending(() => content, props, mend);
  module.exports.default = Mdx;
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

function evaluateContent(module: Module, path: string, compiled: Compiled): Content {
  const { default: content, ...named } = run(module, path, compiled.code);
  Object.assign(module.exports, named);
  const missing = compiled.references.filter((name) => !Object.hasOwn(globals, name));
  const all = { ...globals };
  for (const name of missing) all[name] = unknownComponent(name);
  return (props) => content({ ...props, components: all });
}

/** Content builds elements and renders nothing yet, so that it can simply be tried again. */
function mending(
  content: () => Content,
  props: Exports,
  mend: (error: unknown) => boolean,
): unknown {
  for (let count = 0; ; count += 1) {
    try {
      const children = content()(props);
      return createElement(SnippetProps.Provider, { value: props, children } as never);
    } catch (error) {
      if (count >= MOST_NAMES || !mend(error)) throw error;
    }
  }
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
