"""GitHub Apps: signed in by a key, working with short-lived tokens."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

from docstead.agent.forges.access import ForgeAccess, GitHubApp
from docstead.agent.forges.client import ForgeClient
from docstead.agent.forges.errors import ForgeUnreachable
from docstead.agent.forges.tokens import InstallationTokens, app_jwt
from docstead.base.clock import rfc3339
from docstead.base.errors import InvalidRequest

SOURCE = "https://github.com/acme/handbook.git"
BRANCH = "docstead/webhooks-0f3c"
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key: Any) -> str:
    form = serialization.PrivateFormat.PKCS8
    encoding, nothing = serialization.Encoding.PEM, serialization.NoEncryption()
    return key.private_bytes(encoding, form, nothing).decode()


@pytest.fixture
def github(harness: Any, github_server: Any, github_proxy: str, key: Any) -> Any:
    github_server.expires_at = rfc3339(harness.clock.now() + HOUR)
    github_server.tokens = set()
    return harness.forge(
        SOURCE, ForgeAccess("app", app=GitHubApp("12345", pem(key)), api_url=github_proxy)
    )


def decoded(part: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def test_the_app_signs_itself_in(key: Any) -> None:
    header, claims, signature = app_jwt(GitHubApp("12345", pem(key)), 1_000_000).split(".")
    assert decoded(header) == {"alg": "RS256", "typ": "JWT"}
    assert decoded(claims) == {"iat": 999_940, "exp": 1_000_540, "iss": "12345"}
    signed = f"{header}.{claims}".encode()
    raw = base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4))
    key.public_key().verify(raw, signed, PKCS1v15(), hashes.SHA256())


def test_a_token_is_made_only_for_the_repository_and_kept(github: Any, github_server: Any) -> None:
    assert github.find(BRANCH) is None
    assert github.find(BRANCH) is None
    assert github_server.app_tokens == [{"repositories": ["handbook"]}]
    assert github.credentials().password == "ghs_1"
    assert github_server.calls[-1].headers["authorization"] == "Bearer ghs_1"


def test_a_token_is_renewed_before_it_expires(
    github: Any, github_server: Any, harness: Any
) -> None:
    github.credentials()
    harness.clock.move_to(harness.clock.now() + HOUR - timedelta(minutes=4))
    github_server.expires_at = rfc3339(harness.clock.now() + HOUR)
    assert github.credentials().password == "ghs_2"


def test_a_known_installation_is_not_looked_up(
    harness: Any, github_server: Any, github_proxy: str, key: Any
) -> None:
    github_server.expires_at = rfc3339(harness.clock.now() + HOUR)
    app = GitHubApp("12345", pem(key), installation_id=7)
    harness.forge(SOURCE, ForgeAccess("app", app=app, api_url=github_proxy)).credentials()
    assert [call.path for call in github_server.calls] == ["/app/installations/7/access_tokens"]


@pytest.mark.parametrize("wrong", ["", "no key", "elliptic"])
def test_a_key_that_is_none(wrong: str) -> None:
    text = pem(ec.generate_private_key(ec.SECP256R1())) if wrong == "elliptic" else wrong
    with pytest.raises(InvalidRequest, match=r"DOCSTEAD_FORGE_CREDENTIALS.*not an RSA key"):
        app_jwt(GitHubApp("12345", text), 0)


@pytest.mark.parametrize("answer", ["text", {}, {"token": "ghs_1", "expires_at": "soon"}])
def test_a_token_of_an_unknown_form_is_an_error_of_the_forge(key: Any, answer: Any) -> None:
    app = GitHubApp("12345", pem(key), installation_id=7)
    client = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(201, json=answer)))
    calls = ForgeClient("GitHub", "https://forge.test", dict, client=client)
    with pytest.raises(ForgeUnreachable, match="GitHub sent an unexpected response"):
        InstallationTokens().token(app, "acme/handbook", calls)
