import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Slugger, render, text } from "./support/render.mjs";
import { assertLinear } from "./support/growth.mjs";

function has(html, ...parts) {
  for (const part of parts) assert.ok(html.includes(part), `${part}\nis not in\n${html}`);
}

function lacks(html, ...parts) {
  for (const part of parts) assert.ok(!html.includes(part), `${part}\nis in\n${html}`);
}

describe("every component", () => {
  const names =
    `Accordion AccordionGroup Badge Callout Card CardGroup Check CodeBlock CodeGroup Color
    Color.Row Color.Item Column Columns Danger Expandable FileTree Frame GitHub.Repo Heading Icon Image
    Info Latex Link Note Panel ParamField Prompt RequestExample RequestField ResponseExample
    ResponseField Step Steps Tab Tabs Tile Tip Tooltip Tree Tree.File Tree.Folder Update View
    Visibility Warning`.split(/\s+/);

  for (const name of names) {
    it(`${name} renders without props or children`, () => {
      assert.equal(typeof render(`<${name} />`), "string");
    });

    it(`${name} keeps its children`, () => {
      const childless = ["Icon", "Image", "GitHub.Repo", "Color.Item"];
      const html = render(`<${name}>{"kept"}{null}{false}<>{[<b>words</b>]}</></${name}>`);
      if (!childless.includes(name)) has(text(html), "kept", "words");
    });
  }
});

describe("callouts", () => {
  it("are notes with an icon that is named, or a label", () => {
    const html = render(`<Warning>Careful</Warning>`);
    has(html, 'role="note"', 'data-callout="warning"', "Careful");
    has(html, 'data-ds-icon="triangle-alert"', 'data-ds-label="Warning"');
    lacks(html, "aria-label");
    has(render(`<Warning icon="key">Careful</Warning>`), 'aria-label="Warning"');
  });

  it("take an icon, a colour without its hash, and a title", () => {
    const html = render(`<Callout icon="key" color="FFC107" title="With **force**">x</Callout>`);
    has(html, "--ds-hue:#FFC107", 'data-ds-icon="key"', "With <strong>force</strong>");
  });

  it("take a type", () => has(render(`<Callout type="danger">x</Callout>`), 'data-ds-label="Danger"'));
});

describe("cards", () => {
  it("are links, of which a style sheet may name the tag", () => {
    const html = render(`<Card title="Start" href="/start">All **of** it <Icon icon="key" /></Card>`);
    has(html, '<a class="ds-card card" href="/start"', 'role="none">Start</h2>');
    lacks(html, "ds-card-link");
  });

  for (const inner of ["<a href='/b'>b</a>", "<b><button>b</button></b>", "<Badge href='/b'>b</Badge>"]) {
    it(`leave the link to their title where they hold ${inner}`, () => {
      const html = render(`<Card title="Start" href="/start">See ${inner}</Card>`);
      has(html, '<a class="ds-card-link" href="/start">Start</a>', '<div class="ds-card card"');
    });
  }

  it("have a name without words", () => {
    has(render(`<Card href="/start" icon="key" />`), 'aria-label="Start"');
    lacks(render(`<Card href="/start">All of it</Card>`), "aria-label");
    lacks(render(`<Card href="/start"><img src="/a.png" alt="A" /></Card>`), "aria-label");
  });

  it("have the tag that their author wishes", () => {
    has(render(`<Card as="section" title="T" />`), '<section class="ds-card card"');
    has(render(`<Card as="script" title="T" />`), '<div class="ds-card card"');
  });

  it("are no links while they are disabled", () =>
    lacks(render(`<Card title="T" href="/x" disabled />`), "<a", "card-arrow"));

  it("are no links without a URL", () => lacks(render(`<Card title="T">x</Card>`), "<a"));

  it("show an arrow for other sites, or when asked", () => {
    has(render(`<Card title="T" href="https://example.com" />`), "ds-card-arrow");
    has(render(`<Card title="T" href="/x" arrow="true" />`), "ds-card-arrow");
    const hidden = 'data-component-part="card-arrow" hidden';
    lacks(render(`<Card title="T" href="/x" arrow="true" />`), hidden);
    has(render(`<Card title="T" href="https://example.com" arrow={false} />`), hidden);
    has(render(`<Card title="T" href="/x" />`), hidden);
    lacks(render(`<Card title="T" />`), "ds-card-arrow");
  });

  it("render icons by name, URL and element", () => {
    has(render(`<Card icon="rocket" iconType="duotone" color="#fff" />`), 'data-ds-icon="rocket"');
    has(
      render(`<Card icon="/a/b.svg" />`),
      '<img class="ds-icon icon ds-icon-image" data-component-part="icon-image" src="/a/b.svg" alt',
    );
    has(render(`<Card icon={<svg id="own" />} />`), '<svg id="own">');
  });

  it("stand in one to four columns", () => {
    has(render(`<CardGroup cols="3" />`), 'data-cols="3"');
    has(render(`<Columns />`), 'data-cols="2"');
    has(render(`<Columns cols={9} />`), 'data-cols="4"');
  });

  it("keep classes and styles", () => {
    const html = render(`<Card className="mine" style={{ width: 20 }} />`);
    has(html, 'class="ds-card card mine"', "width:20px");
  });
});

