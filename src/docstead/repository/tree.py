"""Listing of a repository's publishable files, without leaving its root.

Symbolic links are followed only to targets within the root that are not ignored; others are
reported. Directories are entered once. Bundles that an export wrote into the repository, and tagged
caches, are left out: they are not its content.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from unicodedata import normalize

from docstead.base.errors import SourceUnreadable
from docstead.base.units import KIB
from docstead.content.reserved import BUNDLE_MARKER, CACHE_SIGNATURE, CACHE_TAG
from docstead.repository.patterns import PathPatterns, check_pattern
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.tree_limits import TreeLimits

IGNORE_FILES = (".docsignore", ".mintignore")
_MOST_IGNORE_BYTES = 64 * KIB  # of patterns; the largest known file has 210 bytes
IGNORED_NAMES = frozenset(
    {
        "node_modules",
        "build",
        "dist",
        "coverage",
        "tmp",
        "temp",
        "README.md",
        "LICENSE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "AGENTS.md",
        "CLAUDE.md",
    }
)
# Files of development tools next to pages, which sites do not need.
_TOOLING = re.compile(
    r"(?:package|composer|deno|lerna|nx|turbo|vercel|renovate|cspell|biome|_category_)\.jsonc?"
    r"|(?:[\w.-]+-lock|npm-shrinkwrap|[tj]sconfig(?:\.[\w-]+)?)\.(?:json|ya?ml)"
    r"|(?:pnpm-workspace|mkdocs|redocly|codecov|crowdin|Taskfile)\.ya?ml"
    r"|[\w.-]+\.config\.(?:[cm]?js|json|ya?ml)"
)
_SHOWN_CHARACTERS = 200  # of an invalid pattern
SHOWN_DOT_NAMES = frozenset({".well-known"})


class IgnoreRules:
    """Built-in ignore rules and those of the repository, with the syntax of `.gitignore`."""

    def __init__(self, patterns: list[str]) -> None:
        self._patterns = PathPatterns(patterns)

    def covers(self, path: str, *, directory: bool) -> bool:
        """Report whether this file or directory is ignored, without checking its parents."""
        chosen = self._patterns.decide(f"{path}/" if directory else path)
        return _built_in(path.rpartition("/")[2]) if chosen is None else chosen

    def covers_any_part(self, path: str) -> bool:
        """Report whether this file or one of its parents is ignored."""
        parts = path.split("/")
        parents = ("/".join(parts[:end]) for end in range(1, len(parts)))
        return self.covers(path, directory=False) or any(
            self.covers(parent, directory=True) for parent in parents
        )


def _built_in(name: str) -> bool:
    is_hidden = name.startswith(".") and name not in SHOWN_DOT_NAMES
    return is_hidden or name in IGNORED_NAMES or _TOOLING.fullmatch(name) is not None


def read_ignore(root: Path, diagnostics: Diagnostics) -> IgnoreRules:
    """Return the ignore rules of a repository; invalid lines are reported and skipped.

    Raises:
        SourceUnreadable: a file is too large. Without it, files would be published by mistake.
    """
    patterns: list[str] = []
    for name in IGNORE_FILES:
        path = root / name
        if path.is_file() and path.resolve().is_relative_to(root):
            patterns += _patterns(name, _ignore_text(path), diagnostics)
    return IgnoreRules(patterns)


def _ignore_text(path: Path) -> str:
    with path.open("rb") as stream:
        data = stream.read(_MOST_IGNORE_BYTES + 1)
    if len(data) > _MOST_IGNORE_BYTES:
        position = FilePosition(path.name, data.count(b"\n", 0, _MOST_IGNORE_BYTES) + 1, 1)
        most = f"{_MOST_IGNORE_BYTES // KIB} KB"
        advice = "list folders or use wildcards instead of single files"
        raise SourceUnreadable(f"{position}: the file is larger than {most}; {advice}")
    return data.decode("utf-8", errors="replace")


def _patterns(name: str, text: str, diagnostics: Diagnostics) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        try:
            check_pattern(line)
        except ValueError:
            position, shown = FilePosition(name, number, 1), line[:_SHOWN_CHARACTERS]
            diagnostics.warning(
                position, "ignore-syntax", f"not a pattern: {shown!r}", "Remove the line."
            )
        else:
            yield line


def list_files(
    root: Path, ignore: IgnoreRules, diagnostics: Diagnostics, limits: TreeLimits | None = None
) -> list[str]:
    """Return sorted root-relative paths of all regular files that are not ignored.

    Raises:
        SourceTooLarge: there are more files, or deeper folders, than `limits` allow.
    """
    found = []
    for path in _TreeWalk(root, ignore, diagnostics, limits).files():
        found.append(path)
        if limits is not None:
            limits.check_count(len(found))
    return sorted(found)


def report_equal_names(paths: Iterable[str], diagnostics: Diagnostics) -> None:
    """Report files that are equal on case-insensitive systems such as Windows and macOS."""
    seen: dict[str, str] = {}
    for path in paths:
        other = seen.setdefault(normalize("NFC", path).casefold(), path)
        if other != path:
            message = f"the name differs from {other!r} only in case or in the form of its letters"
            hint = "Rename one of them: Windows and macOS keep only one."
            diagnostics.warning(FilePosition(path), "equal-names", message, hint)


class _TreeWalk:
    def __init__(
        self, root: Path, ignore: IgnoreRules, diagnostics: Diagnostics, limits: TreeLimits | None
    ) -> None:
        self._root = root
        self._ignore = ignore
        self._limits = limits
        self._diagnostics = diagnostics
        self._entered = {root.resolve()}

    def files(self) -> Iterator[str]:
        waiting = [""]
        while waiting:
            directory = waiting.pop()
            if self._limits is not None:
                self._limits.check_depth(directory)
            if directory and (self._is_bundle(directory) or self._is_cache(directory)):
                continue
            for entry in self._entries(directory):
                path = f"{directory}{entry.name}"
                if not self._is_read(entry, path):
                    continue
                if entry.is_dir():
                    waiting.append(f"{path}/")
                elif entry.is_file():
                    yield path

    def _is_bundle(self, directory: str) -> bool:
        return (self._root / f"{directory}{BUNDLE_MARKER}").is_file()

    def _is_cache(self, directory: str) -> bool:
        tag = self._root / f"{directory}{CACHE_TAG}"
        if not tag.is_file():
            return False
        with suppress(OSError), tag.open("rb") as file:
            return file.read(len(CACHE_SIGNATURE)) == CACHE_SIGNATURE.encode()
        return False

    def _entries(self, directory: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._root / directory) as found:
                return list(found)
        except OSError as error:
            position = FilePosition(directory.rstrip("/") or ".")
            reason = error.strerror or "not readable"
            hint = "Give the service the right to read it."
            self._diagnostics.warning(
                position, "unreadable-directory", f"cannot be read: {reason}", hint
            )
            return []

    def _is_read(self, entry: os.DirEntry[str], path: str) -> bool:
        if self._ignore.covers(path, directory=entry.is_dir(follow_symlinks=False)):
            return False
        if not _is_safe(entry.name):
            shown = path.encode("utf-8", "backslashreplace").decode()
            message = (
                "the name contains a backslash, a control character or bytes that are not UTF-8"
            )
            self._diagnostics.warning(
                FilePosition(shown), "unsafe-file-name", message, "Rename the file."
            )
            return False
        return not entry.is_symlink() or self._inside(entry, path)

    def _inside(self, entry: os.DirEntry[str], path: str) -> bool:
        try:
            target = Path(entry.path).resolve(strict=True)
        except (OSError, RuntimeError):
            self._refuse(path, "the symbolic link has no target")
            return False
        if not target.is_relative_to(self._root):
            self._refuse(path, "the symbolic link leads out of the repository")
            return False
        if (self._root / path).is_relative_to(target):
            self._refuse(path, "the symbolic link leads to a directory that contains it")
            return False
        inner = target.relative_to(self._root).as_posix()
        if self._ignore.covers(inner, directory=target.is_dir()) or (
            self._ignore.covers_any_part(inner)
        ):
            return False
        return target.is_file() or self._enter(target, path)

    def _enter(self, target: Path, path: str) -> bool:
        if target in self._entered:
            self._refuse(path, "another symbolic link leads to the same directory")
            return False
        self._entered.add(target)
        return True

    def _refuse(self, path: str, message: str) -> None:
        hint = "Put the file itself into the repository."
        self._diagnostics.warning(
            FilePosition(path), "symbolic-link", f"{message}; it was left out", hint
        )


def _is_safe(name: str) -> bool:
    return name.isprintable() and "\\" not in name
