"""A repository sends no commands to a terminal or to the log of a workflow."""

from __future__ import annotations

import pytest

from commands import Command
from docstead.content.diagnostics import Diagnostic, Severity
from ready_processes import ReadyProcesses

NAMES = ["a\n::error::forged.mdx", "a\x1b[2J.mdx", "a\x9b2J.mdx", "a\u202exdm.mdx", "a\u2066b.mdx"]


@pytest.mark.parametrize("name", NAMES)
def test_a_diagnostic_is_one_line_of_visible_characters(name: str) -> None:
    shown = str(Diagnostic(name, 1, 2, Severity.ERROR, "code", f"no {name}", f"see {name}"))
    assert shown.isprintable()
    assert shown.startswith("a")


def test_ordinary_characters_stay() -> None:
    text = "größe\u00a0日本語 👩\u200d💻"
    assert str(Diagnostic("", 0, 0, Severity.INFO, "code", text)) == f"info code: {text}"


@pytest.fixture(scope="module")
def docstead(tmp_path_factory: pytest.TempPathFactory, ready: ReadyProcesses) -> Command:
    folder = tmp_path_factory.mktemp("terminal")
    command = Command(folder, ready)
    (folder / "source").mkdir()
    (folder / "source" / "docs.json").write_text(
        '{"name": "A", "theme": "mint", "colors": {"primary": "#111"},'
        ' "navigation": {"pages": ["index"]}}'
    )
    (folder / "source" / "index.mdx").write_text(
        '---\ntitle: "Kangaroos \\e[31m\\e]0;owned\\a"\n---\n'
        "A kangaroo\x1b[2J\x1b]0;owned\x07 \x9b2J hops three metres\u202e in one jump.\n"
    )
    published = command("publish", folder / "source", "--domain", "acme")
    assert published.returncode == 0, published.stderr
    return command


@pytest.mark.parametrize("command", ["search", "ask"])
def test_texts_of_pages_are_printed_without_commands(docstead: Command, command: str) -> None:
    question = "How many metres does a kangaroo hop in one jump?"
    ended = docstead(command, question, "--domain", "acme")
    assert ended.returncode == 0, ended.stderr
    assert "three metres" in " ".join(ended.stdout.split())
    assert not set(ended.stdout) & set("\x1b\x07\x9b\u202e")
