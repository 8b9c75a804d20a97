"""Patterns of ignore files that a backtracking matcher never finishes."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pathspec import GitIgnoreSpec

import patient_http
from docstead.repository.patterns import PathPatterns, check_pattern
from docstead.repository.positions import Diagnostics
from docstead.repository.tree import list_files, read_ignore
from free_ports import free_port
from running_service import Service

SETTINGS = {
    "name": "Hostile",
    "theme": "mint",
    "colors": {"primary": "#0F766E"},
    "navigation": {"pages": ["index"]},
}
ATTACK = "*a" * 30 + "b\n"
MET = "a" * 200 + ".txt"
HONEST = [
    "# notes", "", "drafts/", "*.draft.mdx", "/private.md", "**/internal/**", "!README.md",
    "a/**/z", "[a-c]?.md", "!keep.draft.mdx", r"\#odd", "docs/*", "!docs/shown", "*~", "/",
]  # fmt: skip
PATHS = [
    "drafts/", "drafts/a.mdx", "x.draft.mdx", "keep.draft.mdx", "deep/keep.draft.mdx",
    "private.md", "deep/private.md", "internal/a", "x/internal/y/z.md", "README.md", "a/z",
    "a/b/c/z", "b1.md", "d1.md", "#odd", "docs/other", "docs/shown", "docs/shown/", "old~",
    "caf\u00e9.md", "\udce9.draft.mdx",
]  # fmt: skip


def turn_hostile(root: Path, *names: str) -> None:
    for name in names:
        (root / name).write_text(ATTACK)
    (root / MET).write_text("x")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    root = tmp_path / "docs"
    root.mkdir()
    (root / "docs.json").write_text(json.dumps(SETTINGS))
    (root / "index.mdx").write_text("---\ntitle: Welcome\n---\n\nThe good page.\n")
    service = Service(root, tmp_path / "data", free_port())
    service.start()
    yield service
    service.stop(signal.SIGKILL)


@pytest.mark.timeout(240)
def test_the_service_answers_while_it_publishes(service: Service) -> None:
    turn_hostile(service.source, ".docsignore", ".mintignore")
    started = service.admin("POST", f"/v1/project/update/{service.facts['projectId']}")
    path = f"/v1/project/update-status/{started.json()['statusId']}"
    while (status := service.admin("GET", path).json())["endedAt"] is None:
        assert patient_http.get(f"http://127.0.0.1:{service.port}/healthz").is_success
        time.sleep(0.1)
    assert status["status"] == "success"


@pytest.mark.parametrize("name", [".docsignore", ".mintignore"])
def test_time_grows_with_the_pattern_and_no_faster(tmp_path: Path, name: str) -> None:
    turn_hostile(tmp_path, name)
    diagnostics = Diagnostics()
    assert MET in list_files(tmp_path, read_ignore(tmp_path, diagnostics), diagnostics)
    assert not diagnostics.sorted()
    PathPatterns(["*a" * 2_000 + "b"]).decide("a" * 250)  # ends


def test_honest_patterns_decide_as_they_did() -> None:
    reference = GitIgnoreSpec.from_lines(HONEST, backend="simple")
    patterns = PathPatterns(HONEST)
    for path in PATHS:
        assert patterns.decide(path) == reference.check_file(path).include, path


def test_thousands_of_patterns_are_matched() -> None:
    patterns = PathPatterns([f"/guides/page-{number}.mdx" for number in range(8_000)])
    assert patterns.includes("guides/page-7999.mdx")
    assert not patterns.includes("guides/page-8000.mdx")


def test_a_line_that_is_longer_than_any_path_is_a_diagnostic(tmp_path: Path) -> None:
    (tmp_path / ".docsignore").write_text("a" * 5_000 + "\n[a-\\\nb.md\n")
    (tmp_path / "b.md").write_text("x")
    diagnostics = Diagnostics()
    assert list_files(tmp_path, read_ignore(tmp_path, diagnostics), diagnostics) == []
    assert {each.code for each in diagnostics.sorted()} <= {"ignore-syntax"}
    assert diagnostics.sorted()[0].line == 1
    with pytest.raises(ValueError, match="at most"):
        check_pattern("a" * 5_000)
