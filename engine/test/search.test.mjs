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
  "0-t0": [Object.keys(WORDS).join(" "), Object.values(WORDS).join(" ")],
  "0-r0": PAGES,
};
/** Files of an index, which record what is read of them. */
function filesOf(manifest, contents) {
  const read = [];
  return {
    read,
    index: async () => ({ d: "", s: [["", "", manifest]], stop: "" }),
    load: async (name) => {
      read.push(name);
      return contents[name];
    },
  };
}

async function found(query) {
  const files = filesOf({ n: PAGES.length, t: "a", r: [0], w: "" }, FILES);
  const { results } = await new Index(files, "", "").search(query);
  return results.map(({ url }) => url);
}

/** A site with a file for each of its words, and one for each of its 20 pages, which have all of them. */
const LETTERS = [..."bcdefghi"].map((letter) => `${letter}ook`);
const MANY = { n: 20, t: LETTERS.join(" "), r: [0, ...Array(19).fill(1)], w: "b" };
const IN_ALL = `A_${"B_".repeat(19)}`;
const FILES_OF_MANY = {
  ...Object.fromEntries(LETTERS.map((word, at) => [`0-t${at}`, [word, IN_ALL]])),
  ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`0-r${at}`, [[`${at}.html`, "", "", "", [["", "", ""]]]]])),
  "0-t6": ["hook hookiook", `${IN_ALL} ${IN_ALL}`],
  "0-w0": LETTERS.join(" "),
};

async function searched(query, ...options) {
  const files = filesOf(MANY, FILES_OF_MANY);
  const found = await new Index(files, "", "").search(query, ...options);
  return { ...found, read: new Set(files.read) };
}

describe("search", () => {
  it("finds a page of the reader's tab before its like in another", async () => {
    const records = ["v1", "v2"].map((tab) => [`${tab}.html`, "Keys", `${tab} › Guides`, "", [["", "", ""]]]);
    const files = () => filesOf({ n: 2, t: "keys", r: [0], w: "" }, { "0-t0": ["keys", "A_B_"], "0-r0": records });
    for (const tab of ["v1", "v2"]) {
      const { results } = await new Index(files(), "", "", tab).search("keys ");
      assert.equal(results[0].url, `${tab}.html`);
    }
  });

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

  it("reads at most six files for a query of four words or fewer", async () => {
    for (const count of [1, 2, 3, 4]) {
      const { read, results, hasMore } = await searched(LETTERS.slice(0, count).join(" "));
      assert.ok(read.size <= 6, [...read].join(" "));
      assert.ok(results.length >= 2);
      assert.ok(hasMore);
    }
  });

  it("leaves out no word of a longer query", async () => {
    const { read } = await searched(LETTERS.join(" "));
    assert.equal([...read].filter((name) => name.includes("-t")).length, LETTERS.length);
    assert.equal([...read].filter((name) => name.includes("-r")).length, 4);
  });

  it("begins with the same results when a reader wants more", async () => {
    const few = await searched("book cook ");
    const more = await searched("book cook ", "", () => true, true);
    assert.equal(more.hasMore, false);
    assert.ok(more.results.length > few.results.length);
    assert.deepEqual(more.results.slice(0, few.results.length), few.results);
  });

  it("reads pieces of an identifier where they take no further files, or it is unknown", async () => {
    const words = (read) => [...read].filter((name) => name.includes("-t")).length;
    assert.equal(words((await searched("bookCook ")).read), 2);
    assert.equal(words((await searched("book cook dook hookIook ")).read), 4); // "hookiook" is a word
    assert.equal(words((await searched("book cook dook hookCookIook ")).read), 5);
  });

  it("corrects a word by the likely ones of its first letter", async () => {
    const { results } = await searched("boook ");
    assert.ok(results.length > 0);
    const { results: none } = await searched("aook ");
    assert.deepEqual(none, []);
  });
});
