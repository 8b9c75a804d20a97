from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from docstead.content.pages import PageMeta
from docstead.content.setting_keys import setting_fields
from docstead.loading import page_reader
from docstead.repository import metas
from docstead.repository.frontmatter import SourceDocument, split
from docstead.repository.frontmatter_keys import KEYS, OtherKeys
from docstead.repository.metas import default_title, read_meta
from docstead.repository.positions import Diagnostics


def meta(**fields: Any) -> PageMeta:
    return read_meta(SourceDocument("guides/start.mdx", fields, "", ""), Diagnostics())


def test_every_key_is_read() -> None:
    found = meta(
        title="Start",
        description="First steps",
        sidebarTitle="Go",
        icon="rocket",
        iconType="solid",
        tag="NEW",
        mode="wide",
        hidden=True,
        noindex=True,
        searchable=False,
        deprecated=True,
        rss=True,
        hideFooterPagination=True,
        boost=2,
        keywords=["a", "b"],
        url="https://example.com",
        canonical="https://example.com/start",
        version="2.0",
        **{"og:title": "Card", "robots": "noindex", "custom": "kept nowhere"},
    )

    assert found == PageMeta(
        slug="guides/start",
        file="guides/start.mdx",
        title="Start",
        description="First steps",
        sidebar_title="Go",
        icon="rocket",
        icon_type="solid",
        tag="NEW",
        mode="wide",
        hidden=True,
        noindex=True,
        searchable=False,
        deprecated=True,
        rss=True,
        hide_footer_pagination=True,
        boost=2.0,
        keywords=("a", "b"),
        url="https://example.com",
        canonical="https://example.com/start",
        version="2.0",
        metatags={"og:title": "Card", "robots": "noindex"},
    )


@pytest.mark.parametrize(
    ("key", "value", "attribute", "expected"),
    [
        ("title", 2024, "title", "2024"),
        ("title", True, "title", "true"),
        ("title", "", "title", "Start"),
        ("title", None, "title", "Start"),
        ("hidden", "true", "hidden", True),
        ("keywords", "one, two", "keywords", ("one", "two")),
        ("icon", {"name": "github", "library": "lucide"}, "icon", "github"),
        ("api", "post https://example.com/x", "method", "POST"),
    ],
)
def test_other_spellings_are_understood(
    key: str, value: Any, attribute: str, expected: Any
) -> None:
    assert getattr(meta(**{key: value}), attribute) == expected


@pytest.mark.parametrize(
    ("line", "code_line"),
    [
        ("title: [a, b]", 3),
        ("hidden: maybe", 3),
        ("mode: giant", 3),
        ("boost: -1", 3),
        ("boost: high", 3),
        ("boost: 1e308", 3),
        ("boost: 1e999", 3),
        ("keywords: {a: b}", 3),
        ("playground: loud", 3),
    ],
)
def test_a_wrong_type_is_named_with_its_line(line: str, code_line: int) -> None:
    diagnostics = Diagnostics()
    read_meta(split(f"---\nicon: star\n{line}\n---\n", "a.mdx", diagnostics), diagnostics)

    (diagnostic,) = diagnostics.sorted()
    assert (diagnostic.code, diagnostic.line) == ("frontmatter-type", code_line)


@pytest.mark.parametrize(
    ("slug", "title"),
    [
        ("guides/quick-start", "Quick start"),
        ("guides/quick_start", "Quick start"),
        ("guides/index", "Guides"),
        ("index", "Acme"),
        ("SDK", "SDK"),
    ],
)
def test_titles_of_pages_without_one(slug: str, title: str) -> None:
    assert default_title(slug, "Acme") == title


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("Title", "title"),
        ("side_bar_title", "sidebarTitle"),
        ("gsidebarTitle", "sidebarTitle"),
        ("descripton", "description"),
        ("authors", None),
        ("custom", None),
        ("tags", None),
    ],
)
def test_keys_that_look_misspelled_are_reported(key: str, meant: str | None) -> None:
    diagnostics = Diagnostics()
    read_meta(split(f"---\nx: 1\n{key}: A\n---\n", "a.mdx", diagnostics), diagnostics)
    found = [(each.code, each.line, each.hint) for each in diagnostics.sorted()]
    assert found == ([("unknown-key", 3, f"Did you mean {meant!r}?")] if meant else [])


def test_a_key_beside_the_one_that_it_looks_like_is_the_authors_own() -> None:
    diagnostics = Diagnostics()
    read_meta(split("---\ntitle: A\nTitle: B\n---\n", "a.mdx", diagnostics), diagnostics)
    assert not diagnostics.sorted()


def test_known_keys_are_those_that_are_read() -> None:
    source = inspect.getsource(metas) + inspect.getsource(page_reader)
    read = set(re.findall(r"(?:fields\.\w+|fields\.get|fields)[(\[]\"([\w-]+)\"", source))
    assert read - KEYS == set()
    others = {each.path[0] for each in setting_fields(OtherKeys)}
    assert others - metas._META_NAMES - read == set()
