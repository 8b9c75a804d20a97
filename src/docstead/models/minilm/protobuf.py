"""Minimal protocol buffers, as lists of fields, for editing a model file.

Unknown fields are written unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_MORE, _LOW = 0x80, 0x7F  # bits of each byte of a varint: continuation and value
_SIZES = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}


class ProtobufField(NamedTuple):
    """A field: number, wire type, and raw value."""

    number: int
    kind: int
    value: bytes


def read(message: bytes) -> Iterator[ProtobufField]:
    """Yield the fields of a message, in order. Raises ValueError for invalid data."""
    position = 0
    while position < len(message):
        tag, position = _number(message, position)
        kind, start = tag & 7, position
        if kind == _VARINT:
            _, position = _number(message, position)
        elif kind == _BYTES:
            size, start = _number(message, position)
            position = start + size
        elif kind in _SIZES:
            position += _SIZES[kind]
        else:
            raise ValueError(f"no field is of kind {kind}")
        if position > len(message):
            raise ValueError("the message ends within a field")
        yield ProtobufField(tag >> 3, kind, message[start:position])


def write(fields: Iterable[ProtobufField]) -> bytes:
    return b"".join(map(_written, fields))


def number(field: int, value: int) -> ProtobufField:
    """Return a field with a non-negative number."""
    return ProtobufField(field, _VARINT, _varint(value))


def text(field: int, value: str) -> ProtobufField:
    return ProtobufField(field, _BYTES, value.encode())


def message(field: int, fields: Iterable[ProtobufField]) -> ProtobufField:
    """Return a field with a nested message."""
    return ProtobufField(field, _BYTES, write(fields))


def content(field: int, value: bytes) -> ProtobufField:
    return ProtobufField(field, _BYTES, value)


def _written(field: ProtobufField) -> bytes:
    head = _varint(field.number << 3 | field.kind)
    size = _varint(len(field.value)) if field.kind == _BYTES else b""
    return head + size + field.value


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value > _LOW:
        parts.append(value & _LOW | _MORE)
        value >>= 7
    return bytes((*parts, value))


def _number(message: bytes, position: int) -> tuple[int, int]:
    """Return a varint and its end."""
    value = shift = 0
    for end in range(position, min(position + 10, len(message))):
        value |= (message[end] & _LOW) << shift
        shift += 7
        if message[end] < _MORE:
            return value, end + 1
    raise ValueError("a number has no end")
