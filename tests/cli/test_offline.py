"""`check` and `export` as a user runs them."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest


def test_a_repository_without_diagnostics_is_checked(docstead, source: Path) -> None:
    ended = docstead("check", source, "--json")
    report = json.loads(ended.stdout)
    assert ended.returncode == 0
    assert (report["pages"], report["rendered"], report["failed"]) == (2, 2, 0)
    assert report["diagnostics"] == []
    assert report["seconds"] > 0
    assert report["peakMemoryBytes"] > 50_000_000
    assert set(report) == {
        "pages", "rendered", "failed", "diagnostics", "seconds", "peakMemoryBytes",
    }  # fmt: skip


def test_a_diagnostic_is_reported_with_its_position(docstead, source: Path) -> None:
    (source / "index.mdx").write_text("---\ntitle: Welcome\n---\n\nSee [keys](/guides/kees).\n")
    ended = docstead("check", source)
    assert ended.returncode == 0
    assert ended.stdout.startswith("index.mdx:5:")
    assert "broken-link" in ended.stdout
    diagnostic = json.loads(docstead("check", source, "--json").stdout)["diagnostics"][0]
    assert set(diagnostic) == {"file", "line", "column", "severity", "code", "message", "hint"}
    assert (diagnostic["file"], diagnostic["line"], diagnostic["severity"]) == (
        "index.mdx",
        5,
        "warning",
    )


@pytest.mark.deep
def test_a_page_that_fails_gives_status_1_and_the_others_are_rendered(
    docstead, source: Path
) -> None:
    (source / "index.mdx").write_text("export const x = (() => { while (true) {} })()\n\n{x}\n")
    ended = docstead("check", source, "--json")
    report = json.loads(ended.stdout)
    assert ended.returncode == 1
    assert (report["pages"], report["rendered"], report["failed"]) == (2, 1, 1)
    assert [d["file"] for d in report["diagnostics"] if d["severity"] == "error"] == ["index.mdx"]


def test_a_broken_configuration_gives_status_1_and_its_position(docstead, source: Path) -> None:
    (source / "docs.json").write_text('{\n  "name": "Handbook",\n  "theme" "mint"\n}\n')
    ended = docstead("check", source)
    assert ended.returncode == 1
    assert "docs.json:3:" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_missing_source_gives_status_1(docstead, tmp_path: Path) -> None:
    ended = docstead("check", tmp_path / "nowhere")
    assert ended.returncode == 1
    assert "nowhere" in ended.stderr


def test_a_source_that_cannot_be_read_is_an_object_too(docstead, source: Path) -> None:
    (source / "docs.json").write_text('{\n  "name": "Handbook",\n  "theme" "mint"\n}\n')
    for command in (["check"], ["export", "-o", "site"], ["publish", "--domain", "handbook"]):
        ended = docstead(command[0], source, *command[1:], "--json")
        assert ended.returncode == 1
        report = json.loads(ended.stdout)
        assert (report["pages"], report["rendered"], report["failed"]) == (0, 0, 0)
        (diagnostic,) = report["diagnostics"]
        assert (diagnostic["file"], diagnostic["line"], diagnostic["severity"]) == (
            "docs.json",
            3,
            "error",
        )
        assert "docs.json:3:" in ended.stderr


@pytest.mark.parametrize("name", ["taken/site", "taken/site.tar.gz"])
def test_an_output_that_cannot_be_written_is_said_in_a_sentence(
    docstead, source: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    ended = docstead("export", source, "-o", tmp_path / name)
    assert ended.returncode == 1
    assert ended.stderr.strip().splitlines()[-1].startswith("docstead: ")
    assert "taken" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_wrong_usage_gives_status_2(docstead, source: Path, tmp_path: Path) -> None:
    assert docstead("check", source, "nonsense").returncode == 2
    assert docstead("export", source).returncode == 2
    assert docstead("export", source, "-o", tmp_path / "site.tgz").returncode == 2
    assert docstead("nonsense").returncode == 2


def test_a_folder_is_exported_and_exported_again(docstead, source: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    assert docstead("export", source, "-o", target).returncode == 0
    assert "Welcome" in (target / "index.html").read_text()
    assert "guides/keys.html" in (target / "index.html").read_text()
    (source / "index.mdx").write_text("---\ntitle: Goodbye\n---\n")
    assert docstead("export", source, "-o", target).returncode == 0
    assert "Goodbye" in (target / "index.html").read_text()


def test_a_folder_that_is_no_export_is_left_unchanged(
    docstead, source: Path, tmp_path: Path
) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    (target / "letter.txt").write_text("dear")
    ended = docstead("export", source, "-o", target)
    assert ended.returncode == 1
    assert "not empty" in ended.stderr
    assert [path.name for path in target.iterdir()] == ["letter.txt"]


def test_the_same_source_gives_the_same_archive(docstead, source: Path, tmp_path: Path) -> None:
    archives = [tmp_path / name for name in ("a.tar.gz", "b.tar.gz")]
    for archive, export in zip(archives, (docstead, docstead.from_nothing), strict=True):
        ended = export("export", source, "-o", archive, "--base-url", "https://docs.example.com")
        assert ended.returncode == 0, ended.stderr
    assert archives[0].read_bytes() == archives[1].read_bytes()
    with tarfile.open(archives[0]) as packed:
        names = packed.getnames()
        sitemap = packed.extractfile("sitemap.xml")
        assert sitemap is not None
        assert b"https://docs.example.com/guides/keys<" in sitemap.read()
    assert names == [*sorted(names[:-1]), "_docs/manifest.json"]
    assert {"index.html", "404.html", "guides/keys.html", "guides/keys.md"} <= set(names)
