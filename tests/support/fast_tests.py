"""Tests of `make test-fast`: pure modules and in-process applications, without servers.

A test is chosen by its file and its fixtures when it is collected, so nothing is started to find
out.
"""

from __future__ import annotations

from collections.abc import Collection

FOLDERS = (
    "accounts",
    "api",
    "assistant",
    "base",
    "content",
    "export",
    "hosting",
    "limits",
    "loading",
    "markup",
    "models",
    "outputs",
    "reference",
    "repository",
    "search",
    "theme",
)
#: Fixtures that start a server, a browser, V8 or processes of the program.
_SERVERS = frozenset({
    "anthropic_client", "diagrams", "jobs", "judge_server", "model_server", "postgres_url",
    "ready", "s3_endpoint", "server",
})  # fmt: skip
#: Files that start one themselves, or take seconds.
_SLOW = (
    "tests/accounts/test_neighbours.py",
    "tests/api/analytics/",
    "tests/api/assistant/",
    "tests/api/mcp/",
    "tests/api/test_publishing.py",
    "tests/api/test_static_export.py",
    "tests/api/test_wrong_values.py",
    "tests/export/test_folder.py",
    "tests/export/test_kill.py",
    "tests/hosting/test_site_paths.py",
    "tests/limits/test_rate_limits.py",
    "tests/markup/test_lexing.py",
    "tests/models/test_embedding.py",
    "tests/reference/test_hostile_specifications.py",
    "tests/repository/test_references.py",
    "tests/theme/test_long_sidebar.py",
)


def is_fast_path(path: str) -> bool:
    """Report whether a path below the project's root may have fast tests."""
    first, _, below = path.partition("/")
    if first != "tests" or path.startswith(_SLOW) or f"{path}/" in _SLOW:
        return False
    folder, slash, _ = below.partition("/")
    return folder in FOLDERS or (not slash and folder == "conftest.py") or not below


def is_fast(path: str, fixtures: Collection[str], backend: str | None) -> bool:
    """Report whether a test of this file with these fixtures and backend needs no server."""
    is_on_postgres = backend is not None and backend.startswith("postgres")
    return is_fast_path(path) and not is_on_postgres and _SERVERS.isdisjoint(fixtures)
