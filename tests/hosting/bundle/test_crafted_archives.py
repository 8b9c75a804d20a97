"""Archives that mean harm: each is refused, nothing is written outside, the live site stays."""

from __future__ import annotations

import gzip
import hashlib
import tarfile
import tracemalloc
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from bundle_archives import (
    END,
    HOME,
    bundle,
    bundle_of,
    file,
    header,
    packed,
    padded,
    pax,
    record,
    tar,
)
from docstead.base.archives import ArchiveLimits, unpack
from docstead.base.clock import SystemClock
from docstead.base.errors import InvalidRequest
from docstead.base.outbound import OutboundClient
from docstead.hosting.bundle.installing import Installer
from docstead.hosting.bundle.manager import BundleManager
from docstead.hosting.bundle.releases import ReleaseStore

INDEX = file("index.html", HOME)
LIMITS = ArchiveLimits(archive_bytes=8_000_000, unpacked_bytes=40_000_000, files=500)
NUL = b"\0"


def link(name: str, target: str, kind: bytes) -> bytes:
    return header(name, type=kind, linkname=target)


def special(kind: bytes) -> bytes:
    return header("dev", type=kind, devmajor=1, devminor=5)


def pax_raw(data: bytes, size: int | None = None) -> bytes:
    length = len(data) if size is None else size
    return header("PaxHeaders/x", length, type=tarfile.XHDTYPE) + padded(data)


def gnu_long(kind: bytes, text: bytes) -> bytes:
    return header("././@LongLink", len(text), type=kind) + padded(text)


