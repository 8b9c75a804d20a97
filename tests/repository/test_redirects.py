from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.content.config import Redirect
from docstead.repository.redirects import RedirectMatch, RedirectTable

SEGMENTS = st.text(alphabet="abcxyz0189-._~", min_size=1, max_size=6).filter(
    lambda text: text.strip(".") != ""
)
PATHS = st.lists(SEGMENTS, min_size=1, max_size=4).map("/".join)


def leads(source: str, destination: str, path: str) -> str | None:
    found = RedirectTable([Redirect(source, destination)]).match(path)
    return found.destination if found else None


@pytest.mark.parametrize(
    ("source", "destination", "path", "expected"),
    [
        ("/old", "/new", "/old", "/new"),
        ("/old", "/new", "/old/", "/new"),
        ("/old/", "/new", "/old", "/new"),
        ("/old", "/new", "/old/deeper", None),
        ("/old", "/new", "/Old", None),
        ("/old", "/new#part", "/old", "/new#part"),
        ("/old", "https://example.com/x", "/old", "https://example.com/x"),
        ("/beta/:slug*", "/v2/:slug*", "/beta/a/b", "/v2/a/b"),
        ("/beta/:slug*", "/v2/:slug*", "/beta", "/v2"),
        ("/beta/:slug*", "/v2/:slug*", "/betas", None),
        ("/beta/:slug*", "/v2", "/beta/a/b", "/v2"),
        ("/users/:id/posts/:post", "/u/:post/by/:id", "/users/7/posts/9", "/u/9/by/7"),
        ("/users/:id", "/u/:id", "/users/7/more", None),
        ("/a/:one?", "/b/:one", "/a", "/b"),
        ("/articles/concepts-*", "/overview", "/articles/concepts-getting-started", "/overview"),
        ("/old/article-*", "/new/article-*", "/old/article-123", "/new/article-123"),
        ("/old/*", "/new/*", "/old/a/b", "/new/a/b"),
        ("/a.b", "/new", "/axb", None),
        ("/", "/home", "/", "/home"),
        ("/x/:all*", "https://example.com:8080/:all*", "/x/a", "https://example.com:8080/a"),
    ],
)
def test_patterns(source: str, destination: str, path: str, expected: str | None) -> None:
    assert leads(source, destination, path) == expected


def test_status_says_whether_the_move_is_for_good() -> None:
    redirects = RedirectTable([Redirect("/a", "/b"), Redirect("/c", "/d", permanent=False)])

    assert redirects.match("/a") == RedirectMatch("/b", 308)
    assert redirects.match("/c") == RedirectMatch("/d", 307)


def test_the_first_entry_that_fits_wins() -> None:
    wild_first = RedirectTable([Redirect("/a/:x*", "/wild"), Redirect("/a/b", "/exact")])
    exact_first = RedirectTable([Redirect("/a/b", "/exact"), Redirect("/a/:x*", "/wild")])

    assert wild_first.match("/a/b") == RedirectMatch("/wild", 308)
    assert exact_first.match("/a/b") == RedirectMatch("/exact", 308)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("//evil.example", [None, None, None]),
        ("/go//evil.example", ["/evil.example", "/evil.example", "/./evil.example"]),
        ("/go/\\evil.example", ["/%5Cevil.example", "/%5Cevil.example", "/./%5Cevil.example"]),
    ],
)
def test_a_captured_part_never_names_another_host(path: str, expected: list[str | None]) -> None:
    destinations = ("/:rest*", ":rest*", "/./:rest*")
    assert [leads("/go/:rest*", each, path) for each in destinations] == expected


def test_captured_line_ends_are_escaped() -> None:
    assert leads("/go/:rest*", "/x/:rest*", "/go/a\r\nSet-Cookie: b") == "/x/a%0D%0ASet-Cookie:%20b"


def test_a_page_is_not_redirected_to_itself() -> None:
    assert leads("/docs/:rest*", "/docs/:rest*", "/docs/a") is None


@given(PATHS, PATHS)
def test_exact_sources_lead_to_their_destination_only(source: str, other: str) -> None:
    assert leads(f"/{source}", "/over/there", f"/{source}") == "/over/there"
    if other != source:
        assert leads(f"/{source}", "/over/there", f"/{other}") is None


@given(PATHS, PATHS)
def test_the_rest_is_carried_over(prefix: str, rest: str) -> None:
    assert leads(f"/{prefix}/:rest*", "/new/:rest*", f"/{prefix}/{rest}") == f"/new/{rest}"


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_matched_without_a_fault(source: str, destination: str, path: str) -> None:
    found = RedirectTable([Redirect(source, destination)]).match(path)

    assert found is None or found.status == 308


@pytest.mark.parametrize("source", ["/:a*/x/:b*", "/*/:rest*", "/:a-:b-:c", "/a*b*c*d*e*f*g"])
def test_sources_that_could_take_long_are_left_out(source: str) -> None:
    assert leads(source, "/new", "/a/x/b") is None
    assert leads(source, "/new", "/" + "a" * 1_000) is None


def test_endless_paths_are_not_looked_at() -> None:
    assert leads("/a/:rest*", "/b", "/a/" + "x" * 5_000) is None
