from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from docstead.assistant.expected_answers import checks
from docstead.assistant.expected_answers.reader import ExpectedAnswer, PlacedText
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Site
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.search.analyser import Analyser


def test_a_file_that_takes_too_long_is_checked_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    def text(line: int) -> PlacedText:
        return PlacedText("gone", FilePosition("answers.yaml", line, 1))

    seconds = iter(range(0, 1_000, 50))
    monkeypatch.setattr(time, "process_time", lambda: next(seconds))
    site, diagnostics = Site(SiteConfig("Test"), Navigation(), {}), Diagnostics()
    edition: Any = SimpleNamespace(site=site, index=SimpleNamespace(analyser=Analyser()))
    entries = [ExpectedAnswer(text(line), (), (text(line + 1),)) for line in range(1, 20, 2)]
    checks.check_expected_answers(entries, edition, diagnostics)
    found = [(each.line, each.code) for each in diagnostics.sorted()]
    assert found == [
        (2, "answer-page-missing"),
        (4, "answer-page-missing"),
        (5, "answers-limit"),
    ]
