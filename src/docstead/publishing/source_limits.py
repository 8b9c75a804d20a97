"""Limits on the unpacked size of a git commit, checked before files are written."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.units import GIB, MIB
from docstead.publishing.git import Git, GitOutputTooLong
from docstead.repository.tree_limits import (
    DEFAULT_TREE_LIMITS,
    SourceTooLarge,
    TreeLimits,
    count_folders,
)

_LISTED_BYTES = 512  # of a file in git's listing: mode, id, size and path


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Limits of a source (settings whose names begin with `source_`).

    `total_bytes` and `pack_bytes` limit a git commit, unpacked and as fetched.
    """

    total_bytes: int = GIB
    tree: TreeLimits = DEFAULT_TREE_LIMITS
    pack_bytes: int = 2 * GIB


def check_size(git: Git, tree: str, limits: SourceLimits) -> None:
    """Check the sizes of all files of a tree against the limits.

    Raises:
        SourceTooLarge: a limit is exceeded. GitFailed: the tree does not exist.
    """
    total, paths = 0, list[str]()
    for size, path in _files(git, tree, limits):
        total += size
        paths.append(path.decode(errors="replace"))
        limits.tree.check_depth(paths[-1])
    limits.tree.check_count(len(paths))
    limits.tree.check_folders(count_folders(paths))
    if total > limits.total_bytes:
        found = f"unpacks to {total // MIB:,} MB, over {limits.total_bytes // MIB:,} MB"
        raise SourceTooLarge.because(found, "bytes")


def pack_too_large(limits: SourceLimits) -> SourceTooLarge:
    """Return the error for a fetch that was ended at its limit."""
    found = f"has over {limits.pack_bytes // MIB:,} MB as sent by git"
    return SourceTooLarge.because(found, "pack_bytes")


def _files(git: Git, tree: str, limits: SourceLimits) -> list[tuple[int, bytes]]:
    """Return size and path of each file; submodules have no size."""
    try:
        listing = git.run(
            *("ls-tree", "-r", "-l", "-z", "--full-tree", tree),
            output_limit_bytes=limits.tree.files * _LISTED_BYTES,
        )
    except GitOutputTooLong:
        limits.tree.check_count(limits.tree.files + 1)
        raise
    rows = (row.partition(b"\t") for row in listing.split(b"\0") if row)
    return [(_size(facts), path) for facts, _, path in rows]


def _size(facts: bytes) -> int:
    size = facts.split()[-1]
    return int(size) if size.isdigit() else 0
