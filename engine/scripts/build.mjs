// Builds everything that Python serves or runs into src/docstead/markup/assets/built/.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const engine = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(engine, "../src/docstead/markup/assets/built");
const translations = join(engine, "../src/docstead/markup/translations");
const wasm = join(
  engine,
  "node_modules/@bruits/satteri-wasm32-wasi/satteri_napi.wasm32-wasi.wasm",
);

/** Bundles carry this script without our NOTICE. */
const mermaidNotice =
  "/*! Mermaid (MIT). Contains elkjs (EPL-2.0, source: https://github.com/kieler/elkjs) " +
  "and DOMPurify (Apache-2.0). */\n";

/** The themes of docs.json with a style sheet of their own. */
const LOOKS = ["maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"];

const browsers = ["es2022", "chrome109", "firefox115", "safari16"];

/** The compiler looks its binary up by this name; ours starts without files or workers. */
const binding = {
  name: "compiler-binding",
  setup({ onResolve }) {
    onResolve({ filter: /^#binding$/ }, () => ({ path: join(engine, "src/compiler/binding.ts") }));
  },
};

/** Marks in pages. With characters beyond U+00FF, V8 takes two bytes for each of a text. `isolate.py` knows the first. */
const MARKS = { "\\ue000": "\\x7f", "\\ue001": "\\x81", "\\ue002": "\\x82" };
const smallMarks = [/\\ue00[0-2]/g, (mark) => MARKS[mark]];

/** Text that is replaced in the engine, by the end of the file's path. */
const REPLACED = {
  "src/links.ts": smallMarks,
  "src/components/anchors.ts": smallMarks,
  "src/components/markup.ts": smallMarks,
  "src/compiler/plain.ts": smallMarks,
  // Once the language is frozen, only `exec` of patterns is quick.
  "preact-render-to-string/dist/index.mjs": [/\b([\w$]+)\.test\(([\w$]+)\)/g, "(null!==$1.exec($2))"],
  "preact/compat/dist/compat.mjs": [/\b([\w$]+)\.test\(([\w$]+)\)/g, "(null!==$1.exec($2))"],
  // Children are read of links only, and a property with a getter for each node takes as long as the rest of it.
  "satteri/dist/mdast/mdast-visitor.js": [/if \(childCount > 0\)(?= \{\s+makeLazyChildren)/, "if (childCount > 0 && nodeType === NAME_TO_TYPE.link)"],
};

const replacedText = {
  name: "replaced-text",
  setup({ onEnd, onLoad }) {
    const left = new Set(Object.keys(REPLACED));
    for (const [file, [pattern, text]] of Object.entries(REPLACED)) {
      onLoad({ filter: new RegExp(`/${file.replaceAll(".", "\\.")}$`) }, ({ path }) => {
        const source = readFileSync(path, "utf8");
        const contents = source.replace(pattern, text);
        if (contents !== source) left.delete(file);
        return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
      });
    }
    onEnd(() => {
      if (left.size > 0) throw new Error(`Nothing to replace was found in ${[...left].join(", ")}.`);
    });
  },
};

async function buildEngine() {
  await build({
    absWorkingDir: engine,
    entryPoints: ["src/main.ts"],
    outfile: join(built, "engine.js"),
    bundle: true,
    minify: true,
    keepNames: false,
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["worker", "import", "module", "production"],
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
    inject: ["src/natives.ts"],
    plugins: [binding, replacedText],
    logLevel: "warning",
  });
  copyFileSync(wasm, join(built, "satteri.wasm"));
}

/** Scripts that run in a V8 of their own, and only where a site has something for them. */
async function buildHelper(name) {
  await build({
    absWorkingDir: engine,
    entryPoints: [`src/${name}/main.ts`],
    outfile: join(built, `${name}.js`),
    bundle: true,
    minify: true,
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    loader: { ".css": "text" },
    logLevel: "warning",
  });
}

/** Make the library copy its settings by our functions, which take a tenth of the time. */
const quickSettings = {
  name: "quick-settings",
  setup({ onEnd, onLoad }) {
    const copy = /(return )?assignWithDepth_default\(\{\}, (\w+)\)/g;
    const replaced = new Set();
    onLoad({ filter: /mermaid\.core\/chunk-\w+\.mjs$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8");
      if (!contents.includes("var assignWithDepth = ")) return undefined;
      const quick = contents.replace(copy, (_, returns, name) => {
        replaced.add(name);
        return returns ? `return lazyCopy(${name})` : `copySettings(${name})`;
      });
      const source = JSON.stringify(join(engine, "src/diagrams/settings.ts"));
      return { contents: `import { copySettings, lazyCopy } from ${source};\n${quick}` };
    });
    onEnd(() => {
      const expected = "conf configFromInitialize currentConfig defaultConfig siteCfg siteConfig";
      if ([...replaced].sort().join(" ") !== expected) {
        throw new Error("The library copies its settings in another way.");
      }
    });
  },
};

/** Renders diagrams in a V8 of its own, on a document of ours. Common kinds load a smaller script. */
async function buildDiagrams(target, only) {
  const purify = join(engine, "src/diagrams/purify.ts");
  await build({
    absWorkingDir: engine,
    stdin: {
      contents: `import "./src/diagrams/environment.ts"; import "./src/diagrams/main.ts";`,
      resolveDir: engine,
    },
    outfile: join(built, target),
    banner: { js: mermaidNotice },
    bundle: true,
    minify: true,
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import", "module", "production"],
    target: "es2022",
    alias: { mermaid: join(engine, "node_modules/mermaid/dist/mermaid.core.mjs"), dompurify: purify },
    plugins: [quickSettings, only],
    logLevel: "error",
  });
}

/** The fonts of formulas, within their style sheet: one file, from a folder too. */
async function buildMaths() {
  const source = join(engine, "node_modules/katex/dist/katex.min.css");
  const css = readFileSync(source, "utf8").replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)/g, "");
  await build({
    stdin: { contents: css, loader: "css", resolveDir: dirname(source) },
    outfile: join(built, "math.css"),
    bundle: true,
    minify: true,
    loader: { ".woff2": "dataurl" },
    logLevel: "warning",
  });
}

/** Style sheets as texts in scripts. */
const styleTexts = (changed = (css) => css) => ({
  name: "style-texts",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const options = { entryPoints: [path], bundle: true, minify: true, write: false };
      const { outputFiles } = await build({ ...options, target: browsers, logLevel: "warning" });
      return { contents: changed(outputFiles[0].text), loader: "text" };
    });
  },
});

