"""Ignore files whose patterns do not end, and redirects and variables that grow."""

from __future__ import annotations

from collections.abc import Callable

from hostile_cases.case import Files, of_files, site

_LONG = {"a" * 200 + ".txt": "x", "deep/" * 30 + "b.txt": "x"}


def _ignore(text: str, name: str = ".docsignore") -> Callable[[], Files]:
    return lambda: site("Text.", {name: text, **_LONG})


_IGNORES = {
    "stars": _ignore("*a" * 30 + "b\n"),
    "mint-stars": _ignore("*a" * 30 + "b\n", ".mintignore"),
    "double-stars": _ignore("**/" * 2_000 + "b\n"),
    "double-stars-names": _ignore("**/deep/" * 60 + "z\n"),
    "classes": _ignore("[a-z]*" * 60 + "!\n"),
    "open-class": _ignore("[" * 4_000 + "\n"),
    "questions": _ignore("?" * 200 + "*" * 200 + "z\n"),
    "many-patterns": _ignore("\n".join(f"*x{n}*y*z" for n in range(30_000))),
    "many-negations": _ignore("\n".join(f"!*x{n}*" for n in range(30_000))),
    "one-long-line": _ignore("a" * 4_000_000),
    "blank-lines": _ignore("\n" * 4_000_000),
    "nul": _ignore("a\0b\n\0\0\n*\0*\0*\n"),
    "ignores-all": _ignore("*\n"),
    "backslashes": _ignore("\\" * 100_001 + "\n"),
    "surrogates": _ignore("\ufffd*" * 50 + "x\n"),
}


def _redirects(rows: list[dict[str, object]]) -> Callable[[], Files]:
    return lambda: site(redirects=rows)


_REDIRECTS = {
    "redirect-chain": _redirects(
        [{"source": f"/r{n}", "destination": f"/r{n + 1}"} for n in range(20_000)]
    ),
    "redirect-cycle": _redirects(
        [{"source": f"/r{n}", "destination": f"/r{(n + 1) % 20_000}"} for n in range(20_000)]
    ),
    "redirect-growing": _redirects([{"source": "/:a*", "destination": "/:a*/:a*/:a*"}]),
    "redirect-wildcards": _redirects(
        [{"source": f"/a{n}/:x*", "destination": f"/a{n + 1}/:x*/y"} for n in range(5_000)]
    ),
    "redirect-names": _redirects([{"source": "/:a*" * 400, "destination": "/:a*" * 400}]),
    "redirect-long": _redirects([{"source": "/" + "a/" * 500_000, "destination": "/"}]),
    "redirect-odd-types": _redirects([{"source": 7, "destination": {"a": [None]}}]),
    "variables-each-other": lambda: site(
        "{{v0}}", variables={f"v{n}": f"{{{{v{n + 1}}}}}" * 8 for n in range(30)}
    ),
    "variables-itself": lambda: site("{{a}}", variables={"a": "{{a}}{{a}}"}),
    "variables-product": lambda: site("{{a}} " * 20_000, variables={"a": "x" * 100_000}),
}

CASES = of_files("ignores", _IGNORES) + of_files("settings", _REDIRECTS)
