"""Builder processes for commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.base.units import MIB
from docstead.cli.early_parent import TASKS
from docstead.publishing.builders import (
    BuilderLimits,
    BuilderPool,
    WarmParent,
)
from docstead.rendering import EngineLimits

if TYPE_CHECKING:
    from docstead.cli.export_command import ExportSettings
    from docstead.settings import Settings


@contextmanager
def command_builders(
    settings: Settings | ExportSettings,
    folder: Path,
    parent: WarmParent | None = None,
    *,
    ahead: bool = False,
) -> Iterator[BuilderPool]:
    """Yield builders for a command, with a V8 worker that is started `ahead` of the first build.

    They are forked from a warm parent, or from `parent` for a command that builds once.
    """
    limits = BuilderLimits(
        seconds=settings.build_seconds,
        memory_bytes=settings.build_memory_mb * MIB,
        sandbox=settings.sandbox,
    )
    engine_limits = EngineLimits(sandbox=settings.sandbox)
    builders = BuilderPool(
        folder / "builders",
        modules=TASKS,
        parent=parent,
        limits=limits,
        engine_limits=engine_limits,
        workers=settings.render_workers,
    )
    if ahead:
        builders.standby_worker.prepare()
    try:
        yield builders
    finally:
        builders.close()
