"""The services of pages: a key that is revoked, and a database that cannot record one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from docstead.base.errors import StoreUnavailable
from docstead.hosting import page_services, response_cache
from docstead.hosting.application import HostingApp
from docstead.theme.external_services import NOTHING, AssistantLink, ExternalServices

PAGE = "http://docs.acme.test/quickstart"
PANEL = ExternalServices(AssistantLink("https://service.test/discovery", "acme", "svc_dsc_1"))


class Asked:
    """The database: what it answers, and how often it was asked."""

    def __init__(self) -> None:
        self.now = 100.0
        self.times = 0
        self.answer = PANEL
        self.is_full = False

    def services(self, _: object) -> ExternalServices:
        self.times += 1
        if self.is_full:
            raise StoreUnavailable("the disk of the database is full")
        return self.answer


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    asked = Asked()
    for module in (page_services, response_cache):
        monkeypatch.setattr(module, "monotonic", lambda: asked.now)
    return asked


@pytest.fixture
def has_key(world: Any, acme: Any, asked: Asked) -> Callable[[], bool]:
    hosting: HostingApp = world.hosting(external_services=asked.services)

    def found() -> bool:
        answer = world.get(PAGE, hosting=hosting)
        assert answer.status_code == 200
        return "svc_dsc_1" in answer.text

    return found


def test_a_revoked_key_leaves_pages_that_were_sent(asked: Asked, has_key: Any) -> None:
    assert has_key()
    asked.answer = NOTHING
    assert has_key()
    asked.now += 2
    assert not has_key()


def test_the_key_is_asked_for_every_two_seconds(world: Any, asked: Asked, has_key: Any) -> None:
    for seconds in (0, 1.9, 0.1, 1.9):
        asked.now += seconds
        assert has_key()
    assert asked.times == 2


def test_a_site_that_is_opened_on_a_full_disk_has_no_panel(asked: Asked, has_key: Any) -> None:
    asked.is_full = True
    assert not has_key()
    asked.is_full = False
    asked.now += 2
    assert has_key()


def test_an_open_site_keeps_its_panel_on_a_full_disk(asked: Asked, has_key: Any) -> None:
    assert has_key()
    asked.is_full = True
    asked.now += 2
    assert has_key()
