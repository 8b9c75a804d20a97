from __future__ import annotations

import logging
import socket
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from docstead.base.errors import InvalidRequest, NotFound, ObjectsUnavailable, Unavailable
from docstead.base.throttled_log import ThrottledLog
from docstead.storage import objects as objects_module
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects, ObjectStore, S3Objects

LARGE = bytes(range(256)) * 4096 * 12  # 12 MiB: several parts of an upload


@pytest.fixture(params=["disk", "s3"])
def objects(request: pytest.FixtureRequest) -> ObjectStore:
    if request.param == "s3":
        return request.getfixturevalue("s3_objects")
    return request.getfixturevalue("sqlite_backend").objects


def test_what_is_put_is_got(objects: ObjectStore) -> None:
    objects.put("a/b.txt", b"first")
    objects.put("a/b.txt", b"second")
    assert objects.get("a/b.txt") == b"second"
    assert objects.size("a/b.txt") == 6


def test_an_empty_object_is_an_object(objects: ObjectStore) -> None:
    objects.put("empty", b"")
    assert (objects.get("empty"), objects.size("empty")) == (b"", 0)
    assert b"".join(objects.stream("empty")) == b""


def test_files_go_in_and_out(objects: ObjectStore, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(LARGE)
    objects.put("editions/ed_1.sqlite", source)
    objects.download("editions/ed_1.sqlite", target)
    assert target.read_bytes() == LARGE
    assert {path.name for path in tmp_path.iterdir()} >= {"source", "target"}
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".target")]


