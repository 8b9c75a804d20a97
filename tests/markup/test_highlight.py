"""Code blocks."""

from __future__ import annotations

import re
from html import unescape
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Token

from contrast import contrast
from docstead.markup.fences import FenceMeta, without_compiler_notes
from docstead.markup.highlight import (
    _tokenized,
    highlight,
    highlighted_lines,
    pygments_css,
)
from docstead.markup.json_code import json_lines
from docstead.markup.marked_text import with_marked_text


def text_of(html: str) -> str:
    inside = re.search(r"<code[^>]*>(.*)</code>", html, re.DOTALL)
    assert inside
    return unescape(re.sub(r"<[^>]+>", "", inside[1]))


@pytest.mark.parametrize(
    ("info", "meta"),
    [
        ("", FenceMeta()),
        ("app.py", FenceMeta(title="app.py")),
        ("Two words", FenceMeta(title="Two words")),
        (
            'title="A file" {1,3-4} lines',
            FenceMeta("A file", lines=True, highlight=frozenset({1, 3, 4})),
        ),
        (
            "a.js highlight=2 focus={1-2}",
            FenceMeta("a.js", highlight=frozenset({2}), focus=frozenset({1, 2})),
        ),
        ("wrap expandable icon=bolt", FenceMeta(icon="bolt", wrap=True, expandable=True)),
        ('nocopy="false" lines={false}', FenceMeta()),
        ("nocopy", FenceMeta(nocopy=True)),
        ("'quoted title' theme={\"x\"}", FenceMeta(title="'quoted title'")),
        ("{99999999999-99999999999}", FenceMeta()),
    ],
)
def test_what_stands_behind_the_language(info, meta):
    assert FenceMeta.parse(info) == meta


def test_what_is_said_to_a_compiler_is_not_shown():
    code = """\
// @filename: a.ts
import x
// ---cut---
const a: number = 1
//    ^?
// @errors: 2322
// write to me@example.com
@decorated
// ---cut-after---
rest"""
    assert FenceMeta.parse("twoslash a.ts") == FenceMeta("a.ts", twoslash=True)
    assert without_compiler_notes(code) == (
        "const a: number = 1\n// write to me@example.com\n@decorated\n"
    )


def test_options_of_a_component():
    meta = FenceMeta.of({"filename": "x", "highlight": "[1,3]", "focus": [2], "lines": True})
    assert meta == FenceMeta("x", lines=True, highlight=frozenset({1, 3}), focus=frozenset({2}))


@pytest.mark.parametrize(
    ("code", "tags"),
    [
        ("root.render(<App name='x' />)", ["App "]),
        (
            "return (\n  <Tabs.Item\n    open\n  >\n    {rows.map((row) => <b>{row}</b>)}",
            ["Tabs", "b", "b"],
        ),
        ("for (let i = 0; i < n; i++) {}", []),
        ("for (let i=0; i<n; i++) root.render(<App />)", ["App "]),
        ("if (a<b && c<d) return <Part a={b<c ? 1 : 2} />", ["Part "]),
        ("const isSmall = a < b && b > c", []),
        ('const html = "<b>x</b>"', []),
    ],
)
def test_elements_in_javascript_have_tags(code, tags):
    found = re.findall(r'<span class="g">([^<]*)</span>', highlight(code, "javascript"))
    assert found == tags
    assert text_of(highlight(code, "javascript")) == code


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("erb", "<li class='a'><%= link_to name %></li>"),
        ("jinja", '<li class="a">{% if user %}{{ user }}{% endif %}</li>'),
        ("twig", '<li class="a">{% if user %}{{ user }}{% endif %}</li>'),
        ("handlebars", '<li class="a">{{#if user}}{{user}}{{/if}}</li>'),
    ],
)
def test_templates_have_the_colors_of_their_html_and_their_tags(language, code):
    html = highlight(code, language)
    tags = re.findall(r'<span class="g">([^<]*)</span>', html)
    assert [tag.strip() for tag in tags] == ["li", "li"]
    assert '<span class="k">' in html
    assert text_of(html) == code


MDX = """---
title: "Start"
---

import Note from "/snippets/note.mdx"

{/* hidden */}
- see <Icon icon="x" size={12} bold />
A<Tooltip tip="of it">word</Tooltip>, <https://a.example> and `<b>`
"""


@pytest.mark.parametrize("language", ["mdx", "md", "markdown"])
def test_markdown_has_the_colors_of_its_elements_and_frontmatter(language):
    html = highlight(MDX, language)
    found = {name: re.findall(rf'<span class="{name}">([^<]*)</span>', html) for name in "gac"}
    assert [tag.strip() for tag in found["g"]] == ["title", "Icon", "Tooltip", "Tooltip"]
    assert [key.strip() for key in found["a"]] == ["icon", "size", "bold", "tip"]
    assert found["c"] == ["{/* hidden */}"]
    assert '<span class="k">import </span>Note' in html
    assert '<span class="m">12</span>' in html
    assert text_of(html) == MDX


