"""Limits on what the commit of a git repository unpacks to, checked before a file is written."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.errors import SourceUnreadable
from docstead.base.units import GIB, MIB
from docstead.publishing.git import FETCH_SECONDS, Git, GitFailed

_LISTED_BYTES = 512  # of one file in the listing: its mode, id, size and path


class SourceTooLarge(SourceUnreadable):
    """The source is too large to be published."""


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """The most that a source may hold (settings `source_bytes`, `source_files`, `source_depth`)."""

    total_bytes: int = GIB
    files: int = 100_000
    depth: int = 64  # folders within each other


def check_size(git: Git, tree: str, limits: SourceLimits) -> None:
    """Read the sizes of all files of a tree, and raise `SourceTooLarge` past a limit.

    Raises `GitFailed` where there is no such tree.
    """
    total = count = 0
    for size, path in _files(git, tree, limits):
        total, count = total + size, count + 1
        if path.count(b"/") > limits.depth:
            shown = path[:100].decode(errors="replace")
            raise _too_much(f"has over {limits.depth} folders within each other", shown, "depth")
    if count > limits.files:
        raise _too_much(f"has over {limits.files:,} files", "", "files")
    if total > limits.total_bytes:
        found = f"unpacks to {total // MIB:,} MB, over {limits.total_bytes // MIB:,} MB"
        raise _too_much(found, "", "bytes")


def _files(git: Git, tree: str, limits: SourceLimits) -> list[tuple[int, bytes]]:
    """Size and path of each file; submodules have no size."""
    try:
        listing = git.run(
            *("ls-tree", "-r", "-l", "-z", "--full-tree", tree),
            timeout_seconds=FETCH_SECONDS,
            output_limit_bytes=limits.files * _LISTED_BYTES,
        )
    except GitFailed as error:
        if "too many files" in error.message:
            raise _too_much(f"has over {limits.files:,} files", "", "files") from None
        raise
    rows = (row.partition(b"\t") for row in listing.split(b"\0") if row)
    return [(_size(facts), path) for facts, _, path in rows]


def _size(facts: bytes) -> int:
    size = facts.split()[-1]
    return int(size) if size.isdigit() else 0


def _too_much(found: str, where: str, setting: str) -> SourceTooLarge:
    place = f" ({where})" if where else ""
    advice = f"remove what is not documentation, or raise the setting `source_{setting}`"
    return SourceTooLarge(f"it {found}{place}: {advice}")
