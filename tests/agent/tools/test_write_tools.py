"""Writing, replacing, deleting."""

from __future__ import annotations

import json

import pytest

from docstead.agent.workspace import Workspace


def test_a_file_is_written_and_the_change_is_shown(run, workspace: Workspace) -> None:
    result = run("write_file", path="new/page.mdx", text="one\ntwo\n")
    assert result.changed == ("new/page.mdx",)
    assert result.diff == "--- /dev/null\n+++ b/new/page.mdx\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    assert workspace.files.text("new/page.mdx") == "one\ntwo\n"
    again = run("write_file", path="new/page.mdx", text="one\ntwo\n")
    assert (again.text, again.changed) == ("new/page.mdx has that text already", ())


def test_text_is_replaced_where_it_stands_once(run, workspace: Workspace) -> None:
    result = run("edit_file", path="guides/start.mdx", old="## Install", new="## Setup")
    assert "-## Install\n+## Setup\n" in result.diff
    assert "## Setup" in workspace.files.text("guides/start.mdx")


def test_a_text_that_stands_twice_needs_more_around_it(run, workspace: Workspace) -> None:
    workspace.files.write("a.mdx", "x\ny\nx\n")
    refused = run("edit_file", path="a.mdx", old="x", new="z")
    assert refused.is_error
    assert "2 times, at lines 1, 3" in refused.text
    run("edit_file", path="a.mdx", old="x", new="z", all=True)
    assert workspace.files.text("a.mdx") == "z\ny\nz\n"


def test_what_is_not_there_is_reported_with_a_hint(run, workspace: Workspace) -> None:
    workspace.files.write("a.mdx", "one  two\nthree\n")
    output = [
        run("edit_file", path="a.mdx", old_string=old, new_string="x").text
        for old in ("nothing", "one two", "three\nfour")
    ]
    assert output[0] == "'old_string' is not in 'a.mdx': read the file again"
    assert "with other spaces" in output[1]
    assert "its first line is at line 2" in output[2]
    assert run("edit_file", path="a.mdx", old="x", new="x").is_error
    assert run("edit_file", path="no.mdx", old="x", new="y").is_error


def test_line_ends_stay_those_of_the_file(run, workspace: Workspace) -> None:
    (workspace.root / "dos.mdx").write_bytes(b"one\r\ntwo\r\n")
    run("edit_file", path="dos.mdx", old="one\ntwo", new="1\n2\n3")
    assert workspace.files.read("dos.mdx") == b"1\r\n2\r\n3\r\n"
    run("write_file", path="dos.mdx", text="a\nb\n")
    assert workspace.files.read("dos.mdx") == b"a\r\nb\r\n"


@pytest.mark.parametrize(
    ("before", "written", "after"),
    [
        (b"one\ntwo", "1\ntwo\n", b"1\ntwo"),
        (b"one\r\ntwo", "1\ntwo\n", b"1\r\ntwo"),
        (b"one\ntwo\n", "1\ntwo", b"1\ntwo\n"),
        (b"one\ntwo\nthree\r\n", "1\ntwo\nthree\n", b"1\ntwo\nthree\n"),
        (b"", "1\n", b"1\n"),
        (b"one\n", "", b""),
    ],
)
def test_the_end_of_the_last_line_stays(
    run, workspace: Workspace, before: bytes, written: str, after: bytes
) -> None:
    (workspace.root / "a.mdx").write_bytes(before)
    run("write_file", path="a.mdx", text=written)
    assert workspace.files.read("a.mdx") == after


@pytest.mark.parametrize("old", ["one\ntwo", "three\nfour"])
def test_files_with_both_line_ends_are_edited_anywhere(run, workspace, old: str) -> None:
    text = b"one\r\ntwo\r\n\r\nthree\nfour\n"
    (workspace.root / "a.mdx").write_bytes(text)
    assert not run("edit_file", path="a.mdx", old=old, new=old.replace("\n", "\nand\n")).is_error
    edited = workspace.files.read("a.mdx")
    assert edited.replace(b"and\r\n", b"").replace(b"and\n", b"") == text


