from __future__ import annotations

from collections.abc import Callable

import pytest

from docstead.content.pages import Repository
from docstead.loading.loader import load_repository
from docstead.repository.links import WrittenLink, links_of
from growth import assert_linear

Load = Callable[..., Repository]


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("[a](/x)", ["/x"]),
        ("[a]( /x 'title')", ["/x"]),
        ("[a](</x>)", ["/x"]),
        ("[a](</x y>)", ["/x y"]),
        ("[a [b] c](/x)", ["/x"]),
        ("[a](/x_(y))", ["/x_(y)"]),
        ("[![alt](/i.png)](/x)", ["/i.png", "/x"]),
        ("[a]: /x\n", ["/x"]),
        ("[^1]: /x\n", []),
        ('<Card title="a" href="/x" />', ["/x"]),
        ("<Card\n  href='/x'\n/>", ["/x"]),
        ('<img src={"/i.png"} />', ["/i.png"]),
        ('<Card img="/i.png" />', ["/i.png"]),
        ("<a href={target}>a</a>", []),
        ("<a href={`/x/${y}`}>a</a>", []),
        ("[a](https://example.com) [b](mailto:a@b.c) [c](//cdn.example.com)", []),
        ("[a](#part) [b]({url}) [c](?x=1)", []),
        ("`[a](/x)` and\n```\n[a](/x)\n```\n", []),
        ("{/* [a](/x) */}", []),
        (r"\[a\](/x)", []),
        ("export const f = (rows) => rows[0]\n", []),
        ("text](/x)", []),
    ],
)
def test_links_of_a_source(source: str, targets: list[str]) -> None:
    assert [link.target for link in links_of(source)] == targets


def test_images_are_distinguished_from_links() -> None:
    source = '![a](/i.png) [b](/x) <img src="/j.png" /> <a href="/y">c</a>'

    assert [(link.target, link.image) for link in links_of(source)] == [
        ("/i.png", True),
        ("/x", False),
        ("/y", False),
        ("/j.png", True),
    ]
    assert next(iter(links_of("ab [c](/x)"))) == WrittenLink("/x", 7, image=False)


FILES = {
    "guides/start.mdx": "",
    "guides/next.md": "",
    "guides/index.mdx": "",
    "deep/only/page.mdx": "",
    "images/a b.png": "png",
    "openapi.json": "{}",
    "snippets/note.mdx": "Note.",
}


@pytest.mark.parametrize(
    "link",
    [
        "/",
        "/guides/start",
        "/guides/start/",
        "/guides/start.mdx",
        "/guides/start.md",
        "/guides/start#part",
        "/guides/start?tab=x",
        "/guides",
        "/guides/",
        "/old/start",
        "/away",
        "/images/a%20b.png",
        "/openapi.json",
        "/llms.txt",
        "/sitemap.xml",
        "/guides/start/rss.xml",
        "guides/start",
        "./guides/next",
        "guides/../guides/start.mdx",
    ],
)
def test_links_that_lead_somewhere(load: Load, link: str) -> None:
    redirects = [
        {"source": "/old/:rest*", "destination": "/guides/:rest*"},
        {"source": "/away", "destination": "https://example.com"},
    ]
    repository = load({**FILES, "page.mdx": f"[a]({link})"}, redirects=redirects)

    assert repository.diagnostics == ()


def test_the_root_leads_to_the_first_page_where_none_is_called_index(write) -> None:
    settings = '{"name": "Acme", "navigation": {"pages": ["home"]}}'
    repository = load_repository(write({"docs.json": settings, "home.mdx": "[a](/) [b](/index)"}))

    broken = [each for each in repository.diagnostics if each.code == "broken-link"]
    assert ["'/index'" in each.message for each in broken] == [True]


@pytest.mark.parametrize(
    ("link", "hint"),
    [
        ("/guides/none", "Correct the path, or add a redirect."),
        ("/Guides/Start", "Did you mean /guides/start?"),
        ("/manual/next", "Did you mean /guides/next?"),
        ("/deep", "It is a folder without an index page; /deep/only/page is in it."),
        ("/deep/only", "It is a folder without an index page; /deep/only/page is in it."),
        ("/snippets/note", "Correct the path, or add a redirect."),
        ("/guides/none/rss.xml", "Correct the path, or add a redirect."),
        ("../../etc/passwd", "Correct the path, or add a redirect."),
    ],
)
def test_links_that_lead_nowhere(load: Load, link: str, hint: str) -> None:
    page = f"---\ntitle: A\n---\n\nSee\nthe [page]({link}).\n"
    (diagnostic,) = load({**FILES, "page.mdx": page}).diagnostics

    assert (diagnostic.file, diagnostic.line, diagnostic.column) == ("page.mdx", 6, 12)
    assert (diagnostic.code, diagnostic.hint) == ("broken-link", hint)
    assert repr(link) in diagnostic.message


def test_the_page_with_the_link_is_no_suggestion(load: Load) -> None:
    page = {"guides/sdk.mdx": "See [the library](/sdk)."}
    (only,) = load(page).diagnostics
    assert only.hint == "Correct the path, or add a redirect."
    (diagnostic,) = load({**page, "reference/sdk.mdx": ""}).diagnostics
    assert diagnostic.hint == "Did you mean /reference/sdk?"


