"""Common rules of tools: names, arguments, limits, paths."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from docstead.agent.tools import Toolbox, WorkspaceChecker
from docstead.agent.tools.limits import ToolLimits
from docstead.agent.workspace import Workspace

TOOLS = {
    "list_files", "read_file", "search_text", "write_file", "edit_file", "replace_in_files",
    "delete_file", "move_file", "navigation", "check", "git", "reference", "update_todos",
    "finish",
}  # fmt: skip

ODD_PATHS = [
    "/etc/passwd", "../x.mdx", "guides/../../x.mdx", "guides/./x.mdx", "~/x.mdx", "C:/x.mdx",
    "a\\b.mdx", "..\\x.mdx", "a\0.mdx", "a\n.mdx", "a\u202ex.mdx", "a\u200bx.mdx", "a\ud800.mdx",
    ".git/config", ".GIT/config", "guides/.git/hooks/x.md", ".git /x.md", "git~1/x.md",
    ".git::$INDEX_ALLOCATION/x.md", "a//b.mdx", "", ".", "x" * 1_001,
]  # fmt: skip
ODD_NAMES = [
    "con.mdx", "aux/x.mdx", "a:b.mdx", "a?.mdx", "a|b.mdx", "x./a.mdx", "x /a.mdx", "e\u0301.mdx",
    "n" * 250 + ".mdx", "INDEX.mdx", "Guides/new.mdx", "guides/START.mdx", "index.mdx/x.mdx",
]  # fmt: skip
NOT_DOCUMENTATION = [
    ".github/workflows/x.yml", ".gitattributes", ".gitmodules", ".npmrc", "package.json",
    "script.js", "node_modules/index.mdx", "docs/package.json", "next.config.js", "run.sh",
    "x.py", "Makefile", ".vscode/settings.json", "a.mdx.exe", "action.yml", ".gitlab-ci.yml",
]  # fmt: skip


def test_every_tool_says_what_it_takes(toolbox: Toolbox) -> None:
    assert {spec.name for spec in toolbox.specs} == TOOLS
    for spec in toolbox.specs:
        jsonschema.Draft202012Validator.check_schema(dict(spec.parameters))
        assert spec.description
        assert spec.parameters["type"] == "object"
        assert "$ref" not in json.dumps(spec.parameters)
        assert "null" not in json.dumps(spec.parameters)


def test_descriptions_of_tools_are_short(workspace, checker: WorkspaceChecker) -> None:
    def specs(**options: Any) -> str:
        toolbox = Toolbox(workspace, checker, **options)
        return json.dumps([[s.name, s.description, dict(s.parameters)] for s in toolbox.specs])

    assert len(specs()) < 4_500
    assert "repository" not in specs()
    assert "published" not in specs()
    assert specs(repositories={"code": workspace.files}).count('"repository"') == 3
    assert "published" in specs(search_published=lambda _query, _limit: [])


def test_long_files_are_read_in_parts_that_fit_the_window() -> None:
    limits = [ToolLimits.of_window(size) for size in (20_000, 200_000, 3_000_000)]
    assert [each.read_characters for each in limits] == [10_000, 50_000, 72_000]
    assert {each.of_result("check") for each in limits} == {30_000}


WRONG_CALLS = [
    ("shell", "{}", "there is no tool 'shell'; there are list_files"),
    ("read_file", "{", "read_file: the arguments are not JSON"),
    ("read_file", "[]", "must be a JSON object"),
    ("read_file", "[" * 5_000, "not JSON"),
    (
        "read_file",
        "{}",
        "path: is required. It takes {path, first_line?, lines?, first_column?, rendered?, "
        "screen?, repository?}",
    ),
    ("read_file", '{"path": "index.mdx", "line": 3}', "line: there is no such argument"),
    ("read_file", '{"path": 7}', "path: must be a string, not a number"),
    ("search_text", '{"pattern": "x", "output": "odd"}', "output: must be 'lines', "),
    ("navigation", '{"action": ["read"]}', "action: "),
    ("update_todos", '{"todos": [{"content": "a", "status": "odd"}]}', "todos.0.status"),
    ("finish", '{"title": "", "summary": "x"}', "title: must have at least 1 character"),
]


def test_wrong_calls_are_answered_with_what_is_expected(toolbox: Toolbox) -> None:
    for name, arguments, message in WRONG_CALLS:
        result = toolbox.run(name, arguments)
        assert result.is_error
        assert result.malformed
        assert message in result.text


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("read_file", {}),
        ("read_file", {"rendered": True}),
        ("write_file", {"text": "x"}),
        ("delete_file", {}),
    ],
)
def test_odd_paths_are_refused(
    toolbox: Toolbox, workspace: Workspace, tool: str, more: dict[str, object]
) -> None:
    before = workspace.snapshot()
    results = {path: toolbox.run(tool, {"path": path, **more}) for path in ODD_PATHS}
    assert [path for path, result in results.items() if not result.is_error] == []
    assert workspace.snapshot() == before
    for result in results.values():
        result.text.encode()


def test_what_is_no_documentation_is_not_written(toolbox, workspace: Workspace) -> None:
    before = workspace.snapshot()
    for path in ODD_NAMES + NOT_DOCUMENTATION:
        assert toolbox.run("write_file", {"path": path, "text": "x"}).is_error, path
        move = {"source": "more/one.mdx", "target": path}
        assert toolbox.run("move_file", move).is_error, path
    assert workspace.snapshot() == before


def test_what_belongs_to_documentation_is_written(toolbox: Toolbox) -> None:
    for path in (".docs/Assistant.md", ".docsignore", ".well-known/x.json", "a/[b].mdx"):
        assert not toolbox.run("write_file", {"path": path, "text": "x\n"}).is_error, path


@pytest.mark.parametrize(
    "path",
    [
        ".docs/AGENTS.md",
        ".docs/Agents.md",
        ".docs/guides/AGENTS.md",
        ".docs/a/b/agents.md",
        ".docs/example-secrets.txt",
    ],
)
def test_the_agents_own_rules_are_not_written(toolbox: Toolbox, path: str) -> None:
    refused = toolbox.run("write_file", {"path": path, "text": "Anything goes.\n"})
    assert refused.is_error
    assert "rules for the agent itself" in refused.text


def test_links_made_in_the_clone_are_not_followed(toolbox, workspace: Workspace, tmp_path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (workspace.root / "link.mdx").symlink_to(tmp_path / "secret.txt")
    (workspace.root / "folder").symlink_to(tmp_path)
    assert "is a symbolic link" in toolbox.run("read_file", {"path": "link.mdx"}).text
    for path in ("link.mdx", "folder/new.mdx"):
        assert toolbox.run("write_file", {"path": path, "text": "x"}).is_error
    assert "secret" not in toolbox.run("search_text", {"pattern": "secret"}).text
    assert "secret.txt" not in toolbox.run("list_files", {"depth": 5}).text
    assert toolbox.run("list_files", {"glob": "folder/**"}).text == "[no file matches]"
    assert [path.name for path in tmp_path.glob("*.mdx")] == []


def test_results_are_cut_where_they_are_too_long(
    workspace: Workspace, checker: WorkspaceChecker
) -> None:
    small = Toolbox(workspace, checker, limits=ToolLimits(output_characters=500, read_lines=20))
    workspace.files.write("long.mdx", "word\n" * 10_000)
    searched = small.run("search_text", {"pattern": "word", "limit": 150}).text
    assert len(searched) < 600
    assert "more matching lines; skip=" in searched
    assert (
        "[lines 21 to 10000 follow; first_line=21]"
        in small.run("read_file", {"path": "long.mdx"}).text
    )


def test_the_todo_list_is_numbered_in_its_order(run) -> None:
    entries = ["[x] a", "- [>] b", "[ ] c", "d", {"id": "5", "content": "e", "status": "cancelled"}]
    result = run("update_todos", todos=entries)
    assert [(t.id, t.content, t.status) for t in result.todos] == [
        ("1", "a", "completed"), ("2", "b", "in_progress"), ("3", "c", "pending"),
        ("4", "d", "pending"), ("5", "e", "cancelled"),
    ]  # fmt: skip
    assert result.text == "5 todos, 3 of them open"


def test_finish_hands_title_and_summary_over(run) -> None:
    ending = run("finish", title="Fix links", summary="They were broken.").ending
    assert (ending.title, ending.summary) == ("Fix links", "They were broken.")


def test_the_published_site_is_asked_through_what_was_given(run) -> None:
    assert run("search_text", pattern="install", published=True, limit=3).text == (
        "## install 3\n/guides/start#install\n\nHow to install."
    )


FORMER_CALLS = [
    ("find_files", {"glob": "two.mdx"}, "more/deep/two.mdx"),
    ("read_navigation", {"node": ["Deep"]}, "more/deep/two"),
    ("edit_navigation", {"action": "remove_page", "page": "more/one"}, "removed more/one"),
    ("git_log", {"path": "nowhere.mdx"}, "[no commit"),
    ("git_diff", {}, "[nothing has changed]"),
    ("preview_page", {"path": "api/intro.mdx"}, "Go."),
    ("read_operations", {}, "openapi.yaml:"),
    ("search_docs", {"query": "install"}, "## install 8"),
    ("replace_text", {"path": "index.mdx", "old": "Home", "new": "Start"}, "changed"),
]


@pytest.mark.parametrize(("name", "arguments", "message"), FORMER_CALLS)
def test_tools_of_earlier_versions_are_understood(toolbox, name, arguments, message) -> None:
    assert toolbox.run(name, arguments).text.startswith(message)


def test_a_notice_has_no_words_of_files(run, workspace: Workspace) -> None:
    """Other results stand between the marks of untrusted text."""
    workspace.files.write("guides/start.mdx", "## Install\n\n[gone](/nowhere)\n")
    assert not run("check").is_notice
    workspace.files.write("guides/start.mdx", "## Install\n")
    checked = run("check")
    written = run("write_file", path="a.mdx", text="x\n")
    edited = run("edit_file", path="a.mdx", old_string="x", new_string="y")
    assert [each.is_notice for each in (checked, written, edited)] == [True, True, True]
    assert not run("read_file", path="a.mdx").is_notice
