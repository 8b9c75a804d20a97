import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCE = fileURLToPath(new URL("../browser/assistant/markdown.ts", import.meta.url));

/** As much of an element as answers need. */
class Element {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, nodes: [], dataset: {} });
  }

  addEventListener() {}

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  append(...nodes) {
    this.nodes.push(...nodes);
  }

  replaceChildren(...nodes) {
    this.nodes = nodes;
  }

  toString() {
    const attributes = Object.entries(this.attributes).map(([name, value]) => ` ${name}="${value}"`);
    return `<${this.tag}${attributes.join("")}>${this.nodes.join("")}</${this.tag}>`;
  }
}

describe("Markdown of answers", () => {
  let link, rendered;

  before(async () => {
    globalThis.document = {
      createElement: (tag) => new Element(tag),
      createElementNS: (_, tag) => new Element(tag),
      documentElement: { dataset: {} },
      querySelector: () => null,
    };
    globalThis.location = new URL("https://docs.example.com/keys");
    const { outputFiles } = await build({ entryPoints: [SOURCE], bundle: true, format: "esm", write: false });
    const module = Buffer.from(outputFiles[0].contents).toString("base64");
    ({ link, rendered } = await import(`data:text/javascript;base64,${module}`));
  });

  for (const [name, text, html] of [
    ["emphasis with one mark", "Choose *Keys* or _New key_.", "Choose <em>Keys</em> or <em>New key</em>."],
    ["strong text", "Press **New *key***.", "Press <strong>New <em>key</em></strong>."],
    ["marks that are no emphasis", "2 * 3 * 4, snake_case_name, __init__", "2 * 3 * 4, snake_case_name, __init__"],
    ["escaped characters", "a \\* b \\<id> \\[1\\]", "a * b <id> [1]"],
    ["code with backquotes", "``a`b`` and `x \\* y`", "<code>a`b</code> and <code>x \\* y</code>"],
    [
      "citations and links",
      "Copy it. [1](/keys#copy) [Keys \\[old\\]](/old)",
      'Copy it.\u00a0<a href="https://docs.example.com/keys#copy" class="ds-answer-citation">1</a> ' +
        '<a href="https://docs.example.com/old">Keys [old]</a>',
    ],
    [
      "links between angle brackets",
      "See <https://docs.example.com/a_b_c>.",
      'See <a href="https://docs.example.com/a_b_c">https://docs.example.com/a_b_c</a>.',
    ],
    ["other URLs", "[go](javascript:alert) ![x](https://evil.example/x.png)", "go x"],
  ]) {
    it(name, () => assert.equal(rendered(text).join(""), `<p>${html}</p>`));
  }

  for (const [name, text, html] of [
    ["a paragraph of a step", "1. Stop.\n\n   Wait.\n2. Start.", "<ol start=\"1\"><li><p>Stop.</p><p>Wait.</p></li><li>Start.</li></ol>"],
    ["text after a list", "- a\n\n- b\n\nAfter", "<ul><li>a</li><li>b</li></ul><p>After</p>"],
    ["lists in lists", "- a\n  - b\n\n  c", "<ul><li><p>a</p><ul><li>b</li></ul><p>c</p></li></ul>"],
  ]) {
    it(name, () => assert.equal(rendered(text).join(""), html));
  }

  for (const [path, canonical, shown, target] of [
    ["/keys", "https://docs.example.com/keys", "http://host.local/base/keys", "http://host.local/base/other"],
    ["/en/index", "https://docs.example.com/en", "http://host.local/en", "http://host.local/other"],
    ["/index", "https://docs.example.com/", "http://host.local/base/", "http://host.local/base/other"],
    ["/index", "https://docs.example.com/", "http://host.local/index.html", "https://docs.example.com/other"],
  ]) {
    it(`links within the site at ${shown}`, () => {
      const { document, location } = globalThis;
      globalThis.document = { ...document, documentElement: { dataset: { currentPath: path } }, querySelector: () => ({ href: canonical }) };
      globalThis.location = new URL(shown);
      assert.ok(rendered("[Other](https://docs.example.com/other)").join("").includes(`href="${target}"`));
      Object.assign(globalThis, { document, location });
    });
  }

  for (const [name, text] of [
    ["quotes", ">".repeat(10_000)],
    ["quotes with spaces", "> ".repeat(10_000)],
    ["lists", Array.from({ length: 1000 }, (_, level) => `${"  ".repeat(level)}- a`).join("\n")],
  ]) {
    it(`${name} that are nested too deeply are shown as they are written`, () => {
      const html = rendered(text).join("");
      assert.ok(html.split(/<(?:blockquote|ul)>/).length < 50);
      assert.ok(html.length > text.length / 2);
    });
  }

  it("reads backquotes without an end in linear time", () => {
    const text = Array.from({ length: 280 }, (_, count) => "`".repeat(count + 1)).join(" a ");
    const began = process.cpuUsage();
    rendered(text);
    assert.ok(process.cpuUsage(began).user < 700_000);
  });

  it("names of sources contain no links of their own", () => {
    const title = "**[Sign in](https://evil.example)** <https://evil.example> `x`";
    const html = "<strong>Sign in</strong> https://evil.example <code>x</code>";
    assert.equal(String(link(title, "/keys")), `<a href="https://docs.example.com/keys">${html}</a>`);
  });

  it("colors code with an unclosed text of escaped quotes in linear time", () => {
    for (const quote of ['"', "'"]) {
      const began = process.cpuUsage();
      const html = rendered(`\`\`\`\n${quote}${`\\${quote}`.repeat(50_000)} null`).join("");
      assert.ok(process.cpuUsage(began).user < 500_000);
      assert.ok(html.includes('<span class="k">null</span>'));
    }
  });

  it("code of a step, with its blank lines and indentation", () => {
    const step = rendered("> 1. Stop:\n>\n>    ```bash\n>    a\n>\n>      b\n>    ```\n> 2. Start.").join("");
    assert.match(step, /^<blockquote><ol start="1"><li><p>Stop:<\/p><div class="ds-answer-code"><pre tabindex="0"><code>a\n\n  b<\/code>/);
    assert.match(step, /<\/div><\/li><li>Start\.<\/li><\/ol><\/blockquote>$/);
  });
});
