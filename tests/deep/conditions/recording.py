"""A pytest plugin that notes which conditions each test reaches, how long it takes and its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from conditions import runtime


@dataclass(eq=False)
class Recorder:
    """`tests` maps a test to its sites, seconds and whether it passed."""

    tests: dict[str, dict[str, object]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        runtime.reached.clear()
        yield
        kept = self.tests.setdefault(item.nodeid, {"seconds": 0.0})
        kept["sites"] = sorted(runtime.reached)
        kept["passed"] = item.nodeid not in self.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        kept = self.tests.setdefault(report.nodeid, {"seconds": 0.0})
        kept["seconds"] = round(float(str(kept["seconds"])) + report.duration, 3)
        if not report.passed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