@pytest.mark.parametrize("text", ["1 < 2", "a <b c", "{a", "<A b={`", "<!-- x", "---\ntitle: a"])
def test_incomplete_elements_lose_no_text(text):
    assert text_of(highlight(text, "mdx")) == text


@pytest.mark.parametrize("language", ["mjs", "cts", "kt", "gql", "sol", "tfvars", "vimscript"])
def test_short_names_of_languages_have_colors(language):
    assert "<span" in highlight('let a = "text" # 1', language)


@pytest.mark.parametrize("language", ["jsx", "tsx"])
def test_comparisons_and_types_are_no_elements(language):
    code = "for (let i=0; i<n; i++) {}\nconst a = useState<A | null>(b<c ? <p>x</p> : 0)"
    html = highlight(code, language)
    assert re.findall(r'<span class="g">([^<]*)</span>', html) == ["p", "p"]
    assert '<span class="k">const </span>' in html
    assert text_of(html) == code


@pytest.mark.parametrize("language", ["js", "jsx", "ts", "tsx"])
@pytest.mark.parametrize("code", ["fresh(60_000)", "({ fresh: 60_000 })", "x = { fresh: 60 }"])
def test_numbers_of_scripts_are_constants(code, language):
    (constant,) = re.findall(r'<span class="m">([^<]*)</span>', highlight(code, language))
    assert constant.strip() == re.search(r"[\d_]+", code)[0]
    assert text_of(highlight(code, language)) == code


def test_the_frame():
    html = highlight("let a", "JS", FenceMeta(title="<a>", icon="bolt", wrap=True, nocopy=True))
    assert html.startswith(
        '<div class="ds-code code-block" data-has-header="" data-language="js"'
        ' data-title="&lt;a&gt;" data-wrap="" data-nocopy="">'
        '<div class="ds-code-head" data-component-part="code-block-header">'
        '<div class="ds-code-name" data-component-part="code-block-header-filename">'
        '<i class="icon code-block-icon" data-component-part="icon-svg" data-ds-icon="bolt"></i>'
        '<span class="ds-code-title">&lt;a&gt;</span></div></div>'
    )
    assert '<pre><code class="language-js"><span class="ds-line"><span class="k">let' in html


def test_wrapped_lines_continue_below_their_own_indentation():
    html = highlight("def one():\n    return 1", "python", FenceMeta(wrap=True))
    assert re.findall(r'<span class="ds-line"([^>]*)>', html) == ["", ' style="--ds-indent:4"']
    assert "--ds-indent" not in highlight("  one", "text", FenceMeta(lines=True))
    assert text_of(html) == "def one():\n    return 1\n"


def test_a_comment_in_the_last_line_is_one():
    assert '<span class="c"># all</span></code>' in highlight("ls # all", "bash")


@pytest.mark.parametrize(
    ("code", "language", "expected"),
    [
        ("acme run -x a", "bash", '<span class="f">acme </span>run <span class="a">-x </span>a'),
        ("A=1 npm i", "sh", '</span><span class="f">npm </span>i'),
        ("$ ls", "console-less", "$ ls"),
        ("$ ls", "shell", '<span class="c">$ </span><span class="f">ls</span>'),
        ("# why\nls | wc", "bash", '<span class="f">ls </span>| <span class="f">wc</span>'),
        ("curl \\\n  --url x", "bash", '<span class="a">--url </span>x'),
        ("a.b(C(d))", "python", 'a.<span class="f">b</span>(<span class="t">C</span>(d))'),
    ],
)
def test_commands_and_calls_are_distinguished(code, language, expected):
    assert expected in highlight(code, language)


def test_an_unknown_language_is_plain_text():
    html = highlight("a < b", "no-such-language")
    assert '<code class="language-no-such-language">a &lt; b</code>' in html


def test_lines_are_distinguished_only_where_something_marks_them():
    assert "ds-line" not in highlight("a\nb", "text")
    assert highlight("a\nb", "text", FenceMeta(lines=True)).count('class="ds-line"') == 2
    marked = highlight("a\nb\nc", "text", FenceMeta(highlight=frozenset({2})))
    assert '<span class="ds-line ds-hl">b\n</span>' in marked


