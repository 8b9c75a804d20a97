"""Several search files in one response.

A query reads a file for each of its words, and one for each part of the site with results.
Docstead's hosts announce in the index that they join files, so that a query takes few requests.
Other hosts, and bundles opened from a disk, serve one file at a time.

    _docs/search/<digest>/0-t1.0-t4.js
"""

from __future__ import annotations

import re
from collections.abc import Callable

from docstead.base.units import MIB
from docstead.outputs.search_bundle.bundle import FOLDER

INDEX = f"{FOLDER}/index.js"
MOST_JOINED = 24  # as in engine/browser/search/files.ts
MOST_BYTES = 8 * MIB  # of a response; so many files of a large site have less than 1 MB

_FILE = r"\d{1,4}(?:-[trw]\d{0,6})?"  # bundles of earlier versions have "0" and "0-w"
_JOINED = re.compile(
    rf"({FOLDER}/[0-9a-f]{{8,64}}/)({_FILE}(?:\.{_FILE}){{1,{MOST_JOINED - 1}}})\.js"
)


def announcing(index: bytes) -> bytes:
    """Return the index, marked as served by a host that joins files."""
    return index.replace(b"{", b'{"joins":1,', 1)


def joined(path: str, read: Callable[[str], bytes | None]) -> bytes | None:
    """Return the files that `path` names, or None if one does not exist or they are too large.

    Readers can make up any number of such paths, so the result should not be cached.
    """
    match = _JOINED.fullmatch(path)
    if match is None:
        return None
    folder, names = match.groups()
    data = bytearray()
    for name in dict.fromkeys(names.split(".")):
        part = read(f"{folder}{name}.js")
        if part is None or len(data) + len(part) > MOST_BYTES:
            return None
        data += part
    return bytes(data)
