"""Files of artifacts: folders, archives, other hosts, and size limits."""

from __future__ import annotations

import io
import json
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.base.errors import Unavailable
from docstead.content.pages import Repository
from docstead.loading.loader import read_repository
from docstead.reference.sdk import artifact, artifact_files
from docstead.reference.sdk.artifact import UnusableArtifact
from docstead.reference.sdk.artifact_files import FolderArtifact, KeptArtifact, ZipArtifact
from docstead.repository.parse_cache import ParseCache

Write = Callable[[dict[str, str | bytes]], Path]
ARTIFACT_URL = "https://sdk.example/acme-javadoc.jar"


def packed(files: dict[str, bytes], **about: int) -> bytes:
    """A zip archive; `about` is set on each of its members."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            for key, value in about.items():
                setattr(member, key, value)
            archive.writestr(member, content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def folder(path: Path) -> dict[str, bytes]:
    files = (each for each in path.rglob("*") if each.is_file())
    return {str(each.relative_to(path)): each.read_bytes() for each in files}


def repository(write: Write, sdk: dict[str, str], files: dict[str, str | bytes]) -> Path:
    tabs = [{"tab": "Guides", "pages": ["index"]}, {"tab": "SDK", "sdk": sdk}]
    config = {"theme": "mint", "name": "A", "colors": {"primary": "#123456"}}
    settings = json.dumps({**config, "navigation": {"tabs": tabs}})
    return write({"docs.json": settings, "index.mdx": "# A", **files})


def read(root: Path, answer: bytes | None = None) -> Repository:
    def read_artifact(url: str) -> bytes:
        assert url == ARTIFACT_URL
        if answer is None:
            raise Unavailable("it answers with status 404")
        return answer

    return read_repository(root, read_artifact=read_artifact).finished()


def test_a_folder_may_be_an_archive_of_another_host(write: Write, artifacts: Path) -> None:
    root = repository(write, {"format": "javadoc", "source": ARTIFACT_URL}, {})
    found = read(root, packed(folder(artifacts / "javadoc")))
    assert found.diagnostics == ()
    assert "sdk-reference/com-acme/client" in found.pages


def test_a_file_may_be_one_of_another_host(write: Write, artifacts: Path) -> None:
    root = repository(write, {"format": "typedoc", "source": ARTIFACT_URL}, {})
    found = read(root, (artifacts / "typedoc.json").read_bytes())
    assert found.diagnostics == ()
    assert "sdk-reference/classes/client" in found.pages


def test_an_archive_may_stand_in_the_repository(write: Write, artifacts: Path) -> None:
    files = {"art/docs.zip": packed(folder(artifacts / "sphinx"))}
    root = repository(write, {"format": "sphinx", "source": "art/docs.zip"}, files)
    found = read(root)
    assert found.diagnostics == ()
    assert "sdk-reference/acme/client" in found.pages


@pytest.mark.parametrize(
    ("format_", "answer", "code", "reason"),
    [
        ("javadoc", None, "sdk-remote", "status 404"),
        ("javadoc", b"no archive", "sdk-missing", "no zip archive"),
        ("javadoc", packed({"a.html": b""}), "sdk-artifact", "no pages of Javadoc"),
        ("typedoc", b"{", "sdk-artifact", "not JSON"),
        ("sphinx", packed({"a.fjson": b'{"body": \n'}), "sdk-artifact", "a.fjson: not JSON"),
    ],
)
def test_what_other_hosts_have_not_is_reported_where_it_is_named(
    write: Write, format_: str, answer: bytes | None, code: str, reason: str
) -> None:
    found = read(repository(write, {"format": format_, "source": ARTIFACT_URL}, {}), answer)
    (diagnostic,) = found.diagnostics
    assert (diagnostic.file, diagnostic.code, reason in diagnostic.message) == (
        "docs.json",
        code,
        True,
    )
    assert list(found.pages) == ["index"]


@pytest.mark.parametrize(
    "data",
    [
        packed({"../x.html": b""}),
        packed({"/x.html": b""}),
        packed({"a/../../x.html": b""}),
        packed({"a\\x.html": b""}),
        packed(
            {"x.html": b"/etc/passwd"}, external_attr=(stat.S_IFLNK | 0o777) << 16, create_system=3
        ),
        packed({"x.html": b""}, external_attr=(stat.S_IFIFO | 0o777) << 16, create_system=3),
        packed({"x\n.html": b""}),
        b"PK\x05\x06" + b"\0" * 17,
        packed({"x.html": b"words"})[:-30],
        b"",
    ],
)
def test_archives_hold_plain_files_only(data: bytes) -> None:
    with pytest.raises(UnusableArtifact):
        ZipArtifact(data)


def test_a_damaged_member_is_reported() -> None:
    data = bytearray(packed({"x.html": b"words " * 1_000}))
    data[40] ^= 0xFF
    with pytest.raises(UnusableArtifact, match="damaged"):
        ZipArtifact(bytes(data)).read("x.html")


def test_members_that_say_less_than_they_are_do_not_grow() -> None:
    data = packed({"x.html": b"\0" * 1_000_000})
    lying = data.replace((1_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != data
    with pytest.raises(UnusableArtifact, match="damaged"):
        ZipArtifact(lying).read("x.html")


def test_there_is_an_end_to_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifact_files, "FILE_LIMIT_BYTES", 100)
    monkeypatch.setattr(artifact_files, "FOLDER_LIMIT_BYTES", 150)
    monkeypatch.setattr(artifact_files, "FILES_LIMIT", 3)
    with pytest.raises(UnusableArtifact, match="larger than"):
        KeptArtifact(b"x" * 101).read()
    with pytest.raises(UnusableArtifact, match="holds more than"):
        ZipArtifact(packed({"a": b"x" * 90, "b": b"x" * 90}))
    with pytest.raises(UnusableArtifact, match="holds more than 3 files"):
        ZipArtifact(packed(dict.fromkeys("abcd", b"")))
    for name in "ab":
        (tmp_path / name).write_bytes(b"x" * 90)
    found = FolderArtifact(tmp_path)
    found.read("a")
    with pytest.raises(UnusableArtifact, match="holds more than"):
        found.read("b")
    for name in "cd":
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(UnusableArtifact, match="holds more than 3 files"):
        FolderArtifact(tmp_path)


def test_there_is_an_end_to_symbols(
    write: Write, artifacts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifact, "SYMBOLS_LIMIT", 5)
    files = {"t.json": (artifacts / "typedoc.json").read_bytes()}
    found = read(repository(write, {"format": "typedoc", "source": "t.json"}, files))
    (diagnostic,) = found.diagnostics
    assert (diagnostic.code, "more than 5 symbols" in diagnostic.message) == ("sdk-artifact", True)


def test_links_within_a_folder_are_passed_over(tmp_path: Path) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("secret")
    art = tmp_path / "art"
    art.mkdir()
    (art / "a.html").symlink_to(secret)
    (art / "deep").symlink_to(tmp_path)
    (art / "b.html").write_text("words")
    found = FolderArtifact(art)
    assert found.paths == ("b.html",)
    with pytest.raises(UnusableArtifact):
        found.read("a.html")


def test_a_large_artifact_that_is_none_is_reported_at_once(write: Write) -> None:
    files = {
        "t.json": b'{"kind": 1, "children": [' + (b'{"a": "' + b"x" * 1_000 + b'"}, ') * 10_000
    }
    found = read(repository(write, {"format": "typedoc", "source": "t.json"}, files))
    (diagnostic,) = found.diagnostics
    assert (diagnostic.file, diagnostic.code) == ("t.json", "sdk-artifact")


def test_what_was_read_before_is_not_read_again(write: Write, artifacts: Path) -> None:
    memory = ParseCache(50_000_000)
    files: dict[str, str | bytes] = {
        f"art/{name}": data for name, data in folder(artifacts / "sphinx").items()
    }
    root = repository(write, {"format": "sphinx", "source": "art"}, files)
    first = read_repository(root, parse_cache=memory).finished()
    (root / "art" / "new.fjson").write_text('{"body": 3}')
    second = read_repository(root, parse_cache=memory).finished()
    (root / "art" / "api.fjson").write_text("{")
    third = read_repository(root, parse_cache=memory).finished()
    assert first.pages.keys() == second.pages.keys()
    assert [each.file for each in third.diagnostics] == ["art/api.fjson"]


def test_repositories_without_libraries_import_no_readers(write: Write) -> None:
    root = repository(write, {}, {})
    (root / "docs.json").write_text('{"name": "A", "navigation": {"pages": ["index"]}}')
    script = (
        "import sys; from pathlib import Path\n"
        "from docstead.loading.loader import load_repository\n"
        f"load_repository(Path({str(root)!r}))\n"
        "print(*sorted(n for n in sys.modules if n.startswith('docstead.reference.sdk.')))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == ["docstead.reference.sdk.navigating"]
