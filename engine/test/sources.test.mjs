import assert from "node:assert/strict";
import { assertLinear } from "./support/growth.mjs";
import { describe, it } from "node:test";
import { bundled } from "./support/render.mjs";

const source = await bundled(`
  export { codeRanges, isWithin, positionOf, offsetOf } from "./src/text";
  export { Draft } from "./src/draft";
  export { fillVariables } from "./src/variables";
  export { linkOf, mediaOf, normalize, LINK_MARK } from "./src/links";
  export { literalOf } from "./src/compiler/literals";
  export { mathIn } from "./src/compiler/math";
  export { MOST_LEVELS, tooDeepIn } from "./src/compiler/nesting";
  export { lowerImported, lowerPage } from "./src/compiler/lower";
  export { partsOf, repairParts } from "./src/compiler/parts";
`);
const built = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
const { Draft, LINK_MARK, MOST_LEVELS, codeRanges, fillVariables, linkOf, literalOf, lowerImported, lowerPage } = built;
const { mathIn, mediaOf, partsOf, repairParts, tooDeepIn } = built;

const code = (text) => codeRanges(text).map(([start, end]) => text.slice(start, end));

describe("code in a source", () => {
  it("is fenced or between as many backticks", () => {
    assert.deepEqual(code("a `b` ``c ` d`` e"), ["`b`", "``c ` d``"]);
    assert.deepEqual(code("a\n```js\n`x\n```\nb `c`"), ["```js\n`x\n```\n", "`c`"]);
    assert.deepEqual(code("- ~~~\n  x\n  ~~~\n"), ["- ~~~\n  x\n  ~~~\n"]);
  });

  it("does not extend over a blank line, nor begin at an escaped backtick", () => {
    assert.deepEqual(code("a ` b\n\nc ` d"), []);
    assert.deepEqual(code("a \\` b ` c"), []);
  });

  it("goes to the end where a fence is never closed", () => {
    assert.deepEqual(code("a\n````\nb\n```\nc"), ["````\nb\n```\nc"]);
  });
});

const parts = (source) => partsOf(source).map(({ start, end }) => source.slice(start, end).trimEnd());

describe("parts of a source", () => {
  it("are paragraphs that nothing connects", () => {
    assert.deepEqual(parts("one\ntwo\n\nthree <b>x</b>\n"), ["one\ntwo", "three <b>x</b>"]);
    assert.deepEqual(parts("<b>one\n\ntwo</b>\n\nthree"), ["<b>one\n\ntwo</b>", "three"]);
    assert.deepEqual(parts("{/* a\n\nb */}\n\nc <!-- d\n\ne -->"), ["{/* a\n\nb */}", "c <!-- d\n\ne -->"]);
    assert.deepEqual(parts("```\na\n\n<b>\n```\n\n$$\nx\n\ny\n$$"), ["```\na\n\n<b>\n```", "$$\nx\n\ny\n$$"]);
  });

  it("are within tags on lines of their own, and no statements", () => {
    assert.deepEqual(parts("<Note>\none\n\n  <b>two\n</Note>\nthree"), ["one", "  <b>two", "three"]);
    assert.deepEqual(parts('import X from "x"\nexport const y = {\n\n  z: 1,\n}\n\nText'), ["Text"]);
  });

  it("are repaired by themselves, at their positions", () => {
    const draft = new Draft("fine\n\n<A>\n  <b>\n  x\n</A>\n\nnot < fine\n\nfine");
    const seen = [];
    const parse = (text) => {
      seen.push(text);
      if (/[^\\]</.test(text)) throw new Error("1:5: no tag");
    };
    const diagnostics = repairParts(draft, parse, (piece) => {
      const at = piece.text.indexOf("<");
      const position = piece.originalOf(at);
      piece.replace(at, at, "\\");
      return { ...position, severity: "warning", code: "x", message: "" };
    });
    assert.deepEqual(seen, ["not < fine\n", "not \\< fine\n"]);
    assert.equal(draft.text, "fine\n\n<A>\n  <b>\n  x\n</b>\n\n  </A>\n\nnot \\< fine\n\nfine");
    assert.deepEqual(diagnostics.map(({ line, column }) => [line, column]), [[8, 5], [4, 3]]);
    assert.deepEqual(draft.original({ line: 10, column: 7 }), { line: 8, column: 6 });
  });
});

describe("void tags of a part", () => {
  const repaired = (source, parse) => {
    const draft = new Draft(source);
    const diagnostics = repairParts(draft, parse, () => null);
    return [draft.text, diagnostics.map(({ line, column }) => [line, column])];
  };

  it("are closed together, and the part is not compiled", () => {
    const never = () => assert.fail("compiled");
    const source = 'fine\n\none <br> two <IMG src="/a.png"> `<br>`\nthree <hr>';
    const closed = 'fine\n\none <br/> two <img src="/a.png"/> `<br>`\nthree <hr/>';
    assert.deepEqual(repaired(source, never), [closed, [[3, 5], [3, 14], [4, 7]]]);
  });

  it("are left to the compiler beside expressions and formulas", () => {
    const source = 'one {"<br>"} <br>';
    assert.deepEqual(repaired(source, () => {}), [source, []]);
  });
});