@pytest.mark.parametrize("added", ["two\n", "\ntwo\n"])
def test_what_is_added_begins_on_a_line_of_its_own(run, workspace: Workspace, added: str) -> None:
    (workspace.root / "a.mdx").write_bytes(b"one")
    run("write_file", path="a.mdx", text=added, append=True)
    assert workspace.files.read("a.mdx") == b"one\ntwo\n"


def test_a_deleted_file_leaves_no_empty_folder(run, workspace: Workspace) -> None:
    result = run("delete_file", path="more/deep/two.mdx")
    assert result.changed == ("more/deep/two.mdx",)
    assert workspace.files.kind("more/deep") is None
    assert run("delete_file", path="more").is_error
    assert run("delete_file", path="more/deep/two.mdx").is_error


def test_a_huge_text_or_half_a_character_is_not_written(run, workspace: Workspace) -> None:
    assert run("write_file", path="big.mdx", text="x" * 1_100_000).is_error
    result = run("write_file", path="half.mdx", text="\ud800")
    assert result.is_error
    assert workspace.files.kind("half.mdx") is None


def test_what_was_written_is_not_repeated(run) -> None:
    text = "a long line of the new page\n" * 400
    assert run("write_file", path="new.mdx", text=text).text == (
        "created: 400 lines; readers find it once it is in the navigation"
    )
    changed = run("edit_file", path="new.mdx", old_string=text, new_string=text * 2)
    assert changed.text == "changed"
    edit = {"old_string": "the new page", "new_string": "it", "replace_all": True}
    assert run("edit_file", path="new.mdx", **edit).text == "changed in 800 places"
    run("write_file", path="new.mdx", text="one\ntwo\n")
    assert run("edit_file", path="new.mdx", old_string="two", new_string="2").text == "changed"


def test_several_edits_of_a_file_are_made_together_or_not_at_all(run, workspace: Workspace) -> None:
    workspace.files.write("a.mdx", "one\ntwo\nthree\n")
    edits = [
        {"old_string": "one", "new_string": "1"},
        {"old_string": "1\ntwo", "new_string": "1\n2"},
    ]
    assert not run("edit_file", path="a.mdx", edits=edits).is_error
    assert workspace.files.text("a.mdx") == "1\n2\nthree\n"
    wrong = [
        {"old_string": "three", "new_string": "3"},
        {"old_string": "four", "new_string": "4"},
    ]
    refused = run("edit_file", path="a.mdx", edits=wrong)
    assert refused.text.startswith("edit 2: 'old_string' is not in 'a.mdx'")
    assert workspace.files.text("a.mdx") == "1\n2\nthree\n"
    assert run("edit_file", path="a.mdx").is_error


def test_a_long_file_is_written_in_parts(run, workspace: Workspace) -> None:
    run("write_file", path="a.mdx", text="one\n")
    run("write_file", path="a.mdx", text="two\n", append=True)
    assert workspace.files.text("a.mdx") == "one\ntwo\n"


def test_the_mark_of_a_cut_line_is_not_written_back(run, workspace: Workspace) -> None:
    line = json.dumps(["word"] * 10_000)
    workspace.files.write("api.json", line)
    shown = run("read_file", path="api.json").text.removeprefix("1\t")
    refused = run("write_file", path="api.json", text=shown.replace("word", "term", 1))
    assert "text that you were not shown" in refused.text
    assert workspace.files.text("api.json") == line


def test_names_of_arguments_that_other_tools_have_are_understood(run, workspace) -> None:
    written = run("write_file", file_path="a.mdx", content="one\ntwo\n")
    assert written.changed == ("a.mdx",)
    assert run("replace_text", path="a.mdx", old="one", new="1").changed == ("a.mdx",)
    assert run("read_file", file_path="a.mdx", offset=2, limit=1).text == "2\ttwo"
    changed = run(
        "replace_in_files", pattern="t.o", replacement="2", globs=["*.mdx"], literal=False
    )
    assert changed.changed == ("a.mdx",)
    assert (
        run("search_text", pattern="2|1", globs=["a.mdx"], regex=True).text
        == "a.mdx:1:1\na.mdx:2:2"
    )


