/** Renders components from JSX text, the way a page writes them: no imports, props as they come. */
import { build, transformSync } from "esbuild";
import { fileURLToPath } from "node:url";

const ENTRY = `
  export { Fragment, h } from "preact";
  export { renderToString } from "preact-render-to-string";
  export { components, Anchors, PartAnchors } from "./src/components/index";
  export { Slugger, slug } from "./src/slug";
`;

const engine = fileURLToPath(new URL("../..", import.meta.url));

export async function bundled(entry, options = {}) {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: engine, loader: "tsx" },
    tsconfigRaw: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" } },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    ...options,
  });
  return outputFiles[0].text;
}

const source = await bundled(ENTRY);
const built = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);

export const { slug, Slugger } = built;

/** The HTML of a piece of a page. */
export function render(jsx, headings = new Slugger()) {
  const { h, Fragment, components, Anchors, PartAnchors, renderToString } = built;
  const options = { loader: "jsx", jsxFactory: "h", jsxFragment: "Fragment" };
  const { code } = transformSync(`(<>${jsx}</>)`, options);
  const names = Object.keys(components);
  const page = new Function("h", "Fragment", ...names, `return ${code}`);
  const content = page(h, Fragment, ...names.map((name) => components[name]));
  const parts = new PartAnchors();
  return parts.resolve(renderToString(h(Anchors.Provider, { value: parts }, content)), headings);
}

/** Return the text that a reader sees. */
export function text(html) {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
