"""Checking against the base, and looking at pages."""

from __future__ import annotations

import json
from functools import partial

import pytest

from docstead.agent.tools import WorkspaceChecker
from docstead.agent.workspace import Workspace
from docstead.content.diagnostics import Severity
from docstead.publishing.build import build_edition
from docstead.publishing.values import GitCheckout, Revision
from docstead.rendering import EngineLimits, RenderingEngine


def _codes(diagnostics) -> list[str]:
    return [diagnostic.code for diagnostic in diagnostics]


def test_only_what_is_new_counts(run, workspace: Workspace) -> None:
    assert run("check").check.passed
    workspace.files.write("guides/start.mdx", "## Install\n\n[gone](/nowhere)\n<Unknown />\n")
    report = run("check").check
    assert {"broken-link", "unknown-component"} <= set(_codes(report.new))
    assert not report.passed
    workspace.files.write("guides/start.mdx", "## Install\n\nfine\n")
    assert run("check").check.passed


@pytest.mark.deep
def test_a_page_that_took_too_long_is_rendered_again_the_next_time(workspace: Workspace) -> None:
    limits = [EngineLimits(), EngineLimits(page_seconds=0.2)]
    checker = WorkspaceChecker(lambda: RenderingEngine(1, limits.pop() if limits else None))
    slow = "export const spin = () => { const end = Date.now() + 1000; "
    slow += "while (Date.now() < end) {} return 1 }\n\n{spin()}\n"
    workspace.files.write("guides/start.mdx", f"## Install\n\n{slow}")
    assert set(_codes(checker.compare(workspace).new)) == {"page-stopped"}
    assert checker.compare(workspace).passed


def test_diagnostics_of_the_base_are_shown_when_asked_for(run, workspace, remote, toolbox) -> None:
    workspace.files.write("more/one.mdx", "[gone](/nowhere)\n")
    result = run("check", everything=True).text
    assert "more/one.mdx:1:8: warning broken-link" in result


def test_a_diagnostic_that_moves_with_its_page_is_not_new(
    run, workspace: Workspace, checker
) -> None:
    workspace.files.write("more/one.mdx", "Text that makes the page known again.\n\n<Unknown />\n")
    made = workspace.store.commit_tree(workspace.snapshot(), (workspace.head,), "base", {})
    workspace.store.point("refs/docstead/base", made)
    workspace.store.point("refs/docstead/head", made)
    run("move_file", source="more/one.mdx", target="uno.mdx")
    report = run("check").check
    assert _codes(report.new) == []
    workspace.files.write("uno.mdx", "Fine.\n")
    assert run("check", everything=True).check.fixed >= 1


def test_a_diagnostic_that_another_entry_moves_on_is_not_new(run, workspace: Workspace) -> None:
    def settings(*sources: str) -> None:
        known = json.loads(workspace.files.text("docs.json"))
        redirects = [{"source": each, "destination": "/index"} for each in sources]
        workspace.files.write("docs.json", json.dumps({**known, "redirects": redirects}))

    settings("/a#part")
    made = workspace.store.commit_tree(workspace.snapshot(), (workspace.head,), "base", {})
    workspace.store.point("refs/docstead/base", made)
    settings("/first", "/a#part")
    assert _codes(run("check").check.new) == []
    settings("/first", "/a#part", "/b#part")
    assert _codes(run("check").check.new) == ["invalid-redirect"]


def test_a_part_that_is_gone_is_missed_where_it_is_linked_to(run, workspace: Workspace) -> None:
    workspace.files.write("guides/start.mdx", "---\ntitle: Start\n---\n## Set up\n")
    report = run("check").check
    assert [(diagnostic.file, diagnostic.code) for diagnostic in report.new] == [
        ("index.mdx", "broken-anchor")
    ]


