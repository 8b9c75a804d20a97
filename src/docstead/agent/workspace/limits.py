"""Limits on the size of repositories for the agent."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.units import GIB, MIB


@dataclass(frozen=True, slots=True)
class WorkspaceLimits:
    repository_bytes: int = 2048 * MIB  # bytes per fetch
    tree_bytes: int = 2048 * MIB  # total size of the documentation's files
    tree_files: int = 100_000
    tree_depth: int = 60  # folder depth
    history_commits: int = 50  # commits of a job's branch that are fetched
    clones_bytes: int = 10 * GIB  # of all jobs; the least recently used are removed beyond
