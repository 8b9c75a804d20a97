"""The wait of the demo until search by meaning works."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from docstead.cli import first_vectors
from docstead.publishing.vectors import VectorProgress


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let time pass only while it waits."""
    passed = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: passed[0])
    monkeypatch.setattr(time, "sleep", lambda pause: passed.append(passed.pop() + pause))
    return passed


def test_it_waits_until_all_vectors_are_there_and_says_how_far_it_is(seconds: list[float]) -> None:
    said: list[str] = []

    def progress() -> Iterator[VectorProgress]:
        yield VectorProgress()
        yield from (VectorProgress(done, 480) for done in range(0, 480, 48))
        yield from [VectorProgress(480, 480)] * 5
        yield VectorProgress(is_ready=True)

    first_vectors._wait(progress().__next__, said.append, repeats=True)
    assert said == ["Preparing search by meaning: 432 of 480 sections"]
    assert seconds == [8.0]


def test_it_does_not_wait_indefinitely(seconds: list[float]) -> None:
    said: list[str] = []
    first_vectors._wait(VectorProgress, said.append, repeats=False)
    assert said == ["Search compares words until the vectors of all sections are ready."]
    assert seconds[0] <= 121


@pytest.mark.parametrize(("repeats", "times"), [(True, 4), (False, 1)])
def test_progress_repeats_on_a_terminal_only(
    seconds: list[float], repeats: bool, times: int
) -> None:
    said: list[str] = []
    found = iter([VectorProgress(1, 480)] * 41 + [VectorProgress(is_ready=True)])
    first_vectors._wait(found.__next__, said.append, repeats=repeats)
    assert said == ["Preparing search by meaning: 1 of 480 sections"] * times
