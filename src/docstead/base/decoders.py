"""Typed msgspec decoders, created one at a time before threads share them.

msgspec caches type information on the type itself, and publishes it before it is complete: two
threads that use a type for the first time at once crash the process with SIGSEGV (msgspec 0.22.0).
All decoders are therefore created here, under a lock. Most are module constants, created on import
before threads are started.
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
    """A msgspec decoder with a single error class for malformed data."""

    __slots__ = ("_decode",)

    def __init__(self, decoder: _LibraryDecoder[T]) -> None:
        self._decode = decoder.decode

    def decode(self, data: Encoded) -> T:
        """Decode data.

        The library raises other errors for deep nesting and invalid UTF-8, which are converted.

        Raises:
            msgspec.DecodeError: the data is malformed.
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
    """Return a thread-safe decoder of JSON to `kind`."""
    with _building:
        return Decoder(msgspec.json.Decoder(kind))


@overload
def msgpack_decoder(kind: type[T]) -> Decoder[T]: ...
@overload
def msgpack_decoder(kind: Any) -> Decoder[Any]: ...
def msgpack_decoder(kind: Any) -> Decoder[Any]:
    """Return a thread-safe decoder of MessagePack to `kind`."""
    with _building:
        return Decoder(msgspec.msgpack.Decoder(kind))


def converted(value: object, kind: Any) -> Any:
    """Convert decoded values to `kind`, one conversion at a time; for rare conversions.

    Raises:
        msgspec.ValidationError: the values do not match.
    """
    with _building:
        return msgspec.convert(value, kind)
