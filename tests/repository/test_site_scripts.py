"""Scripts of a repository that pages cannot use."""

from __future__ import annotations

import pytest

from docstead.repository.positions import Diagnostics
from docstead.repository.site_scripts import published

NODE = "#!/usr/bin/env node\nconst fs = require('fs');\n"
BUNDLED = "if (typeof module === 'object') module.exports = f(); else window.f = f();\n"


def codes(files: dict[str, str]) -> tuple[tuple[str, ...], list[str]]:
    diagnostics = Diagnostics()
    kept = published(files, files.__getitem__, diagnostics)
    return kept, [
        f"{each.file}:{each.line}:{each.column} {each.code}" for each in diagnostics.sorted()
    ]


def test_scripts_of_build_tools_are_not_published() -> None:
    files = {"build.js": NODE, "umd.js": BUNDLED, "data.json": NODE}
    kept, found = codes(files)
    assert kept == ("umd.js", "data.json")
    assert found == ["build.js:1:1 build-script"]


@pytest.mark.parametrize(
    "script",
    [
        "import('https://cdn.example/search.js')",
        'import x from "https://cdn.example/search.js"',
        "const s = document.createElement('script'); s.src = 'https://cdn.example/a.js'",
    ],
)
def test_scripts_of_other_hosts_are_reported(script: str) -> None:
    kept, found = codes({"a.js": f"\n{script}"})
    assert kept == ("a.js",)
    assert [each.partition(" ")[2] for each in found] == ["script-elsewhere"]
    assert found[0].startswith("a.js:2:")


def test_pictures_and_links_of_other_hosts_are_no_scripts() -> None:
    assert codes({"a.js": "img.src = 'https://a.example/b.png'; go('https://c.example')"})[1] == []


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("@import url('https://fonts.example/a.css');", "style-elsewhere"),
        ('@import "//fonts.example/a.css";', "style-elsewhere"),
        ("@font-face{src: local('A'),url(https://a.example/a.woff2)}", "font-elsewhere"),
    ],
)
def test_style_sheets_and_fonts_of_other_hosts_are_reported(rule: str, code: str) -> None:
    kept, found = codes({"a.css": f"/* {rule} */\n{rule}\n"})
    assert kept == ("a.css",)
    assert [each.rpartition(":")[0] for each in found] == ["a.css:2"]
    assert found[0].endswith(f" {code}")


def test_own_style_sheets_and_pictures_of_other_hosts_are_not_reported() -> None:
    css = (
        "@import './b.css';a{background:url(https://a.example/b.png)}@font-face{src:url(/a.woff2)}"
    )
    assert codes({"a.css": css})[1] == []
