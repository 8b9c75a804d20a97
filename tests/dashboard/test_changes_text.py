"""Conversion of untrusted differences and texts into HTML."""

from __future__ import annotations

import pytest

from docstead.agent.workspace.diffs import FileDiff
from docstead.dashboard.diffs import ALL_LINES, FILE_LINES, shown_files, visible
from docstead.dashboard.prose import prose


def diff(text: str, path: str = "a.mdx", status: str = "modified") -> FileDiff:
    lines = text.split("\n")
    added = sum(line.startswith("+") for line in lines)
    return FileDiff(path, status, None, text, added, 0)


def test_lines_have_the_numbers_of_both_versions() -> None:
    (file,) = shown_files([diff("@@ -3,3 +3,3 @@ Title\n same\n-old\n+new\n same")])
    assert [(line.kind, line.old, line.new, str(line.html)) for line in file.lines] == [
        ("hunk", None, None, "Title"),
        ("same", 3, 3, "same"),
        ("removed", 4, None, "old"),
        ("added", None, 4, "new"),
        ("same", 5, 5, "same"),
    ]


def test_code_is_highlighted_and_escaped() -> None:
    (file,) = shown_files([diff('@@ -1 +1 @@\n-x = "<b>"\n+def f(): return "<i>"', "a.py")])
    removed, added = file.lines
    assert '<span class="s">"&lt;b&gt;"</span>' in removed.html
    assert '<span class="k">def </span>' in added.html
    assert "<i>" not in added.html


def test_a_mark_for_highlighting_is_shown_as_it_is() -> None:
    (file,) = shown_files([diff("@@ -0,0 +1 @@\n+x = 1  # [!code ++]", "a.py")])
    assert "[!code ++]" in file.lines[0].html


def test_the_last_line_without_an_end_is_no_line_of_its_own() -> None:
    (file,) = shown_files([diff("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b")])
    assert [line.kind for line in file.lines] == ["removed", "added"]


def test_only_parts_after_the_first_line_begin_with_a_mark_of_omitted_lines() -> None:
    (file,) = shown_files([diff("@@ -1 +1,2 @@\n a\n+b\n@@ -9 +10 @@\n-c\n+d")])
    kinds = [line.kind for line in file.lines]
    assert kinds == ["same", "added", "hunk", "removed", "added"]


def test_long_files_are_cut_and_say_so() -> None:
    long = "@@ -0,0 +1,9999 @@\n" + "\n".join(f"+line {n}" for n in range(9_999))
    files = shown_files([diff(long, f"{n}.txt") for n in range(10)])
    assert len(files[0].lines) == FILE_LINES
    assert sum(len(file.lines) for file in files) == ALL_LINES
    assert all("too long" in file.note for file in files)


def test_files_without_text_say_why() -> None:
    renamed, binary = shown_files([diff("", status="renamed"), diff("", "a.png")])
    assert "without changes" in renamed.note
    assert "Binary file" in binary.note


@pytest.mark.parametrize("odd", ["\u202e", "\u200b", "\u2066", "\ufeff", "\x1b", "\U000e0041"])
def test_characters_that_hide_are_named(odd: str) -> None:
    assert visible(f"a{odd}b") == f'a<span class="odd">U+{ord(odd):04X}</span>b'
    assert f"U+{ord(odd):04X}" in prose(f"a{odd}b")


@pytest.mark.parametrize("plain", ["é日本\t", "⚠️", "👩‍💻", "1️⃣", "\r"])
def test_others_are_left_unchanged(plain: str) -> None:
    assert visible(plain) == plain


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b onclick=x>", "<p>&lt;b onclick=x&gt;</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("[x](data:text/html,y)", "<p>[x](data:text/html,y)</p>"),
        ("[x](/dashboard/sign-out)", "<p>[x](/dashboard/sign-out)</p>"),
        ("[x](//evil.test)", "<p>[x](//evil.test)</p>"),
        (
            "[x](https://a.test)",
            '<p><a href="https://a.test" rel="noopener noreferrer nofollow">x</a></p>',
        ),
        ("### First\n\n##### Below", "<h2>First</h2>\n<h3>Below</h3>"),
        ("# Top", "<h2>Top</h2>"),
        (
            "```html\n<script>\n```",
            '<pre><code class="language-html">&lt;script&gt;\n</code></pre>',
        ),
    ],
)
def test_markdown_of_strangers(text: str, html: str) -> None:
    assert prose(text).strip() == html


def test_pictures_are_not_loaded() -> None:
    assert "<img" not in prose("![a](https://a.test/x.png) <img src=https://a.test/y.png>")
