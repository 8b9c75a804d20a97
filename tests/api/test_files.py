"""Downloads by signed links."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import pytest

from docstead.api.application import create_api
from docstead.api.files import files_routes
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects
from growth import assert_linear
from in_process import ask

KEY = "exports/se_1/bundle.tar.gz"
DATA = bytes(range(256)) * 20_000
BASE_URL = "http://localhost"


class FileRequests:
    """The endpoint over objects on a disk."""

    def __init__(self, folder, clock) -> None:
        signer = LinkSigner(lambda: {"k1": b"x" * 32}, clock)
        self.objects = DiskObjects(folder, signer, BASE_URL)
        self._api = create_api([files_routes(self.objects, signer)], base_url=BASE_URL)

    def link(self, key: str = KEY, filename: str | None = None) -> str:
        return self.objects.link(key, ttl_seconds=600, filename=filename).url

    def call(self, url: str, method: str = "GET", **headers: str) -> httpx.Response:
        return ask(self._api, method, url, headers=headers, base_url=BASE_URL)


@pytest.fixture
def files(tmp_path, clock) -> FileRequests:
    files = FileRequests(tmp_path, clock)
    files.objects.put(KEY, DATA)
    return files


def refusal(response: httpx.Response, status: int) -> None:
    assert response.status_code == status
    assert list(response.json()) == ["error"]


def test_the_whole_object(files):
    response = files.call(files.link())
    assert response.status_code == 200
    assert response.content == DATA
    assert response.headers["Content-Length"] == str(len(DATA))
    assert response.headers["Content-Type"] == "application/gzip"
    assert response.headers["Content-Disposition"] == 'attachment; filename="bundle.tar.gz"'
    assert response.headers["Accept-Ranges"] == "bytes"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_head_answers_the_same_without_the_object(files):
    whole, head = files.call(files.link()), files.call(files.link(), "HEAD")
    assert head.status_code == 200
    assert head.content == b""
    for name in ("Content-Length", "Content-Type", "ETag", "Accept-Ranges"):
        assert head.headers[name] == whole.headers[name]


@pytest.mark.parametrize(
    ("requested", "start", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=0-99", 0, 100),
        ("bytes=100-", 100, len(DATA)),
        ("bytes=-100", len(DATA) - 100, len(DATA)),
        ("bytes=0-", 0, len(DATA)),
        ("bytes=-99999999999", 0, len(DATA)),
        ("bytes=5119990-99999999999", 5_119_990, len(DATA)),
        ("bytes = 7 - 8", 7, 9),
    ],
)
def test_ranges(files, requested, start, end):
    response = files.call(files.link(), Range=requested)
    assert response.status_code == 206
    assert response.content == DATA[start:end]
    assert response.headers["Content-Range"] == f"bytes {start}-{end - 1}/{len(DATA)}"
    head = files.call(files.link(), "HEAD", Range=requested)
    assert (head.status_code, head.headers["Content-Length"]) == (206, str(end - start))


@pytest.mark.parametrize("requested", [f"bytes={len(DATA)}-", "bytes=99999999999-", "bytes=-0"])
def test_ranges_outside(files, requested):
    response = files.call(files.link(), Range=requested)
    refusal(response, 416)
    assert response.headers["Content-Range"] == f"bytes */{len(DATA)}"


@pytest.mark.parametrize(
    "requested",
    ["bytes=5-1", "bytes=a-b", "lines=0-1", "bytes=0-1,5-6", "bytes=-", f"bytes={'9' * 5000}-"],
)
def test_what_is_no_single_range_gets_everything(files, requested):
    response = files.call(files.link(), Range=requested)
    assert (response.status_code, len(response.content)) == (200, len(DATA))


def test_a_range_of_another_version_gets_everything(files):
    etag = files.call(files.link()).headers["ETag"]
    same = files.call(files.link(), **{"Range": "bytes=0-9", "If-Range": etag})
    assert same.status_code == 206
    other = files.call(files.link(), **{"Range": "bytes=0-9", "If-Range": '"other"'})
    assert (other.status_code, len(other.content)) == (200, len(DATA))


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_unchanged_object_is_not_sent_again(files, method):
    whole = files.call(files.link())
    etag = whole.headers["ETag"]
    for known in (etag, f'"other", W/{etag}', "*"):
        same = files.call(files.link(), method, **{"If-None-Match": known, "Range": "bytes=0-9"})
        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", etag)
        assert "Content-Type" not in same.headers
    other = files.call(files.link(), method, **{"If-None-Match": '"other"'})
    assert (other.status_code, other.headers["Content-Length"]) == (200, str(len(DATA)))


def test_a_download_of_another_version_is_refused(files):
    etag = files.call(files.link()).headers["ETag"]
    for named in (etag, "*", f'"other", {etag}'):
        part = files.call(files.link(), **{"If-Match": named, "Range": "bytes=5-"})
        assert (part.status_code, part.content) == (206, DATA[5:])
    refusal(files.call(files.link(), **{"If-Match": '"other"', "Range": "bytes=5-"}), 412)


def test_an_empty_object(files):
    files.objects.put("empty.txt", b"")
    response = files.call(files.link("empty.txt"))
    assert (response.status_code, response.content) == (200, b"")
    refusal(files.call(files.link("empty.txt"), Range="bytes=0-"), 416)


def test_the_link_expires(files, clock):
    link = files.link()
    clock.move_to(clock.now() + timedelta(seconds=599))
    assert files.call(link).status_code == 200
    clock.move_to(clock.now() + timedelta(seconds=1))
    for method in ("GET", "HEAD"):
        assert files.call(link, method).status_code == 403
    refusal(files.call(link), 403)


def changed(link: str, **query: str | None) -> str:
    parts = urlsplit(link)
    values: dict[str, Any] = {**dict(parse_qsl(parts.query)), **query}
    kept = {name: value for name, value in values.items() if value is not None}
    return parts._replace(query=urlencode(kept)).geturl()


@pytest.mark.parametrize(
    "query",
    [
        {"exp": "9999999999"},
        {"exp": "x"},
        {"exp": None},
        {"kid": "k2"},
        {"kid": None},
        {"sig": "0" * 64},
        {"sig": "é"},
        {"sig": None},
        {"filename": "other.exe"},
    ],
)
def test_a_changed_link_opens_nothing(files, query):
    refusal(files.call(changed(files.link(), **query)), 403)


@pytest.mark.parametrize(
    "path", ["exports/se_2/bundle.tar.gz", "exports/x/%2e%2e/se_1/bundle.tar.gz", "", "%00"]
)
def test_a_link_opens_one_object_only(files, path):
    query = urlsplit(files.link()).query
    refusal(files.call(f"{BASE_URL}/_files/{path}?{query}"), 403)
    assert files.call(f"{BASE_URL}/_files/../secret?{query}").status_code == 404


def test_other_methods(files):
    assert files.call(files.link(), "POST").status_code == 405


def test_an_object_that_is_gone(files):
    link = files.link()
    files.objects.delete(KEY)
    refusal(files.call(link), 404)


@pytest.mark.parametrize(
    ("filename", "disposition"),
    [
        ("Acme docs.tar.gz", 'attachment; filename="Acme docs.tar.gz"'),
        (
            'a"b\\c\r\n.gz',
            "attachment; filename=\"a_b_c__.gz\"; filename*=UTF-8''a%22b%5Cc%0D%0A.gz",
        ),
        ("grüße.gz", "attachment; filename=\"gr__e.gz\"; filename*=UTF-8''gr%C3%BC%C3%9Fe.gz"),
    ],
)
def test_names_to_save_it_under(files, filename, disposition):
    response = files.call(files.link(filename=filename))
    assert response.status_code == 200
    assert response.headers["Content-Disposition"] == disposition


def test_a_page_of_a_repository_cannot_run_here(files):
    files.objects.put("assets/abc", b"<script>1</script>")
    response = files.call(files.link("assets/abc", filename="page.html"))
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("requested", ["bytes={}x", "bytes{}x", "bytes=1{}x", "bytes=1-{}x"])
def test_blanks_in_a_range_take_linear_time(files, requested):
    """A header of 64 KB with blanks stopped the whole service for a minute."""
    link = files.link()
    files.objects.put(KEY, b"small")

    def run(size: int) -> None:
        assert files.call(link, Range=requested.format(" " * size)).status_code == 200

    assert_linear(run, 4_000)
