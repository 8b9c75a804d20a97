"""Constructs of real repositories that parsers misread, each with the expected result."""

from __future__ import annotations

import pytest

from docstead.markup.rendered import RenderedPage

Row = tuple[str, str, str]

#: Construct, body, and a part of the HTML, blanks and anchors left aside.
CONSTRUCTS: list[Row] = [
    ("code within JSX", "<Note>\n```js\nx\n```\n</Note>", 'class="language-js"'),
    ("code indented within JSX", "<Steps>\n  <Step title='A'>\n    ```js\n    x\n    ```\n"
     "  </Step>\n</Steps>", 'class="language-js"'),
    ("the same heading twice", "## Use\n\n## Use", 'id="use-2"'),
    ("literal expression prop", "<Columns cols={3}>x</Columns>", 'ds-columns'),
    ("JSX indented four columns", "<CardGroup>\n    <Card title='T'>\n    x\n    </Card>\n"
     "</CardGroup>", 'class="ds-card-title">T</h2>'),
    ("closing tag indented", "<Note>\n  x\n    </Note>\n\nEnd.", "<p>End.</p>"),
    ("opening tag over lines", '<Card\n  title="T"\n  icon="x"\n>\n  x\n</Card>', ">T</h2>"),
    ("className", '<div className="a b">x</div>', '<div class="a b">x</div>'),
    ("class", '<div class="a b">x</div>', '<div class="a b">x</div>'),
    ("style as object", "<p style={{ color: 'red', marginTop: 4 }}>x</p>", "margin-top:4px"),
    ("style as text", '<p style="color: red">x</p>', 'style="color: red"'),
    ("two braces in prose", "Say `{{ name }}` and \\{\\{ x }}.", "<code>{{ name }}</code>"),
    ("less than before a digit", "It is <5 ms, a < b and <= 3.", "&lt;5 ms, a &lt; b and &lt;= 3"),
    ("comment of JSX", "A{/* no */} b", "A b"),
    ("comment over lines", "{/*\n no\n*/}\n\nText.", "<p>Text.</p>"),
    ("iframe", '<iframe src="https://a.example/x" allowFullScreen></iframe>', "<iframe src="),
    ("iframe in HTML's spelling", '<iframe src="https://a.example" frameborder="0" '
     'allowfullscreen></iframe>', "allowfullscreen"),
    ("HTML within a table", "| a |\n|---|\n| x<br/>y |", "x<br/>y"),
    ("line break that is not closed", "| a |\n|---|\n| x<br>y |", "x<br/>y"),
    ("component within a table", "| a |\n|---|\n| <Badge>x</Badge> |", "ds-badge"),
    ("escapes", "\\<div> and \\{x\\}", "&lt;div> and {x}"),
    ("expression of a text", 'A{" "}b{"{x}"}', "A b{x}"),
    ("entities", "&lt;T&gt; &#123;x&#125; &amp;", "&lt;T> {x} &amp;"),
    ("expression of a name", "export const x = { y: 5 }\n\nIt is {x.y}.", "It is 5."),
    ("base64 of a browser", 'export const f = (x) => btoa(x) + atob(btoa(x + "ÿ"))\n\n{f("a:b")}',
     "YTpia:bÿ"),
    ("video", '<video controls src="/a.mp4" />', "<video controls"),
    ("video that is not closed", '<video autoPlay src="/a.mp4"></video>', "<video"),
    ("JSX as a prop", "<Card title='T' icon={<svg viewBox='0 0 1 1' />}>x</Card>", "<svg viewBox"),
    ("export with JSX", "export const X = () => <b>x</b>\n\n<X />", "<b>x</b>"),
    ("list as a prop", "<Update label='L' tags={['a', 'b']}>x</Update>", "[&quot;a&quot;,"),
    ("template as a prop", "<Card title={`T ${1}`}>x</Card>", ">T 1</h2>"),
    ("other expression", "{1 + 1} {[1, 2].join('-')}", "2\n1-2"),
    ("directive", ":::note\nInside\n:::", "Inside"),
    ("placeholder in braces", "Set {PLACEHOLDER} to it.", "{PLACEHOLDER}"),
    ("placeholder in brackets", "Use <YOUR_KEY> here.", "&lt;YOUR_KEY>"),
    ("actions of an image", '<img src="/a.png" actions actionsPlacement="top-left" />',
     'data-image-actions="copy download" data-placement="top-left"'),
    ("one action of an image", '<img src="/a.png" actions="download" />',
     'data-image-actions="download"'),
    ("placeholder of a field", '<ParamField query="q" placeholder="usr_1">x</ParamField>',
     'data-placeholder="usr_1"'),
    ("void tag not closed", "A <br> b <img src='/a.png'> c", "<br/>"),
    ("GitHub alert", "> [!NOTE]\n> Mind it.", 'data-callout="note"'),
    ("money", "From $5 to $10 a month.", "$5 to $10"),
    ("formula in a line", "$\\frac{1}{2}$", "<math"),
    ("formula as a block", "$$\nx^2\n$$", "<math"),
    ("heading with an id", "## Text here {#own}", 'id="own"'),
    ("empty expression", "A{}b", "Ab"),
    ("footnote", "A[^1].\n\n[^1]: Note.", "Note."),
    ("comment of HTML", "A <!-- no --> b", "A"),
    ("autolink", "See <https://a.example/x>.", 'href="https://a.example/x"'),
    ("handler", "<button onClick={() => 1}>x</button>", ">x</button>"),
    ("style element", "<style>{`.a { color: red }`}</style>", ".a { color: red }"),
    ("markup in code of a line", "`<Card>` and `{x}` and `{/* x */}`", "<code>&lt;Card></code>"),
    ("JSX in a list", "- a\n\n  <Note>\n  x\n  </Note>\n- b", "ds-callout"),
    ("greater than in an attribute", "<Card title='a > b => c'>x</Card>", "a > b => c"),
    ("task list", "- [x] done\n- [ ] open", 'type="checkbox"'),
    ("strikethrough", "~~gone~~ and ~gone~", "<del>gone</del>"),
    ("reference", "[a][1]\n\n[1]: /x", 'href="'),
    ("heading within JSX", "<Tabs>\n<Tab title='T'>\n## In\n</Tab>\n</Tabs>", '<h2 id="in">'),
    ("heading with JSX", "## <Icon icon='x' /> Title <Badge>new</Badge>", "Title"),
    ("table within JSX", "<Note>\n\n| a |\n|---|\n| b |\n\n</Note>", "<td>b</td>"),
    ("four ticks", "````md\n```js\nx\n```\n````", "```"),
    ("fence without language", "```\nplain\n```", "plain"),
    ("fence in capitals", "```JavaScript\nx\n```", "language-javascript"),
    ("fence with marks", "```js app.js {1,3-5} icon=\"x\" lines\nx\n```", "app.js"),
    ("fence that never ends", "```js\nx", "language-js"),
    ("line ends of Windows", "A\r\n\r\n## B\r\n", 'id="b"'),
    ("byte order mark", "\ufeff# A", "A"),
    ("undefined component", "<Nowhere>inside</Nowhere>", "inside"),
    ("components by dots", "<Tree.Folder name='a'><Tree.File name='b' /></Tree.Folder>", ">b<"),
    ("tags that cross", "<Note>\n<Tip>\nx\n</Note>\n</Tip>", "x"),
    ("apostrophe", "## Don't", 'id="don’t"'),
    ("emoji", "## 🚀 Start", "Start"),
    ("non-breaking blanks", "##\u00a0Text", "Text"),
    ("generic types", "A `Map<string, T>` and Map<string, T> too.", "Map&lt;string, T>"),
    ("arrows", "a -> b <- c <-> d => e", "&lt;- c &lt;-> d"),
    ("mail", "Write to <a@b.example>.", "a@b.example"),
]  # fmt: skip


@pytest.fixture(scope="module")
def pages(render_pages) -> dict[str, RenderedPage]:
    found: dict[str, RenderedPage] = render_pages({name: body for name, body, _ in CONSTRUCTS})
    return found


@pytest.mark.parametrize("row", CONSTRUCTS, ids=lambda row: row[0])
def test_a_construct_is_shown(pages: dict[str, RenderedPage], row: Row) -> None:
    name, _, part = row
    page = pages[name]
    assert not page.failed, page.diagnostics
    assert part in page.html, page.html


def test_what_cannot_be_mended_is_named_at_its_place(render_pages) -> None:
    bodies = {
        "no blank line": ("export const a = 1\nText {a}.", 6),
        "never closed": ("Words.\n\n<Note>\nText\n\nMore", 7),
    }
    pages = render_pages({name: body for name, (body, _) in bodies.items()})
    for name, (_, line) in bodies.items():
        (diagnostic,) = pages[name].diagnostics
        assert pages[name].failed or "More" in pages[name].html
        assert diagnostic.line == line
