"""CRC-32 of data whose parts are known by theirs, as `crc32_combine` of zlib computes it."""

from __future__ import annotations

_POLYNOMIAL = 0xEDB88320
_ONE = 1 << 31  # polynomials are reflected: the highest bit is the constant term
_BITS_OF_A_BYTE = 3  # as a power of two
_PERIOD = 32  # of the powers in `_SQUARES`


def combined_crc(first: int, second: int, second_bytes: int) -> int:
    """Return the CRC-32 of data with the CRC `first`, followed by data with the CRC `second`."""
    return _product(_power(second_bytes, _BITS_OF_A_BYTE), first) ^ second


def _product(a: int, b: int) -> int:
    """Return a times b, modulo the polynomial."""
    product, bit = 0, _ONE
    while a:
        if a & bit:
            product ^= b
            a ^= bit
        bit >>= 1
        b = (b >> 1) ^ _POLYNOMIAL if b & 1 else b >> 1
    return product


def _squares() -> tuple[int, ...]:
    """Return x to the powers 1, 2, 4, 8 and so on, modulo the polynomial."""
    squares = [_ONE >> 1]
    while len(squares) < _PERIOD:
        squares.append(_product(squares[-1], squares[-1]))
    return tuple(squares)


_SQUARES = _squares()


def _power(n: int, shift: int) -> int:
    """Return x to the power n * 2**shift, modulo the polynomial."""
    power = _ONE
    while n:
        if n & 1:
            power = _product(_SQUARES[shift % _PERIOD], power)
        n >>= 1
        shift += 1
    return power
