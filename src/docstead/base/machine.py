"""Insufficient limits of the machine, and the errors that they cause."""

from __future__ import annotations

import errno
import resource
import sqlite3

from docstead.base.errors import Unavailable
from docstead.base.units import GIB, MIB

FEWEST_DESCRIPTORS = 256
_ADDRESS_SPACE_BYTES = 1_100 * GIB  # V8 reserves a terabyte of address space, and uses little
_PRIMARY_CODE = 0xFF  # SQLite's extended codes contain the primary code in their low byte


class MachineTooSmall(Unavailable):
    """A limit of this machine is too low."""


class DiskFull(Unavailable):
    """A disk of this machine is full."""


def check_address_space() -> None:
    """Raise MachineTooSmall if processes may not reserve the engine's address space."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < _ADDRESS_SPACE_BYTES:
        raise MachineTooSmall(
            f"the address space of a process is limited to {limit // MIB:,} MB (ulimit -v), and "
            "the engine reserves 1 TB without using it; remove that limit, and limit memory by a "
            "control group"
        )


def check_descriptors(soft_limit: int) -> None:
    """Raise MachineTooSmall if a service may open too few files and connections."""
    if soft_limit < FEWEST_DESCRIPTORS:
        raise MachineTooSmall(
            f"only {soft_limit} files may be open at once, and a service needs at least "
            f"{FEWEST_DESCRIPTORS}; raise the hard limit: ulimit -n {FEWEST_DESCRIPTORS}"
        )


def is_full_disk(error: BaseException) -> bool:
    """Report whether an error of the system or of SQLite means that a disk is full."""
    cause = getattr(error, "orig", error)  # SQLAlchemy's errors wrap the driver's
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & _PRIMARY_CODE == sqlite3.SQLITE_FULL
    return isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT)
