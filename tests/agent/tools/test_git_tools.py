"""The history of the documentation, and the reference for authors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docstead.agent.tools.diagnostic_order import by_cause
from docstead.agent.workspace import Workspace
from docstead.content.diagnostics import Diagnostic, Severity

ENGINE = Path(__file__).parents[3] / "engine" / "src" / "components" / "index.ts"
# Aliases of others, and parts of pages that authors write as Markdown or HTML.
UNLISTED = {"CodeBlock", "FileTree", "GitHub", "Heading", "Image", "Latex", "Link", "RequestField"}


def test_commits_are_listed_and_shown(run, remote) -> None:
    log = run("git", command="log").text
    commit = re.match(r"([0-9a-f]{7,}) \d{4}-\d\d-\d\d \S+.*: ", log)
    assert commit, log
    assert "more/one.mdx" in run("git", command="diff", commit=commit[1], path="more").text
    assert "index.mdx" not in run("git", command="diff", commit=commit[1], path="openapi.yaml").text
    assert run("git", command="log", path="nowhere.mdx").text == "[no commit has changed it]"
    assert run("git", command="log", commit=commit[1]).text == log
    assert run("git", command="diff", commit="0000000").is_error
    assert run("git", command="diff", commit="--output=x").malformed
    assert run("git", command="log", path="../x").is_error


def test_what_the_job_has_changed_is_shown(run, workspace: Workspace) -> None:
    assert run("git", command="diff").text == "[nothing has changed]"
    run("edit_file", path="index.mdx", old_string="Home", new_string="House")
    run("write_file", path="more/new.mdx", text="New.\n")
    assert "-title: Home\n+title: House" in run("git", command="diff").text
    assert "House" not in run("git", command="diff", path="more").text
    assert "added more/new.mdx" in run("git", command="diff", path="more").text


@pytest.mark.parametrize("topic", ["components", "frontmatter", "settings"])
def test_every_topic_has_a_text(run, topic: str) -> None:
    assert len(run("reference", topic=topic).text) > 1_000


def test_every_component_is_in_the_reference(run) -> None:
    names = re.search(r"components: Record<string, any> = \{(.*?)\n\};", ENGINE.read_text(), re.S)
    assert names is not None
    known = set(re.findall(r"^  (\w+)[,:]", names[1], re.M)) - UNLISTED
    text = run("reference", topic="components").text
    assert {name for name in known if f"<{name}" not in text} == set()


def test_the_cause_comes_before_what_follows_from_it() -> None:
    def diagnostic(file: str, code: str, message: str, severity: Severity = Severity.ERROR):
        return Diagnostic(file, 1, 1, severity, code, message)

    follow = [
        diagnostic("docs.json", "unknown-operation", f"spec.yaml has no GET /things{n}")
        for n in range(45)
    ]
    cause = diagnostic("spec.yaml", "unreadable-spec", "spec.yaml: not YAML")
    warning = diagnostic("a.mdx", "missing-alt", "no words", Severity.WARNING)
    lines = by_cause([*follow, warning, cause])
    assert "not YAML" in lines[0]
    assert lines[1:6] == [str(each) for each in follow[:5]]
    assert lines[6] == "[and 40 more of this kind: error unknown-operation]"
    assert lines[7:] == [str(warning)]