describe("accordions", () => {
  it("are details with an anchor from the title", () => {
    const html = render(`<Accordion title="Don't panic" defaultOpen="true">x</Accordion>`);
    has(html, "<details", "<summary", " open", 'id="don’t-panic"');
  });

  it("name their parts, as scripts and style sheets of sites select them", () => {
    const html = render(`<Accordion title="T" /><Expandable title="a" defaultOpen />`);
    has(html, 'id="t-label" aria-controls="t-accordion-children" aria-expanded="false"');
    has(html, 'id="t-accordion-children" role="region" aria-labelledby="t-label"');
    assert.match(text(html), /Hide a/);
  });

  it("stay closed for defaultOpen of false", () => {
    lacks(render(`<Accordion title="T" defaultOpen="false" />`), " open");
  });

  it("have anchors of their own where titles repeat", () => {
    const html = render(
      `<Accordion title="T" /><Accordion title="T" /><Accordion id="own" title="T" />`,
    );
    has(html, 'id="t"', 'id="t-2"', 'id="own"');
  });
});

describe("tabs", () => {
  it("are complete and titled without a script", () => {
    const html = render(
      `<Tabs><Tab title="npm">One</Tab><>{[<Tab title="Yarn">Two</Tab>]}</></Tabs>`,
    );
    assert.equal(text(html), "npm Yarn One Two");
    has(html, '<div class="ds-tab" id="npm" role="tabpanel" data-title="npm"', 'id="yarn"');
    lacks(html, " hidden");
  });

  it("have instructions for the script", () => {
    has(
      render(`<Tabs defaultTabIndex="1" sync={false} borderBottom />`),
      'data-default="1"',
      'data-sync="false"',
      "data-border",
    );
  });

  it("show views one below the other", () => {
    assert.equal(text(render(`<View title="Go">A</View><View title="C">B</View>`)), "Go A C B");
  });
});

describe("anchors", () => {
  it("of parts leave headings theirs", () => {
    const headings = new Slugger();
    headings.claim("usage");
    const html = render(
      `<Tab title="Usage" /><ParamField query="q" /><Accordion title="Usage" id={'a"b'} />`,
      headings,
    );
    has(html, 'id="usage-2"', 'id="param-q"', 'href="#param-q"', 'id="a&quot;b"');
  });
});

describe("steps", () => {
  it("are a list", () => {
    const html = render(`<Steps><Step title="First">x</Step></Steps>`);
    has(html, 'role="list"', 'role="listitem"', 'data-component-part="step-title">First</p>', 'id="first"');
  });

  it("are no list without a step", () =>
    lacks(render(`<Steps>\n\n1. [First](/first)\n2. Second\n\n</Steps>`), 'role="list"'));

  it("are a list where an element surrounds the steps", () =>
    has(render(`<Steps><div><Step title="First" /></div></Steps>`), 'role="list"'));

  it("have headings when asked, with the anchor on the heading", () => {
    const html = render(
      `<Steps titleSize="h3"><Step title="A" /><Step title="B" titleSize="h2" id="bee" /></Steps>`,
    );
    has(html, 'data-component-part="step-title">A</h3>', 'id="bee" data-component-part="step-title"');
    has(html, 'data-component-part="step-number-anchor-link"><a href="#bee"');
    lacks(html, 'class="ds-step step" id');
  });

  it("have the number that is given, else their position", () => {
    const html = render(`<Steps><Step stepNumber="4">a</Step><Step>b</Step></Steps>`);
    assert.equal(text(html), "4 a 2 b");
    assert.equal(text(render(`<Step stepNumber="4">a</Step>`)), "4 a");
  });

  it("may go without an anchor", () => lacks(render(`<Step title="A" noAnchor />`), "id="));
});

