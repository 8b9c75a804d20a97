"""Valid paths in a documentation repository."""

from __future__ import annotations

import re
import unicodedata

from docstead.base.errors import InvalidRequest

_LENGTH = 1_000
_NAME_BYTES = 240
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_GIT_NAMES = re.compile(r"\A(\.git|git~\d+)[ .]*(:.*)?\Z", re.IGNORECASE)
_NOT_PORTABLE = frozenset('<>:"|?*')
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_DEVICES = re.compile(r"\A(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\..*)?\Z", re.IGNORECASE)


def check_path(path: str, *, folders: bool = False) -> str:
    """Return a path relative to the documentation root, without a trailing slash.

    With `folders` the root itself is allowed, as "" or ".".

    Raises:
        InvalidRequest: it is not a plain relative path.
    """
    if folders and path in ("", ".", "./"):
        return ""
    bare = path.removeprefix("./")
    bare = bare.rstrip("/") if folders else bare
    reason = _reason_to_refuse(bare)
    if reason:
        raise InvalidRequest(
            f"{path[:200]!r} {reason}; write a path from the documentation root, "
            "such as 'guides/start.mdx'"
        )
    return bare


def check_portable(path: str) -> str:
    """Return the path after verifying that all operating systems support its names.

    Raises:
        InvalidRequest: some do not.
    """
    for name in path.split("/"):
        if _NOT_PORTABLE.intersection(name) or _DEVICES.match(name) or name.endswith((".", " ")):
            raise InvalidRequest(f"{name!r} is not a name that every system can store")
        if len(name.encode()) > _NAME_BYTES:
            raise InvalidRequest(f"a name of {len(name.encode())} bytes is too long")
    if unicodedata.normalize("NFC", path) != path:
        raise InvalidRequest(f"{path!r} is not in Unicode's composed form (NFC)")
    return path


def _reason_to_refuse(path: str) -> str:
    names = path.split("/")
    reasons = {
        "is empty": not path,
        f"has more than {_LENGTH} characters": len(path) > _LENGTH,
        "is not relative": path.startswith(("/", "~")) or _DRIVE.match(path),
        "has a backslash": "\\" in path,
        "has characters that cannot be seen": any(map(_is_unseen, path)),
        "has an empty, '.' or '..' component": not {"", ".", ".."}.isdisjoint(names),
        "belongs to git": any(map(_GIT_NAMES.match, names)),
    }
    return next((reason for reason, found in reasons.items() if found), "")


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in _UNSEEN
