"""Tasks of builders, and the surroundings in which they run."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from docstead.base.decoders import Decoder, msgpack_decoder
from docstead.rendering import Engine

A = TypeVar("A")
R = TypeVar("R")

_PACKAGE = "docstead."


class TaskContext(Protocol):
    """Context of a task, in addition to its argument.

    `kept` lasts as long as the builder, which may run several tasks for one deployment.
    """

    kept: dict[str, Any]
    scratch: Path

    def ask(self, name: str, argument: object, kind: Any) -> Any:
        """The host's answer, decoded to `kind`. Raises the host's error."""

    def note(self, name: str, argument: object) -> None:
        """Notify the host; no answer is expected."""

    def engine(self, workers: int) -> Engine:
        """Renders pages with workers that the host starts."""


@dataclass(frozen=True)
class BuilderTask(Generic[A, R]):
    """A function that builders run; `name` is the task itself, as `package.module:NAME`.

    Its types are those that MessagePack is decoded to on either side.
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
    """The task of this name. Raises ValueError where there is none."""
    module, _, attribute = name.partition(":")
    found = getattr(importlib.import_module(module), attribute, None)
    if not module.startswith(_PACKAGE) or not isinstance(found, BuilderTask):
        raise ValueError(f"{name!r} is not a task")
    return found
