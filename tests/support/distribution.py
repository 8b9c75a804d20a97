"""Distribution of tests among processes.

The tests of a file stay together because they share fixtures that are slow to start; so do
those of folders that share a browser or servers. Other tests are distributed one by one. The
slowest start first, so that all processes end at about the same time.
"""

from __future__ import annotations

import pytest
from xdist.scheduler import LoadScopeScheduling

_FOLDERS = ("tests/browser/", "tests/agent/forges/")
_ONE_BY_ONE = (
    "tests/cli/",
    "tests/export/test_kill.py",
    "tests/jobs/",
    "tests/publishing/test_kill.py",
)
# They share a service, unlike the other files of their folder.
_TOGETHER = (
    "tests/cli/test_ask.py",
    "tests/cli/test_next_steps.py",
    "tests/cli/test_publish_client.py",
)
# Files that share a service.
_GROUPS = (
    tuple(
        f"tests/attacks/test_{name}.py"
        for name in ("low_1", "low_2", "low_3", "m5", "m8", "schema")
    ),
    ("tests/service/test_demo.py", "tests/service/test_samples.py"),
)
_FIRST = (
    "tests/attacks/test_no_telemetry.py",
    "tests/jobs/test_kill.py",
    "tests/service/test_shared_stores.py",
    "tests/cli/test_publish_client.py",
    "tests/browser/",
    "tests/attacks/test_origins.py",
    "tests/agent/forges/",
    "tests/export/",
    "tests/jobs/",
    "tests/attacks/test_connection_limits.py",
    "tests/attacks/test_anonymous_floods.py",
    "tests/attacks/test_busy_service.py",
    "tests/attacks/test_settings_values.py",
    "tests/api/assistant/test_clients_v5_to_v7.py",
    "tests/cli/",
    "tests/service/",
    "tests/publishing/",
    "tests/agent/",
    "tests/rendering/",
    "tests/api/",
    "tests/assistant/",
    "tests/dashboard/",
)


class Distribution(LoadScopeScheduling):
    """Scheduler that assigns tests in the order of collection."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        for folder in _FOLDERS:
            if file.startswith(folder):
                return folder
        for files in _GROUPS:
            if file in files:
                return files[0]
        is_separate = file.startswith(_ONE_BY_ONE) and file not in _TOGETHER
        return nodeid if is_separate else file


def in_order(items: list[pytest.Item]) -> None:
    """Put the tests that take longest before all others."""
    items.sort(key=lambda item: _rank(item.nodeid))


def _rank(nodeid: str) -> int:
    ranks = (rank for rank, start in enumerate(_FIRST) if nodeid.startswith(start))
    return next(ranks, len(_FIRST))
