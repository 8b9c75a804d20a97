"""Client of a running service: local with a proof, remote with an admin key."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from docstead.app.databases import opened_database
from docstead.app.keys import keyring_of
from docstead.base.clock import SystemClock
from docstead.base.errors import (
    Conflict,
    DocsteadError,
    Forbidden,
    InvalidRequest,
    NotFound,
    SourceUnreadable,
    Unauthorized,
    Unavailable,
)
from docstead.base.local_proof import Challenge, is_same, new_nonce
from docstead.base.units import MINUTE_SECONDS
from docstead.cli.announcement import Announcement, read_announcement
from docstead.publishing.publications import Destination
from docstead.publishing.sources import DocumentationSource
from docstead.settings import Settings

_SESSION = "/v1/local-session"
_PUBLISHING = "/v1/publishing"
_SECONDS = httpx.Timeout(10.0, write=MINUTE_SECONDS, read=MINUTE_SECONDS)
_ASK_SECONDS = 5.0
_HTTP_PORT = 80
_ALIVE = {"status": "ok"}
_BLOCK_BYTES = 1 << 16
_ERRORS = {
    each.status: each
    for each in (Conflict, Forbidden, InvalidRequest, NotFound, SourceUnreadable, Unauthorized)
}


class ServiceClient:
    """Publishes through a service.

    `token` is an admin key, or the token of a local session, which `renew` replaces.
    """

    def __init__(self, url: str, token: str, renew: Callable[[], str | None] | None = None) -> None:
        self.url = url.rstrip("/")
        self._token = token
        self._renew = renew
        logging.getLogger("httpx").setLevel(logging.WARNING)
        # Proxies of the environment are not for this machine.
        self._client = httpx.Client(base_url=self.url, timeout=_SECONDS, trust_env=renew is None)

    def __enter__(self) -> ServiceClient:
        return self

    def __exit__(self, kind: type | None, error: object, trace: TracebackType | None) -> None:
        self._client.close()

    def publish_source(self, to: Destination, source: DocumentationSource) -> str:
        """Start publishing a source that the service reads; return the update's id.

        Raises:
            SourceUnreadable: the service cannot read the folder.
        """
        body = {"source": source.location, "ref": source.ref, "root": source.root}
        path = f"{_PUBLISHING}/{to.domain}"
        return str(self._call("POST", path, json={**body, "hostname": to.hostname})["statusId"])

    def publish_archive(self, to: Destination, archive: Path) -> str:
        """Upload an archive and start publishing it; return the update's id."""
        query = {"hostname": to.hostname} if to.hostname else {}
        headers = {
            "Content-Type": "application/gzip",
            "Content-Length": str(archive.stat().st_size),
        }
        path = f"{_PUBLISHING}/{to.domain}"
        found = self._call("POST", path, params=query, headers=headers, content=_blocks(archive))
        return str(found["statusId"])

    def status(self, update_id: str) -> dict[str, Any]:
        return self._call("GET", f"{_PUBLISHING}/updates/{update_id}")

    def _call(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        try:
            return self._once(method, path, **more)
        except Unauthorized:  # the service was restarted in the meantime
            renewed = self._renew() if self._renew else None
            if self._renew is None:
                message = "the service does not accept the key; correct --key or DOCSTEAD_ADMIN_KEY"
                raise Unauthorized(message) from None
            if renewed is None:
                raise
            self._token = renewed
            return self._once(method, path, **more)

    def _once(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}", **more.pop("headers", {})}
        try:
            response = self._client.request(method, path, headers=headers, **more)
            found = response.json() if response.content else {}
        except httpx.HTTPError as error:
            raise Unavailable(
                f"{self.url}: the service does not answer ({error}); start it, or correct its URL"
            ) from error
        except ValueError as error:
            raise Unavailable(
                f"{self.url}: a published site or another program answers at this URL; "
                "use the URL of the service (DOCSTEAD_BASE_URL)"
            ) from error
        if response.is_success and isinstance(found, dict):
            return found
        message = found.get("error") if isinstance(found, dict) else None
        kind = _ERRORS.get(response.status_code, DocsteadError)
        raise kind(str(message or f"{self.url}: status {response.status_code}"))


def running_service(settings: Settings) -> Announcement | None:
    """Return the running service of the data folder, or None if it does not answer."""
    found = read_announcement(settings.data)
    return found if found is not None and is_answered(found.url) else None


def is_answered(url: str) -> bool:
    """Report whether a Docstead service answers at a URL."""
    try:
        found = httpx.get(f"{url}/livez", timeout=_ASK_SECONDS, trust_env=False)
        return bool(found.json() == _ALIVE)
    except (httpx.HTTPError, ValueError):
        return False


@contextmanager
def local_client(settings: Settings) -> Iterator[ServiceClient | None]:
    """Yield a client of the data folder's running service, or None."""
    found = running_service(settings)
    url = found.url if found else ""
    token = _token(settings, url) if url else None
    if token is None:
        yield None
        return
    with ServiceClient(url, token, lambda: _token(settings, url)) as client:
        yield client


def _token(settings: Settings, url: str) -> str | None:
    """Return a local session's token, or None if the service uses a different keyring."""
    with opened_database(settings) as database:
        key = keyring_of(settings, database, SystemClock()).commands_key
    try:
        with httpx.Client(base_url=url, timeout=_ASK_SECONDS, trust_env=False) as client:
            return _opened_session(client, key)
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return None


def _opened_session(client: httpx.Client, key: bytes) -> str | None:
    nonce = new_nonce()
    asked = client.post(f"{_SESSION}/challenge", json={"nonce": nonce}).raise_for_status().json()
    challenge = Challenge(nonce, str(asked["nonce"]), client.base_url.port or _HTTP_PORT)
    if not is_same(str(asked["proof"]), challenge.proof_of_service(key)):
        return None
    proof = {"nonce": challenge.service, "proof": challenge.proof_of_command(key)}
    return str(client.post(_SESSION, json=proof).raise_for_status().json()["token"])


def _blocks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as data:
        while block := data.read(_BLOCK_BYTES):
            yield block
