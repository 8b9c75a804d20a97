"""Markdown, formulas, code and grammars."""

from __future__ import annotations

import json
from collections.abc import Callable

from hostile_cases.case import Files, of_bodies, of_files, site


def _times(piece: str, count: int, end: str = "") -> Callable[[], str]:
    return lambda: piece * count + end


_BODIES = {
    "one-line": _times("word ", 2_000_000),
    "one-word": _times("x", 8_000_000),
    "emphasis": _times("*a _b ", 100_000),
    "emphasis-open": _times("**a", 100_000),
    "brackets": _times("[", 100_000),
    "images-open": _times("![", 100_000),
    "links-open": _times("[a](", 100_000),
    "links-nested": lambda: "[" * 5_000 + "a" + "](b)" * 5_000,
    "quotes-deep": lambda: ">" * 50_000 + " x",
    "lists-deep": lambda: "".join("  " * n + "- a\n" for n in range(1_500)),
    "lists-inline": _times("- ", 50_000, "x"),
    "backticks": lambda: " ".join("`" * n for n in range(1, 2_500)),
    "fences-open": _times("```a\n", 50_000),
    "fences-growing": lambda: "\n".join("`" * n for n in range(3, 2_500)),
    "headings": _times("# Same heading\n\n", 30_000),
    "heading-long": lambda: "# " + "a " * 1_000_000,
    "table-wide": lambda: "|a" * 10_000 + "|\n" + "|-" * 10_000 + "|\n" + "|b" * 10_000 + "|\n",
    "table-product": lambda: "|a" * 3_000 + "|\n" + "|-" * 3_000 + "|\n" + "|b\n" * 30_000,
    "table-long": lambda: "|a|\n|-|\n" + "|b|\n" * 200_000,
    "references": lambda: "[a]: /x\n" * 100_000 + "[a] " * 100_000,
    "references-expanding": lambda: "[a]: /" + "x" * 100_000 + "\n\n" + "[a] " * 20_000,
    "footnotes": lambda: (
        "".join(f"[^{n}] " for n in range(10_000))
        + "\n\n"
        + "".join(f"[^{n}]: [^{n + 1}]\n\n" for n in range(10_000))
    ),
    "footnotes-deep": lambda: "[^a]\n\n[^a]: [^a] " + "[^a] " * 20_000,
    "html-comments": _times("<!--", 100_000),
    "html-declarations": _times("<![CDATA[", 100_000),
    "entities": _times("&", 1_000_000),
    "links-bare": _times("http://a.b/(", 100_000),
    "links-mail": _times("a@b.", 200_000),
    "links-www": lambda: "www." * 100_000,
    "spaces": lambda: "a" + " " * 3_000_000 + "b",
    "breaks": lambda: "a  \n" * 100_000,
    "carriage-returns": lambda: "\r" * 2_000_000,
    "form-feeds": lambda: "\f\v\u2028\u2029" * 300_000,
    "underlines": lambda: "a\n" * 50_000 + "===",
    "formula-deep": lambda: "$$" + "{" * 20_000 + "}" * 20_000 + "$$",
    "formula-macros": lambda: r"$$\def\a{\b\b}\def\b{\c\c}\def\c{\d\d}\def\d{\a\a}\a$$",
    "formula-macro-itself": lambda: r"$$\def\a{\a\a}\a$$",
    "formula-fractions": lambda: "$$" + r"\frac{1}{" * 3_000 + "1" + "}" * 3_000 + "$$",
    "formula-rule": lambda: r"$$\rule{99999999em}{99999999em}\kern{1e99em}$$",
    "formula-many": _times("$a$ ", 30_000),
    "formula-open": _times("$", 100_001),
    "formula-include": lambda: r"$$\includegraphics{/etc/passwd}\href{javascript:alert(1)}{x}$$",
    "combining-marks": lambda: "a" + "\u0301" * 1_000_000,
    "right-to-left": lambda: "\u202e\u2066" * 500_000,
    "code-long-line": lambda: "```js\n" + "a(" * 200_000 + "\n```",
    "code-long": lambda: "```python\n" + "x = 'a'\n" * 100_000 + "```",
    "code-many": _times("```js\nlet a = 1\n```\n\n", 10_000),
    "code-ranges": lambda: "```js {1-999999999}\na\n```\n\n```js {" + "1," * 200_000 + "}\na\n```",
    "code-diff": lambda: "```js\n" + "a // [!code ++:999999999]\n" * 5_000 + "```",
    "code-markup": lambda: "```html\n" + "<a " * 200_000 + "\n```",
    "code-pattern": lambda: "```js /(a+)+$/ /" + "(" * 5_000 + "/\n" + "a" * 5_000 + "!\n```",
    "unclosed-brace": lambda: "{" * 100_000,
    "closed-brace": lambda: "}" * 100_000,
}


def _grammar(grammar: object, code: str) -> Files:
    languages = {"custom": ["/grammars/x.json"]}
    return site(
        f"```x\n{code}\n```",
        {"grammars/x.json": grammar if isinstance(grammar, str) else json.dumps(grammar)},
        styling={"codeblocks": {"languages": languages}},
    )


def _patterns(*patterns: object, **more: object) -> dict[str, object]:
    return {"name": "x", "scopeName": "source.x", "patterns": list(patterns), **more}


_GRAMMARS: dict[str, Callable[[], Files]] = {
    "grammar-backtracks": lambda: _grammar(
        _patterns({"match": "(a+)+$", "name": "x"}), "a" * 200 + "!"
    ),
    "grammar-empty-match": lambda: _grammar(
        _patterns({"begin": "", "end": "(?!)", "patterns": [{"include": "$self"}]}), "a" * 5_000
    ),
    "grammar-itself": lambda: _grammar(
        _patterns({"include": "#a"}, repository={"a": {"patterns": [{"include": "#a"}] * 50}}), "a"
    ),
    "grammar-many": lambda: _grammar(
        _patterns(*({"match": f"a{n}.*b", "name": "x"} for n in range(50_000))), "a" * 500
    ),
    "grammar-long-pattern": lambda: _grammar(
        _patterns({"match": "(" * 20_000 + "a" + ")*" * 20_000}), "aaaa"
    ),
    "grammar-counts": lambda: _grammar(
        _patterns({"match": "((((a{1,1000}){1,1000}){1,1000}){1,1000})b"}), "a" * 900
    ),
    "grammar-deep": lambda: _grammar("[" * 200_000, "a"),
}

CASES = of_bodies("markdown", _BODIES) + of_files("grammars", _GRAMMARS)
