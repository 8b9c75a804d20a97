"""`ask` in a terminal, in a pipe and for programs; it is not a reader."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Command
from ready_processes import ReadyProcesses

_SHOWN = "http://handbook.localhost:8080"  # as `publish` prints it
_FOR_PROGRAMS = "http://127.0.0.1:8080/_sites/handbook"
_SECTION = "/guides/keys#rotate-a-key"


@pytest.fixture(scope="module")
def docstead(tmp_path_factory: pytest.TempPathFactory, ready: ReadyProcesses) -> Command:
    """Commands with a deployment that the module publishes once."""
    command = Command(tmp_path_factory.mktemp("asked"), ready)
    source = command.folder / "source"
    (source / "guides").mkdir(parents=True)
    settings = {"name": "Handbook", "theme": "mint", "colors": {"primary": "#0F766E"},
                "navigation": {"pages": ["index", "guides/keys"]}}  # fmt: skip
    (source / "docs.json").write_text(json.dumps(settings))
    (source / "keys.png").write_bytes(b"")
    (source / "index.mdx").write_text("---\ntitle: Welcome\n---\n\nSee [keys](/guides/keys).\n")
    (source / "guides" / "keys.mdx").write_text(
        "---\ntitle: Keys\n---\n\n## Rotate a key\n\n"
        "To rotate a key, make a new key and revoke the old one.\n\n"
        "![](/keys.png)\n"
    )
    assert command("publish", source, "--domain", "handbook").returncode == 0
    return command


def test_an_empty_question_is_refused(docstead) -> None:
    ended = docstead("ask", " ")
    assert (ended.returncode, ended.stderr) == (2, "docstead: QUESTION: must not be empty\n")


def test_links_fit_a_terminal(docstead) -> None:
    shown = docstead("ask", "How do I rotate a key?").stdout
    answer, _, sources = shown.partition("\n[1] ")
    assert "Rotate a key [1]" in answer
    assert "http" not in answer
    assert sources
    assert re.search(rf"^\[1\] .*  {_SHOWN}{_SECTION}$", shown, re.MULTILINE)
    assert ":~:text" not in shown
    assert "](" not in shown
    assert "keys.png" not in shown
    assert "\n\n[1] " in shown


def test_json_has_answer_sources_and_nearest_pages(docstead) -> None:
    found = json.loads(docstead("ask", "How do I rotate a key?", "--json").stdout)
    assert found["answered"] is True
    assert "revoke the old one" in found["answer"]
    assert found["sources"][0]["url"] == _FOR_PROGRAMS + _SECTION
    refused = json.loads(docstead("ask", "Which keys of a piano are black?", "--json").stdout)
    assert (refused["answered"], refused["sources"]) == (False, [])
    assert {"title", "url"} == set(refused["nearest"][0])


def test_it_is_not_counted_as_a_reader(docstead) -> None:
    docstead("ask", "How do I rotate a key?")
    docstead("ask", "Which keys of a piano are black?")
    with sqlite3.connect(Path(docstead.environment["DOCSTEAD_DATA"]) / "docstead.sqlite") as rows:
        for table in ("threads", "turns", "answers", "searches"):
            assert rows.execute(f"select count(*) from {table}").fetchone() == (0,), table


def test_a_closed_pipe_is_no_error(docstead) -> None:
    command = [sys.executable, "-m", "docstead.cli", "ask", "How do I rotate a key?"]
    process = subprocess.Popen(
        command, env=docstead.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    _, output = process.communicate(timeout=120)
    assert process.returncode == 141
    assert "Broken pipe" not in output
    assert "Traceback" not in output
