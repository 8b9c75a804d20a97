"""Limits of the size of repositories that the agent works on."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.units import MIB


@dataclass(frozen=True, slots=True)
class WorkspaceLimits:
    repository_bytes: int = 2048 * MIB  # what one fetch may bring
    tree_bytes: int = 2048 * MIB  # of the documentation's files together
    tree_files: int = 100_000
    tree_depth: int = 60  # folders within folders
    history_commits: int = 50  # of a job's branch that are fetched
