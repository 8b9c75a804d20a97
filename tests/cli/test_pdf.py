"""`docstead pdf`: one sentence for each way in which it cannot work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Command


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A program that ends at once, instead of Chromium."""
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    return program


def test_without_chromium_it_names_what_to_install(docstead: Command, source: Path) -> None:
    ended = docstead("pdf", source, "-o", "out.pdf", PATH="/nowhere")
    assert ended.returncode == 2
    assert ended.stderr.splitlines() == [
        "docstead: No Chromium was found. Install Chromium or Chrome, or set `chromium` to its "
        "path."
    ]


def test_a_setting_that_names_no_program_is_refused(docstead: Command, source: Path) -> None:
    ended = docstead("pdf", source, "-o", "out.pdf", DOCSTEAD_CHROMIUM="/nowhere/chromium")
    assert ended.returncode == 2
    assert "the setting `chromium` names /nowhere/chromium, which is not a program" in ended.stderr


@pytest.mark.parametrize("output", ["out", "out.html", "folder.pdf"])
def test_the_output_is_a_file_that_ends_in_pdf(
    docstead: Command, source: Path, browser: Path, output: str
) -> None:
    (docstead.folder / "folder.pdf").mkdir()
    ended = docstead("pdf", source, "-o", output, DOCSTEAD_CHROMIUM=str(browser))
    assert ended.returncode == 2
    assert f"--output: {output} must end in .pdf" in ended.stderr


def test_an_unknown_section_is_named(docstead: Command, source: Path, browser: Path) -> None:
    options = ("-o", "out.pdf", "--section", "Nowhere")
    ended = docstead("pdf", source, *options, DOCSTEAD_CHROMIUM=str(browser))
    assert ended.returncode == 2
    assert "--section: there is no group or folder 'Nowhere'" in ended.stderr


def test_a_browser_that_ends_is_an_error_and_leaves_no_file(
    docstead: Command, source: Path, browser: Path
) -> None:
    ended = docstead("pdf", source, "-o", "out.pdf", DOCSTEAD_CHROMIUM=str(browser))
    assert ended.returncode == 1
    assert "Chromium ended or did not respond." in ended.stderr
    assert [path.name for path in docstead.folder.glob("*.p*")] == []


def test_doctor_says_whether_there_is_a_browser(docstead: Command, browser: Path) -> None:
    def found(**environment: str) -> dict[str, str]:
        report = json.loads(docstead("doctor", "--json", **environment).stdout)
        return next(each for each in report if each["name"] == "pdf")

    assert found(DOCSTEAD_CHROMIUM=str(browser))["message"] == f"{browser} prints PDFs"
    assert found(DOCSTEAD_CHROMIUM="/nowhere")["level"] == "failed"
    missing = found(PATH="/nowhere")
    assert missing["level"] == "ok"
    assert "Install Chromium" in missing["message"]
