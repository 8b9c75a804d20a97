"""Exports as folders."""

from __future__ import annotations

import hashlib

import pytest

from docstead.base.errors import Conflict, DocsteadError
from docstead.export import folder
from docstead.export.files import static_files
from docstead.export.manifest import MANIFEST, read_manifest
from docstead.export.options import ExportOptions
from docstead.export.temp_files import TempFiles
from docstead.export.writers import WriterProcesses


def write_folder(edition, target):
    with WriterProcesses() as writers:
        return folder.write_folder(edition, target, writers)


def test_the_folder_holds_every_file(edition, tmp_path):
    count = write_folder(edition, tmp_path / "out" / "site")
    with TempFiles() as temp_files:
        files = list(static_files(edition, ExportOptions(), temp_files))
        expected = {file.path: file.read() for file in files}
    root = tmp_path / "out" / "site"
    found = {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}
    assert count == len(found) == len(expected) + 1
    listed = read_manifest(found.pop(MANIFEST))
    assert found == expected
    assert {path: fact.sha256 for path, fact in listed.items()} == {
        path: hashlib.sha256(data).hexdigest() for path, data in expected.items()
    }


@pytest.mark.parametrize("state", ["empty", "export"])
def test_an_empty_folder_and_an_earlier_export_are_replaced(edition, tmp_path, state):
    target = tmp_path / "site"
    if state == "export":
        write_folder(edition, target)
        (target / "left-over.html").write_text("of a page that is gone")
    else:
        target.mkdir()
    write_folder(edition, target)
    assert (target / "index.html").exists()
    assert not (target / "left-over.html").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".site")]


def test_a_folder_with_anything_else_is_left_alone(edition, tmp_path):
    target = tmp_path / "site"
    target.mkdir()
    (target / "thesis.txt").write_text("precious")
    with pytest.raises(Conflict, match="not empty"):
        write_folder(edition, target)
    assert [path.name for path in target.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_no_folder_is_left_alone(edition, tmp_path, kind):
    target = tmp_path / "site"
    if kind == "file":
        target.write_text("precious")
    else:
        (tmp_path / "elsewhere").mkdir()
        target.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Conflict, match="not a folder"):
        write_folder(edition, target)


def test_a_failure_leaves_the_earlier_export_and_nothing_else(
    write_edition, open_edition, tmp_path
):
    target = tmp_path / "site"
    write_folder(open_edition(write_edition()), target)
    before = sorted(target.rglob("*"))
    broken = open_edition(write_edition(name="other.sqlite"))
    (tmp_path / "repository" / "images" / "logo.svg").unlink()
    with pytest.raises((DocsteadError, FileNotFoundError)):
        write_folder(broken, target)
    assert sorted(target.rglob("*")) == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".site")]
