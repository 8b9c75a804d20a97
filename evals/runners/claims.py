"""Supported and unsupported sentences, derived from a passage.

Supported sentences use other words or another order; unsupported ones differ in one
essential detail: a number, a name, a negation, an option, or the subject.
"""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from docstead.assistant.writing.markdown_units import MarkdownSplitter, UnitKind
from docstead.search.documents import Passage


@dataclass(frozen=True)
class GradedClaim:
    text: str
    is_supported: bool
    kind: str


Maker = Callable[[str, random.Random, Sequence[str]], str | None]

_LEADS = (
    "Note that {}",
    "In short, {}",
    "According to the documentation, {}",
    "Keep in mind that {}",
)
_SYNONYMS = {
    "use": "employ", "uses": "employs", "create": "make", "creates": "makes", "shows": "displays",
    "show": "display", "need": "require", "needs": "requires", "lets": "allows",
    "allows": "lets", "get": "obtain", "start": "begin", "returns": "gives back",
    "choose": "select", "select": "choose", "pick": "choose", "set": "define", "change": "modify",
    "also": "additionally", "must": "have to", "several": "multiple", "large": "big",
    "fast": "quick", "find": "locate", "build": "construct", "make sure": "ensure",
}  # fmt: skip
_ANTONYMS = {
    "enable": "disable", "enables": "disables", "enabled": "disabled", "disable": "enable",
    "disabled": "enabled", "always": "never", "never": "always", "required": "optional",
    "optional": "required", "before": "after", "after": "before", "first": "last", "last": "first",
    "public": "private", "private": "public", "minimum": "maximum", "maximum": "minimum",
    "add": "remove", "remove": "add", "start": "stop", "stop": "start", "true": "false",
    "false": "true", "automatically": "manually", "manually": "automatically",
    "increase": "decrease",
    "allow": "prevent", "allows": "prevents", "more": "less", "create": "delete", "open": "close",
    "include": "exclude", "includes": "excludes", "internal": "external", "send": "receive",
}  # fmt: skip
_AUXILIARY = re.compile(r"\b(is|are|can|will|must|should|does|do|was|were|may)\b(?! not|n't)")
_DENIAL = re.compile(
    r"\b(cannot|can't|isn't|aren't|doesn't|don't|won't|(?:is|are|do|does|will|must|should) not)\b"
)
_AFFIRMED = {
    "cannot": "can", "can't": "can", "isn't": "is", "aren't": "are", "doesn't": "does",
    "don't": "do", "won't": "will",
}  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.]|,\d)")
_NAME = re.compile(r"(?<=[a-z,;] )([A-Z][a-z]{2,}|[A-Z]{2,})\b")
_CODE = re.compile(r"`([^`\n]+)`")
_CLAUSE = re.compile(
    r",? (?:which|because|since|so that|whereas|although|even if|for example)\b.*(?=\.$)"
)
_BRACKET = re.compile(r" \([^()]*\)")
_TO = re.compile(r"^To ([^,]+), ([a-z`].+)\.$")
_IF = re.compile(r"^(If|When) ([^,]+), ((?:you|it|the|this|your|a|an)\b.+)\.$")
_TEMPLATES = (
    "{name} is limited to 4,711 requests per hour.",
    "{name} is only available on the Platinum plan.",
    "Version 9 of {name} drops support for Windows.",
    "{name} was deprecated in March and will be removed next year.",
    "You can pass `--turbo-mode` to make {name} faster.",
    "Set `ZETA_CACHE_TTL` to change how long {name} is cached.",
    "Contact the sales team before you enable {name}.",
    "{name} stores its data in a MongoDB cluster by default.",
    "All data of {name} is encrypted with AES-512 on our servers.",
    "Administrators receive a weekly email report about {name}.",
)


def supported(passage: Passage, chance: random.Random) -> Iterator[GradedClaim]:
    """Yield paraphrases of a passage."""
    found = sentences(passage)
    for index, sentence in enumerate(found):
        yield GradedClaim(sentence, True, "word for word")
        for kind, make in _SUPPORTED.items():
            text = make(sentence, chance, found[index + 1 :])
            if text and text != sentence:
                yield GradedClaim(text, True, kind)
    for text in _rows(passage.markdown):
        yield GradedClaim(text, True, "row")


def invented(
    passage: Passage, chance: random.Random, elsewhere: Sequence[str], near: Sequence[str]
) -> Iterator[GradedClaim]:
    """Yield false claims. `elsewhere` are sentences of other pages, `near` all nearby ones."""
    for sentence in sentences(passage):
        for kind, make in _INVENTED.items():
            text = make(sentence, chance, elsewhere)
            if text and text != sentence and not any(_same(text, each) for each in near):
                yield GradedClaim(text, False, kind)
    name = passage.heading_path[-1] if passage.heading_path else passage.title
    yield GradedClaim(chance.choice(_TEMPLATES).format(name=name), False, "template")
    strange = [each for each in elsewhere if not any(_alike(each, other) for other in near)]
    if strange:
        yield GradedClaim(chance.choice(strange), False, "of another page")


def sentences(passage: Passage) -> list[str]:
    """Return whole sentences of 6 to 30 words."""
    units = MarkdownSplitter()
    found = (*units.add(passage.markdown), *units.rest())
    texts = (u.text.replace("\n", " ") for u in found if u.kind is UnitKind.PROSE)
    return [
        text
        for text in texts
        if text.endswith(".")
        and 6 <= len(text.split()) <= 30
        and text[0].isupper()
        and "](" not in text
    ]


def _lead(sentence: str, chance: random.Random, _: Sequence[str]) -> str | None:
    first = sentence.split(maxsplit=1)[0]
    if not first.isalpha() or not first.istitle() or len(first) == 1:
        return None
    return chance.choice(_LEADS).format(sentence[0].lower() + sentence[1:])


