from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.content.config import Redirect
from docstead.repository.redirects import RedirectMatch, RedirectTable, patterns

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
        ("/x/:all+", "/y/:all+", "/x/a/b", "/y/a/b"),
        ("/x/:all+", "/y/:all+", "/x", None),
        ("/x/:all*", "/:all*", "/x", "/"),
        ("/x/:all*", "/y?page=:all*", "/x/a", "/y?page=a"),
        ("/x-:rest*", "/y/:rest*", "/x-", "/y"),
        ("/x/:a/:a", "/y/:a", "/x/1/1", "/y/1"),
        ("/x/:a/:a", "/y/:a", "/x/1/2", None),
        ("/x/:a", "/y/:b", "/x/1", "/y/:b"),
        ("/x-*/deep", "/y/*", "/x-1/deep", "/y/1"),
        ("/x-*/deep", "/y/*", "/x-1/2/deep", None),
        ("/x/:a", "https://:a.example.com/", "/x/evil", None),
        ("/x/:a", "https://example.com/:a", "/x/1", "https://example.com/1"),
        ("/x/:a", "/https://:a", "/x/1", "/https://1"),
        ("//x///y/", "/z", "/x/y", "/z"),
        ("/x", "/x#part", "/x", None),
        ("/x", "/x?a=1", "/x", None),
        ("/_docs/:rest*", "/y", "/_docs/x", None),
        ("/caf\ud800/:a", "/y", "/caf\ud800/1", None),
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
def test_any_text_is_matched_without_an_error(source: str, destination: str, path: str) -> None:
    found = RedirectTable([Redirect(source, destination)]).match(path)

    assert found is None or found.status == 308


@pytest.mark.parametrize("source", ["/:a*/x/:b*", "/*/:rest*", "/:a-:b-:c", "/a*b*c*d*e*f*g"])
def test_sources_that_could_take_long_are_left_out(source: str) -> None:
    assert leads(source, "/new", "/a/x/b") is None
    assert leads(source, "/new", "/" + "a" * 1_000) is None


def test_a_source_has_at_most_16_wildcards() -> None:
    for number, expected in ((16, "/new"), (17, None)):
        source = "".join(f"/:n{each}" for each in range(number))
        assert leads(source, "/new", "/x" * number) == expected


def test_at_most_1000_redirects_have_wildcards() -> None:
    redirects = [Redirect(f"/a{number}/:x", f"/b{number}/:x") for number in range(1_001)]
    table = RedirectTable([*redirects, Redirect("/plain", "/exact")])
    assert table.match("/a999/1") == RedirectMatch("/b999/1", 308)
    assert table.match("/a1000/1") is None
    assert table.match("/plain") == RedirectMatch("/exact", 308)
    assert len(list(patterns(redirects))) == 1_000


def test_paths_of_2000_characters_are_redirected() -> None:
    longest = "/a/" + "x" * 1_997
    assert leads("/a/:rest*", "/b", longest) == "/b"
    assert leads("/a/:rest*", "/b", f"{longest}x") is None


def test_a_path_with_half_a_character_has_no_wildcard() -> None:
    table = RedirectTable([Redirect("/:all*", "/y"), Redirect("/a\ud800", "/z")])
    assert table.match("/a\ud800") == RedirectMatch("/z", 308)
    assert table.match("/b\ud800") is None


@pytest.mark.parametrize(
    ("source", "path", "captured"),
    [
        ("/beta/:slug*", "/beta/a/b", {"slug": "a/b"}),
        ("/beta/:slug*", "/beta", {"slug": None}),
        ("/beta/:slug+", "/beta", None),
        ("/users/:id/posts/:post", "/users/7/posts/9", {"id": "7", "post": "9"}),
        ("/users/:id", "/users/7/more", None),
        ("/x/:a/:a", "/x/1/1", {"a": "1"}),
        ("/x/:a/:a", "/x/1/2", None),
        ("/x-*/a.b", "/x-1/a.b", {"_0": "1"}),
        ("/x-*/a.b", "/x-1/a-b", None),
        ("/old/*", "/old/a/b", {"_0": "a/b"}),
    ],
)
def test_scripts_match_what_the_service_matches(
    source: str, path: str, captured: dict[str, str | None] | None
) -> None:
    redirect = Redirect(source, "/new")
    ((pattern, found),) = patterns([redirect])
    matched = re.fullmatch(pattern, path)
    assert found is redirect
    assert (matched.groupdict() if matched else None) == captured
    assert (leads(source, "/new", path) is not None) == (captured is not None)


def test_scripts_get_no_pattern_for_exact_or_refused_sources() -> None:
    refused = [
        Redirect("/plain", "/new"),
        Redirect("/x/:a", "https://:a.example.com/"),
        Redirect("/:a*/x/:b*", "/new"),
        Redirect("/*/*", "/new"),
        Redirect("/:a-:b", "/new"),
    ]
    assert list(patterns(refused)) == []
    assert all(leads(each.source, each.destination, "/x/y") is None for each in refused[1:])


def test_long_sources_that_need_much_memory_are_all_matched() -> None:
    text = "x" * 1_500
    table = RedirectTable(Redirect(f"/{number}-{text}/:x", f"/b{number}") for number in range(400))
    for number in (0, 199, 200, 399):
        assert table.match(f"/{number}-{text}/1") == RedirectMatch(f"/b{number}", 308)


def test_endless_paths_are_not_looked_at() -> None:
    assert leads("/a/:rest*", "/b", "/a/" + "x" * 5_000) is None
