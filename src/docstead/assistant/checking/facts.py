"""Verifiable elements of a sentence: words, numbers, names and negations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape

from docstead.search.analyser import Analyser
from docstead.search.stop_words import GENERIC_WORDS

_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_FENCE_LINE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
CODE_SPAN = re.compile(r"(?<!`)(`++)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_EMPHASIS = re.compile(r"(?<![\w*])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\w*])")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")

_NUMBER = re.compile(
    r"(?<![\w.])[$€£v]?(\d+(?:[,_]\d{3})*(?:\.\d+)*)(?=(?:[a-zA-Z%°]{0,3})?(?!\w))", re.I
)
_SMALL_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
"""
NUMBER_WORDS = {word: str(value) for value, word in enumerate(_SMALL_NUMBERS.split())} | {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "once": "1",
    "twice": "2",
    "thrice": "3",
    "dozen": "12",
    "half": "0.5",
}
# "one" and the like are usually pronouns, not numbers
_NO_NUMBERS = frozenset({"one", "zero", "once", "half"})

# "There are two ways" and "three levels: …" count what is listed.
_COUNT = re.compile(
    r"\b(two|three|four|five|six) (?:\w+ )?(?:ways|options|possibilities|approaches|methods|choices"
    r"|things|reasons|places)\b|\b(two) (?:\w+ ){1,2}(?:may|can|could|cannot|must|share)\b"
    r"|\b(two|three|four|five|six|seven|eight) (?:[\w-]+ ){0,2}[\w-]+(?: ?[(:])"
    # "a few hundred" is no amount, and "the last two" are some of what is listed.
    r"|\b(?:few|several|couple of|many) (hundred|thousand|dozen|million)\b"
    r"|\bthe (?:first|last|other) (two|three|four)\b(?=[,;.]|$)",
    re.IGNORECASE,
)

_NO_NUMBER_ONE = re.compile(
    r"\b(?:more than|at least|this|that|which|each|another|no) one\b|\bone (?:\w+ )?per\b"
    r"|\bone (?:at a time|by one)\b|\bone (?:of|another|or more)\b"
)

_IDENTIFIER = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]+|\$?\b\w+_\w+\b|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*"
    r"|@[\w-]+/[\w.-]+|(?<!\w)/[\w{}.:-]+(?:/[\w{}.:-]*)*|\b\w+(?:\.\w+)+\b(?:\(\))?|\b\w+\(\)"
    r"|(?<!\w)\.[a-z]{2,5}\b"
)
_NAME = re.compile(r"\b(?:[A-Z][a-z]+|[A-Z][A-Z0-9]+s?|[A-Z][a-z]*\d+)\b")
_START = re.compile(r"(?:^|[.!?:;]\s+|\s[-–—]\s+|\n\s*)[\"'“‘(]*$")
_TOKEN = re.compile(r"[\w'’]+(?:[-./]\w+)*|[,;:.!?()]")

_WORD_OR_CODE = re.compile(r"`[^`\n]+`|[\w'’]+(?:[./]\w+)*")

_DENIALS_TEXT = """
not no never none neither nor cannot without nothing nobody n't can't won't don't doesn't isn't
aren't wasn't weren't shouldn't mustn't couldn't wouldn't didn't hasn't haven't needn't
"""
_DENIALS = frozenset(_DENIALS_TEXT.split())
_NO_VERB_DENIALS = frozenset({"without", "neither", "nor"})
_CLAUSE_ENDS_TEXT = """
, ; : . ! ? ( ) and but or if when unless because so that which while until then
"""
_CLAUSE_ENDS = frozenset(_CLAUSE_ENDS_TEXT.split())
SHORTEST_ALIKE = 4  #: Length of the common prefix of word forms.
_SHORTEST_PLURAL = 3
_SCOPE = 3  # words in the scope of a negation

