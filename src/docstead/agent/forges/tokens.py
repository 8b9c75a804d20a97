"""API tokens from the settings, or created by GitHub for an App."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from docstead.agent.forges.access import GitHubApp
from docstead.agent.forges.client import ForgeClient, expected
from docstead.base.errors import InvalidRequest

TokenSource = Callable[[], str]

# GitHub allows ten minutes; the rest is for clock differences
_BACKDATED_SECONDS = 60
_JWT_SECONDS = 9 * 60
_RENEWED_SECONDS = 5 * 60  # renew before expiry, because a push may take a while


@dataclass
class InstallationTokens:
    """Cached installation tokens, replaced shortly before they expire."""

    _kept: dict[tuple[str, str, str], tuple[str, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def token(self, app: GitHubApp, repository: str, calls: ForgeClient) -> str:
        """Return a token for this repository; `calls` authenticate with `app_jwt`."""
        key = (calls.api_url, app.id, repository)
        with self._lock:
            known = self._kept.get(key)
            if known is None or known[1] - calls.now() < _RENEWED_SECONDS:
                known = self._kept[key] = _fresh(app, repository, calls)
        return known[0]


def _fresh(app: GitHubApp, repository: str, calls: ForgeClient) -> tuple[str, float]:
    installation = app.installation_id
    if installation is None:
        found = calls.get(f"/repos/{repository}/installation")
        with expected("GitHub"):
            installation = found["id"]
    name = repository.rpartition("/")[2]
    body: Mapping[str, Any] = {"repositories": [name]}  # limited to this repository
    answer = calls.post(f"/app/installations/{installation}/access_tokens", body)
    with expected("GitHub"):
        return answer["token"], datetime.fromisoformat(answer["expires_at"]).timestamp()


def app_jwt(app: GitHubApp, now: float) -> str:
    """Return the JWT (RS256) with which an App authenticates.

    Raises:
        InvalidRequest: its private key is invalid.
    """
    issued = int(now) - _BACKDATED_SECONDS
    claims = {"iat": issued, "exp": int(now) + _JWT_SECONDS, "iss": app.id}
    signed = f"{_encoded({'alg': 'RS256', 'typ': 'JWT'})}.{_encoded(claims)}"
    signature = _private_key(app).sign(signed.encode(), PKCS1v15(), hashes.SHA256())
    return f"{signed}.{_base64(signature)}"


def _private_key(app: GitHubApp) -> RSAPrivateKey:
    try:
        key = load_pem_private_key(app.private_key.encode(), password=None)
    except (ValueError, TypeError) as error:
        raise InvalidRequest(_NO_KEY) from error
    if not isinstance(key, RSAPrivateKey):
        raise InvalidRequest(_NO_KEY)
    return key


_NO_KEY = "DOCSTEAD_FORGE_CREDENTIALS: the private key of the GitHub App is not an RSA key in PEM"


def _encoded(value: Mapping[str, Any]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
