"""Limits on the number of files and folder depth of a source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from docstead.base.errors import SourceUnreadable

_SHOWN_CHARACTERS = 100  # depth of a path


class SourceTooLarge(SourceUnreadable):
    """The source is too large to be published; the message names the setting to raise."""

    @classmethod
    def because(cls, found: str, setting: str, path: str = "") -> SourceTooLarge:
        """Return the error for what was `found`, at a path if that is helpful."""
        position = f" ({path[:_SHOWN_CHARACTERS]})" if path else ""
        advice = f"remove what is not documentation, or raise the setting `source_{setting}`"
        return cls(f"it {found}{position}: {advice}")


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """Limits on the shape of a source (settings `source_files` and `source_depth`)."""

    files: int = 100_000
    depth: int = 64  # folder depth

    def check_count(self, files: int) -> None:
        """Raise `SourceTooLarge` if there are too many files."""
        if files > self.files:
            raise SourceTooLarge.because(f"has over {self.files:,} files", "files")

    def check_folders(self, folders: int) -> None:
        """Raise `SourceTooLarge` if there are more folders than files may be."""
        if folders > self.files:
            raise SourceTooLarge.because(f"has over {self.files:,} folders", "files")

    def check_depth(self, path: str) -> None:
        """Raise `SourceTooLarge` if a path, relative to the root, is too deep."""
        if path.count("/") > self.depth:
            found = f"has over {self.depth} folders within each other"
            raise SourceTooLarge.because(found, "depth", path)


DEFAULT_TREE_LIMITS = TreeLimits()


def count_folders(paths: Iterable[str]) -> int:
    """Count the folders of files, whose paths are in git's order."""
    count, folder = 0, list[str]()
    for path in paths:
        before, folder = folder, path.split("/")[:-1]
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(before, folder, strict=False))
        count += len(folder) - sum(1 for _ in shared)
    return count
