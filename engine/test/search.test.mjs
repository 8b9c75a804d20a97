import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bundled } from "./support/render.mjs";

const source = await bundled(`export { Index } from "./browser/search/index";`);
const { Index } = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);

const PAGES = [
  ["get.html", "Refund", "API", "GET", [["", "", ""]]],
  ["payload.html", "Refund payload", "", "", [["", "", ""]]],
  ["refunds.html", "🔄 Refunds", "", "", [["", "", ""]]],
  ["policy.html", "Paying", "", "", [["", "", ""]]],
];
/** Words of the sections, each with its sections and their weights (outputs/search_bundle/postings.py). */
const WORDS = { pay: "D_", payment: "A_B_B_B_", refund: "A_B_B_", refunds: "C_" };
const FILES = {
  0: { n: PAGES.length, t: "a", r: [0] },
  "0-t0": [Object.keys(WORDS).join(" "), Object.values(WORDS).join(" ")],
  "0-r0": PAGES,
};
const files = {
  index: async () => ({ d: "", s: [["", "", PAGES.length]], stop: "" }),
  load: async (name) => FILES[name],
};

async function found(query) {
  const { results } = await new Index(files, "", "").search(query);
  return results.map(({ url }) => url);
}

describe("search", () => {
  it("finds the page of that title first, in singular and plural", async () => {
    assert.equal((await found("refunds "))[0], "refunds.html");
    assert.equal((await found("refund "))[0], "refunds.html");
  });

  it("finds operations behind pages, unless a method is asked for", async () => {
    assert.ok((await found("refund ")).indexOf("get.html") > 0);
    assert.equal((await found("get refund "))[0], "get.html");
  });

  it("counts no form of a word for more than the word itself", async () => {
    const [first] = await found("payment ");
    assert.notEqual(first, "policy.html");
  });
});