def _reworded(sentence: str, chance: random.Random, _: Sequence[str]) -> str | None:
    return _with_another_word(sentence, chance, _SYNONYMS)


def _shortened(sentence: str, _: random.Random, __: Sequence[str]) -> str | None:
    text = _CLAUSE.sub("", _BRACKET.sub("", sentence), count=1)
    return text if len(text.split()) >= 5 else None


def _joined(sentence: str, _: random.Random, following: Sequence[str]) -> str | None:
    first = following[0].split()[0] if following else ""
    if not first.isalpha() or first in ("But", "And", "So", "Or", "I"):
        return None
    text = f"{sentence[:-1]}, and {following[0][0].lower()}{following[0][1:]}"
    return text if len(text.split()) <= 40 else None


def _turned(sentence: str, _: random.Random, __: Sequence[str]) -> str | None:
    if found := _TO.match(sentence):
        return f"{found[2][0].upper()}{found[2][1:]} to {found[1]}."
    if found := _IF.match(sentence):
        return f"{found[3][0].upper()}{found[3][1:]} {found[1].lower()} {found[2]}."
    return None


def _number(sentence: str, chance: random.Random, _: Sequence[str]) -> str | None:
    numbers = list(_NUMBER.finditer(sentence))
    if not numbers:
        return None
    chosen = chance.choice(numbers)
    value = int(chosen[0]) + chance.choice((1, 2, 5, 10, 37))
    return f"{sentence[: chosen.start()]}{value}{sentence[chosen.end() :]}"


def _named(sentence: str, chance: random.Random, elsewhere: Sequence[str]) -> str | None:
    names = list(_NAME.finditer(sentence))
    others = [name for other in elsewhere for name in _NAME.findall(other) if name not in sentence]
    if not names or not others:
        return None
    chosen = chance.choice(names)
    return f"{sentence[: chosen.start()]}{chance.choice(others)}{sentence[chosen.end() :]}"


def _coded(sentence: str, chance: random.Random, elsewhere: Sequence[str]) -> str | None:
    codes = list(_CODE.finditer(sentence))
    others = [code for other in elsewhere for code in _CODE.findall(other) if code not in sentence]
    if not codes:
        return None
    chosen = chance.choice(codes)
    code = chance.choice(others) if others and chance.random() < 0.5 else f"{chosen[1]}Strict"
    return f"{sentence[: chosen.start()]}`{code}`{sentence[chosen.end() :]}"


def _exchanged(sentence: str, _: random.Random, __: Sequence[str]) -> str | None:
    names = [*_CODE.finditer(sentence), *_NAME.finditer(sentence)]
    pairs = [(a, b) for a in names for b in names if a.end() < b.start() and a[0] != b[0]]
    for one, other in pairs:
        between = sentence[one.end() : other.start()]
        if re.search(r"\b(?:and|or)\b|^, ?$|/", between) or len(between.split()) < 2:
            continue
        return sentence[: one.start()] + other[0] + between + one[0] + sentence[other.end() :]
    return None


def _denied(sentence: str, _: random.Random, __: Sequence[str]) -> str | None:
    if found := _DENIAL.search(sentence):
        word = _AFFIRMED.get(found[1], found[1].removesuffix(" not"))
        return f"{sentence[: found.start()]}{word}{sentence[found.end() :]}"
    if found := _AUXILIARY.search(sentence):
        return f"{sentence[: found.end()]} not{sentence[found.end() :]}"
    return None


def _opposite(sentence: str, chance: random.Random, _: Sequence[str]) -> str | None:
    return _with_another_word(sentence, chance, _ANTONYMS)


def _with_another_word(
    sentence: str, chance: random.Random, others: Mapping[str, str]
) -> str | None:
    """Replace one word of a sentence by the other of a table, or return None."""
    found = {word: rf"(?<![`\w-]){word}(?![`\w-])" for word in others}
    known = [word for word, pattern in found.items() if re.search(pattern, sentence)]
    if not known:
        return None
    word = chance.choice(known)
    return re.sub(found[word], others[word], sentence, count=1)


def _option(sentence: str, chance: random.Random, _: Sequence[str]) -> str | None:
    option = chance.choice(("--force-all", "`retryBudget`", "`MAX_FANOUT`", "`--no-verify-tls`"))
    return f"{sentence[:-1]} when {option} is set."


def _rows(markdown: str) -> Iterator[str]:
    lines = [line.strip().strip("|") for line in markdown.splitlines() if line.startswith("|")]
    if len(lines) < 3:
        return
    header = [cell.strip() for cell in lines[0].split("|")]
    for line in lines[2:]:
        cells = [cell.strip() for cell in line.split("|")]
        is_short = len(cells) >= 2 and all(cells[:2]) and len(cells[1].split()) < 15
        if is_short and "](" not in line:
            yield f"For {cells[0]}, the {header[1].lower() or 'value'} is {cells[1].rstrip('.')}."


def _same(one: str, other: str) -> bool:
    return re.sub(r"\W+", " ", one).lower() == re.sub(r"\W+", " ", other).lower()


def _alike(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, one.split(), other.split()).ratio() > 0.4


_SUPPORTED: dict[str, Maker] = {
    "with a lead": _lead,
    "reworded": _reworded,
    "shortened": _shortened,
    "joined": _joined,
    "turned round": _turned,
}
_INVENTED: dict[str, Maker] = {
    "number": _number,
    "name": _named,
    "identifier": _coded,
    "exchanged": _exchanged,
    "denial": _denied,
    "opposite": _opposite,
    "option": _option,
}
