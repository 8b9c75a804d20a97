"""Settings that are misspelt or cannot be read, as a user of the commands meets them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from docstead.cli.commands import program


def test_an_unknown_variable_is_a_warning(docstead, source: Path) -> None:
    ended = docstead("check", source, DOCSTEAD_PROT="1")
    assert ended.returncode == 0
    first, *_ = ended.stderr.splitlines()
    assert first == (
        "docstead: warning: DOCSTEAD_PROT is not a setting; did you mean DOCSTEAD_PORT?"
    )


def test_an_unknown_variable_is_refused_with_strict_settings(docstead, source: Path) -> None:
    ended = docstead("--strict-settings", "check", source, DOCSTEAD_PROT="1")
    assert ended.returncode == 2
    assert ended.stderr == (
        "docstead: DOCSTEAD_PROT is not a setting; did you mean DOCSTEAD_PORT?\n"
    )


def test_paragraphs_of_help_are_wrapped_by_the_terminal(docstead) -> None:
    shown = docstead("demo", "--help", TERMINAL_WIDTH="80").stdout
    lines = [line.strip() for line in shown.splitlines()]
    assert "sign-in link. demo.json in the data folder holds the same values. A second run" in lines


def help_texts() -> list[str]:
    """Return the help of each command, 80 columns wide."""
    app = program()
    waiting: list[tuple[list[str], Any]] = [([], get_command(app))]
    texts = []
    while waiting:
        names, command = waiting.pop()
        shown = CliRunner().invoke(app, [*names, "--help"], env={"COLUMNS": "80"})
        texts.append(shown.stdout)
        inner = getattr(command, "commands", {})
        waiting += [([*names, name], each) for name, each in inner.items()]
    return texts


def test_help_fits_a_terminal_of_80_columns() -> None:
    texts = help_texts()
    assert len(texts) > 25
    lines = [line for text in texts for line in text.splitlines()]
    assert max(map(len, lines)) == 80
    cut = [line for line in lines if "…" in line.replace("svc_…", "").replace("svc_dsc_…", "")]
    assert cut == []
    after = [
        second.strip() for first, second in pairwise(lines) if first.strip().startswith("Example: ")
    ]
    assert after
    assert set(after) == {""}  # an example can be copied as one line


def test_a_missing_or_broken_settings_file_ends_a_command(docstead, tmp_path: Path) -> None:
    ended = docstead("keys", "list", DOCSTEAD_CONFIG=str(tmp_path / "nope.toml"))
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert f"DOCSTEAD_CONFIG: there is no file {tmp_path}/nope.toml" in ended.stderr
    (tmp_path / "docstead.toml").write_text('data = "x\n')
    ended = docstead("keys", "list")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "docstead.toml:1:10: a quote is not closed" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (("serve", "--port", "x"), "'--port': must be a whole number, not 'x'"),
        (("host", "--port", "-1"), "'--port': must be at least 1, not '-1'"),
        (("pdf", ".", "--paper", "A9"), "'--paper': 'A9' is not one of 'a4', 'letter'."),
        (("deployments", "auto-export", "a", "no"), "'on|off': 'no' is not one of 'on', 'off'."),
    ],
)
def test_values_of_options_are_refused_in_our_words(
    arguments: tuple[str, ...], refusal: str
) -> None:
    ended = CliRunner().invoke(program(arguments), arguments, env={"TERMINAL_WIDTH": "100"})
    assert ended.exit_code == 2
    assert f"Invalid value for {refusal} " in ended.output
