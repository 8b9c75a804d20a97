"""An export that is repeated after an edit: its options and settings are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docstead.base.dataclass_code import compiled_methods
from docstead.base.heap import tune_gc
from docstead.cli.early_parent import early_parent
from docstead.cli.errors import exit_on_errors
from docstead.cli.interruption import UNCHANGED, said_when_interrupted

if TYPE_CHECKING:
    from docstead.cli.export_command import ExportCommand
    from docstead.publishing.builders.forking import CommandForkServer


def repeat_export(command: ExportCommand, parent: CommandForkServer) -> None:
    """Run the export with processes that have begun, and exit."""
    tune_gc()
    with (
        exit_on_errors(),
        said_when_interrupted(UNCHANGED.format(command.output)),
        early_parent(parent) as lent,
    ):
        from docstead.cli.offline import run_export

        try:
            run_export(command, parent=lent)
        finally:
            compiled_methods().store()
