"""A GraphQL schema in a bundle: every page there, every link and anchor of them, and search."""

from __future__ import annotations

import json
import posixpath
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

SCHEMA = """
"Somebody. See [home](/)."
type User { id: ID! role(of: Role = ADMIN): Role! friends: [User!]! }
enum Role { ADMIN GUEST }
union Found = User
type Query { user(id: ID!): User find: [Found!]! }
type Mutation { rename(id: ID!, name: String!): User! }
"""
PAGES = {
    "queries": ("user", "find"),
    "mutations": ("rename",),
    "types": ("user", "role", "found"),
}
_LINK = re.compile(r'<a [^>]*?href="([^"]*)"')


def test_a_schema_in_a_bundle(docstead, source: Path, tmp_path: Path) -> None:
    config = json.loads((source / "docs.json").read_text())
    tabs = [
        {"tab": "Guides", **config["navigation"]},
        {"tab": "GraphQL", "graphql": {"source": "schema.graphql", "directory": "ql"}},
    ]
    (source / "docs.json").write_text(json.dumps({**config, "navigation": {"tabs": tabs}}))
    (source / "schema.graphql").write_text(SCHEMA)
    site = tmp_path / "site"

    ended = docstead("export", source, "-o", site, "--base-url", "https://d.example", "--json")
    report = json.loads(ended.stdout)
    assert (ended.returncode, report["diagnostics"]) == (0, [])

    expected = {f"ql/{part}/{name}" for part, names in PAGES.items() for name in names}
    assert {str(p.relative_to(site))[:-5] for p in site.glob("ql/**/*.html")} == expected
    assert (site / "schema.graphql").read_text() == SCHEMA
    sitemap, listed = (site / "sitemap.xml").read_text(), (site / "llms.txt").read_text()
    assert "## GraphQL Schemas\n\n- [schema.graphql](https://d.example/schema.graphql)" in listed
    assert "/schema.graphql" in (site / ".well-known" / "api-catalog").read_text()
    for slug in expected:
        assert f"https://d.example/{slug}<" in sitemap
        assert f"(https://d.example/{slug}.md)" in listed
        assert dead_links(site, slug) == []
    assert "[User](../../ql/types/user.md)" in (site / "ql" / "queries" / "user.md").read_text()


def dead_links(site: Path, slug: str) -> list[str]:
    """Links of a page that lead to no file of the bundle, or to no fragment of it."""
    page = (site / f"{slug}.html").read_text()
    own = [unescape(link) for link in _LINK.findall(page) if "://" not in link]
    assert any(link.startswith("#field-") or "types" in link for link in own)
    return [link for link in own if not leads(site, slug, link)]


def leads(site: Path, slug: str, link: str) -> bool:
    path, _, anchor = link.partition("#")
    name = posixpath.normpath(posixpath.join(posixpath.dirname(slug), unquote(path)))
    target = site / (name if path else f"{slug}.html")
    if not target.is_file():
        return False
    return not anchor or f'id="{unquote(anchor)}"' in target.read_text()
