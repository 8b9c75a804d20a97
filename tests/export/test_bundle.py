"""The archive: deterministic, and complete."""

from __future__ import annotations

import gzip
import io
import random
import tarfile

from docstead.export.bundle import write_bundle
from docstead.export.manifest import MANIFEST
from docstead.export.options import ExportOptions
from docstead.export.static_file import StaticFile
from docstead.export.temp_files import TempFiles
from static_files import static_files

LONG = "deep/" * 60 + "page.html"


def files() -> list[StaticFile]:
    contents = {
        "b.html": b"b",
        "a.html": b"a" * 100_000,
        "Ünïcode.txt": "grüße".encode(),
        "empty": b"",
        LONG: b"long",
    }
    return [StaticFile.of(path, data) for path, data in contents.items()]


def test_the_same_files_in_any_order_give_the_same_bytes(tmp_path):
    bundles = []
    for number in range(4):
        shuffled = files()
        random.Random(number).shuffle(shuffled)
        size = write_bundle(shuffled, tmp_path / f"{number}.tar.gz").size_bytes
        bundles.append((tmp_path / f"{number}.tar.gz").read_bytes())
        assert size == len(bundles[-1])
    assert len(set(bundles)) == 1


def test_members_say_nothing_of_where_and_when_they_were_made(tmp_path):
    write_bundle(files(), tmp_path / "bundle.tar.gz")
    with tarfile.open(tmp_path / "bundle.tar.gz") as archive:
        members = archive.getmembers()
    names = [member.name for member in members]
    assert names == [*sorted(names[:-1]), MANIFEST]
    assert {(m.uid, m.gid, m.uname, m.gname, m.mode) for m in members} == {(0, 0, "", "", 0o644)}
    assert len({member.mtime for member in members}) == 1
    assert (tmp_path / "bundle.tar.gz").read_bytes()[4:8] == b"\0\0\0\0"  # no time in the header


def test_everything_comes_out_again(tmp_path):
    write_bundle(files(), tmp_path / "bundle.tar.gz")
    with tarfile.open(tmp_path / "bundle.tar.gz") as archive:
        for file in files():
            member = archive.extractfile(file.path)
            assert member is not None
            assert member.read() == file.read()


def test_blocks_of_any_size_are_joined(tmp_path):
    data = random.Random(1).randbytes(300_000)

    def blocks():
        rest = io.BytesIO(data)
        size = 1
        while block := rest.read(size):
            yield block
            yield b""
            size = size * 3 % 70_001 + 1

    write_bundle([StaticFile("data", len(data), blocks)], tmp_path / "bundle.tar.gz")
    with tarfile.open(tmp_path / "bundle.tar.gz") as archive:
        member = archive.extractfile("data")
        assert member is not None
        assert member.read() == data


def test_two_exports_of_one_edition_are_the_same_bytes(edition, tmp_path):
    for name in ("one", "two"):
        with TempFiles() as temp_files:
            options = ExportOptions(base_url="https://docs.acme.example")
            write_bundle(static_files(edition, options, temp_files), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert gzip.decompress((tmp_path / "one").read_bytes())


def test_progress_is_reported_in_bytes(tmp_path):
    progress = []
    write_bundle(files(), tmp_path / "b", lambda done, total: progress.append((done, total)))
    total = sum(file.size_bytes for file in files())
    assert progress[-1] == (total, total)
    assert progress == sorted(progress)
