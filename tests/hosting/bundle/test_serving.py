"""Responses of a hosted bundle at each path."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from docstead.base.units import MIB

LARGE = bytes(range(256)) * 4096
SEARCH = "_docs/search/0123456789ab"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/", "Home"),
        ("/index.html", "Home"),
        ("/guides/start", "Start"),
        ("/guides/start.html", "Start"),
        ("/guides/", "Guides"),
        ("/guides/index.html", "Guides"),
        ("/guides/index", "Guides"),
    ],
)
def test_pages_with_and_without_extension(live: Any, path: str, title: str) -> None:
    answer = live.get(path)
    assert answer.status_code == 200
    assert f"<title>{title}</title>" in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "location", "status"),
    [
        ("/guides", "/guides/", 308),
        ("/guides/start/", "/guides/start", 308),
        ("/old", "/guides/start#install", 308),
        ("/old.html", "/guides/start#install", 308),
        ("/moved/start", "/guides/start", 307),
        ("/moved/a/b?q=1", "/guides/a/b?q=1", 307),
        ("/away", "https://example.org/there", 308),
    ],
)
def test_redirects_are_answered_as_such(live: Any, path: str, location: str, status: int) -> None:
    answer = live.get(path)
    assert (answer.status_code, answer.headers["location"]) == (status, location)


def test_programs_that_read_get_markdown(live: Any) -> None:
    accept = {"accept": "text/markdown"}
    assert live.get("/guides/start", headers=accept).text == "# Start"
    assert live.get("/", headers=accept).text == "# Home"
    assert "Accept" in live.get("/").headers["vary"]
    assert live.get("/guides/start.md").headers["content-type"].startswith("text/markdown")
    assert live.get("/.well-known/llms.txt").text == "# Acme"


def test_pages_link_what_programs_read(live: Any) -> None:
    headers = live.get("/guides/start").headers
    assert headers["link"] == (
        '</guides/start.md>; rel="alternate"; type="text/markdown", </llms.txt>; rel="llms-txt"'
    )
    assert headers["x-llms-txt"] == "/llms.txt"
    assert "link" not in live.get("/guides/").headers  # it has no Markdown version
    assert live.get("/images/logo.svg").headers["x-robots-tag"] == "noindex"
    assert live.get("/large.bin").headers["x-robots-tag"] == "noindex"
    assert "x-robots-tag" not in live.get("/llms.txt").headers


@pytest.mark.parametrize("path", ["/nowhere", "/a/b/c", "/guides/start.txt", "/_docs", "/_docs/"])
def test_what_is_not_there_is_the_bundles_own_page(live: Any, path: str) -> None:
    answer = live.get(path)
    assert answer.status_code == 404
    assert "<title>Gone</title>" in answer.text
    assert "find()" not in answer.text  # nothing is to be found out here
    assert 'href="/_docs/site.0123456789ab.css"' in answer.text
    assert 'data-search="/_docs/search.0123456789ab.js"' in answer.text
    assert 'href="/"' in answer.text
    assert 'href="#x"' in answer.text
    assert 'href="https://a.example/"' in answer.text


@pytest.mark.parametrize(
    "path",
    ["/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/guides/../../x",
     "/a%5c..%5cb", "/%00", "/a%0d%0ab", "//etc/passwd"],
)  # fmt: skip
def test_paths_never_leave_the_bundle(live: Any, path: str) -> None:
    answer = live.get(path)
    assert (answer.status_code, "root:" in answer.text) == (404, False)


def test_a_policy_that_runs_only_own_scripts(live: Any) -> None:
    for path in ("/", "/nowhere", "/guides/start", "/large.bin"):
        policy = live.get(path).headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "connect-src 'self';" in policy
        assert "object-src 'none'" in policy
        assert live.get(path).headers["x-content-type-options"] == "nosniff"
    for path in ("/images/logo.svg", "/data.xml"):
        assert "sandbox" in live.get(path).headers["content-security-policy"]
    sheet = live.get("/_docs/site.0123456789ab.css").headers
    assert "content-security-policy" not in sheet  # the one of the page applies
    assert sheet["x-content-type-options"] == "nosniff"


def test_scripts_may_call_the_origins_of_the_configuration(host: Any, make_archive: Any) -> None:
    host.configure(
        host.put("one.tar.gz", make_archive()), connectSources=["https://api.example.com"]
    )
    host.start()
    policy = host.get("/").headers["content-security-policy"]
    assert "connect-src 'self' https://api.example.com;" in policy


def test_what_is_named_by_its_content_is_cached_permanently(live: Any) -> None:
    for path in ("/_docs/site.0123456789ab.css", "/_docs/search/0123456789ab/0.js"):
        assert "immutable" in live.get(path).headers["cache-control"]
    for path in ("/", "/large.bin", "/llms.txt"):
        assert live.get(path).headers["cache-control"] == "public, no-cache"


def test_texts_are_compressed(live: Any) -> None:
    plain = live.get("/", headers={"accept-encoding": "identity"})
    for coding in ("gzip", "gzip", "br", "br"):  # made, then kept
        zipped = live.get("/", headers={"accept-encoding": coding})
        assert zipped.headers["content-encoding"] == coding
        assert zipped.content == plain.content
        assert int(zipped.headers["content-length"]) < len(plain.content) / 4
    assert zipped.headers["etag"] != plain.headers["etag"]
    assert "Accept-Encoding" in plain.headers["vary"]
    assert "content-encoding" not in live.get("/large.bin").headers


@pytest.mark.parametrize("path", ["/", "/large.bin", "/_docs/site.0123456789ab.css"])
@pytest.mark.parametrize("coding", ["br", "gzip", "identity"])
def test_what_a_reader_has_is_not_sent_again(live: Any, path: str, coding: str) -> None:
    first = live.get(path, headers={"accept-encoding": coding})
    etag = first.headers["etag"]
    for known in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        again = live.get(path, headers={"accept-encoding": coding, "if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == etag
    other = live.get(path, headers={"accept-encoding": coding, "if-none-match": '"other"'})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("header", "start", "end"),
    [("bytes=0-9", 0, 10), ("bytes=5-", 5, None), ("bytes=-7", -7, None),
     ("bytes=10-99999999", 10, None)],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/large.bin", "/index.html", "/"])
def test_parts_of_files(live: Any, path: str, header: str, start: int, end: int | None) -> None:
    whole = live.get(path, headers={"accept-encoding": "identity"})
    part = live.get(path, headers={"range": header, "accept-encoding": "gzip"})
    assert part.status_code == 206
    assert part.content == whole.content[start:end]
    assert part.headers["content-range"].endswith(f"/{len(whole.content)}")
    assert part.headers["etag"] == whole.headers["etag"]
    assert "content-encoding" not in part.headers


def test_parts_that_cannot_be(live: Any) -> None:
    refused = live.get("/large.bin", headers={"range": f"bytes={len(LARGE)}-"})
    assert refused.status_code == 416
    assert refused.headers["content-range"] == f"bytes */{len(LARGE)}"
    for header in ("bytes=9-5", "bytes=-", "lines=0-5", "bytes=0-1,4-5"):
        assert live.get("/large.bin", headers={"range": header}).content == LARGE
    changed = live.get("/large.bin", headers={"range": "bytes=0-9", "if-range": '"other"'})
    assert changed.status_code == 200
    assert live.get("/nowhere", headers={"range": "bytes=0-9"}).status_code == 404
    assert live.get("/old", headers={"range": "bytes=0-9"}).status_code == 308


@pytest.mark.parametrize("path", ["/", "/large.bin", "/nowhere", "/empty.txt", "/healthz", "/old"])
def test_head_has_the_headers_of_get(live: Any, path: str) -> None:
    get, head = live.get(path), live.get(path, "HEAD")
    assert head.status_code == get.status_code
    assert head.content == b""
    assert head.headers.get("content-length") == get.headers.get("content-length")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_pages_are_only_read(live: Any, method: str) -> None:
    answer = live.get("/", method)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_names_of_all_languages_and_files_without_content(live: Any) -> None:
    assert live.get("/grüße.txt").text == "grüße"
    assert live.get("/empty.txt").content == b""
    assert live.get("/large.bin").content == LARGE


def test_below_a_base_path(host: Any, make_archive: Any) -> None:
    host.configure(host.put("one.tar.gz", make_archive()), basePath="/docs/")
    host.start()
    assert "<title>Start</title>" in host.get("/docs/guides/start").text
    assert host.get("/docs").headers["location"] == "/docs/"
    assert host.get("/docs/old").headers["location"] == "/docs/guides/start#install"
    assert 'href="/docs/_docs/' in host.get("/docs/nowhere").text
    for path in ("/", "/guides/start", "/docsx/guides/start"):
        assert host.get(path).status_code == 404
    assert host.get("/readyz").status_code == 200


def test_files_of_the_search_are_joined(live: Any) -> None:
    index = live.get("/_docs/search/index.js").text
    assert index == '__docsteadSearch("index",{"joins":1,"d":"0123456789ab"});'
    answer = live.get("/_docs/search/0123456789ab/0-r12.0.0-r12.js")
    assert (answer.status_code, answer.text) == (200, "recordssearch")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "names", ["0.0-t2", "0.../index", "0.", "0..0-r12", "0.manifest", ".".join(["0"] * 25)]
)
def test_only_existing_files_of_the_search_are_joined(live: Any, names: str) -> None:
    assert live.get(f"/_docs/search/0123456789ab/{names}.js").status_code == 404


@pytest.mark.parametrize(("count", "size"), [(1, 9 * MIB), (3, 3 * MIB)])
def test_files_that_are_too_large_for_memory_are_not_joined(
    host: Any, make_archive: Any, count: int, size: int
) -> None:
    names = [f"0-t{number}" for number in range(count)]
    noise = Random(1).randbytes(MIB) * (size // MIB)  # hosts refuse what is packed too well
    files = {f"{SEARCH}/{name}.js": noise for name in ("0", *names)}
    host.configure(host.put("one.tar.gz", make_archive({"index.html": b"Home", **files})))
    host.start()
    assert host.get(f"/{SEARCH}/{'.'.join(['0', *names])}.js").status_code == 404
    assert len(host.get(f"/{SEARCH}/0-t0.js").content) == size


def test_urls_that_readers_make_up_displace_no_page(live: Any) -> None:
    live.get("/")
    kept = live.manager.site.ready.items()
    assert len(kept) == 1
    for path in (f"/{SEARCH}/0-r12.0.js", f"/{SEARCH}/0.0-r12.js", "/a", "/a/b", "/c.js"):
        live.get(path)
    assert live.manager.site.ready.items() == kept
