import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { begun } from "./support/engine.mjs";

const { render } = begun();
const positionOf = ({ code, line, column }) => [code, line, column];

/** A page's HTML, and where its diagnostics are. */
function page(body) {
  const [{ html, diagnostics, failed }] = render(body);
  return { html, diagnostics: diagnostics.map(positionOf), failed };
}

const repaired = (html, ...diagnostics) => ({ html, diagnostics, failed: false });

describe("repairs", () => {
  it("end a comment of HTML where it ended", () => {
    assert.deepEqual(page("A <!-- a */ b --> c"), repaired("<p>A  c</p>", ["html-comment", 1, 3]));
  });

  it("escape a brace that is neither escaped nor code", () => {
    const braces = [["unescaped-character", 1, 3], ["unescaped-character", 1, 1]];
    assert.deepEqual(page("{({1}} y"), repaired("<p>{({1}} y</p>", ...braces));
    assert.deepEqual(page("{`{x`*}"), repaired("<p>{<code>{x</code>*}</p>", braces[1]));
  });

  it("keep a row of a table on its line", () => {
    const row = "<tr>\n<td>&lt;b>x</td>\n</tr>";
    const table = `<div class="ds-table"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n${row}\n</tbody>\n</table></div>`;
    const diagnostics = [["unclosed-tag", 3, 3], ["unopened-tag", 5, 1]];
    assert.deepEqual(page("| a |\n|---|\n| <b>x\n\n</b>"), repaired(`${table}\n<p>&lt;/b></p>`, ...diagnostics));
  });

  it("come to an end where there are too many, with an error at the next", () => {
    const { diagnostics, failed } = page(`{1} ${"<br> ".repeat(230)}`);
    assert.deepEqual([diagnostics.length, diagnostics[199], failed], [200, ["mdx-syntax", 1, 1000], true]);
  });

  it("leave the brace of an attribute, which is an error at its position", () => {
    const diagnostics = [["unescaped-character", 1, 1], ["mdx-syntax", 1, 13]];
    assert.deepEqual(page("<Card title={a>x</Card>"), { html: "", diagnostics, failed: true });
  });
});

it("links are known with their positions, whatever they are written as", () => {
  const body = `[a](/b) ![c](/d.png) <a href="/e">x</a> <img src="/f.png" /> <b title="/g">x</b>

[h]: /i

[h]

<Card href="/j">x</Card>`;
  const links = [["/b", 1, 1], ["/d.png", 1, 9], ["/e", 1, 22], ["/f.png", 1, 41], ["/i", 3, 1], ["/j", 7, 1]];
  assert.deepEqual(render(body)[0].links, links);
});

describe("a component that throws", () => {
  const thrower = 'export const X = () => { throw new Error("no") }\n\n';

  it("leaves its name and its children, and says where it is", () => {
    const html = '<div data-component="X" class="ds-missing">kept <strong>b</strong></div>';
    assert.deepEqual(page(`${thrower}<X>kept **b**</X>`), repaired(html, ["component-error", 3, 1]));
  });

  it("may have no name", () => {
    const nameless = 'export const X = (() => () => { throw new Error("no") })()\n\n<X>kept</X>';
    const html = '<div data-component="a component" class="ds-missing">kept</div>';
    assert.deepEqual(page(nameless), repaired(html, ["component-error", 1, 1]));
  });

  it("ends the page if it calls itself without an end", () => {
    const endless = "export const X = () => { const f = () => f() + 1; return f() }\n\n<X>kept</X>";
    assert.equal(page(endless).failed, true);
  });
});

describe("a language that is hardened", () => {
  const { docstead, run } = begun();
  run('Object.defineProperty(globalThis, "accessor", { get: () => 1, configurable: true })');
  docstead.harden();

  const samples = ["function* () {}", "async function () {}", "async function* () {}", "[][Symbol.iterator]()", '"".matchAll(/x/g)'];
  for (const sample of samples) {
    it(`has a frozen prototype of ${sample}`, () => {
      assert.ok(run(`((sample) => Object.isFrozen(Object.getPrototypeOf(sample)))(${sample})`));
    });
  }

  it("has no name that can be added, assigned, or defined in another way", () => {
    const names = Object.entries(run("Object.getOwnPropertyDescriptors(globalThis)"));
    const changeable = names.filter(([, each]) => each.configurable || each.writable).map(([name]) => name);
    assert.deepEqual(changeable, []);
    assert.ok(names.some(([name]) => name === "accessor"));
    assert.ok(!run("Object.isExtensible(globalThis)"));
  });
});
