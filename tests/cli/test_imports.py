"""Libraries that an export does not need: each costs its processes time and memory."""

from __future__ import annotations

import importlib.abc
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer import Context
from typer.main import get_command

import docstead.cli
from attacked_service import small_source
from docstead.cli.commands import program
from migrated_data import data_with_tables

SERVICE_ONLY = {"sqlalchemy", "alembic", "psycopg", "httpcore", "fastapi", "uvicorn", "dbos"}


RENDERING = {
    "docstead.publishing.builders", "docstead.publishing.edition", "docstead.rendering",
    "docstead.loading", "docstead.theme.document", "jinja2", "lxml", "py_mini_racer", "pygments",
    "yaml",
}  # fmt: skip


def imported_by(
    *arguments: object, data: Path | None = None, environment: dict[str, str] | None = None
) -> set[str]:
    """Run a command; return the full names of the modules that it imports."""
    if data is not None:
        environment = {**os.environ, "DOCSTEAD_DATA": str(data)}
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "docstead.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    imported = set(re.findall(r"^import time:.*\| +([\w.]+)$", ended.stderr, re.MULTILINE))
    assert "docstead.cli.early_parent" in imported
    return imported


@pytest.mark.timeout(120)
def test_an_export_imports_no_library_of_the_service(tmp_path: Path) -> None:
    source = small_source(tmp_path / "source")
    assert not imported_by("export", source, "-o", tmp_path / "site") & SERVICE_ONLY


@pytest.mark.timeout(240)
def test_an_export_without_changes_imports_nothing_that_renders(tmp_path: Path) -> None:
    source = small_source(tmp_path / "source")
    command = ("export", source, "-o", tmp_path / "site", "--cache", tmp_path / "cache")
    assert imported_by(*command) >= RENDERING - {"docstead.loading", "yaml"}  # of the builder
    assert not imported_by(*command) & (RENDERING | SERVICE_ONLY)


@pytest.mark.timeout(240)
def test_an_export_repeated_after_an_edit_reads_no_settings_and_stores_methods(
    tmp_path: Path,
) -> None:
    source = small_source(tmp_path / "source")
    command = ("export", source, "-o", tmp_path / "site", "--cache", tmp_path / "cache")
    bare = {"PATH": os.environ["PATH"], "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")}
    assert imported_by(*command, environment=bare) >= {"pydantic", "docstead.settings"}
    assert not list((tmp_path / "compiled").rglob("dataclass_code.*.methods"))
    page = source / "index.mdx"
    page.write_text(f"{page.read_text()}\nThis is an edit.\n")
    imported = imported_by(*command, environment=bare)
    assert "docstead.export.folder" in imported
    assert not imported & {"pydantic", "pydantic_settings", "docstead.settings", "typer"}
    assert len(list((tmp_path / "compiled").rglob("dataclass_code.*.methods"))) == 1


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_neither_settings_nor_sources(option: str) -> None:
    others = {"docstead.settings", "docstead.publishing", "docstead.storage", "msgspec"}
    unused = RENDERING | SERVICE_ONLY | others
    assert not imported_by(option) & (unused - {"pygments"})  # rich reads Markdown with it


def test_a_command_imports_no_other_command() -> None:
    imported = imported_by("export", "--help")
    assert "docstead.cli.source_options" in imported
    assert not imported & {"docstead.accounts", "getpass"}


@pytest.mark.parametrize("name", ["export", "keys"])
def test_a_command_is_the_same_without_the_others(name: str) -> None:
    every, only = (get_command(program(arguments)) for arguments in ((), (name,)))
    assert list(only.commands) == [name]  # type: ignore[attr-defined]
    helps = [group.commands[name].get_help(Context(group)) for group in (every, only)]  # type: ignore[attr-defined]
    assert helps[0] == helps[1]


class _InterruptedImport(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, *_: object) -> None:
        if name == "docstead.cli.commands":
            raise KeyboardInterrupt


def test_an_interrupted_import_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "meta_path", [_InterruptedImport(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "docstead.cli.commands", raising=False)
    with pytest.raises((SystemExit, KeyboardInterrupt)) as ended:
        docstead.cli.main()
    assert getattr(ended.value, "code", None) == 130
    assert capsys.readouterr().err == "Interrupted.\n"


@pytest.mark.timeout(120)
def test_a_command_about_keys_imports_neither_answers_nor_agents(tmp_path: Path) -> None:
    imported = imported_by("keys", "list", data=data_with_tables(tmp_path / "data"))
    assert "docstead.accounts.api_keys" in imported
    assert not imported & {"alembic", "psycopg", "docstead.assistant", "docstead.agent"}
