"""Contents of an export, file by file."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from html.parser import HTMLParser

import pytest

from docstead.base.archive_names import MemberNames
from docstead.base.errors import InvalidRequest
from docstead.content.config import Logo, Redirect, ThemedValue
from docstead.export.manifest import MARKER
from docstead.export.options import ExportOptions
from docstead.export.selection import checked_paths
from docstead.export.temp_files import TempFiles
from static_files import static_files

BASE_URL = "https://docs.acme.example"


def exported(edition, slugs=None, base_url=BASE_URL, **options) -> dict[str, bytes]:
    with TempFiles() as temp_files:
        export_options = ExportOptions(base_url=base_url, slugs=slugs, **options)
        files = list(static_files(edition, export_options, temp_files))
        assert len({file.path for file in files}) == len(files)
        assert all(file.size_bytes == len(file.read()) for file in files)
        return {file.path: file.read() for file in files}


class PageLinks(HTMLParser):
    """Every URL that a document names, and those a browser loads on its own."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.followed: list[str] = []
        self.loaded: list[str] = []
        self.canonical = ""
        self.feed(html.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and given.get("rel") == "canonical":
            self.canonical = given["href"]
        elif tag == "a":
            self.followed.append(given.get("href", ""))
        elif tag in ("link", "script", "img", "iframe", "source"):
            self.loaded += [given[name] for name in ("href", "src") if name in given]


def test_every_page_is_a_file_with_a_markdown_version(edition):
    files = exported(edition)
    for slug in edition.slugs():
        assert f"<p>{slug}</p>".encode() in files[f"{slug}.html"]
        assert f"{slug} as text".encode() in files[f"{slug}.md"]


def test_what_belongs_to_the_site(edition):
    files = exported(edition)
    shared = {path for path in files if re.match(r"_docs/(?!search/)", path)} - {MARKER}
    assert {"404.html", "sitemap.xml", "robots.txt", "llms.txt", "llms-full.txt"} <= files.keys()
    assert shared
    assert all(re.search(r"\.[0-9a-f]{8,}\.\w+$", path) for path in shared)
    assert files["images/logo.svg"].startswith(b"<svg")
    assert files["empty.txt"] == b""
    assert b"guides/start.html#install" in files["old.html"]


def test_links_lead_to_files_of_the_export(edition):
    files = exported(edition)
    for path in (path for path in files if path.endswith(".html") and path != "404.html"):
        found = PageLinks(files[path])
        for url in (*found.followed, *found.loaded):
            if url.startswith(("http", "#", "data:", "mailto:")):
                continue
            target = posixpath.normpath(
                posixpath.join(posixpath.dirname(path), re.split("[?#]", url)[0])
            )
            assert target in files, f"{path} leads to {url}"


def test_nothing_is_loaded_from_another_host(edition):
    files = exported(edition)
    assert {path.rpartition(".")[2] for path in files} >= {"html", "css"}
    for path, data in files.items():
        if path.endswith(".html"):
            assert not [
                a for a in PageLinks(data).loaded if "//" in a and not a.startswith("data:")
            ]
        if path.endswith(".css"):
            assert not re.search(rb"url\(\s*['\"]?(https?:)?//|@import", data)


def test_canonical_urls_have_no_extension(edition):
    files = exported(edition)
    assert PageLinks(files["guides/start.html"]).canonical == f"{BASE_URL}/guides/start"
    assert PageLinks(files["index.html"]).canonical.rstrip("/") == BASE_URL
    sitemap = files["sitemap.xml"].decode()
    assert f"<loc>{BASE_URL}/guides/start</loc>" in sitemap
    assert ".html" not in sitemap


def test_a_site_without_a_home_page_leads_on_to_its_first_page(write_edition, open_edition):
    files = exported(open_edition(write_edition(pages=("intro", "more"))))
    assert b"intro.html" in files["index.html"]


def test_files_of_the_repository_win_over_generated_ones(write_edition, open_edition):
    own = {"robots.txt": b"own robots", "llms.txt": b"own llms", "llms-full.txt": b"own full"}
    files = exported(open_edition(write_edition(files=own)))
    assert {path: files[path] for path in own} == own


def test_pages_win_over_redirects_and_files(write_edition, open_edition):
    files = exported(
        open_edition(
            write_edition(
                files={"index.html": b"own"}, redirects=(Redirect("/guides/start", "/index"),)
            )
        )
    )
    assert b"<p>index</p>" in files["index.html"]
    assert b"<p>guides/start</p>" in files["guides/start.html"]


@pytest.mark.parametrize("source", ["/guides/START", "/GUIDES/start", "/aux", "/ends "])
def test_no_redirect_page_has_a_name_that_some_file_systems_confuse(
    write_edition, open_edition, source
):
    redirects = (Redirect(source, "/index"), Redirect("/Old", "/index"), Redirect("/old", "/index"))
    files = exported(open_edition(write_edition(redirects=redirects)))
    names = MemberNames()
    for path in files:
        names.file(path)
    assert "Old.html" in files
    assert source in files[MARKER].decode()


def test_some_pages_only(edition):
    files = exported(edition, ("guides/start",))
    pages = {path for path in files if path.endswith(".html") and path != "404.html"}
    assert pages >= {"guides/start.html", "index.html"}
    assert "api/users.html" not in files
    assert "api/users.md" not in files
    assert "api/users" not in files["sitemap.xml"].decode()
    start = PageLinks(files["guides/start.html"])
    assert f"{BASE_URL}/api/users" in start.followed  # to the published site
    assert "start.html#install" in [a.rpartition("/")[2] for a in start.followed]
    assert b"guides/start.html" in files["index.html"]


def test_redirects_to_pages_that_are_not_exported_lead_to_the_published_site(
    write_edition, open_edition
):
    redirects = (
        Redirect("/users", "/api/users#fields"),
        Redirect("/begin", "/guides/start"),
        Redirect("/elsewhere", "https://other.example/x"),
        Redirect("/nowhere", "/missing"),
    )
    edition = open_edition(write_edition(redirects=redirects))
    files = exported(edition, ("index", "guides/start"))
    outward = f"{BASE_URL}/api/users#fields"
    assert PageLinks(files["users.html"]).followed == [outward]
    assert PageLinks(files["begin.html"]).followed == ["guides/start.html"]
    facts = json.loads(files[MARKER])["redirects"]
    assert [each["destination"] for each in facts] == [
        outward, "/guides/start", "https://other.example/x", "/missing",
    ]  # fmt: skip
    whole = json.loads(exported(edition)[MARKER])["redirects"]
    assert whole[0]["destination"] == "/api/users#fields"


def test_an_export_without_a_url_names_none(edition):
    files = exported(edition, base_url="")
    assert PageLinks(files["guides/start.html"]).canonical == ""


def test_the_link_preview_is_named_by_the_logo_that_it_shows(write_edition, open_edition):
    names = set()
    for color in ("red", "blue"):
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"><rect fill="{color}"'
        files = {"logo.svg": f'{drawing} width="9" height="3"/></svg>'.encode()}
        logo = Logo(ThemedValue("/logo.svg", "/logo.svg"))
        found = exported(open_edition(write_edition(files=files, name=color, logo=logo)))
        (name,) = (path for path in found if path.startswith("_docs/preview"))
        names.add((name, hashlib.sha256(found[name]).hexdigest()))
    assert len(dict(names)) == len({digest for _, digest in names}) == 2


def test_paths_are_slugs_each_once(edition):
    requested = ["guides/start", "index", "guides/start"]
    assert checked_paths(requested, edition.slugs()) == ("guides/start", "index")


TRICKS = (
    "",
    "/index",
    "index.html",
    "index.mdx",
    "guides/../index",
    "../index",
    "guides//start",
    "guides/./start",
    "guides\\start",
    "guides/start\0",
    "guides/start/",
    "index?x",
    "index#x",
    "%2e%2e/index",
)


@pytest.mark.parametrize(
    "path",
    [
        *TRICKS,
        "unknown/page",
        "INDEX",
    ],
)
def test_what_is_no_page_path_is_named(edition, path):
    with pytest.raises(InvalidRequest) as refusal:
        checked_paths(["index", path], edition.slugs())
    assert refusal.value.message.startswith("paths: ")
    assert repr(path) in refusal.value.message


@pytest.mark.parametrize("path", TRICKS)
def test_a_trick_is_refused_even_where_a_page_of_that_name_exists(path):
    with pytest.raises(InvalidRequest):
        checked_paths([path], {"index", path})


def test_no_paths_at_all_is_a_mistake(edition):
    with pytest.raises(InvalidRequest, match="at least one"):
        checked_paths([], edition.slugs())
