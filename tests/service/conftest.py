from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from free_ports import free_port
from running_service import Service

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The demo of the project's own documentation."""
    running = Service(DOCS, tmp_path_factory.mktemp("demo"), free_port(), migrates=True)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def large_source(tmp_path: Path) -> Callable[[int], Path]:
    """Makes a repository of so many pages."""

    def make(pages: int) -> Path:
        folder = tmp_path / "source"
        folder.mkdir()
        names = [f"page-{number}" for number in range(pages)]
        for name in names:
            text = "\n\n".join(f"## Part {n}\n\nText of part {n} of {name}." for n in range(20))
            (folder / f"{name}.mdx").write_text(f"---\ntitle: {name}\n---\n\n{text}\n")
        config = {
            "name": "Large",
            "theme": "mint",
            "colors": {"primary": "#0F766E"},
            "navigation": {"pages": names},
        }
        (folder / "docs.json").write_text(json.dumps(config))
        return folder

    return make