describe("a draft", () => {
  it("knows where a position was at first", () => {
    const draft = new Draft("one <two> {three}\nfour");
    draft.replace(4, 4, "\\");
    draft.replace(11, 11, "\\");
    assert.equal(draft.text, "one \\<two> \\{three}\nfour");
    assert.deepEqual(draft.originalOf(draft.text.indexOf("three")), { line: 1, column: 12 });
    assert.deepEqual(draft.originalOf(draft.text.indexOf("four")), { line: 2, column: 1 });
    assert.deepEqual(draft.originalOf(0), { line: 1, column: 1 });
  });
});

describe("variables", () => {
  const fill = (text, values) => {
    const draft = new Draft(text);
    return { diagnostics: fillVariables(draft, values), text: draft.text };
  };

  it("are filled in everywhere, as text", () => {
    const { text } = fill("{{a}} `{{ a }}` {{a}}", { a: "<b> {c}" });
    assert.equal(text, "&lt;b> &#123;c&#125; `<b> {c}` &lt;b> &#123;c&#125;");
  });

  it("stay as they are in props, in other languages and where there are none", () => {
    for (const text of ["<a style={{b}} />", "${{ secrets.X }}", "`{{ x }}`", "{{ a.b }}"]) {
      assert.deepEqual(fill(text, {}), { diagnostics: [], text });
    }
    assert.deepEqual(fill("{{x}}", {}), { diagnostics: [], text: "\\{\\{x}}" });
  });

  it("that are not defined have a position of their own", () => {
    const { diagnostics } = fill("{{a}}\n{{a}} {{b}} {{c}}", { a: "longer than its name" });
    assert.deepEqual(
      diagnostics.map(({ line, column }) => [line, column]),
      [
        [2, 7],
        [2, 13],
      ],
    );
  });
});

describe("links", () => {
  const known = (path) => ["/start", "/guides/next"].includes(path);
  const link = (href) => linkOf(href, "/guides/", known);

  it("of the site are marked, from the root on", () => {
    assert.equal(link("/a?b#c"), `${LINK_MARK}/a?b#c`);
    assert.equal(link("./next"), `${LINK_MARK}/guides/next`);
    assert.equal(link("../../../start"), `${LINK_MARK}/start`);
    assert.equal(link("start"), `${LINK_MARK}/start`);
    assert.equal(link("next"), `${LINK_MARK}/guides/next`);
    assert.equal(link("new"), `${LINK_MARK}/guides/new`);
  });

  it("to elsewhere stay as they are", () => {
    for (const href of ["https://a.example", "//a.example", "mailto:a@b.c", "#part", ""]) {
      assert.equal(link(href), href);
    }
  });

  it("never run a script", () => {
    for (const href of ["javascript:x", " JavaScript:x", "\u0001javascript:x", "data:text/html,x"]) {
      assert.equal(link(href), "#");
    }
    assert.equal(mediaOf("data:text/html,x", "/", known), "");
    assert.equal(mediaOf("data:image/png;base64,x", "/", known), "data:image/png;base64,x");
  });
});

describe("dollars", () => {
  it("are mathematics where TeX stands between them", () => {
    assert.equal(mathIn("a $\\alpha$ b"), true);
    assert.equal(mathIn("a $x_i$ b"), true);
    assert.deepEqual(mathIn("$$\nx\n$$"), { singleDollarTextMath: false });
  });

  it("are money or names of variables everywhere else", () => {
    for (const text of ["$5 and $10", "$HOME_DIR and $PATH_X", "`$$`", "US$1", "none", "\\$a_b\\$"]) {
      assert.equal(mathIn(text), false, text);
    }
  });
});

