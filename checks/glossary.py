"""Count words that have a standard name in code, guides, the command line and the dashboard.

    python checks/glossary.py [--show WORD]

A count is no limit, as some uses are ordinary English: a network address, a place for a page.
`--show` prints each use of one row. The limits are those of checks/words.py.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from words import ROOT, guide_lines

#: A pattern of the word's forms, and its standard name.
ROWS = {
    "told|tells?|telling": "report, send, format",
    "faults?": "Diagnostic",
    "address(?:es)?": "URL",
    "places?": "position, location",
    "wanted": "requested, query, options",
    "drawn|draws?": "rendered",
    "desks?": "workspace, collector, service",
    "reach(?:es)?": "ExternalServices",
    "alone": "only",
    "opinions?": "feedback",
    "doors?": "authentication, bounded reader",
    "recall(?:s|ed)?": "ParseCache",
    "thinking|thoughts?": "ModelCaller, ModelTurn",
    "handing|handed": "delivery",
    "offered|surroundings": "result, context",
    "journal": "StepLog, EventLog",
    "scribe|guard": "named by what it does",
    "grounds|gathering": "evidence, passage",
    "purse": "budget",
    "manners?": "options",
    "shelf|shelves": "store, cache",
    "rooms?": "package, namespace",
    "judged": "vetted",
    "twins?": "Markdown version, duplicate",
    "hears?|heard": "handle, observe",
    "mend(?:s|ed|ing)?": "repair",
    "sides?": "base, head",
    "keepers?|chores?": "manager, periodic task",
    "for ever": "permanently",
    "rehears(?:e|ed|al)|spares?": "warm up, standby",
    "settles?|settled|unsettled": "resolve",
    "narrow(?:ed|ing)": "filtered",
    "seldom|tidy|tidied": "tune, release",
    "bell|worth": "notifier, score",
    "spool|likeness": "temporary files, similarity",
    "half characters?|telephones?": "lone surrogates, phone",
}
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TAGS = re.compile(r"\{[{%#].*?[}%#]\}|<[^>]*>", re.DOTALL)


@dataclass(frozen=True)
class ReadText:
    """A name or a text that a person reads; `area` is a column of the table."""

    area: str
    position: str
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", default="", metavar="WORD", help="print the uses of a row")
    shown = parser.parse_args().show
    guides = (ReadText("guides", position, prose) for position, prose in guide_lines())
    texts = [*_names_and_texts(), *guides, *_screens()]
    print(f"{'word':32}{'names':>7}{'texts':>7}{'guides':>8}{'cli':>5}{'screens':>9}  instead")
    for forms, instead in ROWS.items():
        pattern = re.compile(rf"\b(?:{forms})\b", re.IGNORECASE)
        found = [each for each in texts for _ in pattern.finditer(each.text)]
        areas = [each.area for each in found]
        counts = [areas.count(each) for each in ("names", "texts", "guides", "cli", "screens")]
        widths = zip(counts, (7, 7, 8, 5, 9), strict=True)
        print(f"{forms:32}{''.join(f'{count:>{width}}' for count, width in widths)}  {instead}")
        if shown and pattern.search(shown):
            print(*(f"  {each.position}: {each.text[:80]}" for each in found), sep="\n")


def _names_and_texts() -> Iterator[ReadText]:
    """Yield names that the source defines, its docstrings, and the texts of the command line."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        area = "cli" if path.parent.name == "cli" else "texts"
        for node in ast.walk(ast.parse(path.read_text())):
            position = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.arg(arg=name):
                    yield ReadText("names", position, _words_of(name))
                case ast.AsyncFunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                    yield ReadText("names", position, _words_of(name))
                case ast.Constant(value=str(text)) if " " in text:
                    yield ReadText(area, position, " ".join(text.split()))


def _screens() -> Iterator[ReadText]:
    """Yield the words of the dashboard's templates."""
    for path in sorted((ROOT / "src" / "docstead" / "dashboard").rglob("*.html")):
        text = _TAGS.sub("\n", path.read_text())
        yield from (
            ReadText("screens", str(path.relative_to(ROOT)), line) for line in text.splitlines()
        )


def _words_of(name: str) -> str:
    return " ".join(_PARTS.findall(name))


if __name__ == "__main__":
    main()
