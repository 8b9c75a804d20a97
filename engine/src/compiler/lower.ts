/**
 * A compiled program has `import` and `export` statements; what is evaluated has none. The
 * usual page imports the JSX runtime and some snippets and exports only itself, which a few
 * replacements turn into a function's body; anything else goes through a real transformation.
 */
import { transform } from "sucrase";

const RUNTIME = "#runtime/jsx-runtime";
const IMPORT = /import (?:([\w$]+)(?:, )?)?(?:\{([\w$, ]*)\})? from "([^"\\\n]+)";\n/y;
const PART = /[\w$]+(?: as [\w$]+)?/g;
const DEFAULT_EXPORT = "\nexport default MDXContent;";
const STATEMENT = /^(?:import|export)\b/m;

/** The program of a page as the body of a function of `require` and `exports`. */
export function lowerPage(program: string): string {
  return lowered(program, () => true);
}

/**
 * The same for a file that is imported. Files may import each other: what one takes from
 * another is looked up when it is used, for the other may not be done when it is asked for.
 */
export function lowerImported(program: string): string {
  return lowered(program, (specifier) => specifier === RUNTIME);
}

function lowered(program: string, isDone: (specifier: string) => boolean): string {
  const { required, end } = leadingImports(program, isDone);
  const at = program.lastIndexOf(DEFAULT_EXPORT);
  if (at < 0) return lowerModule(program);
  const rest = program.slice(end, at) + program.slice(at + DEFAULT_EXPORT.length);
  if (STATEMENT.test(rest)) return lowerModule(program);
  return `${required}${rest}\nexports.default = MDXContent;`;
}

/** The imports at the beginning of a program, as far as they add names. */
function leadingImports(program: string, isDone: (specifier: string) => boolean) {
  let required = "";
  let end = 0;
  const known = new Set<string>();
  for (;;) {
    IMPORT.lastIndex = end;
    const found = IMPORT.exec(program);
    if (!found || !isDone(found[3])) break;
    const [statement, whole, parts = "", specifier] = found;
    const pairs = [...(whole ? [`default as ${whole}`] : []), ...(parts.match(PART) ?? [])];
    const names = pairs.map((pair) => pair.replace(/^.* as /, ""));
    if (names.some((name) => known.has(name))) break;
    names.forEach((name) => known.add(name));
    required += `const {${pairs.join(", ").replaceAll(" as ", ": ")}} = require("${specifier}");\n`;
    end += statement.length;
  }
  return { required, end };
}

function lowerModule(program: string): string {
  return transform(program, { transforms: ["imports"], production: true }).code;
}

/** JSX or TypeScript that a page imports, as the body of such a function. */
export function lowerScript(source: string, path: string): string {
  const typed = /\.tsx?$/.test(path);
  return transform(source, {
    transforms: typed ? ["jsx", "typescript", "imports"] : ["jsx", "imports"],
    jsxRuntime: "automatic",
    jsxImportSource: "#runtime",
    production: true,
    filePath: path,
  }).code;
}
