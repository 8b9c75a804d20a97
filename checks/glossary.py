"""Words that have a standard name: in code, guides, the command line and the dashboard.

    python checks/glossary.py [--show WORD]

Counts each word of glossary.toml outside the uses that it accepts, each with a reason: ordinary
English, and names of wire and storage. Of tests it reads names, docstrings and comments: their
other texts are data. The command fails if there is another use, or if nothing is
left of an accepted one. `--show` prints the uses of a word, with the accepted ones in brackets.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from words import ROOT, guide_lines, script_paths

CODE = ("src", "bench", "evals", "checks", "tests")
RULES = ROOT / "checks" / "glossary.toml"
AREAS = ("names", "texts", "comments", "guides", "cli", "screens")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_COMMENT = re.compile(r"(?:^|\s)# +(.*)")
# Of TypeScript. Expressions within templates use only names that are defined outside of them.
_SCRIPT_TOKENS = re.compile(
    r"(?P<comments>//[^\n]*|/\*.*?\*/)"
    r"""|(?P<texts>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)"""
    r"|(?<=[(,=:\[!&|?{};\n])[ ]*/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/"
    r"|(?P<names>(?:dataset\.)?[A-Za-z_$][\w$]*(?:-[a-z][\w-]*)?)",
    re.DOTALL,
)
_STYLE_COMMENT = re.compile(r"(?P<comments>/\*.*?\*/)", re.DOTALL)
_TAGS = re.compile(r"\{[{%#].*?[}%#]\}|<[^>]*>", re.DOTALL)


@dataclass(frozen=True)
class ReadText:
    """A name or a text that a person reads; `area` is a column of the table."""

    area: str
    file: str
    line: int
    text: str


@dataclass
class AcceptedUse:
    """Uses within a phrase, in a file and in an area; each that is empty stands for all."""

    phrases: Sequence[re.Pattern[str]]
    files: Sequence[str]
    areas: Sequence[str]
    seen: set[str] = field(default_factory=set)

    def covers(self, text: ReadText, use: re.Match[str]) -> bool:
        if self.areas and text.area not in self.areas:
            return False
        file = next((each for each in self.files if text.file.startswith(each)), "")
        phrase = next((each for each in self.phrases if _is_within(use, each, text.text)), None)
        if (self.files and not file) or (self.phrases and phrase is None):
            return False
        self.seen |= {file, phrase.pattern if phrase else "", text.area}
        return True

    def stale(self) -> list[str]:
        """Return the phrases, files and areas that covered nothing."""
        entries = (*self.files, *self.areas, *(each.pattern for each in self.phrases))
        return [each for each in entries if each not in self.seen]


@dataclass(frozen=True)
class GlossaryWord:
    """A pattern of the word's forms, its standard name, and the uses that stay."""

    forms: str
    instead: str
    accepted: Sequence[AcceptedUse]

    def uses(self, texts: Sequence[ReadText]) -> Iterator[tuple[ReadText, bool]]:
        """Yield each use, and whether it is accepted."""
        pattern = re.compile(rf"\b(?:{self.forms})\b", re.IGNORECASE)
        for text in texts:
            for use in pattern.finditer(text.text):
                covering = [each for each in self.accepted if each.covers(text, use)]
                yield text, bool(covering)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", default="", metavar="WORD", help="print the uses of a word")
    shown = parser.parse_args().show
    words = glossary_words(tomllib.loads(RULES.read_text()))
    texts = list(read_texts("|".join(word.forms for word in words)))
    print(f"{'word':32}{''.join(f'{area:>9}' for area in AREAS)}{'accepted':>10}  instead")
    errors = []
    for word in words:
        uses = list(word.uses(texts))
        counts = Counter(text.area for text, is_accepted in uses if not is_accepted)
        cells = "".join(f"{counts[area]:9}" for area in AREAS)
        print(f"{word.forms:32}{cells}{len(uses) - counts.total():10}  {word.instead}")
        if shown and re.fullmatch(word.forms, shown, re.IGNORECASE):
            print(*(_line(*use) for use in uses), sep="\n")
        if counts:
            errors.append(
                f"{word.forms}: write {word.instead}. See: checks/glossary.py --show WORD"
            )
        stale = (entry for each in word.accepted for entry in each.stale())
        errors += [f"{word.forms}: {each!r} need not be accepted any more." for each in stale]
    print(*errors, sep="\n", end="\n" if errors else "", file=sys.stderr)
    return int(bool(errors))


