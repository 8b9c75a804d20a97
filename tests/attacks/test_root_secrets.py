"""Root secrets that are empty, missing, short or wrong, and installations without a keyring."""

from __future__ import annotations

import hashlib
import hmac
import json
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Tenancy
from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.base.api_keys import KeyKind
from docstead.base.clock import SystemClock
from docstead.base.errors import Forbidden, InvalidRequest
from docstead.settings import Settings, load_settings
from docstead.storage.schema import keyring, projects
from tenancy_changes import set_source

LONG, OTHER = "long and good enough to be a secret", "another one that is long enough, too"
SHORT = "x"
OBJECT = "exports/se_0123456789abcdef/bundle.tar.gz"
TOKEN = "ghp_TokenOfTheSource"


@pytest.fixture
def settings(backend: Any, tmp_path: Path) -> Callable[..., Settings]:
    """Settings of an installation on the database of the test."""

    def make(secret: object = None, data: str = "data") -> Settings:
        return load_settings(data=tmp_path / data, database_url=backend.database_url, secret=secret)

    return make


@pytest.fixture
def opened(settings: Callable[..., Settings]) -> Callable[..., Any]:
    @contextmanager
    def run(secret: object = None, data: str = "data") -> Iterator[AppServices]:
        with open_services(settings(secret, data)) as services:
            yield services

    return run


class Installation:
    """Stored things of an installation, made before there was a keyring."""

    def __init__(self, backend: Any, secret: str) -> None:
        clock = SystemClock()
        tenancy = Tenancy(backend.database, clock)
        organization = tenancy.create_organization("Acme")
        source = f"https://bot:{TOKEN}@git.example/docs.git"
        self.project = tenancy.create_project(organization.id, "Docs", source)
        self.deployment = tenancy.create_deployment(self.project.id, "acme", "acme.example")
        keys = ApiKeys(backend.database, clock, _derived(secret, "api keys"))
        self.admin = keys.create(organization.id, KeyKind.ADMIN, "CI").key
        self.site = keys.site_key(self.deployment)
        self._secret = secret

    def link(self) -> dict[str, str]:
        """A signed link, as it was made then."""
        key = _derived(self._secret, "links")
        expiry = str(int((SystemClock().now() + timedelta(hours=1)).timestamp()))
        message = json.dumps(["GET", OBJECT, expiry, None]).encode()
        return {
            "kid": hashlib.sha256(key).hexdigest()[:8],
            "exp": expiry,
            "sig": hmac.new(key, message, hashlib.sha256).hexdigest(),
        }

    def check(self, services: AppServices) -> None:
        """Every issued key is good."""
        for key, kind in ((self.admin, KeyKind.ADMIN), (self.site, KeyKind.ASSISTANT)):
            services.api_keys.authenticate(key, kind, method="POST", client_ip="192.0.2.1")
        assert services.api_keys.site_key(self.deployment) == self.site
        assert services.tenancy.project(self.project.id).source == self.project.source
        services.signer.verify(OBJECT, **self.link())


def _derived(secret: str, purpose: str) -> bytes:
    return hmac.digest(secret.encode(), purpose.encode(), hashlib.sha256)


def forged(secret: str) -> dict[str, str]:
    key = _derived(secret, "links")
    message = json.dumps(["GET", OBJECT, "99999999999", None]).encode()
    signature = hmac.new(key, message, hashlib.sha256).hexdigest()
    return {"kid": hashlib.sha256(key).hexdigest()[:8], "exp": "99999999999", "sig": signature}


@pytest.mark.parametrize("content", ["", "\n", "  \n\n"])
def test_an_empty_file_is_refused(opened: Any, settings: Any, backend: Any, content: str) -> None:
    Installation(backend, LONG)
    file = settings().data / "secret"
    file.parent.mkdir()
    file.write_text(content)
    with pytest.raises(InvalidRequest, match=f"{file}.*missing.*docstead secret reset"), opened():
        pass
    assert file.read_text() == content


def test_a_link_signed_with_the_empty_secret_is_refused(opened: Any, settings: Any) -> None:
    data = settings().data
    data.mkdir()
    (data / "secret").write_text("")  # what a crash between creating and writing leaves
    with opened() as services:
        services.objects.put(OBJECT, b"bundle")
        client = TestClient(create_service(services))
        assert client.get(f"/_files/{OBJECT}", params=forged("")).status_code == 403
        with pytest.raises(Forbidden):
            services.signer.verify(OBJECT, **forged(""))
    assert len((data / "secret").read_text().strip()) >= 32


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        (SHORT, "at least 32 characters"),
        ("y" * 31, "at least 32 characters"),
        ([LONG, SHORT], "at least 32 characters"),
        ([LONG, " "], "an entry is empty"),
        ([""], "an entry is empty"),
    ],
)
def test_a_new_installation_wants_a_good_secret(opened: Any, secret: Any, said: str) -> None:
    with pytest.raises(InvalidRequest, match=f"DOCSTEAD_SECRET.*{said}"), opened(secret):
        pass


