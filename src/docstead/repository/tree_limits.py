"""The most files, and folders within each other, that a source may have."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.errors import SourceUnreadable

_SHOWN_CHARACTERS = 100  # of a path


class SourceTooLarge(SourceUnreadable):
    """The source is too large to be published; the message names the setting to raise."""

    @classmethod
    def because(cls, found: str, setting: str, path: str = "") -> SourceTooLarge:
        """The error for what was `found`, at a path where that says more."""
        position = f" ({path[:_SHOWN_CHARACTERS]})" if path else ""
        advice = f"remove what is not documentation, or raise the setting `source_{setting}`"
        return cls(f"it {found}{position}: {advice}")


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """The limits on the shape of a source (settings `source_files` and `source_depth`)."""

    files: int = 100_000
    depth: int = 64  # folders within each other

    def check_count(self, files: int) -> None:
        """Raise `SourceTooLarge` where these are too many files."""
        if files > self.files:
            raise SourceTooLarge.because(f"has over {self.files:,} files", "files")

    def check_depth(self, path: str) -> None:
        """Raise `SourceTooLarge` where a path, from the root of the source, is too deep."""
        if path.count("/") > self.depth:
            found = f"has over {self.depth} folders within each other"
            raise SourceTooLarge.because(found, "depth", path)


DEFAULT_TREE_LIMITS = TreeLimits()
