"""Typed decoders of msgspec, built one at a time and before they are shared by threads.

msgspec stores what it learns about a type on the type itself, and publishes it before it is
complete: two threads that decode a type for the first time at once end the process with
SIGSEGV (msgspec 0.22.0). All decoders are therefore built here, under a lock: a finished one reads
only types that are complete. Most are constants of their modules, built when these are imported,
before programs start threads.
"""

from __future__ import annotations

import threading
from typing import Any, Generic, Protocol, TypeVar, overload

import msgspec

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Encoded = bytes | bytearray | memoryview | str

_building = threading.Lock()


class _LibraryDecoder(Protocol[T_co]):
    def decode(self, data: Any, /) -> T_co: ...


class Decoder(Generic[T]):
    """A decoder of msgspec that has one error for all malformed data."""

    __slots__ = ("_decode",)

    def __init__(self, decoder: _LibraryDecoder[T]) -> None:
        self._decode = decoder.decode

    def decode(self, data: Encoded) -> T:
        """Raises `msgspec.DecodeError`.

        The library raises others for deep nesting, and for text that is not UTF-8.
        """
        try:
            return self._decode(data)
        except (RecursionError, UnicodeDecodeError) as error:
            raise msgspec.DecodeError(str(error)) from error


@overload
def json_decoder(kind: type[T]) -> Decoder[T]: ...
@overload
def json_decoder(kind: Any) -> Decoder[Any]: ...
def json_decoder(kind: Any) -> Decoder[Any]:
    """Return a decoder of JSON to `kind`, safe to use from any thread."""
    with _building:
        return Decoder(msgspec.json.Decoder(kind))


@overload
def msgpack_decoder(kind: type[T]) -> Decoder[T]: ...
@overload
def msgpack_decoder(kind: Any) -> Decoder[Any]: ...
def msgpack_decoder(kind: Any) -> Decoder[Any]:
    """Return a decoder of MessagePack to `kind`, safe to use from any thread."""
    with _building:
        return Decoder(msgspec.msgpack.Decoder(kind))


def converted(value: object, kind: Any) -> Any:
    """Return decoded values as `kind`, one conversion at a time; for what is seldom converted.

    Raises `msgspec.ValidationError`.
    """
    with _building:
        return msgspec.convert(value, kind)
