"""Tags in descriptions: which are obeyed, and what is left of them."""

from __future__ import annotations

import pytest

from docstead.reference.common.text import markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            'See <a href="https://a.example/b?c=1&amp;d=2">the list</a>.',
            'See <a href="https://a.example/b?c=1&amp;d=2">the list</a>.',
        ),
        (
            '<a target="_blank" href="https://a.example" onclick="x()">A &amp; B</a>',
            '<a href="https://a.example">A &amp; B</a>',
        ),
        (
            "<b>Never</b> and <STRONG>not</STRONG>",
            "<strong>Never</strong> and <strong>not</strong>",
        ),
        ("<i>Once</i> or <em>twice</em>", "<em>Once</em> or <em>twice</em>"),
        ("Send <code>a &lt; b</code>", "Send <code>a &lt; b</code>"),
        ("One<br>two<br/>three", "One<br>\ntwo<br>\nthree"),
    ],
)
def test_tags_that_say_what_markdown_says_are_obeyed(text: str, html: str) -> None:
    assert markdown(text).replace("<br />", "<br>") == f"<p>{html}</p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "<script>trap()</script>",
        '<a href="javascript:trap()">go</a>',
        '<a href="data:text/html,x">go</a>',
        "<a href=https://a.example>go</a>",
        '<a href="https://a.example"><img src=x onerror=trap()></a>',
        '<a title="> " href="https://a.example">go</a>',
        "<b onclick=trap()>go</b>",
        "<b><i>go</b></i>",
        "<u>go</u>",
        "<b>never ended",
    ],
)
def test_every_other_tag_is_shown(text: str) -> None:
    html = markdown(text)
    assert "&lt;" in html
    assert "<script" not in html
    assert "<img" not in html
    assert "<a" not in html
    assert "<b" not in html.replace("<br", "")


def test_tags_in_code_stay_as_they_are() -> None:
    assert markdown("Send `<b>x</b>`") == "<p>Send <code>&lt;b&gt;x&lt;/b&gt;</code></p>\n"
