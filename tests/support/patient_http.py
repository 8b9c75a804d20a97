"""HTTP requests of tests, which wait for an answer however slow the machine is."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import httpx

_SECONDS = 120.0


def get(url: str, **more: Any) -> httpx.Response:
    return request("GET", url, **more)


def post(url: str, **more: Any) -> httpx.Response:
    return request("POST", url, **more)


def request(method: str, url: str, **more: Any) -> httpx.Response:
    return httpx.request(method, url, **{"timeout": _SECONDS, **more})


def stream(method: str, url: str, **more: Any) -> AbstractContextManager[httpx.Response]:
    return httpx.stream(method, url, **{"timeout": _SECONDS, **more})
