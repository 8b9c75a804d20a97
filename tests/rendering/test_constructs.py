"""Constructs of real repositories that parsers misread, each with the expected result."""

from __future__ import annotations

import re

import pytest

from docstead.markup.rendered import RenderedPage

Row = tuple[str, str, str]

#: Construct, body, and its HTML without the anchors of headings.
WHOLE: list[Row] = [
    ("the same heading twice", "## Use\n\n## Use",
     '<h2 id="use">Use</h2>\n<h2 id="use-2">Use</h2>'),
    ("literal expression prop", "<Columns cols={3}>x</Columns>",
     '<div style="--cols:3;" data-cols="3" class="ds-columns columns card-group">x</div>'),
    ("className", '<div className="a b">x</div>', '<div class="a b">x</div>'),
    ("class", '<div class="a b">x</div>', '<div class="a b">x</div>'),
    ("style as object", "<p style={{ color: 'red', marginTop: 4 }}>x</p>",
     '<p style="color:red;margin-top:4px;">x</p>'),
    ("style as text", '<p style="color: red">x</p>', '<p style="color: red">x</p>'),
    ("two braces in prose", "Say `{{ name }}` and \\{\\{ x }}.",
     "<p>Say <code>{{ name }}</code> and {{ x }}.</p>"),
    ("less than before a digit", "It is <5 ms, a < b and <= 3.",
     "<p>It is &lt;5 ms, a &lt; b and &lt;= 3.</p>"),
    ("comment of JSX", "A{/* no */} b", "<p>A b</p>"),
    ("comment over lines", "{/*\n no\n*/}\n\nText.", "\n<p>Text.</p>"),
    ("iframe", '<iframe src="https://a.example/x" allowFullScreen></iframe>',
     '<iframe src="https://a.example/x" allowFullScreen></iframe>'),
    ("iframe in HTML's spelling", '<iframe src="https://a.example" frameborder="0" allow'
     "fullscreen></iframe>",
     '<iframe src="https://a.example" frameborder="0" allowfullscreen></iframe>'),
    ("HTML within a table", "| a |\n|---|\n| x<br/>y |",
     '<div class="ds-table"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<t'
     "r>\n<td>x<br/>y</td>\n</tr>\n</tbody>\n</table></div>"),
    ("line break that is not closed", "| a |\n|---|\n| x<br>y |",
     '<div class="ds-table"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<t'
     "r>\n<td>x<br/>y</td>\n</tr>\n</tbody>\n</table></div>"),
    ("escapes", "\\<div> and \\{x\\}", "<p>&lt;div> and {x}</p>"),
    ("expression of a text", 'A{" "}b{"{x}"}', "<p>A b{x}</p>"),
    ("entities", "&lt;T&gt; &#123;x&#125; &amp;", "<p>&lt;T> {x} &amp;</p>"),
    ("expression of a name", "export const x = { y: 5 }\n\nIt is {x.y}.", "<p>It is 5.</p>"),
    ("base64 of a browser", 'export const f = (x) => btoa(x) + atob(btoa(x + "ÿ"))\n\n{f("a:b")}',
     "YTpia:bÿ"),
    ("video", '<video controls src="/a.mp4" />', '<video controls src="/a.mp4"></video>'),
    ("video that is not closed", '<video autoPlay src="/a.mp4"></video>',
     '<video autoplay src="/a.mp4"></video>'),
    ("export with JSX", "export const X = () => <b>x</b>\n\n<X />", "<b>x</b>"),
    ("other expression", "{1 + 1} {[1, 2].join('-')}", "2\n1-2"),
    ("directive", ":::note\nInside\n:::", "<p>:::note\nInside\n:::</p>"),
    ("placeholder in braces", "Set {PLACEHOLDER} to it.", "<p>Set {PLACEHOLDER} to it.</p>"),
    ("placeholder in brackets", "Use <YOUR_KEY> here.", "<p>Use &lt;YOUR_KEY> here.</p>"),
    ("actions of an image", '<img src="/a.png" actions actionsPlacement="top-left" />',
     '<img src="/a.png" alt loading="lazy" data-image-actions="copy download" data-placemen'
     't="top-left"/>'),
    ("one action of an image", '<img src="/a.png" actions="download" />',
     '<img src="/a.png" alt loading="lazy" data-image-actions="download"/>'),
    ("void tag not closed", "A <br> b <img src='/a.png'> c",
     '<p>A <br/> b <img src="/a.png" alt loading="lazy"/> c</p>'),
    ("money", "From $5 to $10 a month.", "<p>From $5 to $10 a month.</p>"),
    ("heading with an id", "## Text here {#own}", '<h2 id="own">Text here</h2>'),
    ("empty expression", "A{}b", "<p>Ab</p>"),
    ("comment of HTML", "A <!-- no --> b", "<p>A  b</p>"),
    ("comment of HTML with the end of another", "A <!-- a */ b --> c", "<p>A  c</p>"),
    ("arrow before a comment", "A --> b <!-- c --> d", "<p>A --> b  d</p>"),
    ("brace after code", "Code `{x` and { open", "<p>Code <code>{x</code> and { open</p>"),
    ("brace before code", "Open { and `{x` code", "<p>Open { and <code>{x</code> code</p>"),
    ("brace before an escaped one", "Open { then \\{ more", "<p>Open { then { more</p>"),
    ("autolink", "See <https://a.example/x>.",
     '<p>See <a href="https://a.example/x" rel="noopener">https://a.example/x</a>.</p>'),
    ("handler", "<button onClick={() => 1}>x</button>", "<button>x</button>"),
    ("style element", "<style>{`.a { color: red }`}</style>", "<style>.a { color: red }</style>"),
    ("markup in code of a line", "`<Card>` and `{x}` and `{/* x */}`",
     "<p><code>&lt;Card></code> and <code>{x}</code> and <code>{/* x */}</code></p>"),
    ("task list", "- [x] done\n- [ ] open",
     '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" che'
     'cked disabled aria-label="Task"/> done</li>\n<li class="task-list-item"><input type="c'
     'heckbox" disabled aria-label="Task"/> open</li>\n</ul>'),
    ("strikethrough", "~~gone~~ and ~gone~", "<p><del>gone</del> and <del>gone</del></p>"),
    ("reference", "[a][1]\n\n[1]: /x", '<p><a href="/x">a</a></p>'),
    ("four ticks", "````md\n```js\nx\n```\n````",
     '<div class="ds-code code-block" data-language="md"><div data-component-part="code-bloc'
     'k-root"><pre><code class="language-md"><span class="s">```js</span>\nx\n<span class="s'
     '">```</span></code></pre></div></div>'),
    ("fence without language", "```\nplain\n```",
     '<div class="ds-code code-block"><div data-component-part="code-block-root"><pre><code '
     'class="language-text">plain</code></pre></div></div>'),
    ("fence in capitals", "```JavaScript\nx\n```",
     '<div class="ds-code code-block" data-language="javascript"><div data-component-part="c'
     'ode-block-root"><pre><code class="language-javascript">x</code></pre></div></div>'),
    ("fence that never ends", "```js\nx",
     '<div class="ds-code code-block" data-language="js"><div data-component-part="code-bloc'
     'k-root"><pre><code class="language-js">x</code></pre></div></div>'),
    ("line ends of Windows", "A\r\n\r\n## B\r\n", '<p>A</p>\n<h2 id="b">B</h2>'),
    ("byte order mark", "\ufeff# A", '<h1 id="a">A</h1>'),
    ("undefined component", "<Nowhere>inside</Nowhere>",
     '<div data-component="Nowhere" class="ds-missing"><code class="ds-missing-name">&lt;Now'
     "here></code>inside</div>"),
    ("apostrophe", "## Don't", "<h2 id=\"don’t\">Don't</h2>"),
    ("emoji", "## 🚀 Start", '<h2 id="start">🚀 Start</h2>'),
    ("non-breaking blanks", "##\u00a0Text", "<p>##\u00a0Text</p>"),
    ("generic types", "A `Map<string, T>` and Map<string, T> too.",
     "<p>A <code>Map&lt;string, T></code> and Map&lt;string, T> too.</p>"),
    ("arrows", "a -> b <- c <-> d => e", "<p>a -> b &lt;- c &lt;-> d => e</p>"),
    ("mail", "Write to <a@b.example>.",
     '<p>Write to <a href="mailto:a@b.example">a@b.example</a>.</p>'),
]  # fmt: skip

