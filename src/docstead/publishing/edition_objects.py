"""Names of edition files, which contain the SHA-256 of their contents.

Stored editions and their copies are verified against their names, so that damaged files are
detected. Names of older versions have no digest.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from docstead.base.errors import NotFound
from docstead.base.files import sha256_of_file
from docstead.storage.objects import ObjectStore

FOLDER = "editions"
_NAME = re.compile(r"(?P<edition>[A-Za-z0-9_]+)(?:\.(?P<sha256>[0-9a-f]{64}))?\.sqlite")


def object_key(edition_id: str, sha256: str) -> str:
    """Return the object key of an edition's file."""
    return f"{FOLDER}/{edition_id}.{sha256}.sqlite"


def edition_of(name: str) -> str | None:
    """Return the id of the edition with this file name; None for other names."""
    found = _NAME.fullmatch(name)
    return found["edition"] if found else None


def is_sound_file(path: Path) -> bool:
    """Report whether a copy matches the digest in its name.

    Raises:
        OSError: the file cannot be read.
    """
    promised = _promised(path.name)
    return path.stat().st_size > 0 and promised in (None, sha256_of_file(path))


def is_sound_object(objects: ObjectStore, key: str) -> bool:
    """Report whether an object matches the digest in its key; False for keys without one."""
    promised = _promised(key.rpartition("/")[2])
    try:
        return promised is not None and promised == _sha256(objects.stream(key))
    except NotFound:
        return False


def sync(path: Path) -> None:
    """Flush a file and its directory entry to disk."""
    for each, flags in ((path, os.O_RDONLY), (path.parent, os.O_RDONLY | os.O_DIRECTORY)):
        descriptor = os.open(each, flags)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _promised(name: str) -> str | None:
    found = _NAME.fullmatch(name)
    return found["sha256"] if found else None


def _sha256(blocks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()