def test_a_failed_download_leaves_no_file(objects: ObjectStore, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        objects.download("missing", tmp_path / "target")
    assert not [path for path in tmp_path.iterdir() if "target" in path.name]


@pytest.mark.parametrize(("start", "end"), [(0, 1), (5, 10), (0, len(LARGE)), (7, 7), (1_000, 9)])
def test_ranges_are_read(objects: ObjectStore, start: int, end: int) -> None:
    objects.put("large", LARGE)
    assert objects.read("large", start, end) == LARGE[start:end]
    assert b"".join(objects.stream("large", start, end)) == LARGE[start:end]


@pytest.mark.parametrize("start", [0, 1, 5_000_000, len(LARGE) - 1])
def test_streams_go_on_to_the_end(objects: ObjectStore, start: int) -> None:
    objects.put("large", LARGE)
    chunks = list(objects.stream("large", start))
    assert b"".join(chunks) == LARGE[start:]


def test_a_failed_operation_is_named_with_its_position_and_reason(
    tmp_path: Path,
    signer: LinkSigner,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Another test may have logged a failure within the same minute.
    monkeypatch.setattr(objects_module, "_failures", ThrottledLog(logging.getLogger("objects")))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "taken").write_text("a file, not a folder")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # nobody listens
        endpoint = f"http://127.0.0.1:{closed.getsockname()[1]}"
        stores = {
            f"{tmp_path}/folder: Not a directory": DiskObjects(
                tmp_path / "folder", signer, "http://localhost"
            ),
            f"bucket docs at {endpoint}: Connection refused": S3Objects(
                "docs",
                endpoint=endpoint,
                access_key_id="a",
                secret_access_key="b",
                retry_seconds=0.1,
            ),
        }
        for ending, store in stores.items():
            with pytest.raises(ObjectsUnavailable) as caught:
                store.put("taken/a", b"content")
            expected = f"the object store failed: cannot write taken/a in {ending}"
            assert caught.value.detail.startswith(expected)
            assert str(tmp_path) not in caught.value.message
    assert "cannot write taken/a in " in caplog.text


def test_what_is_missing_is_not_found(objects: ObjectStore) -> None:
    assert objects.size("missing") is None
    for use in (
        lambda: objects.get("missing"),
        lambda: objects.read("missing", 0, 1),
        lambda: list(objects.stream("missing")),
    ):
        with pytest.raises(NotFound):
            use()


def test_deleting_twice_is_as_once(objects: ObjectStore) -> None:
    objects.put("a/b", b"x")
    objects.delete("a/b")
    objects.delete("a/b")
    assert objects.size("a/b") is None


def test_keys_are_listed_by_folder(objects: ObjectStore) -> None:
    for key in ("a/1", "a/b/2", "ab/3", "c"):
        objects.put(key, b"x")
    assert sorted(objects.keys("a/")) == ["a/1", "a/b/2"]
    assert sorted(objects.keys("a")) == ["a/1", "a/b/2"]
    assert sorted(objects.keys()) == ["a/1", "a/b/2", "ab/3", "c"]
    assert list(objects.keys("nothing/")) == []


@pytest.mark.parametrize(
    "key", ["", "/a", "a/", "a//b", "../a", "a/../b", "a/./b", ".hidden", "a b", "a\\b", "ä", "a\n"]
)
def test_keys_are_plain_paths(objects: ObjectStore, key: str) -> None:
    for use in (
        lambda: objects.put(key, b"x"),
        lambda: objects.get(key),
        lambda: objects.delete(key),
        lambda: objects.size(key),
        lambda: objects.link(key, ttl_seconds=60),
    ):
        with pytest.raises(InvalidRequest):
            use()


@pytest.mark.parametrize("ttl_seconds", [0, -1, 7 * 24 * 3600 + 1])
def test_links_live_for_a_week_at_most(objects: ObjectStore, ttl_seconds: int) -> None:
    with pytest.raises(InvalidRequest):
        objects.link("a", ttl_seconds=ttl_seconds)


def test_our_links_are_good(sqlite_backend) -> None:
    objects, signer = sqlite_backend.objects, sqlite_backend.signer
    before = datetime.now(UTC).replace(microsecond=0)
    link = objects.link("a/bundle.tar.gz", ttl_seconds=60, filename="docs.tar.gz")
    minute = timedelta(seconds=60)
    url = urlsplit(link.url)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    assert (url.netloc, url.path) == ("localhost", "/_files/a/bundle.tar.gz")
    assert int(query["exp"]) == link.expires_at.timestamp()
    assert before + minute <= link.expires_at <= datetime.now(UTC) + minute
    signer.verify("a/bundle.tar.gz", **query)


def _status(url: str, **headers: str) -> int:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_s3_links_need_no_key(s3_objects: ObjectStore) -> None:
    s3_objects.put("se_1/bundle.tar.gz", b"0123456789")
    link = s3_objects.link("se_1/bundle.tar.gz", ttl_seconds=60)
    request = urllib.request.Request(link.url, headers={"Range": "bytes=2-4"})
    with urllib.request.urlopen(link.url) as whole, urllib.request.urlopen(request) as part:
        assert whole.read() == b"0123456789"
        assert whole.headers["Content-Type"] == "application/gzip"
        assert whole.headers["Content-Disposition"] == 'attachment; filename="bundle.tar.gz"'
        assert (part.status, part.read()) == (206, b"234")
    assert urlsplit(link.url).path.endswith("/se_1/bundle.tar.gz")
    s3_objects.put("se_1/page.html", b"<p>")
    with urllib.request.urlopen(s3_objects.link("se_1/page.html", ttl_seconds=60).url) as page:
        assert page.headers["Content-Type"] == "text/html"


def test_s3_links_end_and_are_not_changed(s3_objects: ObjectStore) -> None:
    for name in ("a", "b"):
        s3_objects.put(f"{name}.tar.gz", b"x")
    link = s3_objects.link("a.tar.gz", ttl_seconds=600).url
    assert _status(link) == 200
    assert _status(link.replace("/a.tar.gz", "/b.tar.gz")) == 403
    assert _status(link.replace("X-Amz-Expires=600", "X-Amz-Expires=6000")) == 403
    assert _status(link.partition("?")[0]) == 403
    short = s3_objects.link("a.tar.gz", ttl_seconds=1).url
    while (status := _status(short)) == 200:
        time.sleep(0.1)
    assert status == 403


def test_a_store_that_cannot_be_reached_is_unavailable() -> None:
    objects = S3Objects(
        "docstead",
        endpoint="http://127.0.0.1:9",
        access_key_id="a",
        secret_access_key="b",
        retry_seconds=0,
    )
    with pytest.raises(Unavailable):
        objects.get("a")
