"""Commands and files in the documentation, with notes about running them.

A note is a comment on the line before a block:

    {/* example: in docs; expects 202; needs a Kubernetes cluster */}

In Markdown of GitHub it is `<!-- example: … -->`. `in` names the folder where the command
runs, from the root of a clone; `expects` the HTTP status or `exit 1`; `needs` what a
machine must have in addition to a clone.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=indent)```", re.MULTILINE | re.DOTALL
)
_NOTE = re.compile(r"^\s*(?:\{/\*|<!--) example: (?P<note>.*?) (?:\*/\}|-->)\s*$")
_INLINE = re.compile(r"`((?:docstead|uv run|curl|openssl|make|helm) [^`\n]+)`")
_SHELL = ("bash", "sh", "console")
_WORDS = ("in", "expects", "needs")


@dataclass(frozen=True)
class Note:
    """A parsed note; its fields are empty by default."""

    folder: str = ""
    expects: str = ""
    needs: str = ""


@dataclass(frozen=True)
class Example:
    """A command or file on a page, with language and title of its block."""

    page: str
    line: int
    text: str
    note: Note = field(default_factory=Note)
    inline: bool = False
    language: str = "bash"
    title: str = ""

    @property
    def position(self) -> str:
        return f"{self.page}:{self.line}"


def pages(root: Path) -> list[Path]:
    """Return README and each page of `docs`, beginning with the first steps."""
    quickstart = root / "docs" / "quickstart.mdx"
    others = sorted(path for path in root.glob("docs/**/*.mdx") if path != quickstart)
    return [root / "README.md", quickstart, *others]


def commands(page: str, text: str) -> Iterator[Example]:
    """Yield the commands of a page: those in shell blocks, and those within sentences.

    Raises ValueError for a note that cannot be read.
    """
    for block in blocks(page, text):
        if block.language in _SHELL:
            yield from _commands_of(block)
    prose = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)
    for found in _INLINE.finditer(prose):
        line = prose.count("\n", 0, found.start()) + 1
        yield Example(page, line, found[1].replace("\\|", "|"), inline=True)


def blocks(page: str, text: str) -> Iterator[Example]:
    """Yield each fenced block of a page.

    Raises ValueError for a note that cannot be read.
    """
    for fence in _FENCE.finditer(text):
        language, _, title = fence["info"].strip().partition(" ")
        before = text[: fence.start()].rstrip("\n").rpartition("\n")[2]
        yield Example(
            page,
            text.count("\n", 0, fence.start()) + 2,
            textwrap.dedent(fence["text"]),
            _note(page, before),
            language=language,
            title=title,
        )


def _commands_of(block: Example) -> Iterator[Example]:
    """Yield an example for each command; a backslash at the end of a line continues it."""
    waiting: list[str] = []
    for number, line in enumerate(block.text.splitlines()):
        if not waiting and (not line.strip() or line.startswith("#")):
            continue
        waiting.append(line)
        if not line.endswith("\\"):
            first = block.line + number - len(waiting) + 1
            yield Example(block.page, first, "\n".join(waiting), block.note)
            waiting = []


def _note(page: str, line: str) -> Note:
    found = _NOTE.match(line)
    if found is None:
        return Note()
    pairs = [part.strip().partition(" ") for part in found["note"].split(";")]
    if unknown := [word for word, _, _ in pairs if word not in _WORDS]:
        raise ValueError(f"{page}: an example's note has in, expects and needs, not {unknown}")
    words = {word: value for word, _, value in pairs}
    return Note(words.get("in", ""), words.get("expects", ""), words.get("needs", ""))
