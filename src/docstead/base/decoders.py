"""Typed decoders of msgspec, built one at a time and before they are shared by threads.

msgspec stores what it learns about a type on the type itself, and publishes it before it is
complete: two threads that decode a type for the first time at once end the process with
SIGSEGV (msgspec 0.22.0). All decoders are therefore built here, under a lock: a finished one reads
only types that are complete. Most are constants of their modules, built when these are imported,
before programs start threads.
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")

_building = threading.Lock()


@overload
def json_decoder(kind: type[T]) -> msgspec.json.Decoder[T]: ...
@overload
def json_decoder(kind: Any) -> msgspec.json.Decoder[Any]: ...
def json_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return a decoder of JSON to `kind`, safe to use from any thread."""
    with _building:
        return msgspec.json.Decoder(kind)


@overload
def msgpack_decoder(kind: type[T]) -> msgspec.msgpack.Decoder[T]: ...
@overload
def msgpack_decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]: ...
def msgpack_decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    """Return a decoder of MessagePack to `kind`, safe to use from any thread."""
    with _building:
        return msgspec.msgpack.Decoder(kind)
