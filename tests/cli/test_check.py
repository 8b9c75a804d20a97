"""Output of `docstead check` for people, pull requests and code scanning."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from docstead.cli.formats import github_line
from docstead.content.diagnostics import Diagnostic, Severity
from sampled_cases import one_in

FAULTY = """---
title: Welcome
---

See [keys](/guides/kees) and [how](/guides/keys#hwo).

#### Too deep

![](/logo.png)
"""


@pytest.fixture
def faulty(source: Path) -> Path:
    (source / "logo.png").write_bytes(b"\x89PNG")
    (source / "index.mdx").write_text(FAULTY)
    keys = source / "guides" / "keys.mdx"
    keys.write_text(f"{keys.read_text()}\n\n## How\n\nSo.\n")
    return source


def test_diagnostics_of_reading_are_notes_and_links_are_warnings(docstead, faulty: Path) -> None:
    report = json.loads(docstead("check", faulty, "--json").stdout)
    assert [(d["line"], d["severity"], d["code"]) for d in report["diagnostics"]] == [
        (5, "warning", "broken-link"),
        (5, "warning", "broken-anchor"),
        (7, "info", "heading-jump"),
        (9, "info", "missing-alt"),
    ]
    assert report["diagnostics"][1]["hint"] == "Did you mean #how?"


def test_without_a_source_the_current_folder_is_checked(docstead, source: Path) -> None:
    ended = docstead("check", "--root", source.name)
    assert (ended.returncode, "2 pages, 0 failed" in ended.stderr) == (0, True), ended.stderr


def test_parts_are_named_as_other_builders_of_sites_name_them(docstead, faulty: Path) -> None:
    keys = faulty / "guides" / "keys.mdx"
    keys.write_text(f"{keys.read_text()}\n\n## Step 2: Edit, or `_run` it\n\nSo.\n")
    link = "/guides/keys#step-2%3A-edit%2C-or-_run-it"
    (faulty / "index.mdx").write_text(f"---\ntitle: Welcome\n---\n\nSee [it]({link}).\n")
    assert json.loads(docstead("check", faulty, "--json").stdout)["diagnostics"] == []


@pytest.mark.parametrize("form", one_in(2, ["text", "github"]))
def test_errors_fail_in_every_format(docstead, source: Path, form: str) -> None:
    (source / "index.mdx").write_text("import { a } from '/snippets/none.jsx'\n\nText.\n")
    ended = docstead("check", source, "--format", form)
    assert ("missing-import" in ended.stdout, ended.returncode) == (True, 1)


def test_strict_fails_for_warnings_and_not_for_notes(docstead, faulty: Path) -> None:
    assert docstead("check", faulty).returncode == 0
    assert docstead("check", faulty, "--strict").returncode == 1
    (faulty / "index.mdx").write_text("---\ntitle: Welcome\n---\n\n#### Too deep\n")
    ended = docstead("check", faulty, "--strict")
    assert "heading-jump" in ended.stdout
    assert ended.returncode == 0


def test_annotations_lead_from_the_root_of_the_repository(docstead, faulty: Path) -> None:
    lines = docstead("check", faulty, "--format", "github").stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("::warning file=source/index.mdx,line=5,col=")
    assert ",title=broken-link::" in lines[0]
    assert lines[0].endswith(".")


def test_an_annotation_is_two_sentences() -> None:
    found = Diagnostic("a.mdx", 1, 1, Severity.WARNING, "x", "it is shown as text", "close it")
    assert github_line(found).endswith("::it is shown as text. Close it.")


def test_the_guide_shows_what_is_printed(docstead, source: Path) -> None:
    (source / "guides" / "install.mdx").write_text("---\ntitle: Install\n---\n\nText.\n")
    (source / "guides" / "start.mdx").write_text(
        "---\ntitle: Start\n---\n" + "\n" * 8 + "See [it](/guides/instal).\n"
    )
    guide = Path(__file__).parents[2] / "docs" / "guides" / "check.mdx"
    block = re.search(r"```text\n(.*?)```", guide.read_text(), re.DOTALL)
    assert block
    assert block[1] in docstead("check", source).stdout


def test_code_scanning_gets_a_log_of_its_own_form(docstead, faulty: Path) -> None:
    log = json.loads(docstead("check", faulty, "--format", "sarif").stdout)
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    assert [result["level"] for result in run["results"]] == ["warning", "warning", "note", "note"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    location = run["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "source/index.mdx"
    assert location["region"]["startLine"] == 5


def test_a_site_without_pages_is_a_diagnostic_wherever_it_is_built(
    docstead, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "docs.json").write_text('{"name": "E", "navigation": {"pages": ["none"]}}')
    ended = docstead("check", empty)
    assert (ended.returncode, "error no-pages: " in ended.stdout) == (1, True)
    ended = docstead("export", empty, "-o", tmp_path / "site")
    assert ended.returncode == 1
    assert "docs.json:1:" in ended.stderr
    assert not (tmp_path / "site").exists()


def test_an_unknown_format_is_wrong_usage(docstead, source: Path) -> None:
    assert docstead("check", source, "--format", "xml").returncode == 2
