import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bundled } from "./support/render.mjs";

const source = await bundled(`
  import "preact/compat";
  export { countOf, isMatch, matchesOf, replaceEach } from "./src/patterns";
  export { partsOf } from "./src/runtime/look";
  export { runtimeOf } from "./src/runtime/elements";
  export { writeOwnElements } from "./src/runtime/written";
  export { renderToString } from "preact-render-to-string";
`);
const built = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
const { countOf, isMatch, matchesOf, partsOf, renderToString, replaceEach, runtimeOf, writeOwnElements } = built;

describe("patterns", () => {
  it("replace what the language replaces", () => {
    const cases = [
      ["a1b22", /\d+/g],
      ["", /x/g],
      ["abc", /x/g],
      ["xx", /x/g],
      ["aBcD", /(?=[A-Z])/g],
      ["ab", /x*/g],
      ["key=value; other", /(\w+)=(\w+)|;/g],
    ];
    for (const [text, pattern] of cases) {
      const make = (match, one, two) => `<${match}|${typeof one === "string" ? one : ""}|${typeof two === "string" ? two : ""}>`;
      const groups = new RegExp(`${pattern.source}|()()`).exec("").length > 3;
      const expected = groups ? text.replace(pattern, make) : text.replace(pattern, (match) => make(match));
      assert.equal(replaceEach(text, pattern, make), expected, String(pattern));
    }
  });

  it("may be used again within a replacement", () => {
    const pattern = /\((\w+)\)/g;
    const replaced = replaceEach("(a) (b)", pattern, (_, name) => replaceEach(`(${name})(c)`, pattern, (_, inner) => inner));
    assert.equal(replaced, "ac bc");
  });

  it("find each match, from the beginning", () => {
    const pattern = /\d/g;
    assert.equal(pattern.exec("1 2 3")[0], "1");
    assert.deepEqual(Array.from(matchesOf(pattern, "1 2 3"), ([digit]) => digit), ["1", "2", "3"]);
    assert.deepEqual([isMatch(/\d/, "a1"), isMatch(/\d/, "a")], [true, false]);
  });

  it("count what does not overlap", () => {
    assert.deepEqual([countOf("``", "````` a ``"), countOf("{", "{{}"), countOf("a", ""), countOf("b", "a")], [3, 2, 0, 0]);
  });

  it("divide long names as often as they may be broken", () => {
    assert.deepEqual(partsOf("settings.api_keyNames"), ["settings.", "api_", "key", "Names"]);
    assert.deepEqual(partsOf("short"), ["short"]);
  });
});

describe("elements of our own components", () => {
  it("are written as the renderer writes them", () => {
    const { jsx } = runtimeOf({ directory: "/", own: true });
    const inner = () => jsx("p", { children: [1, " < ", null, false, "2"] });
    const cases = [
      ["div", { class: "a b", id: 'x"<&y', "data-n": 0, children: "1 < 2 & \"3\"" }],
      ["div", { class: "", role: undefined, "aria-hidden": true, "data-x": false, "data-y": "", hidden: true }],
      ["div", { hidden: false, style: "--a:1;", children: [] }],
      ["div", { style: { "--cols": "2", width: 3 }, children: 0 }],
      ["details", { open: true, id: null, children: true }],
      ["i", { class: "icon", "data-ds-size": 16 }],
      ["span", { tabIndex: 0, children: "x" }],
      ["p", { class: "a", children: () => "no text" }],
    ];
    const html = () => [
      ...cases.map(([type, props]) => renderToString(jsx(type, props))),
      renderToString(jsx("div", { children: [inner(), "<", [inner()]] })),
      renderToString(jsx("div", { children: inner() })),
      renderToString(jsx("p", { class: "a", children: jsx("table", {}) })),
      renderToString(jsx("summary", { children: runtimeOf({ directory: "/", own: false }).jsx("p", { children: "x" }) })),
    ];
    const before = html();
    writeOwnElements();
    assert.deepEqual(html(), before);
    assert.notEqual(jsx("div", {}).type, "div");
  });
});