@pytest.mark.parametrize("other", [None, OTHER, SHORT])
def test_a_missing_or_wrong_secret_is_refused(
    opened: Any, settings: Any, other: str | None
) -> None:
    with opened(LONG) as services:
        services.tenancy.create_organization("Acme")
    location = "DOCSTEAD_SECRET" if other else str(settings().data / "secret")
    with pytest.raises(InvalidRequest, match=f"{location}.*docstead secret reset"), opened(other):
        pass
    assert not (settings().data / "secret").exists()
    with opened(LONG):
        pass


def test_a_second_node_makes_no_secret_of_its_own(
    opened: Any, settings: Any, tmp_path: Path
) -> None:
    with opened() as services:
        services.tenancy.create_organization("Acme")
    with pytest.raises(InvalidRequest, match="missing"), opened(None, "second"):
        pass
    assert not (tmp_path / "second" / "secret").exists()


def test_a_fresh_secret_is_for_its_user_only(opened: Any, settings: Any) -> None:
    with opened():
        file = settings().data / "secret"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert len(file.read_text().strip()) >= 32


@pytest.mark.parametrize("given", [LONG, SHORT, f"file {LONG}", f"file {SHORT}"])
def test_installations_of_before_open(
    opened: Any, settings: Any, backend: Any, caplog: Any, given: str
) -> None:
    secret = given.removeprefix("file ")
    before = Installation(backend, secret)
    if given != secret:
        settings().data.mkdir()
        (settings().data / "secret").write_text(f"{secret}\n")
    for _ in range(2):
        with opened(secret if given == secret else None) as services:
            before.check(services)
    is_warned = any("docstead secret rotate" in each for each in caplog.messages)
    assert is_warned == (secret == SHORT)
    with pytest.raises(InvalidRequest), opened(OTHER):
        pass


def test_a_short_secret_stays_as_the_older_one(opened: Any, backend: Any, caplog: Any) -> None:
    before = Installation(backend, SHORT)
    for secret in ([LONG, SHORT], [LONG, SHORT], [LONG]):
        with opened(secret) as services:
            before.check(services)
    assert caplog.messages == []


def test_rotation_keeps_issued_keys(opened: Any, backend: Any) -> None:
    before = Installation(backend, LONG)
    third = "the third of the secrets, long too"
    with opened(LONG) as node:
        old_link = _parts(node.signer.sign(OBJECT, SystemClock().now() + timedelta(hours=1)))
        with opened([OTHER, LONG]) as renewed:
            new_link = _parts(renewed.signer.sign(OBJECT, SystemClock().now() + timedelta(hours=1)))
            assert new_link["kid"] != old_link["kid"]
            for services in (node, renewed):  # the one that was not restarted yet, too
                before.check(services)
                services.signer.verify(OBJECT, **old_link)
                services.signer.verify(OBJECT, **new_link)
        with opened([third, OTHER]) as services:
            before.check(services)
    with opened(third) as services:
        services.keyring.retire()
        with pytest.raises(Forbidden):
            services.signer.verify(OBJECT, **old_link)
        services.api_keys.authenticate(
            before.admin, KeyKind.ADMIN, method="GET", client_ip="192.0.2.1"
        )
    for retired in (LONG, OTHER):
        with pytest.raises(InvalidRequest), opened(retired):
            pass


def test_the_database_holds_no_token_and_no_key(opened: Any, backend: Any) -> None:
    before = Installation(backend, LONG)
    with opened(LONG) as services:
        set_source(services.tenancy, before.project.id, f"https://{TOKEN}2@git.example/docs.git")
        with backend.database.reading() as connection:
            sources = connection.execute(select(projects.c.source)).scalars().all()
            wrapped = connection.execute(select(keyring.c.wrapped)).scalars().all()
        assert TOKEN not in str(sources)
        assert all(each.startswith("https://sealed.") for each in sources)
        assert len(set(wrapped)) == len(wrapped) == 3
        assert services.tenancy.project(before.project.id).source.startswith(f"https://{TOKEN}2@")


def test_a_damaged_keyring_is_refused(opened: Any, backend: Any) -> None:
    with opened(LONG):
        pass
    with backend.database.transaction() as connection:
        connection.execute(keyring.update().values(wrapped="A" * 80))
    with pytest.raises(InvalidRequest, match="damaged"), opened(LONG):
        pass


def _parts(link: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
