"""Names of files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from hostile_cases.case import CaseFiles, of_writers


def _named(*names: bytes) -> Callable[[Path, CaseFiles], None]:
    def write(root: Path, _: CaseFiles) -> None:
        for name in names:
            path = os.path.join(os.fsencode(root), name)  # noqa: PTH118  bytes that are no text
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
            with open(path, "wb") as file:  # noqa: PTH123
                file.write(b"Text.")

    return write


_WRITERS = {
    "newlines": _named(b"a\nb.mdx", b"a\r\nb.mdx", b"\n.mdx", b"x/\n/y.mdx"),
    "controls": _named(*(bytes([n]) + b".mdx" for n in range(1, 32))),
    "not-utf8": _named(
        b"\xff\xfe.mdx", b"\xc0\xae\xc0\xae.mdx", b"caf\xe9.mdx", b"\xed\xa0\x80.mdx"
    ),
    "nul-like": _named(b"a%00.mdx", b"a\\0.mdx", "a\u2400.mdx".encode(), b"%2e%2e%2fa.mdx"),
    "dots": _named(b"...mdx", b"....mdx", b"...", b".. /a.mdx", b"a..mdx", b". .mdx"),
    "longest": _named(b"a" * 251 + b".mdx", b"/".join([b"b" * 250] * 14) + b".mdx"),
    "backslashes": _named(b"..\\..\\a.mdx", b"C:\\a.mdx", b"\\\\host\\a.mdx", b"a\\b.mdx"),
    "addresses": _named(b"http:/x/a.mdx", b"javascript:alert(1).mdx", b"?a=b.mdx", b"#a.mdx"),
    "markup": _named(b"<script>alert(1)<x.mdx", b'"><img src=x onerror=a>.mdx', b"{1+1}.mdx"),
    "templates": _named(b"{{a}}.mdx", b"${a}.mdx", b"$(touch marker).mdx", b"`touch marker`.mdx"),
    "options": _named(b"-rf.mdx", b"--upload-pack=x.mdx", b"-.mdx"),
    "right-to-left": _named("\u202exdm.a.mdx".encode(), "\u2066a.mdx".encode()),
    "same-folded": _named(b"A.mdx", b"a.mdx", "\u212a.mdx".encode(), b"k.mdx", b"K.mdx"),
    "same-normalized": _named("\u00e9.mdx".encode(), "e\u0301.mdx".encode(), "\ufb01.mdx".encode()),
    "same-address": _named(
        b"a.mdx", b"a.md", b"a/index.mdx", b"a/index.md", b"a.html", b"a/index.html"
    ),
    "reserved": _named(b"_docs/a.js", b"_sites/a.mdx", b"dashboard.mdx", b"v1/a.mdx", b"livez.mdx"),
    "devices": _named(b"con.mdx", b"aux.mdx", b"nul.mdx", b"com1.mdx", b"prn"),
    "well-known": _named(b"robots.txt", b"sitemap.xml", b"llms.txt", b"404.mdx", b"sw.js"),
    "extensions": _named(b".mdx", b"a.MDX", b"a.mdx.mdx", b"a.mdx ", b"a.mdx.", b"mdx", b".md"),
    "prototype": _named(b"__proto__.mdx", b"constructor.mdx", b"toString.mdx", b"__proto__/a.mdx"),
    "numbers": _named(
        b"0.mdx", b"-1.mdx", b"NaN.mdx", b"9" * 200 + b".mdx", b"true.mdx", b"null.mdx"
    ),
    "spaces": _named(b" .mdx", "\u3000.mdx".encode(), "\u200b.mdx".encode(), b"a /b .mdx"),
}

CASES = of_writers("names", _WRITERS)
