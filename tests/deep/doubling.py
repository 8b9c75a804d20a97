"""Growth of processor time with the size of what a repository brings.

    python tests/deep/doubling.py [NAME...] [--seconds 3]

Each input is doubled until one run takes long enough to be measured, then once more; the
exponent is the logarithm of the ratio to base 2: 1 is linear, 2 quadratic. Ends with status 1
where an exponent is above 1.3.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from docstead.content.loader import load_repository
from docstead.content.markdown_text import without_code
from docstead.site.svg import clean_svg

_MEASURABLE_SECONDS = 0.3
_ALLOWED_EXPONENT = 1.3
_MOST_DOUBLINGS = 12
Files = Mapping[str, str]

_SETTINGS = {"name": "x", "theme": "mint", "colors": {"primary": "#0055ff"}}


def settings(**more: object) -> str:
    return json.dumps({**_SETTINGS, "navigation": {"pages": ["index"]}, **more})


def redirect_chain(size: int) -> Files:
    rows = [{"source": f"/r{n}", "destination": f"/r{n + 1}"} for n in range(size)]
    return {"docs.json": settings(redirects=rows), "index.mdx": "Text."}


def redirect_cycle(size: int) -> Files:
    rows = [{"source": f"/r{n}", "destination": f"/r{(n + 1) % size}"} for n in range(size)]
    return {"docs.json": settings(redirects=rows), "index.mdx": "Text."}


def redirect_wildcards(size: int) -> Files:
    rows = [{"source": f"/r{n}/:a*", "destination": f"/s{n}/x"} for n in range(size)]
    return {"docs.json": settings(redirects=rows), "index.mdx": "Text."}


def broken_links(size: int) -> Files:
    body = "\n\n".join(f"[a](/x{n}/overview)" for n in range(size))
    pages = {f"p{n}/overview.mdx": "Text." for n in range(min(size, 400))}
    return {"docs.json": settings(), "index.mdx": body, **pages}


def navigation_size(size: int) -> Files:
    groups = [{"group": f"g{n}", "pages": [f"missing-{n}"]} for n in range(size)]
    return {"docs.json": settings(navigation={"groups": groups}), "index.mdx": "Text."}


def navigation_repeats(size: int) -> Files:
    return {"docs.json": settings(navigation={"pages": ["index"] * size}), "index.mdx": "Text."}


def variables(size: int) -> Files:
    values = {f"v{n}": "x" for n in range(size)}
    body = " ".join(f"{{{{v{n}}}}}" for n in range(size))
    return {"docs.json": settings(variables=values), "index.mdx": body}


def frontmatter_keys(size: int) -> Files:
    head = "\n".join(f"key{n}: value" for n in range(size))
    return {"docs.json": settings(), "index.mdx": f"---\n{head}\n---\n\nText."}


def frontmatter_dashes(size: int) -> Files:
    return {"docs.json": settings(), "index.mdx": "---\n" + "--- \n" * size}


def body_of(piece: str) -> Callable[[int], Files]:
    return lambda size: {"docs.json": settings(), "index.mdx": piece * size}


def snippet_imports(size: int) -> Files:
    imports = "\n".join(f"import A{n} from '/snippets/s{n}.mdx'" for n in range(size))
    files = {f"snippets/s{n}.mdx": "Text." for n in range(min(size, 300))}
    return {"docs.json": settings(), "index.mdx": imports + "\n\nText.", **files}


def openapi_references(size: int) -> Files:
    link = "#/components/schemas/S"
    schemas = {f"S{n}": {"$ref": f"{link}{n + 1}"} for n in range(size)}
    schemas[f"S{size}"] = {"type": "string"}
    content = {"application/json": {"schema": {"$ref": f"{link}0"}}}
    operation = {"responses": {"200": {"description": "x", "content": content}}}
    document = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}}
    document |= {"paths": {"/a": {"get": operation}}, "components": {"schemas": schemas}}
    return {"docs.json": settings(api={"openapi": "api.json"}), "api.json": json.dumps(document),
            "index.mdx": "Text."}  # fmt: skip


def openapi_same_summary(size: int) -> Files:
    paths = {f"/a{n}": {"get": {"summary": "Same", "responses": {}}} for n in range(size)}
    document = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": paths}
    groups = {"groups": [{"group": "API", "openapi": "api.json"}]}
    return {"docs.json": settings(navigation=groups), "api.json": json.dumps(document),
            "index.mdx": "Text."}  # fmt: skip


def graphql_types(size: int) -> Files:
    types = "\n".join(f"type T{n} {{ next: T{(n + 1) % size} }}" for n in range(size))
    groups = {"groups": [{"group": "API", "graphql": "api.graphql"}]}
    files = {"api.graphql": f"type Query {{ a: T0 }}\n{types}", "index.mdx": "Text."}
    return {"docs.json": settings(navigation=groups), **files}


def ignore_patterns(size: int) -> Files:
    lines = "\n".join(f"a{n}*b*c" for n in range(size))
    return {"docs.json": settings(), "index.mdx": "Text.", ".docsignore": lines}


def ignore_stars(size: int) -> Files:
    return {"docs.json": settings(), "index.mdx": "Text.", ".docsignore": "*a" * size + "b",
            "a" * 200 + ".txt": "x"}  # fmt: skip


def repository(make: Callable[[int], Files]) -> Callable[[int], float]:
    """Processor seconds to read a repository of a size."""

    def run(size: int) -> float:
        with tempfile.TemporaryDirectory() as name:
            for path, text in make(size).items():
                file = Path(name) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            before = time.process_time()
            load_repository(Path(name))
            return time.process_time() - before

    return run


def text(read: Callable[[str], object], piece: str, end: str = "") -> Callable[[int], float]:
    """Processor seconds to read a text of so many pieces."""

    def run(size: int) -> float:
        written = piece * size + end
        before = time.process_time()
        read(written)
        return time.process_time() - before

    return run


CASES: dict[str, tuple[int, Callable[[int], float]]] = {
    "redirects in a chain": (500, repository(redirect_chain)),
    "redirects in a cycle": (500, repository(redirect_cycle)),
    "redirects with wildcards": (1_500, repository(redirect_wildcards)),
    "broken links": (500, repository(broken_links)),
    "groups of the navigation": (500, repository(navigation_size)),
    "one page many times": (1_000, repository(navigation_repeats)),
    "variables": (500, repository(variables)),
    "keys of a frontmatter": (500, repository(frontmatter_keys)),
    "dashes of a frontmatter": (1_000, repository(frontmatter_dashes)),
    "imports": (300, repository(snippet_imports)),
    "references of OpenAPI": (500, repository(openapi_references)),
    "operations of one name": (250, repository(openapi_same_summary)),
    "types of GraphQL": (250, repository(graphql_types)),
    "patterns of an ignore file": (250, repository(ignore_patterns)),
    "stars of an ignore pattern": (4, repository(ignore_stars)),
    **{
        f"body {piece!r}": (1_000, repository(body_of(piece)))
        for piece in ("[", "](", "[a](", "`", "```\n", "``` a\n", "<", "<!--", "{/*", "| a ",
                      "# a\n", "~~~\n", "    a\n", "> ", "$", "<a href=", "\\", "&lt;", "[a]: ",
                      "- a\n", "![", "<Card ", "{{", "import a from ", "export const a = ")
    },
    **{
        f"code marks {piece!r}": (2_000, text(without_code, piece))
        for piece in ("`", "``` ", "```\n", "` ``", "<!--", "{/*", "<code>")
    },
    **{
        f"svg {piece!r}": (500, text(clean_svg, piece, "</svg>"))
        for piece in ("<svg>", "<svg ", "<g>", "<a b='", "<!--", "<![CDATA[", "&a;", "<style>")
    },
}  # fmt: skip


def exponent(size: int, run: Callable[[int], float], most_seconds: float) -> tuple[float, float]:
    """The exponent and the processor seconds of the largest run."""
    seconds = min(run(size), run(size))
    for _ in range(_MOST_DOUBLINGS):
        size *= 2
        before, seconds = seconds, run(size)
        if seconds > most_seconds or (before > _MEASURABLE_SECONDS and seconds > before):
            return math.log2(seconds / max(before, 1e-4)), seconds
    return 0.0, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=3.0, help="longest run of an input")
    options = parser.parse_args()
    above = 0
    for name, (size, run) in CASES.items():
        if options.names and not any(wanted in name for wanted in options.names):
            continue
        found, seconds = exponent(size, run, options.seconds)
        above += found > _ALLOWED_EXPONENT
        mark = "  <-- above" if found > _ALLOWED_EXPONENT else ""
        print(f"{name:40} {found:6.2f} {seconds:8.2f} s{mark}", flush=True)
    sys.exit(1 if above else 0)


if __name__ == "__main__":
    main()