/** In shadow trees, `rem` would be the size of a foreign page. */
const pixels = (css) => css.replace(/(\d*\.?\d+)rem\b/g, (_, rem) => `${Number(rem) * 16}px`);

/** The assistant's words of every language, for the one script that brings them along. */
const allTranslations = {
  name: "all-translations",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^translations$/ }, ({ path }) => ({ path, namespace: "translations" }));
    onLoad({ filter: /.*/, namespace: "translations" }, () => {
      const tables = readdirSync(translations).sort().map((file) => {
        const { assistant } = JSON.parse(readFileSync(join(translations, file), "utf8"));
        return [basename(file, ".json"), { assistant }];
      });
      return { contents: JSON.stringify(Object.fromEntries(tables)), loader: "json" };
    });
  },
};

async function buildBrowser(source, target, { alias = {}, plugins = [] } = {}) {
  const entry = join(engine, "browser", source);
  if (!existsSync(entry)) return;
  await build({
    absWorkingDir: engine,
    entryPoints: [entry],
    outfile: join(built, target),
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: browsers,
    external: ["*.woff2", "*.svg"],
    alias,
    plugins,
    logLevel: "warning",
  });
}

/** The kinds of diagrams that most pages have; all others need the complete library. */
const COMMON_DIAGRAMS =
  /\/(flowDiagram|sequenceDiagram|classDiagram|stateDiagram|erDiagram|ganttDiagram|journeyDiagram|timeline|dagre|bpmnIcons)-/;

/** Further kinds that are rendered at publishing, and their parsers. */
const PUBLISHED_DIAGRAMS = /\/(pieDiagram|gitGraphDiagram|pie|gitGraph)-/;