describe("a compiled program", () => {
  const evaluate = (program, modules = {}, lower = lowerPage) => {
    const exports = {};
    const runtime = { jsx: (type, props) => [type, props] };
    const require = (name) => (name === "#runtime/jsx-runtime" ? runtime : modules[name]);
    new Function("require", "exports", lower(program))(require, exports);
    return exports;
  };
  const start = 'import { jsx as _jsx } from "#runtime/jsx-runtime";\n';

  it("becomes the body of a function", () => {
    const { default: Content } = evaluate(
      `${start}function MDXContent(props) { return _jsx("p", props) }\nexport default MDXContent;\n`,
    );
    assert.deepEqual(Content({ a: 1 }), ["p", { a: 1 }]);
  });

  it("keeps imports and exports, also in text that looks like them", () => {
    const program = `${start}import A, { b as c } from "./x";
export const d = c + 1;
const text = \`
export const fake = 1;
\`;
function MDXContent() { return _jsx(A, { d, text }) }
export default MDXContent;
`;
    const exports = evaluate(program, { "./x": { __esModule: true, default: "A", b: 2 } });
    assert.equal(exports.d, 3);
    assert.equal(exports.fake, undefined);
    assert.deepEqual(exports.default(), ["A", { d: 3, text: "\nexport const fake = 1;\n" }]);
  });

  const shows = (imports, shown) =>
    `${start}${imports}function MDXContent() { return _jsx("p", ${shown}) }
export default MDXContent;
`;

  it("takes what it imports by the names that it gives", () => {
    const program = shows('import A, { b as c, d } from "./x";\nimport E from "./y";\n', "[A, c, d, E]");
    const modules = {
      "./x": { __esModule: true, default: 1, b: 2, d: 3 },
      "./y": { __esModule: true, default: 4 },
    };
    for (const lower of [lowerPage, lowerImported]) {
      assert.deepEqual(evaluate(program, modules, lower).default(), ["p", [1, 2, 3, 4]]);
    }
  });

  it("may import a name twice", () => {
    const program = shows('import { a } from "./x";\nimport { a } from "./x";\n', "a");
    assert.deepEqual(evaluate(program, { "./x": { a: 1 } }).default(), ["p", 1]);
  });

  it("sees what a file exports later where files import each other", () => {
    const unfinished = {};
    const { default: Content } = evaluate(
      shows('import { a } from "./x";\n', "a"),
      { "./x": unfinished },
      lowerImported,
    );
    unfinished.a = 1;
    assert.deepEqual(Content(), ["p", 1]);
  });
});

it("the time to find code grows with the text", () => {
  assertLinear((size) => codeRanges("`a-b` ".repeat(size)), 5_000);
});

describe("expressions that are nested too deeply", () => {
  const forms = {
    elements: ["{<b>", "</b>}"],
    "elements and text": ["<b>x {", "}</b>"],
    "elements in calls": ["{items.map((a) => <b>{a} {", "}</b>)}"],
    attributes: ["<A b={", "}></A>"],
    calls: ["a<b>(", ")"],
    "calls after a comment": ["a<b> /**/ (", ")"],
    parameters: ["<T,>(a = ", ") => 1"],
  };
  const nested = ([start, end], levels) => `{${start.repeat(levels)}1${end.repeat(levels)}}`;

  for (const [name, form] of Object.entries(forms)) {
    it(`are found among ${name}, also where they are not closed`, () => {
      assert.equal(typeof tooDeepIn(nested(form, MOST_LEVELS + 1)), "number");
      assert.equal(typeof tooDeepIn(nested([form[0], ""], MOST_LEVELS + 1)), "number");
    });
    it(`have as many levels as are allowed among ${name}`, () => {
      assert.equal(tooDeepIn(nested(form, 7)), null);
    });
  }

  it("are at their first bracket that is too deep", () => {
    const before = "# A\n\n```js\n" + nested(forms.calls, 50) + "\n```\n\n";
    const at = tooDeepIn(before + nested(forms.calls, 50));
    assert.equal(at, before.length + "{".length + "a<b>(".length * MOST_LEVELS - 1);
  });

  it("are none if they stand one after another, in code, or are only deep", () => {
    assert.equal(tooDeepIn("{a.map((b) => <i>{b}</i>)} ".repeat(100)), null);
    assert.equal(tooDeepIn("`" + nested(forms.calls, 50) + "`"), null);
    assert.equal(tooDeepIn("{" + "({a: [".repeat(100) + "])}".repeat(100) + "}"), null);
    assert.equal(tooDeepIn("\\{ <b> :( </b> ".repeat(100)), null);
  });

  it("are looked for in linear time", () => {
    assertLinear((size) => tooDeepIn("{a.map((b) => <i>{b}</i>)} ".repeat(size)), 2_000);
  });
});

describe("literals", () => {
  it("are read as the language reads them", () => {
    for (const code of ["2", "-1.5", "true", " null ", "undefined", "'a'", '"b\'c"', "`d\ne`", "[]", "[1, ['x',],]",
      "{}", "{a: 1, 'b-c': {$d: [null]}, e: `f`,}", "[{}, [], \"\"]"]) {
      assert.deepEqual(literalOf(code), { value: new Function(`return (${code})`)() }, code);
    }
  });

  it("are nothing else", () => {
    for (const code of ["", "a", "1 + 1", "010", "1_0", "1n", ".5", "'a\\n'", "`${a}`", "[,]", "[1 2]", "[1", "{a}", "{a: 1",
      "{1: 2}", "{__proto__: {}}", "{'__proto__': {}}", "{...a}", "f()", "/* a */ 1", "1 // a", "'a' 'b'", "[".repeat(30)]) {
      assert.equal(literalOf(code), null, code);
    }
  });

  it("take linear time", () => {
    assertLinear((size) => literalOf(`[${"[1, {a: 'b'}], ".repeat(size)}]`), 2_000);
  });
});
