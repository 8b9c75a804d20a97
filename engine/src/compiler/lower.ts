/**
 * A compiled program has `import` and `export` statements; what is evaluated has none. The
 * usual page imports only the JSX runtime and exports only itself, which two replacements
 * turn into a function's body; anything else goes through a real transformation.
 */
import { transform } from "sucrase";

const RUNTIME_IMPORT = /^import \{([^}]*)\} from "#runtime\/jsx-runtime";\n/;
const DEFAULT_EXPORT = "\nexport default MDXContent;";
const STATEMENT = /^(?:import|export)\b/m;

/** The program as the body of a function of `require` and `exports`. */
export function lower(program: string): string {
  const body = program.replace(RUNTIME_IMPORT, (_, names: string) => {
    const renamed = names.replace(/ as /g, ": ");
    return `const {${renamed}} = require("#runtime/jsx-runtime");\n`;
  });
  const at = body.lastIndexOf(DEFAULT_EXPORT);
  if (at < 0) return lowerModule(program);
  const rest = body.slice(0, at) + body.slice(at + DEFAULT_EXPORT.length);
  return STATEMENT.test(rest) ? lowerModule(program) : `${rest}\nexports.default = MDXContent;`;
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
