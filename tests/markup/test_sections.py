"""HTML as sections of Markdown."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.markup.rendered import LINK_MARK
from docstead.markup.sections import PageBody


@dataclass(frozen=True)
class RenderedBlock:
    code: str = "npm i\nnpm run"
    language: str = "sh"
    title: str | None = "Terminal"


def markdown(html: str, *fences: RenderedBlock) -> str:
    return "\n\n".join(section.markdown for section in PageBody(html).sections(fences))


def test_a_section_for_every_heading():
    html = (
        "<p>Intro.</p><h2 id='one'>One<a class='ds-heading-anchor' href='#one'>#</a></h2><p>a</p>"
        "<h3 id='two'>Two <code>x</code></h3><h4 id='deep'>Deep</h4><h2 id='three'>Three</h2>"
    )
    found = PageBody(html).sections()
    assert [(each.anchor, each.heading_path) for each in found] == [
        ("", ()),
        ("one", ("One",)),
        ("two", ("One", "Two x")),
        ("deep", ("One", "Two x", "Deep")),
        ("three", ("Three",)),
    ]
    assert found[1].markdown == "## One\n\na"
    assert found[2].markdown == "### Two `x`"
    body = PageBody(f"<h2 id='before'>Before</h2><div class='part'>{html}</div>")
    assert [each.text for each in body.headings("part")] == ["One", "Two x", "Deep", "Three"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<p>a <strong>b </strong>c <em>d</em> <del>e</del> <code>f</code></p>",
            "a **b** c *d* ~~e~~ `f`",
        ),
        ("<p>one<br/>two</p>", "one\ntwo"),
        ('<p class="ds-color-value" data-dark="#000">#fff</p>', "#fff / #000"),
        ('<p class="ds-color-value">#fff</p>', "#fff"),
        (f'<a href="{LINK_MARK}/a#b">link</a> after', "[link](/a#b) after"),
        (f'<p><img src="{LINK_MARK}/x.png" alt="X"/></p>', "![X](/x.png)"),
        (
            '<img class="block dark:hidden" src="/a.png" alt="X"/>\n'
            '<img class="hidden dark:block" src="/b.png" alt="X"/>',
            "![X](/a.png)",
        ),
        (
            '<p><img src="/a.png" alt="X"/> <img class="dark:block" src="/b.png" alt="X"/></p>',
            "![X](/a.png) ![X](/b.png)",
        ),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
        ('<ol start="3"><li>a</li><li><p>b</p><p>c</p></li></ol>', "3. a\n4. b\n\n   c"),
        (f'<ol start="{"9" * 5_000}"><li>a</li></ol>', "1. a"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<hr/>", "---"),
        ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", "Term\n\n: Meaning"),
        (
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td></tr></table>",
            "| a | b |\n| --- | --- |\n| 1\\|2 |  |",
        ),
        ("<script>x</script><style>y</style><svg><title>z</title></svg><p>t</p>", "t"),
        ("<details><summary>More</summary><p>x</p></details>", "**More**\n\nx"),
        ('<iframe src="https://a.example/v" title="Film"></iframe>', "[Film](https://a.example/v)"),
        ("<ds-humans><p>a</p></ds-humans><ds-agents><p>b</p></ds-agents>", "b"),
        ('<math display="block"><mi>x</mi><annotation>x_1</annotation></math>', "$$x_1$$"),
        ("", ""),
    ],
)
def test_plain_elements(html, expected):
    assert markdown(html) == expected


def test_code_keeps_its_language_title_and_every_blank():
    code = (
        '<div class="ds-code" data-language="py" data-title="a.py">'
        "<pre><code>if x:\n    y</code></pre></div>"
    )
    assert markdown(code) == "```py a.py\nif x:\n    y\n```"
    assert (
        markdown('<ds-fence data-n="0"></ds-fence>', RenderedBlock())
        == "```sh Terminal\nnpm i\nnpm run\n```"
    )
    assert (
        markdown('<ds-fence data-n="0"></ds-fence>', RenderedBlock("```", "md", None))
        == "````md\n```\n````"
    )


def test_callouts_tabs_steps_cards_and_fields():
    html = (
        '<div class="ds-callout" data-callout="tip"><span class="ds-callout-icon">i</span>'
        '<div class="ds-callout-body"><p>Mind it.</p></div></div>'
        '<ul class="ds-tab-list"><li>npm</li></ul><div class="ds-tab" data-title="npm">'
        '<h3 id="in">In</h3></div>'
        '<div class="ds-step"><span class="ds-step-marker">1</span><div class="ds-step-content">'
        '<p class="ds-step-title">First</p><div class="ds-step-body"><p>Do.</p></div></div></div>'
        '<div class="ds-card"><p class="ds-card-title">'
        f'<a class="ds-card-link" href="{LINK_MARK}/a">A</a></p>'
        '<div class="ds-card-text"><p>About.</p></div></div>'
        '<div class="ds-field"><div class="ds-field-head"><a class="ds-field-name">'
        '<code>id</code></a><span class="ds-field-pill">string</span></div>'
        '<div class="ds-field-body"><p>Name.</p></div></div>'
    )
    assert markdown(html) == (
        "> **Tip:** Mind it.\n\n**npm**\n\n### In\n\n**First**\n\nDo.\n\n- [A](/a)\n\n  About."
        "\n\n`id` (string)\n\nName."
    )


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ('<h2 class="ds-card-title">A</h2><div class="ds-card-text">b</div>', "- [A](/a)\n\n  b"),
        ('<div class="ds-card-text">All of it</div>', "- [All of it](/a)\n\n  All of it"),
        ('<div class="ds-card-cta"><span>Go</span></div>', "- [Go](/a)"),
    ],
)
def test_a_card_that_is_a_link(card, expected):
    assert markdown(f'<a class="ds-card" href="{LINK_MARK}/a">{card}</a>') == expected


def test_a_heading_within_a_list_begins_no_section():
    found = PageBody("<h2 id='a'>A</h2><ul><li><h3 id='b'>B</h3><p>c</p></li></ul>").sections()
    assert [each.anchor for each in found] == ["a"]
    assert "**B**" in found[0].markdown


@given(st.text(max_size=300))
def test_any_text_at_all_is_read(html):
    sections = PageBody(f"<p>Known</p>{html}").sections()
    assert "Known" in sections[0].markdown
    assert all(section.markdown for section in sections)


def test_a_diagram_keeps_its_source():
    html = '<div class="ds-mermaid mermaid"><pre class="mermaid-source">a --> b</pre></div>'
    assert markdown(html) == "```mermaid\na --> b\n```"
