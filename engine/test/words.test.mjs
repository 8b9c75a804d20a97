import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { bundled } from "./support/render.mjs";

const root = new URL("../", import.meta.url);
const translations = new URL("../src/docstead/markup/translations/", root);
const built = new URL("../src/docstead/markup/assets/built/", root);
const source = await bundled(`export { speak, translated } from "./browser/components/language";`);
const { speak, translated } = await import(
  `data:text/javascript;base64,${Buffer.from(source).toString("base64")}`
);

const NAMESPACES = {
  components: ["components/words"],
  search: ["search/texts"],
  playground: ["playground/words"],
  assistant: ["assistant/entry-words", "assistant/words"],
};
const PLACEHOLDERS = /\{\w+\}/g;
const LANGUAGES = readdirSync(translations);

function english(files) {
  const text = files.map((file) => readFileSync(new URL(`browser/${file}.ts`, root), "utf8")).join("\n");
  const found = [...text.matchAll(/^ {2}(\w+):\s*"([^"]*)"/gm)];
  return Object.fromEntries(found.map(([, name, said]) => [name, said]));
}

function table(file) {
  return JSON.parse(readFileSync(new URL(file, translations), "utf8"));
}

describe("words of scripts", () => {
  for (const [namespace, sources] of Object.entries(NAMESPACES)) {
    it(`${namespace} are whole in every language`, () => {
      const said = english(sources);
      const names = Object.keys(said);
      assert.ok(names.length > 5);
      for (const file of LANGUAGES) {
        const words = table(file)[namespace];
        assert.deepEqual(Object.keys(words).sort(), names.toSorted(), file);
        assert.ok(Object.values(words).every((word) => word.trim()), file);
        for (const name of names) assert.deepEqual(words[name].match(PLACEHOLDERS), said[name].match(PLACEHOLDERS), `${file} ${name}`);
      }
    });
  }

  it("are those that the page gives, or English", () => {
    const word = translated("namespace", { a: "A", b: "B" });
    assert.equal(word("a"), "A");
    globalThis.docsteadWords = { namespace: { a: "Ah" }, other: { b: "x" } };
    assert.deepEqual([word("a"), word("b")], ["Ah", "B"]);
    assert.equal(translated("elsewhere", { a: "A" })("a"), "A");
    delete globalThis.docsteadWords;
    assert.equal(word("a"), "A");
  });

  it("may come from elsewhere, anew for each word", () => {
    const word = translated("namespace", { a: "A" });
    let words;
    speak(() => words);
    assert.equal(word("a"), "A");
    words = { namespace: { a: "Ah" } };
    assert.equal(word("a"), "Ah");
  });

  it("are in no script but the widget's", () => {
    const said = Object.values(table("de.json").assistant).filter((word) => /^[ -~]{20,}$/.test(word));
    assert.ok(said.length > 1);
    const holds = (name) => said.some((word) => readFileSync(new URL(name, built), "utf8").includes(word));
    const scripts = readdirSync(built).filter((name) => name.endsWith(".js"));
    assert.deepEqual(scripts.filter(holds), ["widget.js"]);
  });
});

describe("words of the widget", async () => {
  const entry = `export { wordsOfPage } from "./browser/widget/language";`;
  const tables = {
    name: "tables",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^translations$/ }, ({ path }) => ({ path, namespace: "tables" }));
      const contents = JSON.stringify({ de: { is: { it: "de" } }, zh: { is: { it: "zh" } }, "zh-Hant": { is: { it: "zh-Hant" } } });
      onLoad({ filter: /.*/, namespace: "tables" }, () => ({ contents, loader: "json" }));
    },
  };
  const code = await bundled(entry, { plugins: [tables] });
  const { wordsOfPage } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);

  it("are those of the page's language, or of its script, or none", () => {
    const said = (lang) => {
      globalThis.document = { documentElement: { lang } };
      return wordsOfPage()?.is.it;
    };
    const pages = ["de-AT", "zh-CN", "zh-TW", "zh-Hant", "fr", ""];
    assert.deepEqual(pages.map(said), ["de", "zh", "zh-Hant", "zh-Hant", undefined, undefined]);
  });
});