def test_a_term_is_replaced_in_many_files_with_one_call(run, workspace: Workspace) -> None:
    page = (
        "# Workspace\n\nA workspace and `workspace`, [one](/workspace).\n\n"
        "```bash\nuse workspace\n```\n\nworkspaces\n"
    )
    for name in ("a", "b"):
        workspace.files.write(f"terms/{name}.mdx", page)
    before = workspace.snapshot()
    asked = {"pattern": "workspace", "replacement": "project", "globs": ["terms/*.mdx"]}
    output = run("replace_in_files", **asked, prose_only=True, dry_run=True).text
    assert output.startswith("4 lines in 2 files would change:\nterms/a.mdx:3: A workspace")
    assert workspace.snapshot() == before
    done = run("replace_in_files", **asked, prose_only=True)
    assert done.changed == ("terms/a.mdx", "terms/b.mdx")
    assert workspace.files.text("terms/a.mdx") == page.replace("A workspace", "A project").replace(
        "\nworkspaces", "\nprojects"
    )
    regex = {"pattern": r"(?i)\b(work)(space)\b", "replacement": r"\2-\1", "regex": True}
    run("replace_in_files", **regex, globs=["terms/b.mdx"])
    assert workspace.files.text("terms/b.mdx").startswith("# space-Work\n")
    assert "[no file has" in run("replace_in_files", **asked | {"pattern": "nowhere"}).text
    assert run("replace_in_files", **regex | {"replacement": r"\9"}, globs=["*.mdx"]).is_error
    version = {"pattern": r"(a)pp==0\.2\.0", "replacement": r"\1pp==\\\10.3.0", "regex": True}
    workspace.files.write("terms/version.mdx", "app==0.2.0\n")
    run("replace_in_files", **version, globs=["terms/version.mdx"])
    assert workspace.files.text("terms/version.mdx") == "app==\\a0.3.0\n"


def test_words_in_code_over_several_lines_are_left_unchanged(run, workspace: Workspace) -> None:
    page = (
        "---\ntitle: The workspace\nicon: workspace\n---\n\n"
        "A workspace, a `my\nworkspace` and\n\n- a list\n  ```sh\n  workspace\n\n  workspace\n"
        "  ```\n\n{pages.map(page => (\n  workspace(page)\n))}\n\n<Card\n  id='workspace'\n>\n"
        "  Größe: workspace\n</Card>\n"
    )
    workspace.files.write("a.mdx", page)
    asked = {"globs": ["a.mdx"], "prose_only": True}
    run("replace_in_files", pattern="workspace", replacement=r"pro\ject", **asked)
    expected = page.replace("The workspace", r"The pro\ject").replace("A workspace", r"A pro\ject")
    expected = expected.replace("Größe: workspace", r"Größe: pro\ject")
    assert workspace.files.text("a.mdx") == expected
    run("replace_in_files", pattern=r"$", replacement=".", regex=True, **asked)
    lines = workspace.files.text("a.mdx").splitlines()
    kept = [line.strip() for line in lines if "workspace" in line]
    assert kept[:2] == ["icon: workspace", "workspace` and."]
    assert kept[2:] == ["workspace", "workspace", "workspace(page)", "id='workspace'"]


def test_a_bulk_replacement_touches_nothing_that_is_no_documentation(run, workspace) -> None:
    (workspace.root / "script.py").write_text("term\n")
    workspace.files.write("page.mdx", "term\n")
    refused = run("replace_in_files", pattern="term", replacement="word", globs=["*"])
    assert refused.is_error
    assert workspace.files.text("page.mdx") == "term\n"