CASES: dict[str, bytes] = {
    # links and what is no file
    "symlink": bundle(link("a", "/etc/passwd", tarfile.SYMTYPE)),
    "symlink upwards": bundle(link("a", "../../..", tarfile.SYMTYPE)),
    "symlink inside": bundle(link("a.html", "index.html", tarfile.SYMTYPE)),
    "file through a symlink": bundle(
        link("out", "/tmp", tarfile.SYMTYPE), file("out/evil", b"evil")
    ),
    "folder then symlink": bundle(
        header("d/", type=tarfile.DIRTYPE), link("d", "/tmp", tarfile.SYMTYPE), file("d/evil")
    ),
    "hard link": bundle(link("a", "/etc/passwd", tarfile.LNKTYPE)),
    "hard link inside": bundle(link("a.html", "index.html", tarfile.LNKTYPE)),
    "file with a link's name": bundle(file("a", b"x", linkname="/etc/passwd")),
    "folder with a link's name": bundle(header("a/", type=tarfile.DIRTYPE, linkname="..")),
    "character device": bundle(special(tarfile.CHRTYPE)),
    "block device": bundle(special(tarfile.BLKTYPE)),
    "pipe": bundle(special(tarfile.FIFOTYPE)),
    "contiguous file": bundle(special(tarfile.CONTTYPE)),
    "sparse file": bundle(header("s", type=tarfile.GNUTYPE_SPARSE)),
    "incremental dump": bundle(header("d", type=b"D")),
    "second volume": bundle(header("m", type=b"M")),
    "volume label": bundle(header("v", type=b"V")),
    "unknown kind": bundle(header("u", type=b"Z")),
    "Solaris header": bundle(header("u", type=b"X")),
    # names
    "absolute": bundle(file("/etc/cron.d/evil")),
    "two slashes": bundle(file("//etc/evil")),
    "upwards": bundle(file("../evil")),
    "upwards twice": bundle(file("../../evil")),
    "upwards inside": bundle(file("a/../../evil")),
    "upwards and back": bundle(file("a/../index2.html")),
    "upwards at the end": bundle(file("a/..")),
    "dots with slashes": bundle(file(".//../evil")),
    "dot dot slash dot": bundle(file("./../evil")),
    "a dot inside": bundle(file("a/./b.html")),
    "an empty segment": bundle(file("a//b.html")),
    "only a dot": bundle(file(".")),
    "no name": bundle(file(b"")),
    "a folder upwards": bundle(header("../evil/", type=tarfile.DIRTYPE)),
    "an absolute folder": bundle(header("/evil/", type=tarfile.DIRTYPE)),
    "a prefix upwards": bundle(file("evil", raw={257: b"ustar\x0000", 345: b".."})),
    "an absolute prefix": bundle(file("evil", raw={257: b"ustar\x0000", 345: b"/tmp"})),
    "backslash": bundle(file("..\\evil")),
    "backslash inside": bundle(file("a\\b.html")),
    "NUL and more": bundle(file(b"index2.html\0.png")),
    "NUL and upwards": bundle(file(b"ok\0/../../evil")),
    "line break": bundle(file("a\nb.html")),
    "escape sequence": bundle(file("\x1b[2J.html")),
    "delete": bundle(file("a\x7f.html")),
    "not UTF-8": bundle(file(b"caf\xe9.html")),
    "too long a segment": bundle(pax(b"path=" + b"a" * 300), file("x")),
    "too long a path": bundle(pax(b"path=" + b"abcdefg/" * 60 + b"a" * 600), file("x")),
    "too deep": bundle(pax(b"path=" + b"a/" * 100 + b"x"), file("x")),
    "drive letter": bundle(file("C:/Windows/evil")),
    "drive relative": bundle(file("C:evil")),
    "alternate stream": bundle(file("a.html:evil")),
    "device of Windows": bundle(file("aux")),
    "device with extension": bundle(file("docs/con.html")),
    "device in capitals": bundle(file("NUL.txt")),
    "device as a folder": bundle(file("com1/a.html")),
    "device with a superscript": bundle(file("lpt².html")),
    "dot at the end": bundle(file("a.html.")),
    "space at the end": bundle(file("a.html ")),
    "space in front": bundle(file(" a.html")),
    "slash at the end of a file": bundle(file("a/", type=tarfile.REGTYPE, raw={156: b"0"})),
    # the same name twice
    "duplicate": bundle(file("a.html", b"1"), file("a.html", b"2")),
    "the home page twice": bundle(file("index.html", b"evil")),
    "duplicate behind a dot": bundle(file("a.html", b"1"), file("./a.html", b"2")),
    "another case": bundle(file("a.html"), file("A.html")),
    "another case above": bundle(file("docs/a.html"), file("Docs/A.html")),
    "sharp s": bundle(file("straße.html"), file("STRASSE.html")),
    "composed and not": bundle(file("é.html"), file("e\u0301.html")),
    "a file and a folder": bundle(file("a"), file("a/b.html")),
    "a folder and a file": bundle(file("a/b.html"), file("a")),
    "a folder member and a file": bundle(header("a/", type=tarfile.DIRTYPE), file("a")),
    "a file and a folder member": bundle(file("a"), header("a/", type=tarfile.DIRTYPE)),
    # permissions and sizes
    "setuid": bundle(file("a", mode=0o4755)),
    "setgid": bundle(file("a", mode=0o2755)),
    "sticky": bundle(file("a", mode=0o1755)),
    "setuid folder": bundle(header("a/", type=tarfile.DIRTYPE, mode=0o4755)),
    "folder with a size": bundle(header("a/", 512, type=tarfile.DIRTYPE) + padded(b"x" * 512)),
    "negative size": bundle(header("a", raw={124: b"\xff" * 12})),
    "huge size": bundle(header("a", raw={124: b"\x80" + b"\0" * 3 + b"\x7f" + b"\xff" * 7})),
    "size that is no number": bundle(header("a", raw={124: b"12z45678901\0"})),
    "size beyond the end": packed(tar(INDEX, header("a", 10_000), end=b"")),
    # extended headers
    "PAX path upwards": bundle(pax(b"path=../evil"), file("ok")),
    "PAX absolute path": bundle(pax(b"path=/tmp/evil"), file("ok")),
    "PAX path with NUL": bundle(pax(b"path=a\0b"), file("ok")),
    "PAX path not UTF-8": bundle(pax(b"path=\xff\xfe"), file("ok")),
    "PAX empty path": bundle(pax(b"path="), file("ok")),
    "PAX link path": bundle(pax(b"linkpath=/etc/passwd"), file("ok")),
    "PAX size": bundle(pax(b"size=999999999999"), file("ok")),
    "PAX sparse": bundle(pax(b"GNU.sparse.major=1", b"GNU.sparse.name=../evil"), file("ok")),
    "PAX old sparse": bundle(pax(b"GNU.sparse.map=0,1"), file("ok")),
    "PAX character set": bundle(pax(b"hdrcharset=BINARY"), file("ok")),
    "PAX extended attribute": bundle(pax(b"SCHILY.xattr.security.capability=x"), file("ok")),
    "PAX twice the same key": bundle(pax(b"path=a", b"path=../evil"), file("ok")),
    "PAX twice": bundle(pax(b"path=a"), pax(b"path=b"), file("ok")),
    "PAX alone": packed(tar(INDEX, pax(b"path=a"))),
    "PAX global": bundle(header("g", 18, type=b"g") + padded(record(b"path=../evil"))),
    "PAX length zero": bundle(pax_raw(b"0 path=a\n"), file("ok")),
    "PAX length too long": bundle(pax_raw(b"99 path=a\n"), file("ok")),
    "PAX length negative": bundle(pax_raw(b"-9 path=a\n"), file("ok")),
    "PAX length huge": bundle(pax_raw(b"9" * 40 + b" path=a\n"), file("ok")),
    "PAX length no number": bundle(pax_raw(b"xx path=a\n"), file("ok")),
    "PAX without a value": bundle(pax_raw(b"8 path\n\n"), file("ok")),
    "PAX without a line break": bundle(pax_raw(b"10 path=aa"), file("ok")),
    "PAX behind its end": bundle(pax_raw(record(b"path=a") + b"evil", size=9), file("ok")),
    "PAX of gigabytes": bundle(header("x", 4_000_000_000, type=tarfile.XHDTYPE)),
    "GNU long name": bundle(gnu_long(tarfile.GNUTYPE_LONGNAME, b"../evil\0"), file("ok")),
    "GNU long link": bundle(gnu_long(tarfile.GNUTYPE_LONGLINK, b"/etc/passwd\0"), file("ok")),
    "GNU long name of gigabytes": bundle(
        header("././@LongLink", 4_000_000_000, type=tarfile.GNUTYPE_LONGNAME)
    ),
    # headers
    "wrong checksum": packed(tar(INDEX, file("a").replace(b"ustar", b"USTAR", 1))),
    "no magic": bundle(file("a", raw={257: NUL * 8})),
    "another magic": bundle(file("a", raw={257: b"evil!!!!"})),
    "a link's name that goes on": bundle(file("a", raw={157: b"\0evil"})),
    "noise": packed(tar(INDEX, bytes(range(256)) * 2)),
    # the end
    "no end": packed(tar(INDEX, end=b"")),
    "half an end": packed(tar(INDEX, end=b"\0" * 512)),
    "a member behind half an end": packed(tar(INDEX, NUL * 512, file("evil"))),
    "a member behind the end": packed(tar(INDEX, END, file("evil"))),
    "cut in a header": packed(tar(INDEX, header("a")[:300], end=b"")),
    "cut in a file": packed(tar(INDEX, header("a", 2000), b"x" * 600, end=b"")),
    # compression
    "empty": b"",
    "zip": b"PK\x03\x04" + b"\0" * 100,
    "plain tar": tar(INDEX),
    "bzip2": b"BZh91AY&SY" + b"\0" * 60,
    "zlib": zlib.compress(tar(INDEX)),
    "HTML": b"<!doctype html><title>Sign in</title>",
    "cut gzip": bundle(file("a", bytes(range(256)) * 400))[:-20],
    "cut trailer": bundle()[:-4],
    "wrong check sum of gzip": bundle()[:-8] + b"\0\0\0\0" + bundle()[-4:],
    "wrong length of gzip": bundle()[:-4] + b"\1\2\3\4",
    "damaged gzip": bundle(file("a", bytes(range(256)) * 40))[:200] + b"\xff" * 300,
    "trailing garbage": bundle() + b"evil",
    "trailing zeros": bundle() + NUL * 512,
    "a second stream": bundle() + bundle(),
    "gzip in gzip": gzip.compress(bundle(), mtime=0),
    # no site
    "no home page": packed(tar(file("a.html"))),
    "nothing": packed(tar()),
    "facts that are none": bundle(file("_docs/export.json", b"{}[")),
    "facts of another shape": bundle(file("_docs/export.json", b'{"redirects": 5}')),
    "facts of a later format": bundle(file("_docs/export.json", b'{"format": 99}')),
    "manifest that is none": bundle(file("_docs/manifest.json", b"[]")),
    "manifest with a file that is missing": bundle(
        file("_docs/manifest.json", b'{"format":1,"files":{"a":{"sha256":"","sizeBytes":1}}}')
    ),
    "manifest with another content": bundle(
        file(
            "_docs/manifest.json",
            b'{"format":1,"files":{"index.html":{"sha256":"00","sizeBytes":1}}}',
        )
    ),
}
NUMBERS = range(LIMITS.files + 1)
# Packed when a test asks for them: they take a second, and every process collects this file.
LARGE: dict[str, Callable[[], bytes]] = {
    "zeros without end": lambda: packed(tar(INDEX, END, bytes(5_000_000))),
    "bomb of zeros": lambda: bundle(file("bomb", bytes(30_000_000))),
    "bomb of zeros in the padding": lambda: packed(tar(INDEX, END, bytes(30_000_000))),
    "too many files": lambda: bundle(*(file(f"{n}.html") for n in NUMBERS)),
    "too many folders": lambda: bundle(*(header(f"{n}/", type=tarfile.DIRTYPE) for n in NUMBERS)),
    "too many bytes": lambda: bundle(*(file(f"{n}", noise(n)) for n in range(20))),
}
NAMES = (*CASES, *LARGE)


