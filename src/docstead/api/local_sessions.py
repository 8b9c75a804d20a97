"""Authentication of operator commands on the service's own machine, without API keys.

A command proves that it can read the keyring (`base.local_proof`) and gets a token. Tokens are
accepted only from this machine and not through proxies, and are valid until the process ends.
"""

import secrets
import threading
import time
from collections import OrderedDict
from ipaddress import ip_address
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from docstead.api.json_body import BodyModel, body_of
from docstead.api.routers import new_router
from docstead.base.errors import Forbidden, Unauthorized
from docstead.base.local_proof import Challenge, is_same, new_nonce

PREFIX = "local_"
PATH = "/v1/local-session"

_CHALLENGE_SECONDS = 60.0
_TOKEN_SECONDS = 86_400.0
_MOST = 1_000  # maximum number of challenges, and of tokens
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


class _ExpiringSessions:
    """A bounded set of values with an expiry time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._values: OrderedDict[str, tuple[float, Challenge]] = OrderedDict()

    def add(self, name: str, value: Challenge) -> None:
        self._values[name] = (time.monotonic() + self._seconds, value)
        if len(self._values) > _MOST:
            self._values.popitem(last=False)

    def get(self, name: str) -> Challenge | None:
        until, value = self._values.get(name, (0.0, None))
        return value if until > time.monotonic() else None

    def pop(self, name: str) -> Challenge | None:
        value = self.get(name)
        self._values.pop(name, None)
        return value


class LocalSessions:
    """Challenges and tokens of this process. `key` is derived from the keyring. Thread-safe."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._challenges = _ExpiringSessions(_CHALLENGE_SECONDS)
        self._tokens = _ExpiringSessions(_TOKEN_SECONDS)
        self._lock = threading.Lock()

    def challenge(self, command_nonce: str, port: int) -> tuple[str, str]:
        """Return a nonce of the service, and its proof."""
        challenge = Challenge(command_nonce, new_nonce(), port)
        with self._lock:
            self._challenges.add(challenge.service, challenge)
        return challenge.service, challenge.proof_of_service(self._key)

    def open(self, nonce: str, proof: str) -> str:
        """Return a token for a command that has proved knowledge of the key.

        Raises:
            Unauthorized: the proof is invalid, expired or already used.
        """
        with self._lock:
            challenge = self._challenges.pop(nonce)
        if challenge is None or not is_same(proof, challenge.proof_of_command(self._key)):
            raise Unauthorized("the proof is invalid or expired")
        token = f"{PREFIX}{secrets.token_hex(32)}"
        with self._lock:
            self._tokens.add(token, challenge)
        return token

    def check(self, token: str) -> None:
        """Verify a token.

        Raises:
            Unauthorized: the token is unknown.
        """
        with self._lock:
            known = self._tokens.get(token)
        if known is None:
            raise Unauthorized("the session has expired; run the command again")


class ChallengeRequest(BodyModel):
    """Nonce of a command."""

    nonce: Annotated[str, Field(min_length=16, max_length=128)]


class SessionRequest(BodyModel):
    """Nonce of the service, and the command's proof."""

    nonce: Annotated[str, Field(max_length=128)]
    proof: Annotated[str, Field(max_length=128)]


def local_session_routes(sessions: LocalSessions) -> APIRouter:
    """Return the routes by which a local command gets a token."""
    router = new_router(prefix=PATH, include_in_schema=False, dependencies=[Depends(check_local)])

    @router.post("/challenge", name="challengeLocalSession")
    def challenge(
        request: Request, body: Annotated[ChallengeRequest, Depends(body_of(ChallengeRequest))]
    ) -> dict[str, str]:
        nonce, proof = sessions.challenge(body.nonce, _own_port(request))
        return {"nonce": nonce, "proof": proof}

    @router.post("", name="openLocalSession")
    def open_session(
        body: Annotated[SessionRequest, Depends(body_of(SessionRequest))],
    ) -> dict[str, str]:
        return {"token": sessions.open(body.nonce, body.proof)}

    return router


def check_local(request: Request) -> None:
    """Verify that a request comes from this machine and not through a proxy.

    Raises:
        Forbidden: it does not.
    """
    client = request.client.host if request.client else ""
    own = (request.scope.get("server") or ("", 0))[0]
    if any(name in request.headers for name in _FORWARDED) or not _is_here(client, own):
        raise Forbidden("only commands on the service's own machine are allowed")


def _is_here(client: str, own: str) -> bool:
    try:
        address = ip_address(client)
    except ValueError:
        return False
    return address.is_loopback or client == own


def _own_port(request: Request) -> int:
    return int((request.scope.get("server") or ("", 0))[1] or 0)