describe("fields", () => {
  it("name the parameter, its type, location and default", () => {
    const html = render(
      `<ParamField query="limit" type="number" default={10} required>How many</ParamField>`,
    );
    assert.equal(text(html), "limit number query default 10 required How many");
    has(html, 'id="param-limit"', 'href="#param-limit"');
  });

  it("have anchors that hold the fields around them", () => {
    const html = render(
      `<ResponseField name="user" type="object"><Expandable title="p"><ResponseField name="name" /></Expandable></ResponseField>`,
    );
    has(html, 'id="param-user-name"');
  });

  it("show false and empty defaults, and labels on both sides", () => {
    assert.equal(
      text(render(`<ResponseField name="a" default={false} pre={["x"]} post="y" deprecated />`)),
      "x a default false deprecated y",
    );
  });

  it("take a name beside a bare location", () => {
    assert.equal(text(render(`<ParamField body name="id" type="string" />`)), "id string body");
  });
});

describe("frames", () => {
  it("have a caption in Markdown", () => {
    const html = render(
      `<Frame caption="See [the map](/map)" hint="Hint"><img src="/a.png" /></Frame>`,
    );
    has(
      html,
      'data-component-part="frame-description"><p>See <a href="/map">the map</a></p></div>',
      "Hint",
    );
  });

  it("make videos that start by themselves silent, and leave others as they are", () => {
    has(render(`<Frame><video autoPlay src="/a.mp4" /></Frame>`), "muted", "loop", "playsinline");
    lacks(render(`<Frame><video controls src="/a.mp4" /></Frame>`).toLowerCase(), "muted", "loop");
  });
});

describe("icons", () => {
  it("carry all that the drawing needs", () => {
    const html = render(
      `<Icon icon="flag" iconType="solid" color="A8FF53" size="32" className="mr-2" />`,
    );
    has(
      html,
      'data-ds-icon="flag"',
      'data-ds-icon-type="solid"',
      'data-ds-color="#A8FF53"',
      'data-ds-size="32"',
      "mr-2",
      'aria-hidden="true"',
    );
  });

  it("may be pictures", () =>
    has(render(`<Icon src="https://example.com/i" />`), 'src="https://example.com/i" alt'));
});

describe("trees", () => {
  it("come from components", () => {
    const html = render(`<Tree>
      <Tree.Folder name="app" defaultOpen><Tree.File name="page.tsx" highlight /></Tree.Folder>
      <Tree.Folder name="lib"><Tree.File name="db.ts" /></Tree.Folder>
    </Tree>`);
    assert.equal(text(html), "app page.tsx lib db.ts");
    assert.equal(html.match(/aria-expanded="true"/g)?.length, 1);
    assert.equal(html.match(/aria-current="true"/g)?.length, 1);
  });

  it("come from Markdown lists, without its formatting", () => {
    const html = render(
      `<FileTree>{"\\n"}<ul><li>docs/<ul><li><code>index.mdx</code></li></ul></li><li><strong>empty/</strong></li></ul></FileTree>`,
    );
    assert.equal(text(html), "docs index.mdx empty");
    assert.equal(html.match(/ds-tree-row tree-folder/g)?.length, 2);
    lacks(html, "<code>", "<strong>");
  });

  it("tint all that a highlighted folder holds", () => {
    const html = render(
      `<Tree><Tree.Folder name="a" highlight><Tree.File name="b" /></Tree.Folder></Tree>`,
    );
    assert.equal(html.match(/data-tinted/g)?.length, 2);
  });

  it("show nothing of a folder that cannot be opened", () => {
    const html = render(
      `<Tree><Tree.Folder name="a" openable={false}><Tree.File name="b" /></Tree.Folder></Tree>`,
    );
    lacks(html, ">b<", "aria-expanded");
  });

  it("close the icon of an empty folder", () => {
    has(render(`<Tree><Tree.Folder name="a" defaultOpen /></Tree>`), "tree-folder-icon-closed");
  });
});

