"""Intended differences between exports of two versions, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class IntendedChange:
    """`pattern` is replaced in the files of both exports whose name matches `files`."""

    name: str
    reason: str
    files: str = ""
    pattern: str = ""
    replacement: str = ""
    whole: bool = False  # the files may differ as a whole
    of_names: bool = False  # the pattern is of names, not of content


_SCRIPTS = r"(shell|assistant|islands|mermaid|widget|diagrams)"

CHANGES: tuple[IntendedChange, ...] = (
    IntendedChange(
        "names of our scripts",
        "the digest in the name is that of the script, which changed",
        pattern=_SCRIPTS + r"\.[0-9a-f]{12}\.js",
        replacement=r"\1.js",
        of_names=True,
    ),
    IntendedChange(
        "links to our scripts",
        "as their names",
        files=r"\.(html|js|json)$",
        pattern=_SCRIPTS + r"\.[0-9a-f]{12}\.js",
        replacement=r"\1.js",
    ),
    IntendedChange(
        "folder of the search index",
        "the digest in the name is that of the index, whose files are compared",
        pattern=r"_docs/search/[0-9a-f]{12}/",
        replacement="_docs/search/",
        of_names=True,
    ),
    IntendedChange(
        "links to the search index",
        "as its name",
        files=r"\.(html|js|json)$",
        pattern=r"search/[0-9a-f]{12}/",
        replacement="search/",
    ),
    IntendedChange(
        "features in export.json",
        "search in the browser is no feature of its own any more",
        files=r"^_docs/export\.json$",
        pattern=r',"browserSearch":(true|false)',
    ),
    IntendedChange(
        "shell.js",
        "a page that is sandboxed copies what it shows, since it cannot fetch its Markdown",
        files=r"^_docs/shell\.js$",
        whole=True,
    ),
    IntendedChange(
        "assistant.js",
        "links of answers to canonical addresses lead to the host that shows the page",
        files=r"^_docs/assistant\.js$",
        whole=True,
    ),
    IntendedChange(
        "widget.js",
        "it contains the same links of answers",
        files=r"^_docs/widget\.js$",
        whole=True,
    ),
    IntendedChange(
        "islands.js",
        "placeholders of unknown components are frozen, because pages share them",
        files=r"^_docs/islands\.js$",
        whole=True,
    ),
    IntendedChange(
        "mermaid.js",
        "the licenses of what the script for diagrams contains are named in it",
        files=r"^_docs/mermaid\.js$",
        whole=True,
    ),
    IntendedChange(
        "digests in the manifest",
        "those of the files that are compared themselves",
        files=r"^_docs/manifest\.json$",
        pattern=r'"sha256":"[0-9a-f]{64}","sizeBytes":[0-9]+',
        replacement="",
    ),
)
