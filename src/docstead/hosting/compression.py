"""Compressed forms of texts: Brotli and gzip."""

from __future__ import annotations

import gzip
from functools import lru_cache

import brotli

from docstead.base.conditions import Coding
from docstead.base.units import KIB

_BROTLI_QUALITY = 5  # takes as long as gzip 6, for 6 % fewer bytes of HTML
_GZIP_LEVEL = 6
_BEST_BROTLI_QUALITY = 11  # takes about 1.5 ms for each kB
_BEST_GZIP_LEVEL = 9
_BEST_UP_TO_BYTES = 256 * KIB
_FILES_KEPT = 64


class CompressedForms:
    """Compressed forms of a text, each made on first use.

    `is_shared` texts belong to all pages of a site and are compressed as far as possible.
    """

    def __init__(self, data: bytes, *, is_shared: bool = False) -> None:
        is_best = is_shared and len(data) <= _BEST_UP_TO_BYTES
        self._compress = _compressed_best if is_best else _compressed
        self._data = data
        self._forms: dict[Coding, bytes] = {}

    def form(self, coding: Coding) -> bytes:
        if coding not in self._forms:
            self._forms[coding] = self._compress(self._data, coding)
        return self._forms[coding]


def _compressed(
    data: bytes, coding: Coding, brotli_quality: int = _BROTLI_QUALITY, level: int = _GZIP_LEVEL
) -> bytes:
    if coding == "br":
        return bytes(brotli.compress(data, mode=brotli.MODE_TEXT, quality=brotli_quality))
    return gzip.compress(data, level, mtime=0)


@lru_cache(_FILES_KEPT)  # sites and editions have most of these files in common
def _compressed_best(data: bytes, coding: Coding) -> bytes:
    return _compressed(data, coding, _BEST_BROTLI_QUALITY, _BEST_GZIP_LEVEL)