describe("inline components", () => {
  it("explain a term on focus", () => {
    const html = render(
      `<Tooltip tip="Interface" headline="API" cta="More" href="/api">API</Tooltip>`,
    );
    const [, id] = /aria-describedby="([^"]+)"/.exec(html);
    has(
      html,
      `role="tooltip" id="${id}"`,
      'tabindex="0"',
      'data-component-part="tooltip-cta" href="/api">More</a>',
    );
  });

  it("label badges", () => {
    const html = render(
      `<Badge color="Red" size="lg" shape="pill" stroke disabled="false">x</Badge>`,
    );
    has(html, "data-badge", 'data-color="red"', 'data-size="lg"', "data-stroke");
    lacks(html, "data-disabled");
  });

  it("make links of badges, with icons on both sides", () => {
    const html = render(`<Badge href="/a" variant="outline" leadIcon="key" tailIcon="bolt">x</Badge>`);
    has(html, '<a class="ds-badge', ' href="/a"', 'data-variant="outline"');
    assert.match(html, /"lead-icon".*"key".*<\/span>x<span.*"tail-icon".*"bolt"/);
    lacks(render(`<Badge href="/a" disabled>x</Badge>`), "<a");
  });

  it("keep a formula readable", () => has(render(`<Latex>x^2</Latex>`), ">x^2</code>"));

  it("make headings of any level", () => {
    has(
      render(`<Heading level="3" id="x">T</Heading><Heading as="h4">U</Heading>`),
      '<h3 id="x">T</h3>',
      "<h4>U</h4>",
    );
  });
});

describe("visibility", () => {
  it("marks what is for whom, for the pass that takes each out of the other's text", () => {
    const html = render(`<Visibility for="agents">a</Visibility><Visibility>b</Visibility>`);
    assert.equal(html, "<ds-agents>a</ds-agents><ds-humans>b</ds-humans>");
  });
});

describe("colours", () => {
  it("have a value for each theme", () => {
    const html = render(`<Color.Item name="bg" value={{ light: "#FFF", dark: "#000" }} />`);
    has(
      html,
      "--ds-swatch-light:#FFF;--ds-swatch-dark:#000",
      'data-dark="#000">#FFF</p>',
      "#FFF / #000", // the name of the button
      'data-copy-dark="#000"',
    );
  });
});

describe("repositories", () => {
  for (const repo of [
    "acme/handbook",
    "https://github.com/acme/handbook",
    "github.com/acme/handbook.git",
  ]) {
    it(`are linked from ${repo}`, () => {
      const html = render(`<GitHub.Repo repo="${repo}" />`);
      has(html, 'href="https://github.com/acme/handbook"');
      assert.match(text(html), /^acme\/ ?handbook$/);
    });
  }
});

describe("code groups", () => {
  it("leave their blocks as they are", () => {
    has(render(`<CodeGroup dropdown><pre>a</pre></CodeGroup>`), "data-dropdown", "<pre>a</pre>");
  });

  it("are examples for the side of the page", () => {
    has(
      render(`<RequestExample><pre>a</pre></RequestExample>`),
      'data-ds-example="request"',
      'aria-label="Request example"',
    );
    has(render(`<ResponseExample><pre>a</pre></ResponseExample>`), 'data-ds-example="response"');
  });
});

describe("updates", () => {
  it("have a heading, tags and text", () => {
    const html = render(
      `<Update label="March" description="v2" tags={["New", "Fix"]}>Body</Update>`,
    );
    assert.equal(text(html), "March New Fix v2 Body");
    has(html, '<h2 class="ds-update-label">March</h2>', "data-tags");
  });
});

describe("prompts", () => {
  it("show their text as written when it is known", () => {
    has(
      render(`<Prompt description="**Do**" raw="- a *b*" actions={["copy", "cursor"]} />`),
      "<strong>Do</strong>",
      ">- a *b*</pre>",
      'data-actions="copy cursor"',
    );
  });
});

it("the time to name equal headings grows with their number", () => {
  const claim = (size) => {
    const slugger = new Slugger();
    for (let count = 0; count < size; count += 1) slugger.claim("usage");
  };
  assertLinear(claim, 1_000);
});

it("ids are the lowest free ones, whatever was claimed before", () => {
  const slugger = new Slugger();
  assert.deepEqual(["a-2", "a", "a", "a-3", "a"].map((id) => slugger.claim(id)), ["a-2", "a", "a-3", "a-3-2", "a-4"]);
});
