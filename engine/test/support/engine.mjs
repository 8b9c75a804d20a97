/** The whole engine in a V8 context of its own, as its host runs it: sources in, pages out. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { bundled } from "./render.mjs";

const WASM = "node_modules/@bruits/satteri-wasm32-wasi/satteri_napi.wasm32-wasi.wasm";
const engine = new URL("../../", import.meta.url);
const at = (path) => fileURLToPath(new URL(path, engine));

const script = new vm.Script(
  await bundled('import "./src/main";', {
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["worker", "import", "module", "production"],
    define: { "process.env.NODE_ENV": '"production"' },
    inject: [at("src/natives.ts")],
    alias: { "#binding": at("src/compiler/binding.ts") },
    jsx: "automatic",
  }),
);
const compiler = readFileSync(at(WASM));
const SITE = { modules: {}, variables: {}, paths: [], basePath: "", words: {}, math: null };

/** Begins an engine; `run` evaluates code in it as a page could, `render` takes bodies of pages. */
export function begun() {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  const run = (code) => vm.runInContext(code, context);
  new Uint8Array(run(`globalThis.compilerBytes = new ArrayBuffer(${compiler.length})`)).set(compiler);
  script.runInContext(context);
  const { docstead } = run("globalThis");
  docstead.describe(JSON.stringify(SITE));
  const render = (...bodies) => {
    const pages = bodies.map((body) => ({ file: "page.mdx", body, firstLine: 1, language: null }));
    const refusal = docstead.render(JSON.stringify(pages));
    if (refusal) throw new Error(refusal);
    return JSON.parse(docstead.results());
  };
  return { run, render, docstead };
}