# Stems of synonyms in documentation; the first represents the others.
_SAME = """
use employ util leverag
creat make gener build construct produc
show display present
need requir
let allow permit
get obtain retriev fetch
start begin launch
choos select pick
set defin configur specifi
chang modifi alter updat edit
find locat
sever multipl
larg big
fast quick rapid
remov delet
return give
help assist
call invok
run execut
save store keep
want wish
press click tap
sure ensur
restor recov
fail error
end finish complet
"""
_MEANT = {
    other: first
    for first, *others in (line.split() for line in _SAME.split("\n") if line)
    for other in others
}


@dataclass(frozen=True, slots=True)
class Negation:
    """Words in the scope of a negation, nearest first."""

    words: tuple[str, ...]
    of_verb: bool = True  # by "not" or "never", unlike "without" and "neither"


class TextFacts:
    """Analyzed text, computed lazily. The analyzer normalizes words."""

    def __init__(
        self, text: str, analyser: Analyser, *, ignored_names: frozenset[str] = frozenset()
    ) -> None:
        self.source = text
        self._ignored_names = ignored_names
        self.analyser = analyser
        self._stems = analyser.terms
        self._stem = analyser.stem

    @cached_property
    def text(self) -> str:
        """The displayed words."""
        return plain(self.source)

    @cached_property
    def bare(self) -> str:
        """The text in lower case, letters and digits only."""
        return " ".join(re.findall(r"\w+", self.text.lower()))

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Every word in order; a code span is one word."""
        return tuple(filter(None, map(_bare_token, _WORD_OR_CODE.findall(self.source))))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Stems of content words, in order."""
        return tuple(_MEANT.get(stem, stem) for stem in self._stems(self.text))

    @cached_property
    def word_set(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def word_beginnings(self) -> Mapping[str, tuple[str, ...]]:
        """The words of `word_set` by prefix; only these can be forms of the same word."""
        return by_beginning(self.word_set)

    @cached_property
    def subjects(self) -> frozenset[str]:
        """Words for the subject of a sentence, without numbers, negations and question words."""
        words = (each for each in self.word_set if not is_number(each) and not is_denial(each))
        return frozenset(words) - _generic_stems(self._stem)

    @cached_property
    def said(self) -> frozenset[str]:
        """Every word in its base form, including function words."""
        return frozenset(plain_form(word) for word in re.findall(r"[a-z]+", self.text.lower()))

    @cached_property
    def forms(self) -> frozenset[str]:
        """Return the words as in `said`, with forms in -ed and -ing reduced to their verb."""
        words = re.findall(r"[a-z]+", _NO_NUMBER_ONE.sub(" ", self.text.lower()))
        return frozenset(form for word in words for form in base_forms(word))

    @cached_property
    def particles(self) -> frozenset[tuple[str, str]]:
        """Words with the particle that follows them: `switch`, `off`."""
        found = re.findall(r"([a-z]+)(?= (on|off|up|down|in|out)\b)", self.text.lower())
        return frozenset((self._stem(verb), particle) for verb, particle in found)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Every number as digits, also if spelled out."""
        return frozenset(value for value, _ in self.numbers_in_order)

    @cached_property
    def numbers_in_order(self) -> tuple[tuple[str, int], ...]:
        """Numbers with their positions."""
        found = [(_digits(each[1]), each.start()) for each in _NUMBER.finditer(self.text)]
        words = re.finditer(r"[A-Za-z]+", self.text)
        found += [
            (NUMBER_WORDS[w[0].lower()], w.start()) for w in words if w[0].lower() in NUMBER_WORDS
        ]
        return tuple(sorted(found, key=lambda pair: pair[1]))

    @cached_property
    def significant_numbers(self) -> frozenset[str]:
        """Numbers that must be correct, which those that are ordinary words need not be."""
        vague = {
            NUMBER_WORDS[word] for word in _NO_NUMBERS if re.search(rf"\b{word}\b", self.text, re.I)
        }
        digits = {_digits(each[1]) for each in _NUMBER.finditer(self.text)}
        counts = {
            NUMBER_WORDS[next(filter(None, each.groups())).lower()]
            for each in _COUNT.finditer(self.text)
        }
        return self.numbers - (vague - digits) - (counts - digits)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Return words in code spans, and those that look like code, in lower case."""
        quoted = (token for code in CODE_SPAN.finditer(self.source) for token in _tokens(code[2]))
        alike = (_bare(each[0]) for each in _IDENTIFIER.finditer(self.text))
        return frozenset(
            token for token in (*quoted, *alike) if len(token) > 1 and not token.isdigit()
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """Stems of words that are capitalized within a sentence."""
        found = (
            each[0].removesuffix("s") if each[0][:-1].isupper() else each[0]
            for each in _NAME.finditer(self.text)
            if each[0].isupper() or not _START.search(self.text[: each.start()])
        )
        stems = frozenset(_MEANT.get(s, s) for name in found for s in self._stems(name))
        return stems - self._ignored_names

    @cached_property
    def denials(self) -> tuple[Negation, ...]:
        """Return the negations of the sentence."""
        tokens = [token.lower().replace("’", "'") for token in _TOKEN.findall(self.text)]
        return tuple(
            Negation(tuple(self._scope(tokens, position + 1)), token not in _NO_VERB_DENIALS)
            for position, token in enumerate(tokens)
            if token in _DENIALS or token.endswith("n't")
        )

    def _scope(self, tokens: Sequence[str], position: int) -> Iterator[str]:
        left = _SCOPE
        for token in tokens[position:]:
            if token in _CLAUSE_ENDS:
                return
            for stem in self._stems(token):
                yield _MEANT.get(stem, stem)
                left -= 1
            if left <= 0:
                return


def by_beginning(words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return words by the prefix that all forms of a word share."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[:SHORTEST_ALIKE], []).append(word)
    return {beginning: tuple(alike) for beginning, alike in found.items()}


@lru_cache
def _generic_stems(stem: Callable[[str], str]) -> frozenset[str]:
    return frozenset(map(stem, GENERIC_WORDS)) | {"set"}


def plain(markdown: str) -> str:
    """Return the displayed words of Markdown."""
    text = _FENCE_LINE.sub("", _LINK.sub(r"\1", markdown))
    text = CODE_SPAN.sub(r"\2", _TAG.sub(" ", text))
    return unescape(_ESCAPE.sub(r"\1", _EMPHASIS.sub("", text))).strip()


def _bare_token(token: str) -> str:
    code = "`" if token.startswith("`") else ""
    return code + _bare(token.strip("`")).removesuffix("'s").removesuffix("’s")


def plain_form(word: str) -> str:
    """Return an approximate base form that distinguishes `enables` from `disables`."""
    if re.search(r"(?:ss|x|ch|sh|z)es$", word):
        return word[:-2]
    if len(word) > _SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def base_forms(word: str) -> Iterator[str]:
    """Yield what a word may be a form of: `stopped` gives `stop`, `removing` gives `remove`."""
    yield plain_form(word)
    for ending in ("ed", "ing"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= _SHORTEST_PLURAL:
            yield from (root, root + "e")
            if root[-1] == root[-2]:
                yield root[:-1]


def is_number(word: str) -> bool:
    return word[0].isdigit() or word in NUMBER_WORDS


def number_of(word: str) -> str:
    """Return a number as digits, also if spelled out; "" for other words."""
    return _digits(word) if word[0].isdigit() else NUMBER_WORDS.get(word, "")


def is_denial(word: str) -> bool:
    return word in _DENIALS


def _digits(number: str) -> str:
    digits = re.sub(r"[,_]", "", number)
    return re.sub(r"\.0+$", "", digits)


def _tokens(code: str) -> Iterator[str]:
    for token in code.split():
        yield _bare(token)


def _bare(token: str) -> str:
    return token.strip("\"'(),;:[]{}<>=").removesuffix("()").rstrip(".").lower()
