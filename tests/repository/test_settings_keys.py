"""The table of keys and the documentation agree."""

from __future__ import annotations

import re
from pathlib import Path

from docstead.repository.settings_keys import known_keys

DOCS = Path(__file__).parents[2] / "docs"
FORMAT = DOCS / "reference/docs-json.mdx"


def test_every_known_key_is_documented() -> None:
    text = "".join(page.read_text() for page in sorted(DOCS.rglob("*.mdx")))
    words = set(re.findall(r"[\w$-]+", text))
    names = {key.rpartition(".")[2] for key in known_keys()}
    assert names - words == set()


def test_every_key_of_the_tables_is_known() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", FORMAT.read_text(), re.MULTILINE)
    keys = [key for row in rows for key in re.findall(r"`([^`]+)`", row)]
    assert len(keys) > 50
    known = known_keys()
    assert [key for key in keys if not _is_known(key, known)] == []


def _is_known(key: str, known: frozenset[str]) -> bool:
    """Keys that continue the one before them begin with a dot."""
    ending = key if key.startswith(".") else f"*.{key}"
    return key in known or any(each.endswith(ending) for each in known)
