"""Validation of file names in archives, for all operating systems."""

from __future__ import annotations

import re
import unicodedata

from docstead.base.errors import InvalidRequest

_MAX_BYTES = 1024
_MAX_SEGMENT_BYTES = 255
_MAX_DEPTH = 64
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE
)


class MemberNames:
    """File names of one archive: well-formed, and distinct on all file systems.

    Names that are not `portable` need to be valid on this machine only.
    """

    def __init__(self, *, portable: bool = True, max_depth: int = _MAX_DEPTH) -> None:
        self._portable = portable
        self._max_depth = max_depth
        self._files: set[str] = set()
        self._folders: set[str] = {""}

    @property
    def folder_count(self) -> int:
        """The number of folders so far, also those that only names of files contain."""
        return len(self._folders)

    def file(self, name: str) -> str:
        """Return the path of a file without a leading "./". Raises InvalidRequest."""
        path = self._checked(name)
        key = self._key(path)
        if key in self._files or key in self._folders:
            raise _refused(name, "occurs twice, or differs from another only in case")
        self._add_folders(key.rpartition("/")[0], name)
        self._files.add(key)
        return path

    def folder(self, name: str) -> None:
        """Record a folder. Raises InvalidRequest."""
        if name.rstrip("/") in ("", ".") and not name.startswith("/"):
            return
        self._add_folders(self._key(self._checked(name.removesuffix("/"))), name)

    def _checked(self, name: str) -> str:
        return checked_name(name, portable=self._portable, max_depth=self._max_depth)

    def _key(self, path: str) -> str:
        return folded_name(path) if self._portable else path

    def _add_folders(self, key: str, name: str) -> None:
        while key not in self._folders:
            if key in self._files:
                raise _refused(name, "lies below a name that is a file")
            self._folders.add(key)
            key = key.rpartition("/")[0]


def is_portable(path: str) -> bool:
    """Report whether a path is valid on all operating systems."""
    return _reason(path, portable=True, max_depth=_MAX_DEPTH) is None


def checked_name(name: str, *, portable: bool = True, max_depth: int = _MAX_DEPTH) -> str:
    """Return the name without a leading "./". Raises InvalidRequest with the name."""
    path = name.removeprefix("./")
    reason = _reason(path, portable=portable, max_depth=max_depth)
    if reason is not None:
        raise _refused(name, reason)
    return path


def _reason(path: str, *, portable: bool, max_depth: int) -> str | None:
    if not path or path.startswith("/"):
        return "is empty or absolute"
    if "\\" in path or (portable and ":" in path):
        return "has a backslash or a colon in it"
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in path):
        return "has control characters in it"
    segments = path.split("/")
    if len(path.encode()) > _MAX_BYTES or len(segments) > max_depth:
        return "is too long or too deep"
    rules = (_problem_of_segment, _portability_problem) if portable else (_problem_of_segment,)
    found = (rule(segment) for segment in segments for rule in rules)
    return next((reason for reason in found if reason), None)


def _problem_of_segment(segment: str) -> str | None:
    if segment in ("", ".", ".."):
        return "has an empty, `.` or `..` segment"
    if len(segment.encode()) > _MAX_SEGMENT_BYTES:
        return "has a segment that is too long"
    return None


def _portability_problem(segment: str) -> str | None:
    if segment[-1] in ". " or segment[0] == " ":
        return "has a segment that begins with a space or ends with a dot or a space"
    if _DEVICE.fullmatch(segment):
        return "has the name of a device of Windows"
    return None


def folded_name(path: str) -> str:
    """Normalize a name like a file system that ignores case and Unicode composition."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _refused(name: str, reason: str) -> InvalidRequest:
    shown = name if len(name) <= 200 else f"{name[:200]}…"  # noqa: PLR2004
    return InvalidRequest(f"the archive was rejected: {shown!r} {reason}")