def glossary_words(rules: Mapping[str, Any]) -> list[GlossaryWord]:
    return [
        GlossaryWord(
            word["forms"],
            word["instead"],
            [
                AcceptedUse(
                    [re.compile(rf"\b(?:{each})\b", re.I) for each in group.get("phrases", ())],
                    group.get("files", ()),
                    group.get("areas", ()),
                )
                for group in word.get("accepted", ())
            ],
        )
        for word in rules["words"]
    ]


def read_texts(forms: str) -> Iterator[ReadText]:
    """Yield names and texts with one of the words: of the code, the guides and the dashboard."""
    pattern = re.compile(rf"\b(?:{forms})\b", re.IGNORECASE)
    # Of names, too, which join words by underscores and capitals.
    part = re.compile(rf"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:{forms})(?![a-z])")
    may_have_word = _quick_search(forms)
    for path in sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py")):
        code = path.read_text()
        if may_have_word(code):
            found = texts_of_code(str(path.relative_to(ROOT)), code, part)
            yield from (text for text in found if pattern.search(text.text))
    for path in script_paths(ROOT):
        if may_have_word(code := path.read_text()):
            found = texts_of_script(str(path.relative_to(ROOT)), code, part)
            yield from (text for text in found if pattern.search(text.text))
    for position, prose in guide_lines():
        if pattern.search(prose):
            file, _, line = position.partition(":")
            yield ReadText("guides", file, int(line), prose)
    for path in sorted((ROOT / "src" / "docstead" / "dashboard").rglob("*.html")):
        prose = _TAGS.sub(lambda tag: "\n" * tag[0].count("\n"), path.read_text())
        for number, text in enumerate(prose.splitlines(), 1):
            if pattern.search(text):
                yield ReadText("screens", str(path.relative_to(ROOT)), number, text.strip())


def texts_of_code(file: str, code: str, part: re.Pattern[str]) -> Iterator[ReadText]:
    """Yield names that code defines, its docstrings and other texts, and comments with `part`."""
    is_test = file.startswith("tests/")
    area = "cli" if "/cli/" in file and not is_test else "texts"
    for number, line in enumerate(code.splitlines(), 1):
        if "#" in line and part.search(line) and (comment := _COMMENT.search(line)):
            yield ReadText("comments", file, number, comment[1].replace("_", " "))
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.arg(arg=name):
                yield ReadText("names", file, node.lineno, _words_of(name))
            case ast.AsyncFunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                yield ReadText("names", file, node.lineno, _words_of(name))
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield ReadText("names", file, node.lineno, _words_of(name))
            case ast.Expr(value=ast.Constant(value=str(text))) if is_test:
                yield ReadText(area, file, node.lineno, " ".join(text.replace("_", " ").split()))
            case ast.Constant(value=str(text)) if " " in text and not is_test:
                yield ReadText(area, file, node.lineno, " ".join(text.replace("_", " ").split()))


def _quick_search(forms: str) -> Callable[[str], bool]:
    """Return a search that also finds some code without the words, in a fifth of the time."""
    is_word = cache(re.compile(forms, re.IGNORECASE).fullmatch)
    phrases = "|".join(each for each in forms.split("|") if " " in each).replace(" ", r"[\s_]*")
    has_phrase = re.compile(phrases, re.IGNORECASE).search
    return lambda code: any(map(is_word, set(_PARTS.findall(code)))) or has_phrase(code) is not None


def texts_of_script(file: str, code: str, part: re.Pattern[str]) -> Iterator[ReadText]:
    """Yield names and comments of TypeScript with `part`, and texts of several words."""
    tokens = _STYLE_COMMENT if file.endswith(".css") else _SCRIPT_TOKENS
    for token in tokens.finditer(code):
        area, text = token.lastgroup, token[0]
        if area is None or not part.search(text) or (area == "texts" and " " not in text):
            continue
        line = code.count("\n", 0, token.start()) + 1
        prose = _words_of(text) if area == "names" else " ".join(text.replace("_", " ").split())
        yield ReadText(area, file, line, prose)


@cache
def _words_of(name: str) -> str:
    return " ".join(_PARTS.findall(name))


def _is_within(use: re.Match[str], phrase: re.Pattern[str], text: str) -> bool:
    spans = (found.span() for found in phrase.finditer(text))
    return any(start <= use.start() and use.end() <= end for start, end in spans)


def _line(text: ReadText, is_accepted: bool) -> str:
    line = f"{text.file}:{text.line}: {text.text[:100]}"
    return f"  [{line}]" if is_accepted else f"  {line}"


if __name__ == "__main__":
    sys.exit(main())
