"""Sentences of the interface, and the table of their tests (`tests/contract`).

`interface.txt` lists the sentences in order, by their first words and a digest of the
whole. `sentences.toml` has rows with a test and a mutation for each, and notes for those that no
program can violate.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIST = ROOT / "tests" / "contract" / "interface.txt"
TABLE = ROOT / "tests" / "contract" / "sentences.toml"
_FEWEST_WORDS = 5
_DIGEST_DIGITS = 12
_END = re.compile(r"(?<=\.)\s+(?=[A-Z(`*{])")
_BULLET = re.compile(r"^(\d+\.|-) ")


@dataclass(frozen=True)
class Row:
    """A rule, the sentences that state it, its test, and a mutation that breaks it.

    `old` becomes `new` in `file` of the package.
    """

    of: tuple[str, ...]
    says: str
    test: str
    file: str
    old: str
    new: str


@dataclass(frozen=True)
class UnbreakableSentences:
    """Sentences that no program can violate, and the reason."""

    of: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Table:
    rows: tuple[Row, ...]
    notes: tuple[UnbreakableSentences, ...]


def read_table(text: str) -> Table:
    """Parse the table."""
    found = tomllib.loads(text)
    rows = [Row(**{**each, "of": tuple(each["of"])}) for each in found["sentence"]]
    notes = [UnbreakableSentences(**{**each, "of": tuple(each["of"])}) for each in found["note"]]
    return Table(tuple(rows), tuple(notes))


def read_list(text: str) -> dict[str, str]:
    """Parse the list: the first words of each sentence, and its digest."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {words: digest for digest, words in (line.split(" ", 1) for line in lines)}


def listed(document: str) -> dict[str, str]:
    """Return the list of an interface in Markdown, as `read_list` does."""
    sentences = list(_sentences(document))
    return {_first_words(each, sentences): _digest(each) for each in sentences}


def problems(table: Table, known: Mapping[str, str], root: Path = ROOT) -> list[str]:
    """Return the problems of a table: unknown sentences, tests and mutations."""
    tested = {quote for row in table.rows for quote in row.of}
    noted = {quote for note in table.notes for quote in note.of}
    return [
        *(f"no row has: {quote}" for quote in known if quote not in tested | noted),
        *(f"the interface has no such sentence: {quote}" for quote in (tested | noted) - {*known}),
        *(f"both tested and noted: {quote}" for quote in tested & noted),
        *(f"{row.says}: {problem}" for row in table.rows for problem in _of_row(row, root)),
    ]


def _of_row(row: Row, root: Path) -> Iterator[str]:
    source = root / "src" / "docstead" / row.file
    count = source.read_text().count(row.old) if source.is_file() else 0
    if count != 1:
        yield f"{row.file} has {count} times {row.old!r}"
    if row.old == row.new:
        yield "the mutation changes nothing"
    if not row.of:
        yield "it quotes no sentence"
    if missing := _missing(row.test, root):
        yield f"there is no test {missing!r}"


def _missing(test: str, root: Path) -> str:
    """Return the missing part of a test's id, or ""."""
    path, *names = test.split("::")
    if not (root / path).is_file():
        return path
    text = (root / path).read_text()
    name, _, case = (names[-1] if names else "").partition("[")
    patterns = [rf"^class {each}\b" for each in names[:-1]]
    patterns += [rf"^\s*(async )?def {name}\("] if name else []
    patterns += [rf"[\"']{re.escape(case.removesuffix(']'))}[\"']"] if case else []
    absent = [each for each in patterns if not re.search(each, text, re.MULTILINE)]
    return test if absent else ""


def _sentences(document: str) -> Iterator[str]:
    """Split Markdown into sentences. A row of a table is one, and so is each of its texts."""
    in_table = False
    for line in map(str.strip, document.splitlines()):
        was_in_table, in_table = in_table, line.startswith("|")
        if in_table:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if was_in_table and not set(line) <= set("|- "):
                yield from _of_cells(cells)
        elif line.endswith(":") and len(line.split()) < 3:
            continue  # a caption
        elif line and not line.startswith("#"):
            yield from _END.split(_BULLET.sub("", line))


def _of_cells(cells: Sequence[str]) -> Iterator[str]:
    texts = [cell for cell in cells if cell.endswith(".")]
    facts = [cell for cell in cells if cell and cell not in texts]
    if len(facts) > 1:
        yield " | ".join(facts)
    for text in texts:
        yield from (f"{cells[0]}: {sentence}" for sentence in _END.split(text))


def _first_words(sentence: str, sentences: Sequence[str]) -> str:
    """Return enough words to distinguish a sentence from the others, at least five."""
    words = sentence.split()
    others = [each.split() for each in sentences if each != sentence]
    count = _FEWEST_WORDS
    while count < len(words) and any(words[:count] == other[:count] for other in others):
        count += 1
    return " ".join(words[:count])


def _digest(sentence: str) -> str:
    return hashlib.sha256(sentence.encode()).hexdigest()[:_DIGEST_DIGITS]