def test_comments_that_mark_lines_are_taken_out():
    code = "a = 1  # [!code ++]\nb = 2 # [!code --:2]\nc = 3\nd = 4 # [!code focus]"
    html = highlight(code, "python")
    assert text_of(html) == "a = 1\nb = 2\nc = 3\nd = 4\n"
    assert re.findall(r'class="ds-line([^"]*)"', html) == [
        " ds-add",
        " ds-del",
        " ds-del",
        " ds-focus",
    ]
    assert 'data-focused=""' in html


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=200),
    st.sampled_from(["python", "js", "tsx", "bash", "json", "yaml", "html", "diff", "go", ""]),
)
def test_the_text_of_a_block_is_its_code(code, language):
    if "[!code" not in code:
        assert text_of(highlight(code, language)) == code


def test_no_tag_reaches_over_the_end_of_a_line():
    html = highlight('x = """one\ntwo"""', "python", FenceMeta(lines=True))
    lines = re.findall(r'<span class="ds-line">(.*?)\n</span>', html, re.DOTALL)
    assert len(lines) == 2
    for line in lines:
        assert line.count("<span") == line.count("</span>")


def test_every_colour_of_the_style_sheet_can_be_read():
    css = pygments_css()
    light, dark, *_ = re.findall(r"\{((?:--ds-code-\w+:#\w{6};)+)\}", css)
    # The ground itself, then added and removed lines, and one marked in the darkest colour.
    light_backgrounds = ("#f7f7f8", "#d6e9e1", "#f4dddd", "#dddddd")
    for colors, backgrounds in (
        (light, light_backgrounds),
        (dark, ("#121417", "#172b25", "#2f1b1e")),
    ):
        for color in re.findall(r"#\w{6}", colors):
            assert min(contrast(color, ground) for ground in backgrounds) >= 4.5, color


def test_a_part_of_a_script_in_php_needs_no_opening():
    assert '<span class="v">$a' in highlight("f($a);", "php")
    opened = highlight("<?php\nf($a);", "php")
    assert '<span class="k">&lt;?php' in opened
    assert '<span class="v">$a' in opened
    assert highlight("<p>$a</p>", "html+php").count('class="v"') == 0


_JSON = {
    "nested": '{\n  "a": [1, -2.5e10, true],\n  "b": {"c": null}\n}',
    "blanks": '{ "a" :\t1 , "b":[ "x" ,"y" ] }  ',
    "breaks": '[\n\n  "a"  \n ,\n"b"\n]\n\n',
    "escapes": '{"<a>": "\\"&\\u00e9", "": "true 1"}',
    "scalar": " 7 ",
    "broken": '{"a": 1,\n  // here\n  "b": …\n}',
    "twice": '{"a": 1}\n{"a": 2}',
    "not a number": '{"a": NaN}',
}


@pytest.mark.parametrize("name", _JSON)
def test_json_has_the_classes_that_the_lexer_gives(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = highlighted_lines(_JSON[name], "json")
    _tokenized.cache_clear()
    monkeypatch.setattr("docstead.markup.highlight.json_lines", lambda _: None)
    assert highlighted_lines(_JSON[name], "json") == shown
    _tokenized.cache_clear()


@pytest.mark.parametrize("name", ["nested", "blanks", "breaks", "escapes", "scalar"])
def test_valid_json_needs_no_lexer(name: str) -> None:
    assert json_lines(_JSON[name]) is not None


def test_a_block_that_a_lexer_takes_long_for_stays_plain(monkeypatch):
    monkeypatch.setattr("docstead.markup.highlight._SECONDS", 0.1)
    code = '"' + "a" * 60_000
    with monkeypatch.context() as lexer:
        lexer.setattr("docstead.markup.highlight.tokens", lambda *_: repeat((Token, "a"), 10**7))
        html = highlight(code, "r")  # ends before the tokens do
    assert text_of(html).strip() == code
    assert "<span" not in html
    assert "<span" in highlight("x = 1\n" * 2_000, "r")


@pytest.mark.parametrize(
    ("line", "text", "marked"),
    [
        ("a &lt; b", "<", 'a <mark class="ds-mark">&lt;</mark> b'),
        (
            '<span class="k">let</span> x',
            "t x",
            '<span class="k">le<mark class="ds-mark">t</mark></span>'
            '<mark class="ds-mark"> x</mark>',
        ),
        ("aXbX", "X", 'a<mark class="ds-mark">X</mark>b<mark class="ds-mark">X</mark>'),
        ("same", "none", "same"),
    ],
)
def test_a_text_is_marked_across_tokens(line: str, text: str, marked: str) -> None:
    assert with_marked_text(line, text) == marked


def test_a_fence_marks_a_text() -> None:
    html = highlight("key = 1", "python", FenceMeta.parse('mark="key"'))
    assert '<mark class="ds-mark">key</mark>' in html
