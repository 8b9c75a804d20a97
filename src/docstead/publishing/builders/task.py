"""Interface of builder tasks and their context."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from docstead.base.decoders import Decoder, msgpack_decoder
from docstead.rendering import RenderingEngine

A = TypeVar("A")
R = TypeVar("R")

_PACKAGE = "docstead."


class TaskContext(Protocol):
    """Context of a task, in addition to its argument.

    `kept` lives as long as the builder, which may run several tasks for one deployment.
    """

    kept: dict[str, Any]
    scratch: Path

    def ask(self, name: str, argument: object, kind: Any) -> Any:
        """Request a host operation and return its result as `kind`. Raises the host's error."""

    def note(self, name: str, argument: object) -> None:
        """Notify the host without waiting for a reply."""

    def engine(self, workers: int) -> RenderingEngine:
        """Return an engine whose workers are started by the host."""


@dataclass(frozen=True)
class BuilderTask(Generic[A, R]):
    """A function that builders run; `name` refers to the task itself, as `package.module:NAME`.

    Its types are those that both sides decode MessagePack to.
    """

    name: str
    function: Callable[[A, TaskContext], R]
    argument: Any
    result: Any

    @cached_property
    def arguments(self) -> Decoder[A]:
        return msgpack_decoder(self.argument)

    @cached_property
    def results(self) -> Decoder[R]:
        return msgpack_decoder(self.result)

    @property
    def module(self) -> str:
        return self.name.partition(":")[0]


def find_task(name: str) -> BuilderTask[Any, Any]:
    """Return the task with this name; raise ValueError if there is none."""
    module, _, attribute = name.partition(":")
    found = getattr(importlib.import_module(module), attribute, None)
    if not module.startswith(_PACKAGE) or not isinstance(found, BuilderTask):
        raise ValueError(f"{name!r} is not a task")
    return found