#: Construct, body, and a part of the HTML of its components.
PARTS: list[Row] = [
    ("code within JSX", "<Note>\n```js\nx\n```\n</Note>", 'class="language-js"'),
    ("code indented within JSX", "<Steps>\n  <Step title='A'>\n    ```js\n    x\n    ```"
     "\n  </Step>\n</Steps>",
     'class="language-js"'),
    ("JSX indented four columns", "<CardGroup>\n    <Card title='T'>\n    x\n    </Card>"
     "\n</CardGroup>",
     'class="ds-card-title">T</h2>'),
    ("closing tag indented", "<Note>\n  x\n    </Note>\n\nEnd.", "<p>End.</p>"),
    ("opening tag over lines", '<Card\n  title="T"\n  icon="x"\n>\n  x\n</Card>', ">T</h2>"),
    ("component within a table", "| a |\n|---|\n| <Badge>x</Badge> |", "ds-badge"),
    ("JSX as a prop", "<Card title='T' icon={<svg viewBox='0 0 1 1' />}>x</Card>", "<svg viewBox"),
    ("list as a prop", "<Update label='L' tags={['a', 'b']}>x</Update>", "[&quot;a&quot;,"),
    ("template as a prop", "<Card title={`T ${1}`}>x</Card>", ">T 1</h2>"),
    ("placeholder of a field", '<ParamField query="q" placeholder="usr_1">x</ParamField>',
     'data-placeholder="usr_1"'),
    ("GitHub alert", "> [!NOTE]\n> Mind it.", 'data-callout="note"'),
    ("formula in a line", "$\\frac{1}{2}$", "<math"),
    ("formula as a block", "$$\nx^2\n$$", "<math"),
    ("footnote", "A[^1].\n\n[^1]: Note.", "Note."),
    ("JSX in a list", "- a\n\n  <Note>\n  x\n  </Note>\n- b", "ds-callout"),
    ("greater than in an attribute", "<Card title='a > b => c'>x</Card>", "a > b => c"),
    ("heading within JSX", "<Tabs>\n<Tab title='T'>\n## In\n</Tab>\n</Tabs>", '<h2 id="in">'),
    ("heading with JSX", "## <Icon icon='x' /> Title <Badge>new</Badge>", "Title"),
    ("table within JSX", "<Note>\n\n| a |\n|---|\n| b |\n\n</Note>", "<td>b</td>"),
    ("fence with marks", '```js app.js {1,3-5} icon="x" lines\nx\n```', "app.js"),
    ("components by dots", "<Tree.Folder name='a'><Tree.File name='b' /></Tree.Folder>", ">b<"),
    ("tags that cross", "<Note>\n<Tip>\nx\n</Note>\n</Tip>", "x"),
]  # fmt: skip
_ANCHOR = re.compile(r'<a href="#[^"]*" aria-label="[^"]*" class="ds-heading-anchor"></a>')


