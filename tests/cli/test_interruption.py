"""Ctrl-C in the middle of long work says what is left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import importlib, sys
def interrupt(*_, **__): raise KeyboardInterrupt
module, name, *sys.argv[1:] = sys.argv[1:]
setattr(importlib.import_module(module), name, interrupt)
from docstead.cli import main
main()
"""


@pytest.mark.parametrize(
    ("command", "function", "sentence"),
    [
        ("export", "docstead.cli.offline run_export", "Interrupted; site.tar.gz is unchanged."),
        ("pdf", "docstead.cli.pdf run_pdf", "Interrupted; site.tar.gz is unchanged."),
        ("check", "docstead.cli.check run_check", "Interrupted."),
    ],
)
def test_it_is_one_sentence(source: Path, command: str, function: str, sentence: str) -> None:
    output = [] if command == "check" else ["-o", "site.tar.gz"]
    line = [sys.executable, "-c", RUN, *function.split(), command, str(source), *output]
    ended = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.splitlines()[-1]) == (130, sentence)


SWALLOWED = """
import os, signal, sys
from docstead.publishing.builders.forking import CommandForkServer

def begin(*_, **__):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(10): pass
    except KeyboardInterrupt:  # as hooks of a fork and imports of C modules do
        pass

CommandForkServer.begin = begin
from docstead.cli import main
main()
"""


def test_it_is_not_lost_while_an_export_starts(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "site"
    line = [sys.executable, "-c", SWALLOWED, "export", str(source), "-o", str(output)]
    ended = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (ended.returncode, output.exists()) == (130, False)
    assert ended.stderr.splitlines()[-1] == f"Interrupted; {output} is unchanged."


IMPORTING = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Interrupting(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        try:
            if name == module:
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(10): pass
        except KeyboardInterrupt:  # as C modules do while they are imported
            pass

module = sys.argv.pop(1)
sys.meta_path.insert(0, Interrupting())
from docstead.cli import main
main()
"""


@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("check", "typer"),
        ("check", "docstead.cli.check"),
        ("pdf", "docstead.cli.pdf"),
        ("publish", "docstead.cli.publish"),
    ],
)
def test_it_is_not_lost_while_modules_are_imported(
    source: Path, tmp_path: Path, command: str, module: str
) -> None:
    rest = {"pdf": ["-o", str(tmp_path / "a.pdf")], "publish": ["--domain", "a"]}
    line = [sys.executable, "-c", IMPORTING, module, command, str(source), *rest.get(command, [])]
    ended = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ended.returncode == 130, ended.stderr
    assert ended.stderr.splitlines()[-1].startswith("Interrupted")
    assert not (tmp_path / ".docstead").exists()
