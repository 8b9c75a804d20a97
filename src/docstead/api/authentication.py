"""Bearer authentication, as dependencies of the routes (docs/guides/keys.mdx).

Every failure is an error of the tree: 401 for a key that is missing, malformed, unknown,
expired, revoked or of the other kind; 403 for one that may not do this from here.
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

# These only describe the schemes in the OpenAPI document: the header is read below, so
# that its failures become errors of our own tree.
ADMIN_SCHEME = HTTPBearer(
    scheme_name="AdminKey",
    bearerFormat="svc_…",
    description="Admin API key: secret, for servers only; works on the whole organization.",
    auto_error=False,
)
_ASSISTANT_SCHEME = HTTPBearer(
    scheme_name="AssistantKey",
    bearerFormat="svc_dsc_…",
    description="Assistant API key: works on the one deployment that it was made for.",
    auto_error=False,
)


class Authentication:
    """The dependencies `admin` and `assistant`: `Annotated[Caller, Depends(auth.admin)]`."""

    def __init__(self, api_keys: ApiKeys, client_address: ClientAddress) -> None:
        self._api_keys = api_keys
        self._client_address = client_address

    async def admin(
        self, request: Request, _: Annotated[object, Security(ADMIN_SCHEME)] = None
    ) -> Caller:
        """The caller behind an admin key.

        Raises:
            Unauthorized: no valid admin key. Forbidden: scope or address not allowed.
        """
        return await self._caller(request, KeyKind.ADMIN)

    async def assistant(
        self, request: Request, _: Annotated[object, Security(_ASSISTANT_SCHEME)] = None
    ) -> Caller:
        """The caller behind an assistant key.

        Raises:
            Unauthorized: no valid assistant key. Forbidden: address not allowed.
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
    """The key or token of a request. Raises Unauthorized."""
    scheme, _, token = request.headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("send an API key in the header `Authorization: Bearer <key>`")
    return token.strip()