/** Half of the library: a layout that authors can name, formulas, and kinds that a browser renders. */
const HEAVY_PARTS =
  /elk-|katex|\/(?:architectureDiagram|architecture|usecaseDiagram|ishikawaDiagram|diagram-3B7GL73J|diagram-MHCOC4E2)-/;

const isAny = (names) => (path) => names.some((each) => each.test(path));

/** Imports of other diagrams fail: browser/diagrams.ts then loads the complete library. */
const onlyDiagrams = (...names) => partsOf(isAny(names));

const allDiagramsBut = (...names) => partsOf((path) => !isAny(names)(path));

const partsOf = (isPart) => ({
  name: "parts-of-diagrams",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) => {
      const isOther = kind === "dynamic-import" && !isPart(path);
      return isOther ? { path, namespace: "other-diagrams" } : undefined;
    });
    const contents = `throw new Error("This diagram needs the complete library.");`;
    onLoad({ filter: /.*/, namespace: "other-diagrams" }, () => ({ contents }));
  },
});

async function buildMermaid() {
  const source = join(engine, "node_modules/mermaid/dist");
  const complete = readFileSync(join(source, "mermaid.min.js"));
  writeFileSync(join(built, "mermaid-all.js"), Buffer.concat([Buffer.from(mermaidNotice), complete]));
  const contents = `import mermaid from "./mermaid.esm.min.mjs"; globalThis.mermaid = mermaid;`;
  await build({
    stdin: { contents, resolveDir: source },
    outfile: join(built, "mermaid.js"),
    banner: { js: mermaidNotice },
    bundle: true,
    minify: true,
    format: "iife",
    target: browsers,
    plugins: [onlyDiagrams(COMMON_DIAGRAMS)],
    logLevel: "error",
  });
}

function runScript(name) {
  const script = join(engine, "scripts", name);
  if (!existsSync(script)) return;
  const { status } = spawnSync(process.execPath, [script], { cwd: engine, stdio: "inherit" });
  if (status !== 0) throw new Error(`${name} failed`);
}

mkdirSync(built, { recursive: true });
await Promise.all([
  buildEngine(),
  buildHelper("utilities"),
  buildHelper("grammars"),
  buildMaths(),
  buildMermaid(),
  buildDiagrams("diagram-engine.js", onlyDiagrams(COMMON_DIAGRAMS, PUBLISHED_DIAGRAMS)),
  buildDiagrams("diagram-engine-all.js", allDiagramsBut(HEAVY_PARTS)),
  buildBrowser("components.ts", "browser.js"),
  buildBrowser("components.css", "components.css"),
  buildBrowser("extras.ts", "extras.js"),
  buildBrowser("extras.css", "extras.css"),
  ...LOOKS.map((look) => buildBrowser(`shell/looks/${look}.css`, `look-${look}.css`)),
  buildBrowser("shell.ts", "shell.js"),
  buildBrowser("root.ts", "root.js"),
  buildBrowser("playground.ts", "playground.js"),
  buildBrowser("playground-dialog.ts", "playground-dialog.js", { plugins: [styleTexts()] }),
  buildBrowser("oauth.ts", "oauth.js"),
  buildBrowser("components/playground.css", "playground.css"),
  buildBrowser("assistant.ts", "assistant.js", { plugins: [styleTexts()] }),
  buildBrowser("assistant-panel.ts", "assistant-panel.js", { plugins: [styleTexts()] }),
  buildBrowser("readers.ts", "readers.js"),
  buildBrowser("shell/sections.ts", "sections.js"),
  buildBrowser("integrations.ts", "integrations.js"),
  buildBrowser("widget.ts", "widget.js", { plugins: [styleTexts(pixels), allTranslations] }),
  buildBrowser("diagrams.ts", "diagrams.js"),
  buildBrowser("islands.ts", "islands.js", {
    alias: { katex: join(engine, "browser/islands/maths.ts") },
  }),
  buildBrowser("shell.css", "shell.css"),
  buildBrowser("shell/banner.css", "banner.css"),
  buildBrowser("shell/decorations.css", "decorations.css"),
  buildBrowser("search.ts", "search.js", { plugins: [styleTexts()] }),
]);
runScript("icons.mjs");
runScript("fonts.mjs");
runScript("diagram-styles.mjs");
