"""Pictures and fonts that are large, or smaller than they say."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

from hostile_cases.case import Files, of_files, site

_SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + check


def _png(width: int, height: int, rows: bytes = b"", *more: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    data = _chunk(b"IDAT", zlib.compress(rows, 9))
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + b"".join(more)
        + data
        + _chunk(b"IEND", b"")
    )


def _shown(name: str, content: str | bytes) -> Callable[[], Files]:
    """The picture as logo, favicon, background, thumbnail and in the page."""
    return lambda: site(
        f'![x](/{name})\n\n<img src="/{name}" alt="x" />\n\n<Icon icon="/{name}" />',
        {name: content},
        logo=f"/{name}",
        favicon=f"/{name}",
        background={"image": f"/{name}"},
        thumbnails={"background": f"/{name}"},
    )


def _svg(body: str, end: str = "</svg>") -> Callable[[], Files]:
    return _shown("a.svg", _SVG + body + end)


def _later(make: Callable[[], Callable[[], Files]]) -> Callable[[], Files]:
    def made() -> Files:
        return make()()

    return made


def _font(content: bytes, kind: str = "woff2") -> Callable[[], Files]:
    fonts = {"family": "x", "source": f"/a.{kind}", "format": kind}
    return lambda: site("Text.", {f"a.{kind}": content}, fonts=fonts)


_SCALED = b"".join(
    b"<g id='a%d'><use href='#a%d'/><use href='#a%d'/></g>" % (n, n + 1, n + 1) for n in range(40)
).decode()
_ENTITIES = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(10))
_MAKERS: dict[str, Callable[[], Files]] = {
    "png-says-huge": _shown("a.png", _png(2**31 - 1, 2**31 - 1)),
    "png-is-huge": _later(lambda: _shown("a.png", _png(30_000, 30_000, b"\0" * 300_000_000))),
    "png-text-bomb": _later(
        lambda: _shown(
            "a.png",
            _png(1, 1, b"\0" * 5, _chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 300_000_000))),
        )
    ),
    "png-profile-bomb": _later(
        lambda: _shown(
            "a.png",
            _png(1, 1, b"\0" * 5, _chunk(b"iCCP", b"a\0\0" + zlib.compress(b"x" * 300_000_000))),
        )
    ),
    "png-endless-chunks": _shown("a.png", b"\x89PNG\r\n\x1a\n" + _chunk(b"abcd", b"") * 500_000),
    "png-cut": _shown("a.png", _png(100, 100, b"\0" * 40_400)[:60]),
    "gif-loops": _shown(
        "a.gif", b"GIF89a\xff\xff\xff\xff\x00\x00\x00" + b"\x21\xfe\x00" * 1_000_000
    ),
    "jpeg-markers": _shown("a.jpg", b"\xff\xd8" + b"\xff\xe0\x00\x02" * 1_000_000),
    "jpeg-fill": _shown("a.jpg", b"\xff\xd8" + b"\xff" * 8_000_000),
    "webp-sizes": _shown("a.webp", b"RIFF\xff\xff\xff\xffWEBPVP8X" + b"\xff" * 5_000_000),
    "ico-many": _shown("a.ico", b"\0\0\1\0\xff\xff" + b"\0" * 1_048_560),
    "bmp-as-png": _shown("a.png", b"BM" + b"\xff" * 1_000_000),
    "tiff-circle": _shown("a.png", b"II*\0\x08\0\0\0\x00\x00\x08\0\0\0"),
    "svg-deep": _svg("<g>" * 200_000, "</g>" * 200_000 + "</svg>"),
    "svg-unclosed": _svg("<g>" * 300_000, ""),
    "svg-entities": _shown(
        "a.svg", f'<!DOCTYPE svg [<!ENTITY a0 "lol">{_ENTITIES}]>{_SVG}<text>&a10;</text></svg>'
    ),
    "svg-external": _shown(
        "a.svg",
        f'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>{_SVG}<text>&x;</text></svg>',
    ),
    "svg-include": _svg(
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/dev/zero"/>'
    ),
    "svg-use-doubling": _svg(f"<defs>{_SCALED}</defs><use href='#a0'/>"),
    "svg-attributes": _svg("<g " + " ".join(f'a{n}="x"' for n in range(200_000)) + "/>"),
    "svg-style": _svg("<style>" + "a{" * 500_000 + "</style>"),
    "svg-path": _svg('<path d="' + "M0 0L1e999 1e-999" * 500_000 + '"/>'),
    "svg-comments": _svg("<!--" * 500_000),
    "svg-cdata": _svg("<![CDATA[" * 500_000),
    "svg-says-huge": _shown(
        "a.svg", _SVG.replace("<svg", '<svg width="1e30" height="-1e30"') + "</svg>"
    ),
    "svg-data-in-itself": _svg(
        '<image href="data:image/svg+xml;base64,' + "PHN2Zz4" * 500_000 + '"/>'
    ),
    "svg-many": lambda: site(
        "\n\n".join(f"![x](/p/{n}.svg)" for n in range(3_000)),
        {f"p/{n}.svg": _SVG + "</svg>" for n in range(3_000)},
    ),
    "font-says-huge": _font(b"wOF2\0\1\0\0" + b"\xff" * 40),
    "font-tables": _font(b"wOFF\0\1\0\0\0\0\0\x2c\xff\xff\0\0" + b"\xff" * 1_400_000, "woff"),
    "font-bomb": _later(
        lambda: _font(
            b"wOFF\0\1\0\0"
            + struct.pack(">IHHI", 300_000, 1, 0, 2**32 - 1)
            + b"\0" * 24
            + struct.pack(">4sIIII", b"name", 64, 290_000, 2**32 - 1, 0)
            + zlib.compress(b"\0" * 290_000_000, 9),
            "woff",
        )
    ),
    "font-empty": _font(b""),
    "file-21-megabytes": _shown("a.png", b"\x89PNG" + b"\0" * 21_000_000),
    "css-long": lambda: site("Text.", {"a.css": "@import 'a.css';" * 200_000 + "a{" * 500_000}),
    "js-long": lambda: site("Text.", {"a.js": "(" * 10_000_000}),
}

CASES = of_files("pictures", _MAKERS)
