from __future__ import annotations

from collections.abc import Iterator

import pytest

from attacked_service import attacked_service
from running_service import Service


@pytest.fixture(scope="session")
def small_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one page, shared by tests that leave it as it is."""
    service = attacked_service(tmp_path_factory.mktemp("small"))
    service.start()
    yield service
    service.stop()
