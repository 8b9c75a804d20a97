"""Writing, replacing, deleting."""

from __future__ import annotations

from docstead.agent.workspace import Workspace


def test_a_file_is_written_and_the_change_is_shown(run, workspace: Workspace) -> None:
    result = run("write_file", path="new/page.mdx", text="one\ntwo\n")
    assert result.changed == ("new/page.mdx",)
    assert result.diff == "--- /dev/null\n+++ b/new/page.mdx\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    assert workspace.files.text("new/page.mdx") == "one\ntwo\n"
    again = run("write_file", path="new/page.mdx", text="one\ntwo\n")
    assert (again.text, again.changed) == ("new/page.mdx has that text already", ())


def test_text_is_replaced_where_it_stands_once(run, workspace: Workspace) -> None:
    result = run("replace_text", path="guides/start.mdx", old="## Install", new="## Setup")
    assert "-## Install\n+## Setup\n" in result.diff
    assert "## Setup" in workspace.files.text("guides/start.mdx")


def test_a_text_that_stands_twice_needs_more_around_it(run, workspace: Workspace) -> None:
    workspace.files.write("a.mdx", "x\ny\nx\n")
    refused = run("replace_text", path="a.mdx", old="x", new="z")
    assert refused.is_error
    assert "2 times, at lines 1, 3" in refused.text
    run("replace_text", path="a.mdx", old="x", new="z", all=True)
    assert workspace.files.text("a.mdx") == "z\ny\nz\n"


def test_what_is_not_there_is_told_with_a_hint(run, workspace: Workspace) -> None:
    workspace.files.write("a.mdx", "one  two\nthree\n")
    told = [
        run("replace_text", path="a.mdx", old=old, new="x").text
        for old in ("nothing", "one two", "three\nfour")
    ]
    assert told[0] == "'old' does not stand in 'a.mdx': read the file again"
    assert "with other spaces" in told[1]
    assert "its first line stands at line 2" in told[2]
    assert run("replace_text", path="a.mdx", old="x", new="x").is_error
    assert run("replace_text", path="no.mdx", old="x", new="y").is_error


def test_line_ends_stay_those_of_the_file(run, workspace: Workspace) -> None:
    (workspace.root / "dos.mdx").write_bytes(b"one\r\ntwo\r\n")
    run("replace_text", path="dos.mdx", old="one\ntwo", new="1\n2\n3")
    assert workspace.files.read("dos.mdx") == b"1\r\n2\r\n3\r\n"
    run("write_file", path="dos.mdx", text="a\nb\n")
    assert workspace.files.read("dos.mdx") == b"a\r\nb\r\n"


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