def noise(number: int) -> bytes:
    return hashlib.shake_256(b"noise").digest(60_000) + bytes([number]) * 2_000_000


@cache
def archive(name: str) -> bytes:
    return LARGE[name]() if name in LARGE else CASES[name]


def test_there_are_enough_of_them() -> None:
    assert len(NAMES) >= 60
    assert len(set(map(archive, NAMES))) == len(NAMES)


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BundleManager]:
    """A bundle manager with a live site, in a folder whose every file is known."""
    root = tmp_path_factory.mktemp("hosted")
    (root / "live.tar.gz").write_bytes(bundle_of([("index.html", b"<p>live</p>")]))
    config = root / "deployment.yaml"
    write_config(config, "live.tar.gz")
    releases = ReleaseStore(root / "bundles")
    installer = Installer(releases, lambda _: OutboundClient(), SystemClock())
    manager = BundleManager(config, releases, installer)
    manager.open()
    manager.poll()
    return root, manager


def write_config(path: Path, archive: str) -> None:
    path.write_text(
        "staticExport:\n  enabled: true\n  maxUnpackedBytes: 40000000\n  maxFiles: 500\n"
        f"  maxArchiveBytes: 8000000\n  bundleUrl: {archive}\n"
    )


def files_below(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_crafted_archive_is_refused(name: str, hosted: tuple[Path, BundleManager]) -> None:
    root, manager = hosted
    (root / "crafted.tar.gz").write_bytes(archive(name))
    write_config(root / "deployment.yaml", "crafted.tar.gz")
    before = files_below(root)
    manager.poll()
    assert manager.report()["error"], name
    assert files_below(root) == before
    assert manager.site is not None
    assert manager.site.files.read(manager.site.files.at("/")) == b"<p>live</p>"
    write_config(root / "deployment.yaml", "live.tar.gz")
    manager.poll()
    assert manager.report()["error"] is None


def test_memory_does_not_grow_with_what_an_archive_claims(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    tracemalloc.start()
    for name in ("PAX of gigabytes", "GNU long name of gigabytes", "bomb of zeros", "huge size"):
        (tmp_path / "archive").write_bytes(archive(name))
        with pytest.raises(InvalidRequest):
            unpack(tmp_path / "archive", tmp_path / "target", LIMITS)
        (tmp_path / "target" / "index.html").unlink(missing_ok=True)
        (tmp_path / "target" / "bomb").unlink(missing_ok=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000