def test_relative_links_start_at_the_file(load: Load) -> None:
    page = "[a](next) [b](./next.md) [c](../openapi.json) [d](start#x)"
    assert load({**FILES, "guides/more.mdx": page}).diagnostics == ()

    (diagnostic,) = load({**FILES, "guides/more.mdx": "[a](guides/next)"}).diagnostics
    assert diagnostic.hint == "Write '/guides/next'."


def test_images_that_are_missing(load: Load) -> None:
    page = '![a](/images/none.png)\n\n<img alt="" src="./gone.png" />\n'
    diagnostics = load({**FILES, "page.mdx": page}).diagnostics

    assert [
        (diagnostic.code, diagnostic.line, diagnostic.column) for diagnostic in diagnostics
    ] == [
        ("broken-image", 1, 6),
        ("broken-image", 3, 18),
    ]


@pytest.mark.parametrize(
    ("target", "message", "hint"),
    [
        ("/images/part-1.svg", "image", "Did you mean /images/part-1.png?"),
        ("/images/part-1.pdf", "image", "Correct the path, or add the file."),
        ("/images/2-order-details.png", "image", "Did you mean /images/2-orders-details.png?"),
        ("/pictures/Logo.png", "image", "Did you mean /images/logo.png?"),
        ("images/loggo.png", "image", "Did you mean /images/logo.png?"),
        ("/images/part-3.png", "image", "Correct the path, or add the file."),
        ("/images/none.png", "image", "Correct the path, or add the file."),
        ("/images/tour.MP4?a", "file", "Correct the path, or add the file."),
    ],
)
def test_missing_images_that_have_a_similar_name(
    load: Load, target: str, message: str, hint: str
) -> None:
    names = ("2-orders-details", "logo", "part-1", "part-2")
    files = {f"images/{name}.png": "png" for name in names}
    (diagnostic,) = load({**files, "page.mdx": f"![A]({target})"}).diagnostics
    assert diagnostic.message == f"there is no {message} at {target!r}"
    assert diagnostic.hint == hint
    assert diagnostic.code == ("broken-link" if message == "file" else "broken-image")


def test_a_word_that_an_authors_component_is_given_is_no_image(load: Load) -> None:
    page = '<Survey src="docs-start" />\n\n<Photo src="start.png" />\n'
    (diagnostic,) = load({**FILES, "page.mdx": page}).diagnostics
    assert (diagnostic.code, diagnostic.line) == ("broken-image", 3)


def test_snippets_are_checked_once_and_where_they_are_written(load: Load) -> None:
    snippet = "---\ntitle: S\n---\n[a](/none) [b](relative)\n"
    use = 'import Note from "/snippets/note.mdx"\n\n<Note />\n'
    files = {"snippets/note.mdx": snippet, "one.mdx": use, "two.mdx": use}

    (diagnostic,) = load(files).diagnostics
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == ("snippets/note.mdx", 4, 5)


def test_links_below_the_base_path_of_the_site(load: Load) -> None:
    seo = {"metatags": {"canonical": "https://example.com/docs"}}
    page = "[a](/docs/guides/start) ![b](/docs/images/a%20b.png)"

    assert load({**FILES, "page.mdx": page}, seo=seo).diagnostics == ()
    assert len(load({**FILES, "page.mdx": page}).diagnostics) == 2


def test_links_of_the_settings(load: Load) -> None:
    navigation = {"tabs": [{"tab": "T", "href": "/none"}, {"tab": "U", "pages": ["index"]}]}
    (diagnostic,) = load({}, navigation).diagnostics

    assert (diagnostic.file, diagnostic.code) == ("docs.json", "broken-link")
    assert diagnostic.line > 1


def test_redirects_that_lead_round_and_round(load: Load) -> None:
    redirects = [
        {"source": "/a", "destination": "/b"},
        {"source": "/b", "destination": "/a"},
        {"source": "/c", "destination": "/d"},
        {"source": "/d", "destination": "/guides/start"},
    ]
    diagnostics = load(FILES, redirects=redirects).diagnostics

    assert [diagnostic.code for diagnostic in diagnostics] == ["redirect-loop", "redirect-loop"]


@pytest.mark.parametrize(
    "piece",
    [
        "](a",
        "[",
        "`",
        "{/*",
        "<!--",
        "<Snippet ",
        "import a\n",
        "]: x",
        "> ",
        "```",
        'href="',
        "![",
    ],
)
def test_hostile_pages_take_no_longer_than_their_length(load: Load, piece: str) -> None:
    def read(size: int) -> None:
        load({"page.mdx": piece * (size // len(piece))})

    assert_linear(read, 25_000)


def test_a_redirect_that_leads_nowhere_does_not_save_a_link(load: Load) -> None:
    redirects = [{"source": "/old/:rest*", "destination": "/guides/:rest*"}]
    (diagnostic,) = load({**FILES, "page.mdx": "[a](/old/none)"}, redirects=redirects).diagnostics

    assert (diagnostic.file, diagnostic.code) == ("page.mdx", "broken-link")
