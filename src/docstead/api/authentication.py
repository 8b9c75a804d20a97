"""Bearer authentication as FastAPI dependencies (docs/guides/keys.mdx).

A key that is missing, malformed, unknown, expired, revoked or of the wrong kind gets 401. A key
without the required scope or from a disallowed IP address gets 403.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Request, Security
from fastapi.security import HTTPBearer
from starlette.concurrency import run_in_threadpool

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.key_records import Caller
from docstead.api.client_address import ClientAddress
from docstead.base.api_keys import KeyKind
from docstead.base.errors import Unauthorized

# Used only for the OpenAPI document. The header is parsed below, so that errors have
# the format of all others.
ADMIN_SCHEME = HTTPBearer(
    scheme_name="AdminKey",
    bearerFormat="svc_…",
    description="Admin API key: secret, for servers only; works on the whole organization.",
    auto_error=False,
)
_ASSISTANT_SCHEME = HTTPBearer(
    scheme_name="AssistantKey",
    bearerFormat="svc_dsc_…",
    description="Assistant API key: works on one deployment only.",
    auto_error=False,
)


class Authentication:
    """Dependencies for admin and assistant keys: `Annotated[Caller, Depends(auth.admin)]`."""

    def __init__(self, api_keys: ApiKeys, client_address: ClientAddress) -> None:
        self._api_keys = api_keys
        self._client_address = client_address

    async def admin(
        self, request: Request, _: Annotated[object, Security(ADMIN_SCHEME)] = None
    ) -> Caller:
        """Return the caller with an admin key.

        Raises:
            Unauthorized: there is no valid admin key. Forbidden: the scope or IP address is not
                allowed.
        """
        return await self._caller(request, KeyKind.ADMIN)

    async def assistant(
        self, request: Request, _: Annotated[object, Security(_ASSISTANT_SCHEME)] = None
    ) -> Caller:
        """Return the caller with an assistant key.

        Raises:
            Unauthorized: there is no valid assistant key. Forbidden: the IP address is not allowed.
        """
        return await self._caller(request, KeyKind.ASSISTANT)

    async def _caller(self, request: Request, kind: KeyKind) -> Caller:
        key = bearer_token(request)
        return await run_in_threadpool(
            self._api_keys.authenticate,
            key,
            kind,
            method=request.method,
            client_ip=self._client_address.of(request),
            origin=request.headers.get("origin"),
        )


def bearer_token(request: Request) -> str:
    """Return the key or token of a request. Raises Unauthorized."""
    scheme, _, token = request.headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("send an API key in the header `Authorization: Bearer <key>`")
    return token.strip()
