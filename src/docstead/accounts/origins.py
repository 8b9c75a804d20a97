"""Origins of web pages that may use an assistant key."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docstead.base.api_keys import KeyKind
from docstead.base.errors import InvalidRequest

_MOST = 100
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?")
_USUAL_PORTS = {"http://": ":80", "https://": ":443"}


def checked_origins(kind: KeyKind, origins: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return the origins in the form that browsers send; None means every page.

    Raises:
        InvalidRequest: an origin is invalid, or the key is not an assistant key.
    """
    if origins is None:
        return None
    if kind is not KeyKind.ASSISTANT:
        raise InvalidRequest("origins: only assistant keys are used in pages")
    known = tuple(dict.fromkeys(map(_origin, origins)))
    if not 0 < len(known) <= _MOST:
        raise InvalidRequest(
            f"origins: must be 1 to {_MOST} origins such as https://shop.example.com"
        )
    return known


def _origin(text: str) -> str:
    origin = text.strip().lower().removesuffix("/")
    if not _ORIGIN.fullmatch(origin):
        raise InvalidRequest(
            f"origins: {text!r} is not an origin such as https://shop.example.com, without a path"
        )
    usual = next(port for scheme, port in _USUAL_PORTS.items() if origin.startswith(scheme))
    return origin.removesuffix(usual)
