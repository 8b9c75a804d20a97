"""Scripts with translated texts for other scripts, one per language except English."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable

from docstead.markup.words import script_texts, translation_of

_FILES = {"content": "islands.js"}  # keyed by the names of the other scripts
_GLOBAL = "docsteadWords"  # read by engine/browser/components/language.ts


def words_file(code: str | None) -> str | None:
    """Return the file that pages in a language load, or None for English."""
    name = translation_of(code)
    return f"words.{name}.js" if name else None


def words_files(codes: Iterable[str | None], scripts: Container[str]) -> dict[str, bytes]:
    """Return the files of languages with the texts of these scripts."""
    files: dict[str, bytes] = {}
    for name in sorted({name for code in codes if (name := translation_of(code))}):
        namespaces = script_texts(name)
        said = {
            namespace: words
            for namespace, words in namespaces.items()
            if _FILES.get(namespace, f"{namespace}.js") in scripts
        }
        text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        files[f"words.{name}.js"] = f"{_GLOBAL}={text};\n".encode()
    return files
