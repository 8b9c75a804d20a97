"""The commands. Each imports what it needs when it runs, so that `--help` answers at once."""

from __future__ import annotations


def main() -> None:
    """The `docstead` command."""
    from docstead.cli.commands import app

    app()