@pytest.fixture(scope="module")
def pages(render_pages) -> dict[str, RenderedPage]:
    found: dict[str, RenderedPage] = render_pages(
        {name: body for name, body, _ in (*WHOLE, *PARTS)}
    )
    return found


@pytest.mark.parametrize("row", WHOLE, ids=lambda row: row[0])
def test_a_construct_is_this_html(pages: dict[str, RenderedPage], row: Row) -> None:
    name, _, html = row
    assert not pages[name].failed, pages[name].diagnostics
    assert _ANCHOR.sub("", pages[name].html) == html


@pytest.mark.parametrize("row", PARTS, ids=lambda row: row[0])
def test_a_construct_is_shown(pages: dict[str, RenderedPage], row: Row) -> None:
    name, _, part = row
    page = pages[name]
    assert not page.failed, page.diagnostics
    assert part in page.html, page.html


def test_what_cannot_be_repaired_is_named_at_its_position(render_pages) -> None:
    bodies = {
        "no blank line": ("export const a = 1\nText {a}.", 6),
        "never closed": ("Words.\n\n<Note>\nText\n\nMore", 7),
    }
    pages = render_pages({name: body for name, (body, _) in bodies.items()})
    for name, (_, line) in bodies.items():
        (diagnostic,) = pages[name].diagnostics
        assert pages[name].failed is (name == "no blank line")
        assert ("More" in pages[name].html) is (name == "never closed")
        assert diagnostic.line == line
