"""Errors that builders send to the host, identified by class name."""

from __future__ import annotations

from docstead.base.errors import (
    Conflict,
    DocsteadError,
    InvalidRequest,
    NotFound,
    SourceUnreadable,
    Unavailable,
)
from docstead.base.machine import DiskFull, MachineTooSmall
from docstead.base.sandbox import SandboxFailed
from docstead.rendering.process import EngineFailed
from docstead.rendering.version import EngineNotBuilt
from docstead.repository.tree_limits import SourceTooLarge

_CLASSES: tuple[type[DocsteadError], ...] = (
    Conflict,
    DiskFull,
    EngineFailed,
    EngineNotBuilt,
    InvalidRequest,
    MachineTooSmall,
    NotFound,
    SandboxFailed,
    SourceTooLarge,
    SourceUnreadable,
    Unavailable,
)
_BY_NAME = {each.__name__: each for each in _CLASSES}


def as_error(name: str, message: str) -> DocsteadError:
    """Return an error of this class, or a plain `DocsteadError` for other classes."""
    return _BY_NAME.get(name, DocsteadError)(message)


def name_of(error: DocsteadError) -> str:
    """Return the name of the nearest class that can be sent."""
    return next((each.__name__ for each in type(error).__mro__ if each.__name__ in _BY_NAME), "-")
