"""Intended differences between exports of two versions, each with its reason.

Names with digests differ between any two versions. The other changes are those since 503add21;
an older version differs in more, because the markup of menus and components has changed.
"""

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


_OWN_FILES = r"(shell|assistant|islands|mermaid|widget|diagrams|components|page|search|site)"

CHANGES: tuple[IntendedChange, ...] = (
    IntendedChange(
        "names of our files",
        "the digest in the name is that of the script or style sheet, which changed",
        pattern=_OWN_FILES + r"\.[0-9a-f]{12}\.(js|css)",
        replacement=r"\1.\2",
        of_names=True,
    ),
    IntendedChange(
        "links to our files",
        "as their names",
        files=r"\.(html|js|json)$",
        pattern=_OWN_FILES + r"\.[0-9a-f]{12}\.(js|css)",
        replacement=r"\1.\2",
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
        "digests in the manifest",
        "those of the files that are compared themselves",
        files=r"^_docs/manifest\.json$",
        pattern=r'"sha256":"[0-9a-f]{64}","sizeBytes":[0-9]+',
        replacement="",
    ),
    IntendedChange(
        "our scripts",
        "they are minified, so a change gives many names in them another letter; components.js "
        "knows the boxes of tables",
        files=rf"^_docs/{_OWN_FILES}\.js$",
        whole=True,
    ),
    IntendedChange(
        "tables",
        "a table scrolls in a box of its own",
        files=r"\.html$",
        pattern=r'(?s)<div class="ds-table">(<table.*?</table>)</div>',
        replacement=r"\1",
    ),
    IntendedChange(
        "style of tables",
        "that of these boxes",
        files=r"^_docs/site\.css$",
        pattern=r":where\(\.ds-prose[^)]*\) :where\(\.ds-table[^{]*\{[^}]*\}|,\.ds-table(?=\))",
        replacement="",
    ),
    IntendedChange(
        "style of diagrams",
        "wide ones scroll instead of shrinking below what can be read",
        files=r"^_docs/site\.css$",
        pattern=r"(@media screen\{)?\.ds-mermaid-stage(>svg)?\{[^}]*\}(?(1)\})",
        replacement="",
    ),
)
