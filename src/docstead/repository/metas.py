"""Page metadata from frontmatter (docs/reference/frontmatter.mdx)."""

from __future__ import annotations

from typing import Any, get_origin

from docstead.content.pages import PageMeta
from docstead.content.setting_keys import SettingField, setting_fields
from docstead.content.slugs import slug_of
from docstead.repository.frontmatter import SourceDocument
from docstead.repository.frontmatter_keys import check_keys
from docstead.repository.positions import Diagnostics
from docstead.repository.settings_limits import (
    ENTRY_LIMIT,
    NUMBER_LIMIT,
    TEXT_LIMIT,
    limited_text,
)

# Group of pages whose groups cannot be read; no reader has it.
_NOBODY = ("",)
_META_PREFIXES = ("og:", "twitter:", "article:")
_META_NAMES = frozenset({"robots", "author", "googlebot", "google", "referrer", "generator"})


def read_meta(
    document: SourceDocument, diagnostics: Diagnostics, *, home_title: str = "Home"
) -> PageMeta:
    """Return the metadata of a page; values of a wrong type are reported and dropped."""
    check_keys(document, diagnostics)
    fields = FrontmatterFields(document, diagnostics)
    slug = slug_of(document.file)
    values: dict[str, Any] = {
        "title": fields.text("title") or default_title(slug, home_title),
        "icon": fields.icon(),
        "boost": fields.factor("boost"),
        "groups": fields.groups(),
        "method": _method(fields),
        "related": fields.related(),
    }
    for each in setting_fields(PageMeta):
        if each.name not in values:
            values[each.name] = fields.value(each)
    return PageMeta(slug=slug, file=document.file, metatags=fields.metatags(), **values)


def default_title(slug: str, home_title: str) -> str:
    """Return a title from a slug: "guides/quick_start" gives "Quick start"."""
    last = slug.removesuffix("/index").rpartition("/")[2].replace("-", " ").replace("_", " ")
    if slug == "index" or not last.strip():
        return home_title
    return last[:1].upper() + last[1:]


class FrontmatterFields:
    """Typed access to a page's frontmatter."""

    def __init__(self, document: SourceDocument, diagnostics: Diagnostics) -> None:
        self._document = document
        self._values = document.fields
        self._diagnostics = diagnostics

    def value(self, declared: SettingField) -> Any:
        """Return the value of a key as its declaration says."""
        key = declared.path[0]
        if choices := declared.key.choices:
            return self.choice(key, frozenset(choices), "") or declared.default
        if declared.kind is bool:
            is_optional = declared.is_optional
            return (
                self.flag_or_none(key) if is_optional else self.flag(key, default=declared.default)
            )
        if declared.kind is str:
            return self.text(key)
        return self.texts(key) if get_origin(declared.kind) is tuple else self.mapping(key)

    def text(self, key: str) -> str | None:
        value = self._values.get(key)
        if value is None:
            return None
        if isinstance(value, dict | list):
            self._wrong(key, "text")
            return None
        if isinstance(value, bool):
            return "true" if value else "false"
        return self._limited(key, str(value).strip()) or None

    def flag(self, key: str, *, default: bool) -> bool:
        value = self._values.get(key, default)
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
        if value is not None:
            self._wrong(key, "true or false")
        return default

    def flag_or_none(self, key: str) -> bool | None:
        return None if self._values.get(key) is None else self.flag(key, default=False)

    def mapping(self, key: str) -> dict[str, Any] | None:
        value = self._values.get(key)
        if value is None or isinstance(value, dict):
            return value
        self._wrong(key, "an object")
        return None

    def related(self) -> tuple[tuple[str, str], ...] | None:
        """Return paths, URLs and `{title: link}` as pairs of title and link; () for `false`."""
        value = self._first(self._values.get("related"))
        if value is None or value is True:
            return None
        if value is not False and not isinstance(value, list):
            self._wrong("related", "false or a list of pages")
            return None
        found: list[tuple[str, str]] = []
        for entry in value if isinstance(value, list) else ():
            if isinstance(entry, dict):
                found += ((str(title), str(link)) for title, link in entry.items() if link)
            elif isinstance(entry, str):
                found.append(("", entry))
        return tuple(found)

    def choice(self, key: str, choices: frozenset[str], default: str) -> str:
        value = self.text(key)
        if value is None or value in choices:
            return value or default
        self._wrong(key, f"one of {', '.join(sorted(choices))}")
        return default

    def factor(self, key: str) -> float:
        value = self._values.get(key, 1.0)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and 0 < value <= NUMBER_LIMIT:
            return float(value)
        self._wrong(key, f"a positive number, at most {NUMBER_LIMIT}")
        return 1.0

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._first(self._values.get(key))
        if value is None:
            return ()
        if isinstance(value, str):
            parts = self._limited(key, value).split(",")
            return tuple(part.strip() for part in parts if part.strip())[:ENTRY_LIMIT]
        if isinstance(value, list) and not any(map(_is_nested, value)):
            return tuple(limited_text(str(item)) for item in value if item is not None)
        self._wrong(key, "a list of strings")
        return ()

    def groups(self) -> tuple[str, ...]:
        """Return the groups that may read the page; nobody may if the value is invalid."""
        value = self._values.get("groups")
        items = value if isinstance(value, list) else [value]
        is_text = isinstance(value, str | list | None)
        found = self.texts("groups") if is_text and not any(map(_is_nested, items)) else ()
        if found or value is None or value in ("", []):
            return found
        message = "'groups' cannot be read, so nobody can read the page"
        position = self._document.position("groups")
        self._diagnostics.error(
            position, "frontmatter-groups", message, "Write it once: groups: [partners]"
        )
        return _NOBODY

    def icon(self) -> str | None:
        value = self._values.get("icon")
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            return str(value["name"])
        return self.text("icon")

    def metatags(self) -> dict[str, str]:
        names = [key for key in self._values if _is_metatag(key)][:ENTRY_LIMIT]
        return {name: value for name in names if (value := self.text(name)) is not None}

    @staticmethod
    def _first(value: Any) -> Any:
        """Return the first entries of a list, up to its limit."""
        return value[:ENTRY_LIMIT] if isinstance(value, list) else value

    def _limited(self, key: str, text: str) -> str:
        found = limited_text(text) if len(text) > TEXT_LIMIT else text
        if found != text:
            message = f"{key!r} has over {TEXT_LIMIT:,} characters; the rest was left out"
            position = self._document.position(key)
            self._diagnostics.warning(position, "frontmatter-too-long", message, "Shorten it.")
        return found

    def _wrong(self, key: str, expected: str) -> None:
        position = self._document.position(key)
        hint = f"Correct the value, or leave {key!r} out."
        self._diagnostics.warning(position, "frontmatter-type", f"{key!r} must be {expected}", hint)


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list)


def _is_metatag(key: str) -> bool:
    return key in _META_NAMES or key.startswith(_META_PREFIXES)


def _method(fields: FrontmatterFields) -> str | None:
    """Return the method of a manually described operation (`api: "GET https://…"`)."""
    words: list[Any] = (fields.text("api") or "").split()
    return str(words[0]).upper() if len(words) > 1 else None
