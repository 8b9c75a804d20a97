"""Validators, ranges, compression, and the headers that protect readers."""

from __future__ import annotations

import gzip
import re
from hashlib import sha256
from typing import Any

import brotli
import pytest

HOST = "http://docs.acme.test"
LARGE = b"0123456789" * 150_000
pytestmark = pytest.mark.usefixtures("acme")


@pytest.mark.parametrize("path", ["/guides/start", "/images/logo.svg", "/sitemap.xml", "/api.md"])
def test_what_a_reader_has_is_not_sent_again(world: Any, path: str) -> None:
    first = world.get(HOST + path)
    again = world.get(HOST + path, headers={"if-none-match": f'"other", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert world.get(HOST + path, headers={"if-none-match": '"other"'}).status_code == 200


def test_a_new_edition_has_a_new_validator(world: Any, acme: Any) -> None:
    before = world.get(HOST + "/api").headers["etag"]
    world.publish_site(acme, title="Newer")
    after = world.get(HOST + "/api", headers={"if-none-match": before})
    assert (after.status_code, "Newer" in after.text) == (200, True)
    assert after.headers["etag"] != before


def test_pages_are_compressed_where_the_reader_takes_it(world: Any) -> None:
    plain = world.get(HOST + "/api", headers={"accept-encoding": "identity"})
    etags = {plain.headers["etag"]}
    assert "content-encoding" not in plain.headers
    for accepted, coding in (("br, gzip;q=0.5", "br"), ("gzip, br;q=0", "gzip"), ("gzip", "gzip")):
        zipped = world.get(HOST + "/api", headers={"accept-encoding": accepted})
        assert zipped.headers["content-encoding"] == coding
        assert zipped.content == plain.content
        assert int(zipped.headers["content-length"]) < int(plain.headers["content-length"]) / 2
        assert "Accept-Encoding" in zipped.headers["vary"]
        etags.add(zipped.headers["etag"])
    assert len(etags) == 3
    refused = world.get(HOST + "/api", headers={"accept-encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers


def test_shared_files_are_compressed_as_far_as_possible(world: Any) -> None:
    page = world.get(HOST + "/api").text
    for path in re.findall(r'(?:href|src)="(/_docs/[^"]+\.(?:css|js))"', page):
        plain = world.get(HOST + path, headers={"accept-encoding": "identity"})
        for coding, best in (
            ("br", len(brotli.compress(plain.content))),  # at its highest quality
            ("gzip", len(gzip.compress(plain.content, 9))),
        ):
            answer = world.get(HOST + path, headers={"accept-encoding": coding})
            assert answer.content == plain.content
            if len(plain.content) >= 1024:
                assert int(answer.headers["content-length"]) <= best


def test_shared_files_are_cached_permanently(world: Any) -> None:
    page = world.get(HOST + "/api").text
    path = re.search(r'href="(/_docs/[^"]+\.css)"', page)[1]
    answer = world.get(HOST + path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert world.get("http://service.test" + path.replace(".css", "x.css")).status_code == 404


def test_the_policy_is_sent_once_with_a_page(world: Any) -> None:
    page = world.get(HOST + "/api")
    paths = re.findall(r'(?:href|src)="(/_docs/[^"]+\.(?:css|js|woff2))"', page.text)
    assert len(paths) > 2
    assert "content-security-policy" in page.headers
    for path in paths:
        answer = world.get(HOST + path)
        assert answer.status_code == 200
        assert "content-security-policy" not in answer.headers, path
        assert answer.headers["x-content-type-options"] == "nosniff"
    document = world.get(HOST + re.search(r'"(/_docs/[^"]+\.svg)"', page.text)[1])
    assert "content-security-policy" in document.headers


def test_files_of_the_search_are_joined(world: Any) -> None:
    folder = f"{HOST}/_docs/search"
    index = world.get(f"{folder}/index.js").text
    assert '"joins":1' in index
    digest = re.search(r'"d":"(\w+)"', index)[1]
    one, other = (world.get(f"{folder}/{digest}/{name}.js").text for name in ("0-t0", "0-r0"))
    assert world.get(f"{folder}/{digest}/0-r0.0-t0.js").text == other + one
    assert world.get(f"{folder}/{digest}/0-t0.0-r99.js").status_code == 404


def test_joined_files_displace_no_page(world: Any) -> None:
    index = world.get(f"{HOST}/_docs/search/index.js").text
    digest = re.search(r'"d":"(\w+)"', index)[1]
    folder = f"{HOST}/_docs/search/{digest}"
    kept = world.usual_hosting._kept.items()
    for names in ("0-t0.0-r0", "0-r0.0-t0", "0-t0.0-r0.0-w0"):
        assert world.get(f"{folder}/{names}.js").status_code == 200
    assert world.usual_hosting._kept.items() == kept


@pytest.mark.parametrize("content", [b"<svg/>", LARGE])
def test_a_lost_file_is_named_once_and_can_be_restored(
    world: Any, acme: Any, content: bytes, caplog: Any
) -> None:
    world.publish_site(acme, files={"images/lost.bin": (content, "application/octet-stream")})
    key = f"assets/{sha256(content).hexdigest()}"
    world.objects.delete(key)
    for _ in range(3):
        answer = world.get(f"{HOST}/images/lost.bin")
        assert (answer.status_code, "Retry-After" in answer.headers) == (503, True)
    (line,) = (each for each in caplog.messages if "lost" in each)
    assert "images/lost.bin" in line
    assert "publish its site again" in line
    assert "Traceback" not in caplog.text
    world.objects.put(key, content)
    assert world.get(f"{HOST}/images/lost.bin").content == content


def test_shared_files_are_found_below_a_path(world: Any) -> None:
    page = world.get("http://service.test/_sites/acme/api").text
    paths = re.findall(r'(?:href|src)="(/[^"]*_docs/[^"]+)"', page)
    assert paths
    assert {world.get("http://service.test" + path).status_code for path in paths} == {200}
    assert all(path.startswith("/_sites/acme/_docs/") for path in paths)


@pytest.mark.parametrize(
    ("header", "content", "content_range"),
    [
        ("bytes=0-9", LARGE[:10], "0-9"),
        ("bytes=5-", LARGE[5:], f"5-{len(LARGE) - 1}"),
        ("bytes=-7", LARGE[-7:], f"{len(LARGE) - 7}-{len(LARGE) - 1}"),
        ("bytes=10-99999999", LARGE[10:], f"10-{len(LARGE) - 1}"),
    ],
)
def test_a_part_of_a_file(world: Any, header: str, content: bytes, content_range: str) -> None:
    answer = world.get(HOST + "/large.bin", headers={"range": header})
    assert answer.status_code == 206
    assert answer.content == content
    assert answer.headers["content-range"] == f"bytes {content_range}/{len(LARGE)}"
    assert answer.headers["content-length"] == str(len(content))


@pytest.mark.parametrize(
    "header", ["bytes=9-5", "bytes=-", "bytes=a-b", "lines=0-5", "bytes=0-1,4-5", "bytes=0"]
)
def test_a_range_that_makes_no_sense_is_the_whole_file(world: Any, header: str) -> None:
    answer = world.get(HOST + "/video.mp4", headers={"range": header})
    assert (answer.status_code, len(answer.content)) == (200, 2048)


@pytest.mark.parametrize(
    ("path", "header"),
    [("/video.mp4", "bytes=2048-"), ("/video.mp4", "bytes=-0"), ("/empty.txt", "bytes=0-")],
)
def test_a_range_behind_the_end_is_refused(world: Any, path: str, header: str) -> None:
    answer = world.get(HOST + path, headers={"range": header})
    assert answer.status_code == 416
    assert answer.headers["content-range"].startswith("bytes */")


def test_a_range_of_a_file_that_changed_is_the_whole_file(world: Any) -> None:
    headers = {"range": "bytes=0-9", "if-range": '"another"'}
    whole = world.get(HOST + "/video.mp4", headers=headers)
    assert (whole.status_code, len(whole.content)) == (200, 2048)
    headers["if-range"] = whole.headers["etag"]
    part = world.get(HOST + "/video.mp4", headers=headers)
    assert (part.status_code, part.content) == (206, whole.content[:10])


def test_a_large_file_arrives_whole(world: Any) -> None:
    answer = world.get(HOST + "/large.bin")
    assert answer.content == LARGE
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["x-robots-tag"] == "noindex"


def test_file_names_of_all_languages(world: Any) -> None:
    answer = world.get(HOST + "/Ünïcode name.txt")
    assert answer.text == "grüße"
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_an_empty_file(world: Any) -> None:
    answer = world.get(HOST + "/empty.txt")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("path", ["/images/logo.svg", "/form.html", "/data.xml", "/data.rdf"])
def test_documents_of_the_repository_run_no_scripts(world: Any, path: str) -> None:
    policy = world.get(HOST + path).headers["content-security-policy"]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize("path", ["/", "/nowhere", "/images/logo.svg", "/video.mp4", "/old"])
def test_nothing_is_sniffed(world: Any, path: str) -> None:
    assert world.get(HOST + path).headers["x-content-type-options"] == "nosniff"


def test_pages_run_scripts_of_their_own_host_only(world: Any) -> None:
    policy = world.get(HOST + "/api").headers["content-security-policy"]
    assert "script-src 'self';" in policy
    for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'"):
        assert part in policy
    for kind in ("img-src", "media-src", "frame-src"):
        assert re.search(rf"{kind} 'self' https: data:", policy)


def test_a_malformed_host_cannot_write_the_policy(world: Any) -> None:
    answer = world.get("http://x/_sites/acme/api", headers={"host": "a; script-src *"})
    assert "script-src 'self';" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/api", "/large.bin", "/nowhere", "/sitemap.xml"])
def test_head_has_the_headers_of_get(world: Any, path: str) -> None:
    get, head = world.get(HOST + path), world.get(HOST + path, "HEAD")
    assert head.status_code == get.status_code
    assert head.headers["content-length"] == get.headers["content-length"]
