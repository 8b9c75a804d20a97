"""Libraries that an export does not need: each costs its processes time and memory."""

from __future__ import annotations

import importlib.abc
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import docstead.cli
from attacked_service import small_source
from migrated_data import data_with_tables

SERVICE_ONLY = {"sqlalchemy", "alembic", "psycopg", "httpcore", "fastapi", "uvicorn", "dbos"}


@pytest.mark.timeout(120)
def test_an_export_imports_no_library_of_the_service(tmp_path: Path) -> None:
    source = small_source(tmp_path / "source")
    command = [sys.executable, "-X", "importtime", "-m", "docstead.cli", "export", str(source)]
    ended = subprocess.run(
        [*command, "-o", str(tmp_path / "site")], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    imported = set(re.findall(r"^import time:.*\| +(\w+)$", ended.stderr, re.MULTILINE))
    assert "docstead" in imported
    assert not imported & SERVICE_ONLY


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
    environment = {**os.environ, "DOCSTEAD_DATA": str(data_with_tables(tmp_path / "data"))}
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "docstead.cli", "keys", "list"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    imported = set(re.findall(r"^import time:.*\| +([\w.]+)$", ended.stderr, re.MULTILINE))
    assert "docstead.accounts.api_keys" in imported
    assert not imported & {"alembic", "psycopg", "docstead.assistant", "docstead.agent"}
