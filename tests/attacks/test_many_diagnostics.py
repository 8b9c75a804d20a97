"""Repositories with very many problems, whose report filled the memory of the service.

3 MB of repeated keys and unsafe links made 200,000 diagnostics. Each request of the report then
held 60 MB of JSON, and eight at once took 4 GB and stopped the service for seconds.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from docstead.content.diagnostics import Diagnostic, Severity
from docstead.publishing.diagnostic_limits import limited_diagnostics

MOST = 5_000
MOST_BYTES = 3_000_000


def warnings(number: int, message: str = "wrong") -> list[Diagnostic]:
    lines = range(1, number + 1)
    return [Diagnostic("a.mdx", line, 1, Severity.WARNING, "some-code", message) for line in lines]


def size(found: tuple[Diagnostic, ...]) -> int:
    return len(json.dumps([asdict(each) for each in found]))


def test_the_number_of_diagnostics_is_limited() -> None:
    found = limited_diagnostics(warnings(200_000))
    assert len(found) == MOST + 1
    assert found[:MOST] == tuple(warnings(MOST))
    assert (found[MOST].code, found[MOST].message) == (
        "more-diagnostics",
        "195,000 more diagnostics are not listed",
    )


def test_long_messages_are_shortened() -> None:
    assert size(limited_diagnostics(warnings(10, "a" * 1_000_000))) < MOST_BYTES


def test_the_size_of_all_messages_is_limited() -> None:
    found = limited_diagnostics(warnings(MOST, "a" * 1_900))
    assert size(found) < MOST_BYTES
    assert found[-1].code == "more-diagnostics"


def test_errors_and_the_first_of_each_code_are_kept() -> None:
    error = Diagnostic("z.mdx", 2, 1, Severity.ERROR, "an-error", "wrong")
    errors = [error, Diagnostic("z.mdx", 3, 1, Severity.ERROR, "an-error", "wrong")]
    info = Diagnostic("z.mdx", 4, 1, Severity.INFO, "a-note", "wrong")
    found = limited_diagnostics([*warnings(MOST), *errors, info])
    assert found[-4:-1] == (*errors, info)


def test_usual_diagnostics_are_unique_and_in_order() -> None:
    usual = warnings(100)
    assert limited_diagnostics([*reversed(usual), *usual]) == tuple(usual)
