"""Parametrized cases of which the suite runs a sample, and `--deep` the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def one_in(step: int, cases: Iterable[Any]) -> list[Any]:
    """Mark all cases but the first of every `step` as deep.

    A case is a single value or a `pytest.param`.
    """
    return [_deep(case) if number % step else case for number, case in enumerate(cases)]


def _deep(case: Any) -> ParameterSet:
    if isinstance(case, ParameterSet):
        return case._replace(marks=[*case.marks, pytest.mark.deep])
    return pytest.param(case, marks=pytest.mark.deep)
