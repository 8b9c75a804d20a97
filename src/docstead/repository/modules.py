"""Modules that pages import, and their own imports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from docstead.repository.markdown_text import without_code, without_fences
from docstead.repository.parse_cache import SHARED, ParseCache
from docstead.repository.positions import Diagnostics

MODULE_SUFFIXES = (".mdx", ".md", ".jsx", ".tsx", ".js", ".ts")
DATA_SUFFIXES = (".json", ".yaml", ".yml", ".csv")
SNIPPET_FOLDERS = ("snippets/", "_snippets/")
_STATEMENT = re.compile(
    r"""^[ \t]*(?:import|export)\b(?:[^'"`;\n(]|\n(?!\s*\n)){0,2000}?"""
    r"""\bfrom[ \t]*(['"])(?P<path>[^'"\n]+)\1"""
    r"""|^[ \t]*import[ \t]*(['"])(?P<bare>[^'"\n]+)\3""",
    re.MULTILINE,
)
# Lines that may begin a statement. Patterns with a literal prefix are searched many times faster.
_BEGINNING = re.compile(r"\n[ \t]*(?:import|export)\b")
_SNIPPET = re.compile(r"""<Snippet\b[^>]{0,500}?\bfile=(?:\{\s*)?(['"])(?P<path>[^'"\n]+)\1""")


@dataclass(frozen=True, slots=True)
class ModuleImport:
    """An import of a repository file, as written, with its position."""

    written: str
    offset: int
    snippet: bool = False  # the older `<Snippet file="…"/>`


def is_snippet(file: str) -> bool:
    return file.startswith(SNIPPET_FOLDERS)


def imports_of(source: str, *, script: bool = False) -> Iterator[ModuleImport]:
    """Yield the imports of a page or module, except packages such as "react"."""
    if _BEGINNING.search(f"\n{source}"):
        text = source if script else without_fences(source)
        for match in _STATEMENT.finditer(text):
            written = match["path"] or match["bare"]
            if written.startswith(("/", "./", "../")):
                yield ModuleImport(written, match.start("path" if match["path"] else "bare"))
    if "<Snippet" in source and not script:
        for match in _SNIPPET.finditer(without_code(source)):
            yield ModuleImport(match["path"], match.start("path"), snippet=True)


def cached_imports(
    source: str, parse_cache: ParseCache, *, script: bool
) -> tuple[ModuleImport, ...]:
    """Like `imports_of`, with a cache."""
    return parse_cache.cached(
        ("imports", script, source),
        lambda _: tuple(imports_of(source, script=script)),
        Diagnostics(),
        characters=len(source) // SHARED,
    )


def target_of(found: ModuleImport, holder: str, exists: Callable[[str], bool]) -> str | None:
    """Return the root-relative path of an imported file, or None if it does not exist."""
    candidates = (path for start in _starts(found, holder) for path in _spellings(start))
    return next((path for path in candidates if exists(path)), None)


def leaves_root(found: ModuleImport, holder: str) -> bool:
    """Report whether a relative import leads out of the repository."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(holder), found.written))
    return not found.written.startswith("/") and path.startswith("..")


def _starts(found: ModuleImport, holder: str) -> Iterator[str]:
    if found.snippet:
        for folder in ("_snippets/", "snippets/", ""):
            yield posixpath.normpath(folder + found.written.lstrip("/"))
    elif found.written.startswith("/"):
        yield posixpath.normpath(found.written.lstrip("/"))
    else:
        yield posixpath.normpath(posixpath.join(posixpath.dirname(holder), found.written))


def _spellings(path: str) -> Iterator[str]:
    if path.endswith(MODULE_SUFFIXES):
        yield path
        return
    for suffix in MODULE_SUFFIXES:
        yield path + suffix
    for suffix in MODULE_SUFFIXES:
        yield f"{path}/index{suffix}"
