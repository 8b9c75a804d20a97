"""Listing, finding, reading and searching."""

from __future__ import annotations

import json
import re

import pytest

from docstead.agent.workspace import Workspace


def test_a_folder_is_listed_level_by_level(run) -> None:
    assert run("list_files").text.split("\n") == [
        ".gitignore", "api/", "config/", "docs.json", "guides/", "images/", "index.mdx",
        "kept.log", "more/", "openapi.yaml", "snippets/",
    ]  # fmt: skip
    assert run("list_files", glob="more/**", depth=2).text == (
        "more/deep/\nmore/index.mdx\nmore/one.mdx"
    )
    assert run("list_files", path="more/").text.startswith("more/deep/two.mdx\nmore/index.mdx")


def test_files_are_found_by_their_paths(run) -> None:
    assert run("list_files", glob="guides/**").text == "guides/next.mdx\nguides/start.mdx"
    assert run("list_files", glob="two.mdx").text == "more/deep/two.mdx"
    assert run("list_files", glob="*.zip").text == "[no file matches]"


def test_a_file_is_read_as_it_is_and_parts_of_it_with_numbers(run) -> None:
    assert run("read_file", path="guides/start.mdx").text == (
        "---\ntitle: Start\n---\n## Install\n\n[up](../index) ![](/images/a.svg)"
    )
    assert run("read_file", path="guides/start.mdx", first_line=4, lines=1).text == (
        "4\t## Install\n[lines 5 to 6 follow; first_line=5]"
    )
    assert run("read_file", path="guides/start.mdx", first_line=9).text.endswith("has 6 lines")


def test_other_repositories_are_read_and_never_written(run) -> None:
    assert "def call" in run("read_file", path="src/api.py", repository="code").text
    assert (
        run("search_text", pattern="call", repository="code").text == "src/api.py:1:def call(): ..."
    )
    assert "there is code" in run("read_file", path="x", repository="other").text
    assert run("write_file", path="x.mdx", text="x", repository="code").malformed


def test_binary_and_huge_files_are_refused(run, workspace: Workspace) -> None:
    (workspace.root / "a.mdx").write_bytes(b"\0\1")
    (workspace.root / "b.mdx").write_bytes(b"\xff\xfe")
    (workspace.root / "c.mdx").write_bytes(b"x" * 5_000_000)
    output = [run("read_file", path=f"{name}.mdx").text for name in "abc"]
    assert output[0].endswith("is not text")
    assert output[1].endswith("is not UTF-8 text")
    assert "5,000,000 bytes" in output[2]


# Arguments of searches, and their results.
SEARCHES = [
        ({"pattern": "needle"}, "kept.log:1:needle"),
        ({"pattern": "## install|one\\)"},
     "guides/start.mdx:4:## Install\nmore/deep/two.mdx:4:[one](../one) [start](/guides/start.mdx)"),
        ({"pattern": "Install", "output": "files"}, "guides/start.mdx\nindex.mdx"),
        ({"pattern": "(?-i)install", "output": "files"}, "index.mdx"),
        ({"pattern": "^title: (One|Two)$"},
     "more/deep/two.mdx:2:title: Two\nmore/one.mdx:2:title: One"),
        ({"pattern": "a.s", "literal": True, "output": "count"}, "guides/start.mdx:1"),
        ({"pattern": "title", "globs": ["more/**", "!**/deep/**"], "output": "files"},
     "more/index.mdx\nmore/one.mdx"),
        ({"pattern": "## Install", "context": 1},
     "guides/start.mdx-3----\nguides/start.mdx:4:## Install\nguides/start.mdx-5-"),
        ({"pattern": "title:", "limit": 1, "globs": ["*.mdx"]},
     "api/intro.mdx:2:title: API\n[6 more matching lines; skip=1]"),
        ({"pattern": "nothing-at-all"}, "[no line matches]"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("kelvin", "\u212aelvin"),  # the Kelvin sign is a k, too
        ("ümlaut", "ÜMLAUT"),
        ("q.c", "qxc"),
        ("Word", "Word"),
        ("plain: it's", "PLAIN: IT'S"),
    ],
)
def test_words_are_found_however_they_are_spelled(workspace, run, pattern: str, text: str) -> None:
    workspace.files.write("spelled.mdx", f"before\n{text} here\n")
    assert run("search_text", pattern=pattern).text == f"spelled.mdx:2:{text} here"
    output = run("search_text", pattern=f"(?-i){pattern}").text
    assert (output != "[no line matches]") == (pattern in ("Word", "q.c"))


