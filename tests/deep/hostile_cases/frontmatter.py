"""YAML at the head of pages."""

from __future__ import annotations

from collections.abc import Callable

from hostile_cases.case import of_bodies


def _head(text: str) -> Callable[[], str]:
    return lambda: f"---\n{text}\n---\n\nText."


def _aliases(width: int, depth: int) -> str:
    levels = (f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * width)}]" for n in range(depth))
    return "\n".join(["a0: &a0 [x]", *levels])


def _merges(depth: int) -> str:
    levels = (
        f"a{n + 1}: &a{n + 1} {{<<: [{', '.join([f'*a{n}'] * 9)}], k{n}: v}}" for n in range(depth)
    )
    return "\n".join(["a0: &a0 {k: v}", *levels])


_MAKERS = {
    "aliases": _head(_aliases(9, 12)),
    "aliases-title": _head(_aliases(9, 12) + "\ntitle: *a12"),
    "aliases-deep": _head(_aliases(2, 2_000)),
    "alias-of-itself": _head("a: &a [*a, *a]\ntitle: *a"),
    "merges": _head(_merges(12)),
    "flow-depth": _head("a: " + "[" * 100_000),
    "mapping-depth": _head("a: " + "{a: " * 20_000),
    "block-depth": _head("\n".join(" " * n + "a:" for n in range(3_000))),
    "many-keys": _head("\n".join(f"key{n}: v" for n in range(200_000))),
    "many-anchors": _head("\n".join(f"k{n}: &a{n} v" for n in range(50_000))),
    "many-groups": _head("groups: [" + ", ".join(f"g{n}" for n in range(100_000)) + "]"),
    "huge-scalar": _head("title: " + "x" * 8_000_000),
    "huge-number": _head("boost: " + "9" * 500_000),
    "sexagesimal": _head("boost: " + ":".join(["59"] * 100_000)),
    "float-tricks": _head("boost: .inf\nversion: .nan\nlastUpdatedDate: 99999-99-99"),
    "tags": _head("title: !!python/object/apply:os.system ['touch marker']"),
    "tags-many": _head("a: " + "!x " * 10_000 + "v"),
    "directives": lambda: "%YAML 1.1\n" * 20_000 + "---\ntitle: x\n---\n\nText.",
    "unclosed": lambda: "---\n" + "a: b\n" * 300_000,
    "dashes": lambda: "---\n" * 300_000,
    "quotes": _head('title: "' + "\\\\" * 500_000),
    "spaces": _head("title:" + " " * 2_000_000 + "x"),
    "tabs": _head("title:\t" + "\t" * 500_000 + "x\n\t\ty"),
    "complex-keys": _head("? " * 20_000 + "a"),
    "date-of-billions": _head("lastUpdatedDate: 2026-11-22T00:00:00." + "9" * 500_000),
    "keywords-nested": _head("keywords: " + "[" * 900 + "]" * 900),
}

CASES = of_bodies("frontmatter", _MAKERS)
