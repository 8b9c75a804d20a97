"""Tables of the keys of `docs.json` and frontmatter in the documentation, from their declarations.

    python checks/settings_tables.py [--write]

A comment names the keys of the table below it: `{/* settings: colors fonts.family */}`, or
`{/* frontmatter: title */}`. The command fails if a table differs from the declarations in
`content/config.py`, `content/pages.py` and `repository/frontmatter_keys.py`; `--write` corrects it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_origin

from docstead.content.config import Color, SiteConfig, SocialLinks, ThemedColor, ThemedValue
from docstead.content.navigation import NavNode, NodeKeys
from docstead.content.setting_keys import SettingField, declared_settings
from docstead.repository.frontmatter_keys import HOLDERS

DOCS = Path(__file__).parent.parent / "docs"
_TABLE = re.compile(r"(\{/\* (settings|frontmatter): (.*?) \*/\}\n\n)(?:\|.*\n)*")
_NODE = "navigation.*."
_HOLDERS: Mapping[str, tuple[tuple[type, str], ...]] = {
    "settings": ((SiteConfig, ""), (NavNode, _NODE), (NodeKeys, _NODE)),
    "frontmatter": tuple((holder, "") for holder in HOLDERS),
}
_HEAD = "| Key | Type | Default | Description |\n|---|---|---|---|\n"
_TYPES: Mapping[Any, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    Color: "color",
    SocialLinks: "object",
    ThemedValue: "string or object",
    ThemedColor: "color or object",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="correct the tables")
    write = parser.parse_args().write
    stale = [page for page in sorted(DOCS.rglob("*.mdx")) if page.read_text() != updated(page)]
    for page in stale:
        if write:
            page.write_text(updated(page))
        else:
            print(f"{page}: run checks/settings_tables.py --write", file=sys.stderr)
    return int(bool(stale) and not write)


def updated(page: Path) -> str:
    """Return the text of a page with the tables as declared."""
    return _TABLE.sub(
        lambda found: found[1] + _HEAD + "".join(_rows(found[3], documented(found[2]))),
        page.read_text(),
    )


def documented(table: str = "settings") -> Mapping[str, str]:
    """Return the row of each key that has one, by its path."""
    rows: dict[str, str] = {}
    for holder, above in _HOLDERS[table]:
        for path, each in declared_settings(holder):
            key = ".".join(path)
            if _description(each):
                rows.setdefault(above + key, _row(key, each))
    return rows


def _rows(keys: str, rows: Mapping[str, str]) -> Iterator[str]:
    for key in keys.split():
        found = [row for path, row in rows.items() if f"{path}.".startswith(f"{key}.")]
        if not found:
            raise ValueError(f"no key is called {key!r}")
        yield from found


def _row(path: str, setting: SettingField) -> str:
    return f"| `{path}` | {_type(setting)} | {_default(setting)} | {_description(setting)} |\n"


def _description(setting: SettingField) -> str:
    about, names = setting.key.about, [f"`{name}`" for name in setting.key.choices]
    if not names or any(name in about for name in names):
        return about
    choices = f"{', '.join(names[:-1])} or {names[-1]}"
    return f"{about}: {choices}" if about else choices


def _type(setting: SettingField) -> str:
    if setting.key.type or setting.key.true_for:
        return setting.key.type or "string"
    kind = getattr(setting.kind, "__origin__", setting.kind)
    if setting.kind in _TYPES:
        return _TYPES[setting.kind]
    if kind is str:
        return "string"
    return "list" if tuple in (kind, get_origin(kind)) else "object"


def _default(setting: SettingField) -> str:
    value = setting.default
    if setting.key.shown_default:
        return setting.key.shown_default
    if setting.key.true_for and setting.key.choices:
        value = setting.key.choices[0]
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return ", ".join(f"`{each}`" for each in value) or "none"
    return f"`{value}`" if value and isinstance(value, str | int) else "none"


if __name__ == "__main__":
    sys.exit(main())
