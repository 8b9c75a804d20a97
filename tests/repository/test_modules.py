from __future__ import annotations

import pytest

from docstead.repository.modules import ModuleImport, imports_of, leaves_root, target_of


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('import A from "/snippets/a.mdx";', ["/snippets/a.mdx"]),
        ("import A from './a.mdx'", ["./a.mdx"]),
        ('import { a, b as c } from "../x.jsx"\n', ["../x.jsx"]),
        ('import {\n  a,\n  b,\n} from "/x.jsx";', ["/x.jsx"]),
        ('export { a } from "/x.mdx"', ["/x.mdx"]),
        ('export * from "/x.mdx"', ["/x.mdx"]),
        ('import "/side-effect.js"', ["/side-effect.js"]),
        ('import React, { useState } from "react"', []),
        ('```js\nimport A from "/a.mdx"\n```', []),
        ('You import things from "/a.mdx" here.', []),
        ('<Snippet file="a.mdx" />', ["a.mdx"]),
        ('<Snippet\n  file="deep/a.mdx"\n/>', ["deep/a.mdx"]),
        ('`<Snippet file="a.mdx" />`', []),
        ('import A from "/a.mdx"\nimport B from "/b.mdx"', ["/a.mdx", "/b.mdx"]),
    ],
)
def test_imports_are_found(source: str, expected: list[str]) -> None:
    assert [found.written for found in imports_of(source)] == expected


@pytest.mark.parametrize(
    ("written", "holder", "files", "expected"),
    [
        ("/snippets/a.mdx", "x/y.mdx", {"snippets/a.mdx"}, "snippets/a.mdx"),
        ("./a.mdx", "x/y.mdx", {"x/a.mdx"}, "x/a.mdx"),
        ("../a.jsx", "x/y.mdx", {"a.jsx"}, "a.jsx"),
        ("/snippets/a", "y.mdx", {"snippets/a.jsx"}, "snippets/a.jsx"),
        ("/snippets/a", "y.mdx", {"snippets/a/index.jsx"}, "snippets/a/index.jsx"),
        ("/none.mdx", "y.mdx", {"a.mdx"}, None),
        ("../../etc/passwd", "x/y.mdx", {"x/y.mdx"}, None),
    ],
)
def test_targets(written: str, holder: str, files: set[str], expected: str | None) -> None:
    assert target_of(ModuleImport(written, 0), holder, files.__contains__) == expected


def test_older_snippets_are_looked_for_in_both_folders() -> None:
    found = ModuleImport("a.mdx", 0, snippet=True)

    assert target_of(found, "x.mdx", {"_snippets/a.mdx"}.__contains__) == "_snippets/a.mdx"
    assert target_of(found, "x.mdx", {"snippets/a.mdx"}.__contains__) == "snippets/a.mdx"


def test_climbing_out_is_seen() -> None:
    assert leaves_root(ModuleImport("../../a.mdx", 0), "x/y.mdx")
    assert not leaves_root(ModuleImport("../a.mdx", 0), "x/y.mdx")
    assert not leaves_root(ModuleImport("/a.mdx", 0), "x/y.mdx")
