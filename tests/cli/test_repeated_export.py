"""Exports that are repeated after an edit, without reading their options and settings again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.cli import export_command
from docstead.cli.export_command import (
    ExportCommand,
    ExportSettings,
    keep_command,
    kept_command,
)
from docstead.export.options import ExportOptions
from docstead.publishing.sources import DocumentationSource
from docstead.settings import load_settings
from docstead.theme.external_services import AssistantLink, ExternalServices, ReadersLink


@pytest.fixture
def arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    return ["export", "docs", "-o", "site", "--cache", str(tmp_path / "cache")]


def command(location: str = "docs") -> ExportCommand:
    link = AssistantLink("https://a.example/discovery", "handbook", "svc_dsc_key")
    services = ExternalServices(link, ReadersLink.of_service(link), script_hosts=("b.example",))
    options = ExportOptions("https://c.example", version="1", external_services=services)
    settings = ExportSettings.of(load_settings())
    source = DocumentationSource(location, root="en")
    return ExportCommand(
        source, "site", options, ("index",), "cache", as_json=True, settings=settings
    )


def _another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("other").mkdir()
    monkeypatch.chdir("other")


CHANGES: dict[str, Callable[[pytest.MonkeyPatch], object]] = {
    "variable": lambda patch: patch.setenv("DOCSTEAD_SOURCE_DEPTH", "9"),
    "variable in other letters": lambda patch: patch.setenv("docstead_source_depth", "9"),
    "settings file": lambda _: Path("docstead.toml").write_text("source_depth = 9\n"),
    "another settings file": lambda patch: patch.setenv("DOCSTEAD_CONFIG", "other.toml"),
    "working folder": _another_folder,
    "code": lambda patch: patch.setattr(export_command, "package_stamp", lambda: "changed"),
    "damage": lambda _: Path("cache/command").write_bytes(b"\x00"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_command_is_known_until_something_changes(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert kept_command(arguments) is None
    keep_command(arguments, command())
    assert kept_command(arguments) == command()
    CHANGES[change](monkeypatch)
    assert kept_command(arguments) is None


def test_a_command_is_known_for_its_own_arguments_only(arguments: list[str]) -> None:
    keep_command(arguments, command())
    assert kept_command([*arguments, "--json"]) is None
    assert kept_command(["check", *arguments[1:]]) is None
    assert kept_command(["export"]) is None


def test_urls_are_not_kept(arguments: list[str]) -> None:
    keep_command(arguments, command("https://user:password@git.example/docs"))
    assert kept_command(arguments) is None
    assert not Path("cache").exists()


def edit(source: Path, number: int) -> None:
    (source / "index.mdx").write_text(f"---\ntitle: Welcome\n---\n\nThis is edit {number}.\n")


def test_settings_that_change_between_edits_apply(docstead, source: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    line = ("export", source, "-o", site, "--cache", tmp_path / "cache")
    kinds = []
    for number, kind in enumerate(("cloud", "cloud", "client-hosted")):
        edit(source, number)
        (tmp_path / "docstead.toml").write_text(f'deployment_type = "{kind}"\n')
        assert docstead(*line).returncode == 0
        assert f"This is edit {number}." in (site / "index.html").read_text()
        kinds.append(json.loads((site / "_docs" / "export.json").read_text())["deploymentType"])
    assert kinds == ["cloud", "cloud", "client-hosted"]


def test_a_repeated_export_reports_and_fails_like_others(
    docstead, source: Path, tmp_path: Path
) -> None:
    line = ("export", source, "-o", tmp_path / "site", "--cache", tmp_path / "cache", "--json")
    for number in range(2):
        edit(source, number)
        ended = docstead(*line, DOCSTEAD_SORCE_DEPTH="9")
        assert (ended.returncode, json.loads(ended.stdout)["pages"]) == (0, 2)
        assert "DOCSTEAD_SORCE_DEPTH is not a setting" in ended.stderr
    edit(source, 2)
    (source / "docs.json").write_text("{")
    ended = docstead(*line, DOCSTEAD_SORCE_DEPTH="9")
    assert (ended.returncode, json.loads(ended.stdout)["pages"]) == (1, 0)
    assert "docs.json:1:" in ended.stderr
