"""Fixtures: handmade repositories in a temporary folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docstead.content.pages import Repository
from docstead.loading.loader import load_repository

Files = dict[str, str | bytes]
Load = Callable[..., Repository]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Files], Path]:
    """Return a function that writes files by path and returns the root."""

    def write(files: Files) -> Path:
        root = tmp_path / "repository"
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write


@pytest.fixture
def load(write: Callable[[Files], Path]) -> Load:
    """Return a function that loads files with a `docs.json` of this navigation and other keys."""

    def load(files: Files, navigation: Any = None, **settings: Any) -> Repository:
        pages = {"groups": [{"group": "All", "pages": ["index"]}]}
        document = {
            "theme": "mint",
            "name": "Acme",
            "colors": {"primary": "#123456"},
            "navigation": pages if navigation is None else navigation,
            **settings,
        }
        own = {"docs.json": json.dumps(document, indent=2)}
        return load_repository(write({"index.mdx": "# Hello\n", **own, **files}))

    return load