def test_a_new_page_that_readers_cannot_find_is_a_diagnostic(run, workspace: Workspace) -> None:
    page = "---\ntitle: Extra\n---\nMore.\n"
    workspace.files.write("guides/extra.mdx", page)
    report = run("check").check
    assert [(diagnostic.file, diagnostic.code) for diagnostic in report.new] == [
        ("guides/extra.mdx", "orphan-page")
    ]
    assert not report.passed
    run("move_file", source="more/one.mdx", target="more/uno.mdx")
    workspace.files.write("guides/extra.mdx", page.replace("---\nMore", "hidden: true\n---\nMore"))
    assert run("check").check.passed
    workspace.files.write("guides/extra.mdx", page)
    home = workspace.files.text("index.mdx")
    workspace.files.write("index.mdx", f"{home}\nAlso read [more](/guides/extra).\n")
    assert run("check").check.passed
    workspace.files.delete("guides/extra.mdx")
    made = workspace.store.commit_tree(workspace.snapshot(), (workspace.head,), "base", {})
    workspace.store.point("refs/docstead/base", made)
    workspace.files.write("guides/extra.mdx", page)  # the base had a broken link to it
    assert run("check").check.passed


def test_diagnostics_of_older_settings_are_not_new_in_converted_ones(
    run, workspace: Workspace
) -> None:
    known = json.loads(workspace.files.text("docs.json")) | {"redirects": [{}]}
    workspace.files.write("mint.json", json.dumps(known))
    workspace.files.delete("docs.json")
    made = workspace.store.commit_tree(workspace.snapshot(), (workspace.head,), "base", {})
    workspace.store.point("refs/docstead/base", made)
    standing = run("check", everything=True).check.standing
    assert "invalid-redirect" in _codes(each for each in standing if each.file == "mint.json")
    workspace.files.write("docs.json", json.dumps(known))
    workspace.files.delete("mint.json")
    assert _codes(run("check").check.new) == []


def test_settings_that_cannot_be_read_are_one_diagnostic(run, workspace: Workspace) -> None:
    workspace.files.write("docs.json", "{")
    report = run("check").check
    assert _codes(report.new) == ["unreadable-settings"]
    assert "docs.json:1:2" in report.new[0].message
    assert "the settings" in run("move_file", source="index.mdx", target="x.mdx").text


def test_the_check_is_that_of_the_command(workspace: Workspace, tmp_path) -> None:
    workspace.files.write("guides/start.mdx", "[gone](/nowhere) <Unknown />\n\n{1 +}\n")
    workspace.files.write("more/one.mdx", "import X from './gone.mdx'\n\n<X />\n")
    report = WorkspaceChecker(partial(RenderingEngine, 1)).compare(workspace, everything=True)
    with RenderingEngine(1) as engine:
        built = build_edition(
            GitCheckout(workspace.root, lambda: Revision("c")), engine, None, tmp_path / "e.sqlite"
        )
    checked = {*report.new, *report.standing}
    assert checked == set(built.diagnostics)
    assert any(diagnostic.severity is Severity.ERROR for diagnostic in checked)


def test_a_page_is_shown_as_text(run, workspace: Workspace) -> None:
    assert (
        run("read_file", path="guides/next.mdx", rendered=True).text
        == "See [start](/guides/start)."
    )
    workspace.files.write("new.mdx", "<Note>Mind *this*.</Note>\n\n<Unknown />\n")
    text = run("read_file", path="new.mdx", rendered=True).text
    assert "> **Note:** Mind *this*." in text
    assert "unknown-component" in text
    for path in ("snippets/note.mdx", "nothing.mdx"):
        assert run("read_file", path=path, rendered=True).is_error


def test_a_diagnostic_whose_target_has_moved_is_not_new(run, workspace: Workspace) -> None:
    workspace.files.write("more/one.mdx", "[there](/guides/start#nowhere)\n")
    made = workspace.store.commit_tree(workspace.snapshot(), (workspace.head,), "base", {})
    workspace.store.point("refs/docstead/base", made)
    run("move_file", source="guides/start.mdx", target="guides/begin.mdx")
    assert "/guides/begin#nowhere" in workspace.files.text("more/one.mdx")
    assert "broken-anchor" not in _codes(run("check").check.new)


def test_nothing_is_fixed_by_settings_that_cannot_be_read(run, workspace: Workspace) -> None:
    known = workspace.files.text("docs.json")
    workspace.files.write("docs.json", known.replace('"theme": "mint"', '"theme": "mind"'))
    made = workspace.store.commit_tree(workspace.snapshot(), (workspace.head,), "base", {})
    workspace.store.point("refs/docstead/base", made)
    workspace.files.write("docs.json", "{")
    result = run("check")
    assert result.text.startswith("1 new fault\n")
    assert result.check.fixed == 0
    workspace.files.write("docs.json", known)
    assert run("check").check.fixed == 1
