"""Repositories that grow in what is read before pages are rendered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

Files = Mapping[str, str | bytes]

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


def ignore_patterns(size: int) -> Files:
    lines = "\n".join(f"a{n}*b*c" for n in range(size))
    return {"docs.json": settings(), "index.mdx": "Text.", ".docsignore": lines}


def ignore_stars(size: int) -> Files:
    return {"docs.json": settings(), "index.mdx": "Text.", ".docsignore": "*a" * size + "b",
            "a" * 200 + ".txt": "x"}  # fmt: skip


def png_chunks(size: int) -> Files:
    content = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\0abcd\0\0\0\0" * size
    return {"docs.json": settings(), "index.mdx": "Text.", "a.png": content}


def gif_blocks(size: int) -> Files:
    content = b"GIF89a\x01\0\x01\0\0\0\0" + b"\x21\xfe\x01a\x00" * size
    return {"docs.json": settings(), "index.mdx": "Text.", "a.gif": content}


def jpeg_segments(size: int) -> Files:
    content = b"\xff\xd8" + b"\xff\xe1\x00\x08Exif\0\0" * size
    return {"docs.json": settings(), "index.mdx": "Text.", "a.jpg": content}


def webp_chunks(size: int) -> Files:
    rows = b"EXIF\x02\0\0\0aa" * size
    head = b"RIFF" + (len(rows) + 22).to_bytes(4, "little") + b"WEBPVP8X\x0a\0\0\0" + b"\0" * 10
    return {"docs.json": settings(), "index.mdx": "Text.", "a.webp": head + rows}


def drawing_of(piece: str) -> Callable[[int], Files]:
    return lambda size: {"docs.json": settings(), "index.mdx": "Text.", "a.svg": piece * size}


def pictures(size: int) -> Files:
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'></svg>"
    return {"docs.json": settings(), "index.mdx": "Text."} | {f"p{n}.svg": svg for n in range(size)}


def navigation_depth_of_kinds(size: int) -> Files:
    tabs = [{"tab": f"t{n}", "groups": [{"group": "g", "pages": ["index"]}]} for n in range(size)]
    return {"docs.json": settings(navigation={"tabs": tabs}), "index.mdx": "Text."}


def navigation_languages(size: int) -> Files:
    rows = [{"version": f"v{n}", "pages": [f"p{n}"]} for n in range(size)]
    pages = {f"p{n}.mdx": "Text." for n in range(size)}
    return {"docs.json": settings(navigation={"versions": rows}), "index.mdx": "Text.", **pages}


def navigation_parts(size: int) -> Files:
    parts = {f"n{n}.json": json.dumps({"group": f"g{n}", "pages": ["index"]}) for n in range(size)}
    groups = [{"$ref": f"./n{n}.json"} for n in range(size)]
    return {"docs.json": settings(navigation={"groups": groups}), "index.mdx": "Text.", **parts}


def snippet_chain(size: int) -> Files:
    files = {
        f"snippets/s{n}.mdx": f"import A from '/snippets/s{n + 1}.mdx'\n\n<A />"
        for n in range(size)
    }
    return {"docs.json": settings(), "index.mdx": "import A from '/snippets/s0.mdx'\n\n<A />",
            **files}  # fmt: skip


def snippet_pages(size: int) -> Files:
    """Pages that each import the same chain of snippets."""
    chain = snippet_chain(40)
    return {**chain, **{f"p{n}.mdx": chain["index.mdx"] for n in range(size)}}


def frontmatter_lists(size: int) -> Files:
    rows = "\n".join(f"  - key{n}" for n in range(size))
    return {"docs.json": settings(), "index.mdx": f"---\nkeywords:\n{rows}\n---\n\nText."}


def frontmatter_anchors(size: int) -> Files:
    rows = "\n".join(f"k{n}: &a{n} v" for n in range(size))
    return {"docs.json": settings(), "index.mdx": f"---\n{rows}\n---\n\nText."}


def frontmatter_depth(size: int) -> Files:
    return {"docs.json": settings(), "index.mdx": f"---\na: {'[' * size}\n---\n\nText."}


def frontmatter_related(size: int) -> Files:
    rows = ", ".join(f"/p{n}" for n in range(size))
    return {"docs.json": settings(), "index.mdx": f"---\nrelated: [{rows}]\n---\n\nText."}


def redirect_sources(size: int) -> Files:
    """The same source many times, and destinations that are pages."""
    rows = [{"source": "/old", "destination": f"/p{n}"} for n in range(size)]
    return {"docs.json": settings(redirects=rows), "index.mdx": "Text."}


def redirect_links(size: int) -> Files:
    """Links that are led on by wildcards."""
    rows = [{"source": f"/r{n}/:a*", "destination": "/index"} for n in range(200)]
    body = "\n\n".join(f"[a](/r{n % 200}/x{n})" for n in range(size))
    return {"docs.json": settings(redirects=rows), "index.mdx": body}


def same_names(size: int) -> Files:
    """Pages whose names differ in their case only, and folders next to them."""
    pages = {f"a/page{n}.mdx": "Text." for n in range(size)}
    return {"docs.json": settings(), "index.mdx": "Text.", **pages,
            **{f"A/Page{n}.mdx": "Text." for n in range(size)}}  # fmt: skip


def anchors(size: int) -> Files:
    body = "".join(f"## Heading {n}\n\n[a](#heading-{n}x)\n\n" for n in range(size))
    return {"docs.json": settings(), "index.mdx": body}


def grammars(size: int) -> Files:
    patterns = [{"match": f"a{n}", "name": "x"} for n in range(size)]
    grammar = {"name": "x", "scopeName": "source.x", "patterns": patterns}
    styling = {"codeblocks": {"languages": {"custom": ["/grammars/x.json"]}}}
    return {"docs.json": settings(styling=styling), "index.mdx": "Text.",
            "grammars/x.json": json.dumps(grammar)}  # fmt: skip


READ: dict[str, tuple[int, Callable[[int], Files]]] = {
    "redirects in a chain": (500, redirect_chain),
    "redirects in a cycle": (500, redirect_cycle),
    "redirects with wildcards": (1_500, redirect_wildcards),
    "redirects of one source": (1_000, redirect_sources),
    "redirects of links": (1_000, redirect_links),
    "broken links": (500, broken_links),
    "anchors": (500, anchors),
    "groups of the navigation": (500, navigation_size),
    "tabs of the navigation": (300, navigation_depth_of_kinds),
    "versions of the navigation": (100, navigation_languages),
    "parts of the navigation": (100, navigation_parts),
    "one page many times": (1_000, navigation_repeats),
    "pages of two spellings": (100, same_names),
    "variables": (500, variables),
    "keys of a frontmatter": (500, frontmatter_keys),
    "dashes of a frontmatter": (1_000, frontmatter_dashes),
    "lists of a frontmatter": (1_000, frontmatter_lists),
    "anchors of a frontmatter": (1_000, frontmatter_anchors),
    "depth of a frontmatter": (1_000, frontmatter_depth),
    "related pages of a frontmatter": (1_000, frontmatter_related),
    "imports": (300, snippet_imports),
    "chain of snippets": (100, snippet_chain),
    "pages with snippets": (30, snippet_pages),
    "patterns of an ignore file": (250, ignore_patterns),
    "stars of an ignore pattern": (4, ignore_stars),
    "grammars": (500, grammars),
    "pictures": (100, pictures),
    "chunks of a PNG": (1_000, png_chunks),
    "blocks of a GIF": (1_000, gif_blocks),
    "segments of a JPEG": (1_000, jpeg_segments),
    "chunks of a WebP": (1_000, webp_chunks),
    **{
        f"size of a drawing {piece!r}": (500, drawing_of(piece))
        for piece in ("<svg ", "<svg width=' ", "<svg a='>' ", "<svg>")
    },
    "size of a drawing of blanks": (500, lambda size: {
        "docs.json": settings(), "index.mdx": "Text.", "a.svg": f"<svg width='1{' ' * size}>"}),
    **{
        f"body {piece!r}": (1_000, body_of(piece))
        for piece in ("[", "](", "[a](", "`", "```\n", "``` a\n", "<", "<!--", "{/*", "| a ",
                      "# a\n", "~~~\n", "    a\n", "> ", "$", "<a href=", "\\", "&lt;", "[a]: ",
                      "- a\n", "![", "<Card ", "{{", "import a from ", "export const a = ")
    },
}  # fmt: skip
