import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { bundled } from "./support/render.mjs";

const root = new URL("../", import.meta.url);
const source = await bundled(`export { translated } from "./browser/components/language";`);
const built = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);

const ROOMS = ["components", "playground", "assistant"];

function tables(room) {
  const text = readFileSync(new URL(`browser/${room}/words.ts`, root), "utf8");
  const english = text.slice(0, text.indexOf("};")).match(/^ {2}\w+: "/gm).length;
  const others = [...text.matchAll(/^ {2}"?([\w-]+)"?: "(.*\|.*)",$/gm)];
  return { english, others: others.map(([, language, words]) => [language, words.split("|")]) };
}

describe("words of scripts", () => {
  for (const room of ROOMS) {
    it(`${room} are whole in every language that has some`, () => {
      const { english, others } = tables(room);
      for (const [language, words] of others) {
        assert.equal(words.length, english, language);
        assert.ok(words.every((word) => word.trim()), language);
      }
    });
  }

  it("are in the languages of the shell", () => {
    const folder = new URL("../src/docstead/site/shell/translations", root);
    const languages = readdirSync(folder).map((name) => name.replace(".json", "")).sort();
    for (const room of ROOMS) {
      assert.deepEqual(tables(room).others.map(([language]) => language).sort(), languages, room);
    }
  });

  it("are those of the page's language, or of its script, or English", () => {
    const word = built.translated({ a: "A", b: "B" }, { de: "Ah|Be", zh: "简|x", "zh-Hant": "繁|y" });
    const said = (lang) => {
      globalThis.document = { documentElement: { lang } };
      return word("a");
    };
    assert.deepEqual(["de-AT", "zh-CN", "zh-TW", "zh-Hant", "fr", ""].map(said), ["Ah", "简", "繁", "繁", "A", "A"]);
  });
});
