"""Icons by name, inlined into the HTML.

Components and the shell write `<i data-ds-icon="house"></i>`, which `IconSet.inline` replaces.
Names of the other library, of older releases or of paid sets get the closest icon; unknown names
are removed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from docstead.markup.rendered import LINK_MARK
from docstead.markup.svg import clean_svg

_BUILT = Path(__file__).parent / "assets" / "built" / "icons.json"
_PLACEHOLDER = re.compile(r"<i\s(?=[^<>]*\bdata-ds-icon=)([^<>]*+)>\s*+</i>")
_ATTRIBUTE = re.compile(r"([\w:-]+)(?:=\"([^\"]*)\"|='([^']*)')?")
_KEPT = ("class", "id", "title", "data-component-part")
_STYLES = {
    "brands": ("brands",),
    "regular": ("regular", "solid", "brands"),
    "light": ("regular", "solid", "brands"),
    "thin": ("regular", "solid", "brands"),
    "sharp-light": ("regular", "solid", "brands"),
    "sharp-thin": ("regular", "solid", "brands"),
    "sharp-regular": ("regular", "solid", "brands"),
}
_SOLID_FIRST = ("solid", "regular", "brands")
_SHORT_STYLES = {"fas": "solid", "far": "regular", "fal": "light", "fab": "brands"}
_LUCIDE_STROKE = (
    'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" '
    'stroke-linejoin="round"'
)


class IconSet:
    """Lucide and Font Awesome Free; the file is loaded on first use."""

    def __init__(self, path: Path = _BUILT) -> None:
        self._path = path

    @cached_property
    def _packed(self) -> Mapping[str, Any]:
        return _read(self._path)

    def inline(
        self, html: str, library: str = "fontawesome", missing: dict[str, None] | None = None
    ) -> str:
        """Replace every `<i data-ds-icon>` with an inline SVG, or remove it if unknown.

        Unknown names are added to `missing`, also if a shorter name has an icon.
        """
        if "data-ds-icon" not in html:
            return html
        return _PLACEHOLDER.sub(lambda match: self._rendered(match[1], library, missing), html)

    def svg(
        self,
        name: str,
        icon_type: str | None = None,
        library: str = "fontawesome",
        *,
        attributes: Mapping[str, str] | None = None,
        label: str = "",
    ) -> str:
        """Return the icon as SVG markup, or "" if it is unknown.

        `name` may also be a URL, a path in the repository or an SVG document. Icons without a
        `label` are hidden from screen readers.
        """
        given = dict(attributes or {})
        classes = " ".join(filter(None, ("ds-icon", given.pop("class", ""))))
        shared = "".join(f' {key}="{escape(value)}"' for key, value in given.items())
        if name.lstrip().startswith("<svg"):
            svg = clean_svg(name)
            return f'<span class="{escape(classes)}"{shared} aria-hidden="true">{svg}</span>'
        if "/" in name or name.startswith(LINK_MARK):
            return f'<img class="{escape(classes)}"{shared} src="{_source(name)}" alt="">'
        drawing = self._drawing(name, icon_type, library) or self._shorter(name, icon_type, library)
        if drawing is None:
            return ""
        shared += ' width="1em" height="1em"'
        shared += f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'
        return f'<svg class="{escape(classes)}"{shared} {drawing}</svg>'

    def _rendered(self, text: str, library: str, missing: dict[str, None] | None) -> str:
        given = {key: unescape(a or b) for key, a, b in _ATTRIBUTE.findall(text)}
        style = "".join(_styles(given))
        attributes = {key: value for key, value in given.items() if key in _KEPT}
        if style:
            attributes["style"] = style
        name = given["data-ds-icon"]
        svg = self.svg(
            name,
            given.get("data-ds-icon-type") or None,
            given.get("data-ds-library") or library,
            attributes=attributes,
            label=given.get("data-ds-label", ""),
        )
        if missing is not None and not self._is_known(name, given, library):
            missing[name] = None
        return svg

    def _is_known(self, name: str, given: Mapping[str, str], library: str) -> bool:
        if "/" in name or name.lstrip().startswith("<svg") or name.startswith(LINK_MARK):
            return True
        requested = given.get("data-ds-icon-type") or None, given.get("data-ds-library") or library
        return self._drawing(name, *requested) is not None

    def _drawing(self, name: str, icon_type: str | None, library: str) -> str | None:
        name, named_type = _plain_name(name)
        styles = _STYLES.get(icon_type or named_type or "", _SOLID_FIRST)
        sets = (*styles, "lucide") if library == "fontawesome" else ("lucide", *styles)
        for set_name in sets:
            if (shape := self._find(set_name, name)) is not None:
                return _svg_rest(set_name, shape)
        near = self._packed["near"].get(name)
        if near is None:
            return None
        set_name, _, name = near.partition("/")
        shape = self._find(set_name, name)
        return None if shape is None else _svg_rest(set_name, shape)

    def _shorter(self, name: str, icon_type: str | None, library: str) -> str | None:
        """Return a free icon's name for a paid one with a suffix: `laptop-mobile`, `share-all`."""
        while "-" in name:
            name = name.rpartition("-")[0]
            if drawing := self._drawing(name, icon_type, library):
                return drawing
        return None

    def _find(self, set_name: str, name: str) -> str | None:
        drawings = self._packed[set_name]
        found: str | None = drawings.get(name)
        if found is None:
            found = drawings.get(self._packed["aliases"][set_name].get(name))
        return found


@lru_cache(maxsize=1)
def _read(path: Path) -> Mapping[str, Any]:
    packed: dict[str, Any] = json.loads(path.read_bytes())
    return packed


def _plain_name(name: str) -> tuple[str, str | None]:
    """Split a name from its style: `fa-solid fa-house` gives ("house", "solid")."""
    style = None
    words = name.strip().lower().replace("_", "-").replace(":", " ").split()
    rest = []
    for word in words:
        bare = word.removeprefix("fa-")
        if len(words) > 1 and (bare in _STYLES or bare == "solid" or bare in _SHORT_STYLES):
            style = _SHORT_STYLES.get(bare, bare)
        elif word not in ("fa", "lucide", "tabler", "fontawesome"):
            rest.append(bare)
    return "-".join(rest), style


def _svg_rest(set_name: str, shape: str) -> str:
    if set_name == "lucide":
        return f'viewBox="0 0 24 24" {_LUCIDE_STROKE}>{shape}'
    width, _, path = shape.partition(" ")
    inner = path if path.startswith("<") else f'<path d="{path}"/>'
    return f'viewBox="0 0 {width} 512" fill="currentColor">{inner}'


def _source(name: str) -> str:
    if name.startswith(("http:", "https:", "//", "data:", LINK_MARK)):
        return escape(name)
    path = "".join(char for char in name if char.isprintable())
    return LINK_MARK + escape("/" + path.removeprefix("./").lstrip("/"))


def _styles(given: Mapping[str, str]) -> Iterator[str]:
    if style := given.get("style", "").strip().rstrip(";"):
        yield style + ";"
    if size := given.get("data-ds-size") or given.get("data-ds-icon-size"):
        length = size if not size.isdigit() else f"{size}px"
        yield f"width:{length};height:{length};"
    if color := given.get("data-ds-color") or given.get("data-ds-icon-color"):
        yield f"color:{color};"