def test_text_is_searched_as_ripgrep_does(run) -> None:
    for asked, found in SEARCHES:
        assert run("search_text", **asked).text == found


def test_patterns_take_linear_time(run, workspace: Workspace) -> None:
    workspace.files.write("a.mdx", "a" * 50_000 + "!\n")
    assert run("search_text", pattern="(a*)*%x|(a|aa)+%y").text == "[no line matches]"
    assert "not a regular expression" in run("search_text", pattern="(").text
    assert "not a regular expression" in run("search_text", pattern=r"(?=x)").text


def test_operations_are_listed_and_read(run) -> None:
    def read(**asked: str) -> str:
        return run("reference", topic="operations", **asked).text

    assert read() == "openapi.yaml:\n  GET /users  List users"
    text = read(operation="get /users")
    assert '"openapi.yaml"' in text
    assert '"name": {' in text
    assert "no file has POST /users" in read(operation="POST /users")
    assert "is not an operation" in read(operation="users")


def test_a_long_line_is_read_whole_or_marked_and_read_in_parts(run, workspace: Workspace) -> None:
    paragraph = f"{'A sentence. ' * 260}IMPORTANT: never delete the key."
    workspace.files.write("long.mdx", f"one\n{paragraph}\nthree\n")
    assert run("read_file", path="long.mdx").text == f"one\n{paragraph}\nthree"
    minified = json.dumps([f"word number {number}" for number in range(5_000)])
    workspace.files.write("api.json", minified)
    parts, column = [], 1
    while column:
        row = run("read_file", path="api.json", first_line=1, first_column=column).text
        mark = re.search(r" \[[\d,]+ more characters .* first_column=(\d+)\]$", row)
        parts.append(row[len("1\t") : mark.start() if mark else None])
        column = int(mark[1]) if mark else 0
    assert "".join(parts) == minified
    assert len(parts) > 2


def test_a_match_far_into_a_line_is_shown(run, workspace: Workspace) -> None:
    workspace.files.write("long.mdx", f"{'a ' * 4_000}NEEDLE{' b' * 4_000}\n")
    text = run("search_text", pattern="NEEDLE", globs=["long.mdx"]).text
    assert "NEEDLE" in text
    assert text.startswith("long.mdx:1:[7,")
    assert len(text) < 350
    assert "more characters of this line" in text


def test_all_matches_are_paged_through(run, workspace: Workspace) -> None:
    workspace.files.write("many.mdx", "".join(f"needle {n} {'x' * 100}\n" for n in range(900)))
    seen, skip = [], 0
    while skip is not None:
        rows = run("search_text", pattern="^needle", limit=1_000, skip=skip).text.split("\n")
        more = re.search(r"skip=(\d+)\]$", rows[-1])
        seen += [int(row.split()[1]) for row in rows if row.startswith("many.mdx")]
        skip = int(more[1]) if more else None
    assert seen == list(range(900))


def test_all_paths_are_paged_through(run, workspace: Workspace) -> None:
    folder = workspace.root / "many"
    folder.mkdir()
    names = [f"page-{'x' * 80}-{number:04}.mdx" for number in range(1_500)]
    for name in names:
        (folder / name).write_text("x\n")
    found: list[str] = []
    while True:
        *rows, last = run("list_files", glob="many/*.mdx", skip=len(found)).text.split("\n")
        if not last.startswith("["):
            found += [*rows, last]
            break
        found += rows
        assert last == f"[{len(names) - len(found):,} more paths; skip={len(found)}]"
    assert [path.removeprefix("many/") for path in found] == names


def test_separators_of_other_kinds_stay_in_their_line(run, workspace: Workspace) -> None:
    workspace.files.write("odd.mdx", "one\u2028still one\ntwo\n")
    assert run("read_file", path="odd.mdx").text == "one\u2028still one\ntwo"
    assert run("read_file", path="odd.mdx", first_line=2).text == "2\ttwo"


def test_context_of_neighbouring_matches_is_shown_once(run, workspace: Workspace) -> None:
    workspace.files.write("near.mdx", "a\nneedle 1\nb\nneedle 2\nc\n")
    rows = run("search_text", pattern="^needle", globs=["near.mdx"], context=2).text.split("\n")
    assert rows == [
        "near.mdx-1-a", "near.mdx:2:needle 1", "near.mdx-3-b", "near.mdx:4:needle 2",
        "near.mdx-5-c",
    ]  # fmt: skip
