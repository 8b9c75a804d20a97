from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from running_service import Service, free_port

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The demo of the project's own documentation."""
    running = Service(DOCS, tmp_path_factory.mktemp("demo"), free_port())
    running.start()
    yield running
    running.stop()
