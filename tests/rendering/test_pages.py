"""Markdown and HTML of pages: one build of many small pages."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from docstead.content.diagnostics import Severity
from docstead.markup.rendered import LINK_MARK, RenderedPage

BODIES = {
    "text": "Hello *you* and **me**, ~~not~~ {1 + 1} `{x}`.",
    "headings": (
        "## Setup.py notes\n\n## Don't panic\n\n## Import/export data\n\n## Q & A\n\n"
        "## Timeouts (seconds)\n\n## GraphQL\n\n## Usage\n\n### Usage\n\n"
        "<Tabs>\n<Tab title='One'>\n## Usage\n</Tab>\n</Tabs>\n\n## Named {#my-own/id}\n\n"
        "<h2 noAnchor>Quiet</h2>\n\n# Title again"
    ),
    "heading-in-link": "<a href='/start'>\n<h3>Begin</h3>\n<p>Here.</p>\n</a>",
    "ids-of-authors": (
        "<div id='intro'>\n## Intro\n</div>\n<div id='part'>\n"
        "<Accordion title='Part'>\nX\n</Accordion>\n</div>\n"
        "<p id='mine'>1</p>\n<p id='mine'>2</p>"
    ),
    "tables": (
        "| a | b |\n|:--|--:|\n| 1 | `x \\| y` |\n\n"
        "- [ ] open\n- [x] done\n\nNote[^1]\n\n[^1]: Foot."
    ),
    "alerts": "> [!WARNING]\n> Mind **this**.\n\n> plain",
    "guides/links": (
        "[a](/start) [b](./next#part) [c](../start) [d](start) [e](https://example.com/x) "
        "[f](#here) [g](mailto:a@b.c) [h](javascript:alert(1)) ![i](./pic.png)\n\n"
        "<a href='../start'>j</a>\n\n<Card title='K' href='./next'>k</Card>"
    ),
    "html": (
        '<div class="box" style="color: red; --x: 1">in</div>\n\n'
        '<iframe src="/film.html" frameborder="0" allowfullscreen></iframe>\n\n'
        "<video autoPlay muted src='./a.mp4' />\n\n<style>{`a > b { color: red }`}</style>"
    ),
    "lenient": (
        "Less <3 than, a <word> and <https://example.com>, <!-- hidden --> one<br>two\n\n"
        "Set {name} to {a b} or ${TOKEN}."
    ),
    "apart": (
        "<details><summary>More</summary>\n\n[in](/a)\n\n</details>\n\n"
        '<Tabs>\n<Tab title="b">text [z](/z)\n</Tab>\n</Tabs>\n\n'
        "<Tip>one\n\ntwo</Tip> [last](/last)\n\n- item <Note>\n  in\n  </Note>\n\n[end](/end)"
    ),
    "crossed": (
        '<Steps>\n<Step title="a">\none\n</Steps>\n\ntext </Card>\n\n'
        "<Card title=x href=/y>u</Card>\n\n<BR>after"
    ),
    "releases": "\n\n".join(
        f'<Update label="Release {number}" tags={{["New"]}} rss={{{{ title: "Of {number}" }}}}>\n\n'
        f"## Added in {number}\n\n{'A sentence about it. ' * 40}\n\n</Update>"
        for number in range(30)
    ),
    "code": (
        '```js app.js icon="node" lines {2} focus={1}\nconst a = 1 // [!code ++]\nlet b\n```\n\n'
        "```\nplain <text>\n```\n\n<CodeBlock language='python' filename='x.py'>"
        "{`import os`}</CodeBlock>"
    ),
    "mermaid": '```mermaid actions={false} placement="top-left"\ngraph TD; A-->B\n```',
    "money": "It is $5 or $10, and `$$` is not maths.",
    "maths": "The sum $\\frac{1}{2}$ and\n\n$$\nx_i^2\n$$\n\nfor $5 only.",
    "bad-maths": "$$\n\\frac{1\n$$",
    "variables": "Version {{version}}, not {{unknown-one}}.\n\n```\n{{version}} {{ other }}\n```",
    "visibility": (
        "<Visibility for='humans'>People.</Visibility>\n\n"
        "<Visibility for='agents'>\n## For robots\n\nRobots.\n</Visibility>\n\n## For all\n\nAll."
    ),
    "icons": "<Icon icon='house' /> and <Icon icon='no-such-icon-at-all' />.",
    "entities": "&lt;b&gt; &amp; &copy; \\{x\\} \\<y>",
    "letters": (
        "<Card title='Größe ✓ of more than 24 characters' href='/start'>x</Card>\n\n"
        "```sh title=\"Größe ✓\"\nls\n```\n\n![Bild ✓](/pic.png 'Titel ü')\n\n<p id={'ü'}>y</p>"
    ),
    "marks": "a\x7fb `c\x7fd` [e](/start)",
    "empty": "",
}
ASSETS = ("guides/pic.png", "pic.png")


@pytest.fixture(scope="module")
def pages(render_pages) -> Mapping[str, RenderedPage]:
    bodies = {**BODIES, "start": "", "guides/next": ""}
    return render_pages(bodies, {}, ASSETS, variables={"version": "<2.0>"})


def positions(page: RenderedPage) -> list[tuple[str, int, int]]:
    return [(each.code, each.line, each.column) for each in page.diagnostics]


def test_markdown_and_expressions(pages):
    assert pages["text"].html == (
        "<p>Hello <em>you</em> and <strong>me</strong>, <del>not</del> 2 <code>{x}</code>.</p>"
    )
    assert pages["entities"].html == "<p>&lt;b> &amp; © {x} &lt;y></p>"
    assert pages["empty"].html == ""
    assert not pages["empty"].failed


def test_heading_ids_keep_the_characters_that_links_rely_on(pages):
    found = pages["headings"].headings
    assert [heading.anchor for heading in found] == [
        "setup-py-notes",
        "don’t-panic",
        "import/export-data",
        "q-&-a",
        "timeouts-seconds",
        "graphql",
        "usage",
        "usage-2",
        "usage-3",
        "my-own/id",
        "quiet",
    ]
    assert found[0].text == "Setup.py notes"
    assert found[7].level == 3


def test_headings_link_to_themselves_unless_disabled(pages):
    html = pages["headings"].html
    assert '<h2 id="graphql">GraphQL<a href="#graphql"' in html
    assert '<h2 id="quiet">Quiet</h2>' in html


def test_a_heading_within_a_link_holds_no_link_of_its_own(pages):
    html = pages["heading-in-link"].html
    assert html.count("<a ") == 1
    assert '<h3 id="begin">Begin</h3>' in html


def test_no_id_is_there_twice(pages):
    html = pages["ids-of-authors"].html
    assert '<h2 id="intro">' in html
    assert [html.count(f' id="{name}"') for name in ("intro", "part", "mine")] == [1, 1, 1]
    assert re.search(r'<details[^>]* id="part"', html)


def test_gfm(pages):
    html = pages["tables"].html
    assert html.count('<div class="ds-table"><table>') == 1
    assert '<th style="text-align:left;">a</th>' in html.replace(": ", ":").replace('t"', 't;"')
    assert "<code>x | y</code>" in html
    assert html.count('type="checkbox" disabled aria-label="Task"') == 1
    assert html.count('type="checkbox" checked disabled aria-label="Task"') == 1
    assert "- [ ] open\n- [x] done" in pages["tables"].markdown
    assert 'href="#user-content-fn-1"' in html


def test_alerts_are_callouts(pages):
    html = pages["alerts"].html
    assert 'data-callout="warning"' in html
    assert "[!WARNING]" not in html
    assert "Mind <strong>this</strong>." in html
    assert "<blockquote>" in html


def test_links_are_marked_and_resolved_against_the_file(pages):
    html = pages["guides/links"].html
    for target in ("/start", "/guides/next#part", "/guides/next"):
        assert f'href="{LINK_MARK}{target}"' in html
    assert '>d</a> <a href="https://example.com/x" rel="noopener">e</a>' in html
    assert html.count(f'href="{LINK_MARK}/start"') == 4
    assert 'href="#here"' in html
    assert "mailto:a@b.c" in html
    assert "javascript:" not in html
    assert f'src="{LINK_MARK}/guides/pic.png"' in html


def test_characters_beyond_ascii_in_attributes_and_after_fences(pages):
    html = pages["letters"].html
    assert "Größe ✓ of more than 24 characters</" in html
    assert 'data-title="Größe ✓"' in html
    assert f'<img src="{LINK_MARK}/pic.png" alt="Bild ✓" title="Titel ü" loading="lazy"/>' in html
    assert '<p id="ü">y</p>' in html


def test_the_mark_of_the_engine_is_no_text_of_a_source(pages):
    link = f'<a href="{LINK_MARK}/start">e</a>'
    assert pages["marks"].html == f"<p>ab <code>cd</code> {link}</p>"


def test_link_lines_count_from_the_start_of_the_file(pages):
    lines = pages["guides/links"].link_lines
    assert ("/start", 5, 1) in lines
    assert ("/guides/next#part", 5, 13) in lines
    assert ("/guides/next", 9, 1) in lines
    assert not [href for href, _, _ in lines if href.startswith(("https:", "mailto:"))]


def test_html_as_authors_write_it(pages):
    html = pages["html"].html
    assert '<div style="color: red; --x: 1" class="box">in</div>' in html
    assert 'frameborder="0"' in html.lower()
    assert "allowfullscreen" in html.lower()
    assert f'src="{LINK_MARK}/a.mp4"' in html
    assert "a > b { color: red }" in html
    assert not pages["html"].diagnostics


def test_stray_braces_and_angles_are_text_with_a_warning(pages):
    page = pages["lenient"]
    assert not page.failed
    assert "Less &lt;3 than, a &lt;word> and" in page.html
    assert '<a href="https://example.com" rel="noopener">' in page.html
    assert "one<br/>two" in page.html
    assert "hidden" not in page.html
    assert "Set {name} to {a b} or ${TOKEN}." in page.html
    assert {each.severity for each in page.diagnostics} == {Severity.WARNING}
    assert set(positions(page)) == {
        ("unescaped-character", 5, 6),
        ("unescaped-character", 5, 17),
        ("autolink", 5, 28),
        ("html-comment", 5, 51),
        ("unclosed-tag", 5, 70),
        ("unescaped-character", 7, 15),
        ("unknown-name", 7, 5),
        ("unknown-name", 7, 25),
    }


def test_pairs_that_strict_mdx_refuses_are_set_on_lines_of_their_own(pages):
    page = pages["apart"]
    assert not page.failed
    assert "<summary>More</summary>" in page.html
    assert "&lt;" not in page.html
    assert page.html.count("ds-callout ") == 2
    assert positions(page) == [
        ("unclosed-tag", 5, 1), ("unclosed-tag", 12, 1), ("unclosed-tag", 16, 1),
        ("unclosed-tag", 20, 8),
    ]  # fmt: skip
    lines = {href: (line, column) for href, line, column in page.link_lines}
    assert lines == {"/a": (7, 1), "/z": (12, 21), "/last": (18, 11), "/end": (24, 1)}


def test_tags_without_a_partner_are_closed_or_shown(pages):
    page = pages["crossed"]
    assert page.html.count('class="ds-step step"') == 1
    assert "text &lt;/Card>" in page.html
    assert f'href="{LINK_MARK}/y"' in page.html
    assert "<br/>after" in page.html
    assert positions(page) == [
        ("unclosed-tag", 6, 1), ("unopened-tag", 10, 6), ("unquoted-attribute", 12, 1),
        ("unclosed-tag", 14, 1),
    ]  # fmt: skip
    assert all(each.hint for each in page.diagnostics)


def test_long_pages_of_tags_with_objects_in_their_attributes_need_no_repair(pages):
    page = pages["releases"]
    assert not page.diagnostics
    assert page.html.count('class="ds-update update') == 30
    assert "&lt;" not in page.html


def test_code_blocks_have_a_frame(pages):
    html = pages["code"].html
    assert 'data-language="js" data-title="app.js" data-lines="" data-focused=""' in html
    assert '<span class="ds-code-title">app.js</span></div></div>' in html
    assert '<span class="ds-line ds-focus ds-add"><span class="k">const </span>' in html
    assert '<span class="ds-line ds-hl"><span class="k">let </span>' in html
    assert "[!code" not in html
    assert "plain &lt;text&gt;" in html
    assert 'data-title="x.py"' in html


def test_diagrams_keep_their_source(pages):
    page = pages["mermaid"]
    assert ">graph TD; A-->B</pre>" in page.html
    assert 'data-actions="false" data-placement="top-left"' in page.html
    assert "<svg" in page.html
    assert page.features == ("diagrams",)


def test_dollars_are_money_unless_tex_says_otherwise(pages):
    assert pages["money"].html == "<p>It is $5 or $10, and <code>$$</code> is not maths.</p>"
    assert pages["maths"].html.count("<math") == 2
    assert "for $5 only." in pages["maths"].html
    assert "math" in pages["maths"].features
    assert "$\\frac{1}{2}$" in pages["maths"].markdown


def test_a_formula_that_cannot_be_read_is_shown_as_written(pages):
    assert "<code>\\frac{1</code>" in pages["bad-maths"].html


def test_variables(pages):
    page = pages["variables"]
    assert "Version &lt;2.0>, not {{unknown-one}}." in page.html
    assert "&lt;2.0&gt; {{ other }}" in page.html
    assert positions(page) == [("undefined-variable", 5, 26)]


def test_content_for_agents_is_only_in_the_markdown(pages):
    page = pages["visibility"]
    assert "Robots" not in page.html
    assert "People" in page.html
    assert "ds-humans" not in page.html
    assert page.markdown == "## For robots\n\nRobots.\n\n## For all\n\nAll."


def test_search_and_contents_have_what_people_read(pages):
    page = pages["visibility"]
    assert [each.markdown for each in page.sections] == ["People.", "## For all\n\nAll."]
    assert [each.anchor for each in page.headings] == ["for-all"]


def test_icons_are_rendered_or_leave_no_trace(pages):
    html = pages["icons"].html
    assert html.count("<svg") == 1
    assert "data-ds-icon" not in html
