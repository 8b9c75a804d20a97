"""The documentation has the settings that are declared."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from docstead.content.config import SiteConfig
from docstead.content.setting_keys import declared_settings
from docstead.repository.frontmatter_keys import KEYS
from docstead.repository.settings_keys import node_keys

DOCS = Path(__file__).parents[2] / "docs"
FORMAT = DOCS / "reference/docs-json.mdx"


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    return runpy.run_path(str(DOCS.parent / "checks" / "settings_tables.py"))


def test_every_known_key_is_documented() -> None:
    text = "".join(page.read_text() for page in sorted(DOCS.rglob("*.mdx")))
    words = set(re.findall(r"[\w$-]+", text))
    names = {path[-1] for path, _ in declared_settings(SiteConfig)}
    assert (names | node_keys()) - words == set()


def test_tables_of_the_documentation_are_as_declared(tables: dict[str, Any]) -> None:
    pages = sorted(DOCS.rglob("*.mdx"))
    assert [page for page in pages if page.read_text() != tables["updated"](page)] == []


def test_every_setting_has_its_row(tables: dict[str, Any]) -> None:
    text = FORMAT.read_text()
    rows = tables["documented"]()
    assert len(rows) > 60
    assert [path for path, row in rows.items() if row not in text] == []


def test_every_key_of_frontmatter_has_its_row(tables: dict[str, Any]) -> None:
    text = (DOCS / "reference/frontmatter.mdx").read_text()
    rows = tables["documented"]("frontmatter")
    assert rows.keys() == KEYS
    assert [key for key, row in rows.items() if row not in text] == []
