"""Sanitization of SVG drawings."""

from __future__ import annotations

from functools import lru_cache

from lxml import etree

from docstead.base.elements import Element

_SHAPES = (
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc "
    "linearGradient radialGradient stop clipPath mask pattern filter feBlend feColorMatrix "
    "feComposite feDropShadow feFlood feGaussianBlur feMerge feMergeNode feOffset"
)
_SHAPE_NAMES = frozenset(_SHAPES.split())
_REMEMBERED_CHARACTERS = 10_000  # characters of a drawing; icons are far smaller


def clean_svg(text: str) -> str:
    """Return the drawing without scripts, event handlers and external links; "" if invalid."""
    return _remembered(text) if len(text) <= _REMEMBERED_CHARACTERS else _cleaned(text)


def _cleaned(text: str) -> str:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, recover=True, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(text.strip().encode(), parser)
    if root is None or _name(root.tag) != "svg":
        return ""
    for element in list(root.iter(etree.Element)):
        if _name(element.tag) in _SHAPE_NAMES:
            _keep_shape(element)
        elif (parent := element.getparent()) is not None:
            parent.remove(element)
    return etree.tostring(root, encoding="unicode")


_remembered = lru_cache(maxsize=256)(_cleaned)


def _keep_shape(element: Element) -> None:
    for key in map(str, list(element.attrib)):
        value = element.get(key, "")
        name = _name(key).rpartition(":")[2].lower()
        leads_out = name == "href" and not value.startswith("#")
        if name.startswith("on") or leads_out or "url(" in value.replace("url(#", ""):
            del element.attrib[key]


def _name(tag: object) -> str:
    return str(tag).rpartition("}")[2]
