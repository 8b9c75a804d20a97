"""Explanations of why a builder died, shown to readers of the update."""

from __future__ import annotations

from docstead.base.errors import SourceUnreadable
from docstead.base.exit_status import exit_name, killed, was_killed
from docstead.base.units import MIB

OUT_OF_MEMORY = 77  # exit status of a builder that ran out of memory


class BuilderLost(SourceUnreadable):
    """The builder process ended before its task was done."""


def past_deadline(seconds: float) -> BuilderLost:
    return BuilderLost(
        f"reading and building took more than {seconds:.0f} seconds and was stopped: make the "
        "repository smaller or simpler, or raise DOCSTEAD_BUILD_SECONDS"
    )


def out_of_memory(limit_bytes: int) -> BuilderLost:
    return BuilderLost(
        f"reading and building took more than {limit_bytes // MIB} MB of memory and was stopped: "
        "make its largest files smaller, or raise DOCSTEAD_BUILD_MEMORY_MB"
    )


def ended(status: int, memory_bytes: int) -> BuilderLost:
    """Return the error for a process's exit status, negative for a signal."""
    if status == OUT_OF_MEMORY:
        return out_of_memory(memory_bytes)
    if status == 0:  # with the fork server
        return BuilderLost(killed("the process that starts build processes"))
    if was_killed(status):
        return BuilderLost(killed("the build process", status))
    return BuilderLost(
        f"the build process crashed ({exit_name(status)}): a file of the repository may be "
        "damaged, or DOCSTEAD_BUILD_MEMORY_MB too small"
    )


def broken_answer() -> BuilderLost:
    return BuilderLost("the build process sent an invalid reply")
