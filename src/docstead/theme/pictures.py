"""Width and height of images, which reserve their space while they load."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from docstead.markup.rendered import LINK_MARK

_IMAGE = re.compile(rf'<img(?=[^<>]*\ssrc="{LINK_MARK}/)[^<>]*>')
_SOURCE = re.compile(rf'\ssrc="{LINK_MARK}/([^"?#]+)')
_WIDTH = re.compile(r'\swidth="(\d{1,5})(?:px)?"')
_SIZE_ATTRIBUTE = re.compile(r"\s(?:width|height)=")
_CLASS = re.compile(r'\sclass="([^"]*)"')
_STYLE = re.compile(r'\sstyle="([^"]*)"')
#: Classes with which explicit sizes have no effect; others may set only one dimension.
_HARMLESS = re.compile(
    r"(?:[\w-]+:)*-?(?:ds-image|ds-light-only|ds-dark-only|block|hidden|inline|inline-block|w-full"
    r"|h-auto|mx-auto|not-prose|shadow|border|rounded"
    r"|(?:m|p)[xytrbl]?-[\w.]+|(?:rounded|shadow|border|opacity|pointer-events|transition|ring"
    r"|cursor|drop-shadow|bg)-[\w./-]+)"
)


def with_sizes(html: str, sizes: Mapping[str, tuple[int, int]]) -> str:
    """Add width and height to images without explicit sizes."""
    if not sizes or "<img " not in html:
        return html

    def sized(match: re.Match[str]) -> str:
        tag = match[0]
        source = _SOURCE.search(tag)
        size = sizes.get(unquote(source[1])) if source else None
        return tag if size is None else _sized(tag, *size)

    return _IMAGE.sub(sized, html)


def _sized(tag: str, width: int, height: int) -> str:
    if not _is_free(tag):
        return tag
    if given := _WIDTH.search(tag):
        wide = int(given[1])
        if "height=" in tag or not wide:
            return tag
        return f'<img height="{max(1, round(wide * height / width))}"{tag[len("<img") :]}'
    if _SIZE_ATTRIBUTE.search(tag):
        return tag
    return f'<img width="{width}" height="{height}"{tag[len("<img") :]}'


def _is_free(tag: str) -> bool:
    """Report whether no rule of the author sets only one dimension."""
    classes, style = _CLASS.search(tag), _STYLE.search(tag)
    if style and re.search(r"width|height|aspect|size|object|flex|grid", style[1]):
        return False
    return all(_HARMLESS.fullmatch(name) for name in (classes[1].split() if classes else ()))
