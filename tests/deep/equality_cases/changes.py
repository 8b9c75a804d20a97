"""Intended differences between exports of two versions, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """`pattern` is replaced in the files of both exports whose name matches `files`."""

    name: str
    reason: str
    files: str = ""
    pattern: str = ""
    replacement: str = ""
    whole: bool = False  # the files may differ as a whole
    of_names: bool = False  # the pattern is of names, not of content


CHANGES: tuple[Change, ...] = ()
