"""The choice of tests for `make test-fast`."""

from __future__ import annotations

from pathlib import Path

import pytest

from fast_tests import FOLDERS, is_fast, is_fast_path

TESTS = Path(__file__).parent


@pytest.mark.parametrize(
    ("path", "fixtures", "backend", "fast"),
    [
        ("tests/repository/test_links.py", ("tmp_path",), None, True),
        ("tests/limits/test_idempotency.py", ("backend",), "sqlite+disk", True),
        ("tests/limits/test_idempotency.py", ("backend",), "postgres+s3", False),
        ("tests/models/test_providers.py", ("server",), None, False),
        ("tests/browser/test_search.py", (), None, False),
        ("tests/api/assistant/test_search_and_pages.py", (), None, False),
        ("tests/api/test_core.py", (), None, True),
        ("src/docstead/api/errors.py", (), None, False),
    ],
)
def test_a_test_is_fast_without_servers(
    path: str, fixtures: tuple[str, ...], backend: str | None, *, fast: bool
) -> None:
    assert is_fast(path, fixtures, backend) is fast


def test_every_named_folder_has_tests() -> None:
    assert all(any((TESTS / folder).rglob("test_*.py")) for folder in FOLDERS)


@pytest.mark.parametrize("path", ["tests", "tests/conftest.py", "tests/api/agent"])
def test_folders_above_fast_tests_are_collected(path: str) -> None:
    assert is_fast_path(path)
