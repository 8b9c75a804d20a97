"""Entries of `answers.yaml` that `docstead check` reports."""

from __future__ import annotations

import json
import re
from pathlib import Path

ANSWERS = """\
- question: How do I rotate a key?
  facts:
    - make a new key and revoke the old one
    - keys expire after 30 days
  pages: guides/keys
- question: How are invoices paid?
  facts: [By card]
  pages: [/guides/keys, guides/billing]
- question: How do I begin?
  pages: gides/key
"""
REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "diagnostics.mdx"


def found(docstead, source: Path) -> list[tuple[int, int, str, str]]:
    report = json.loads(docstead("check", source, "--json").stdout)
    return [
        (d["line"], d["column"], d["severity"], d["code"])
        for d in report["diagnostics"]
        if d["file"].endswith("answers.yaml")
    ]


def test_check_reports_what_no_longer_holds(docstead, source: Path) -> None:
    (source / "answers.yaml").write_text(ANSWERS)
    diagnostics = found(docstead, source)
    assert diagnostics == [
        (4, 7, "warning", "answer-fact-missing"),
        (6, 13, "warning", "answer-not-found"),
        (7, 11, "warning", "answer-fact-missing"),
        (8, 25, "warning", "answer-page-missing"),
        (10, 10, "warning", "answer-page-missing"),
    ]
    documented = set(re.findall(r"`(answers?-[a-z-]+)`", REFERENCE.read_text()))
    assert {code for *_, code in diagnostics} == documented - {"answers-syntax", "answers-limit"}


def test_pages_for_groups_and_languages_are_asked_as_their_readers_ask(
    docstead, source: Path
) -> None:
    keys = source / "guides" / "keys.mdx"
    keys.write_text(keys.read_text().replace("title: Keys", "title: Keys\ngroups: [staff]"))
    (source / ".docs").mkdir()
    entry = "".join(ANSWERS.splitlines(keepends=True)[:3])
    (source / ".docs" / "answers.yaml").write_text(f"{entry}  pages: [guides/keys]\n")
    assert found(docstead, source) == []


def test_the_file_is_not_published(docstead, source: Path, tmp_path: Path) -> None:
    (source / "answers.yaml").write_text(ANSWERS)
    (source / "other.yaml").write_text("a: 1\n")
    docstead("export", source, "-o", tmp_path / "site")
    assert [file.name for file in (tmp_path / "site").rglob("*.yaml")] == ["other.yaml"]
