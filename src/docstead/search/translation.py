"""Translation of queries into words of English documentation.

`technical_terms.txt` has a line per English word: prefixes of its translations in the languages of
the first line, without accents; terms of several words have hyphens. Words that the documentation
has stay unchanged, so pages in other languages are searched in their own words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from docstead.search.english import is_common
from docstead.search.stop_words import STOP_WORDS

LONGEST_TRANSLATED = 600  #: Maximum characters of a query; longer text is pasted, not typed.
_FILE = Path(__file__).with_name("technical_terms.txt")
_LONGEST_ENDING = 5  # letters after a prefix
_SHORTEST_BEGINNING = 4  # letters; a shorter prefix is a whole word
_MOST_WORDS = 4  # words per term
_LEAST_HITS = 2  # minimum translated words if nothing else indicates a foreign query
_ASKING_WORDS = frozenset({"comment", "como", "dove", "pourquoi", "quando", "quel", "wie"})
_ASKING = frozenset({"how to", "what", "when", "where", "why"})  # terms without meaning
_TOKEN = re.compile(r"[^\W_]+(?:[._/@][^\W_]+)*")
_CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_NAME = re.compile(r".+[A-Z\d]")
_FOREIGN_LETTER = re.compile(r"[^\W\d_A-Za-z]|[¿¡]")
_LITTLE_WORDS_TEXT = """
aus auf bei bin con das dem den der des die ein eine einen est fur gibt ich ihr il ist je kann la
las le les los man mein meine meinem meiner mi mit mon muss nach nel nella nur om para peut por
pour se sind sur uber un una und une vom von zu zum zur
"""
_LITTLE_WORDS = frozenset(_LITTLE_WORDS_TEXT.split())
# Further words without content, which do not indicate a language.
_FUNCTION_WORDS_TEXT = """
a ai al algum alguma alla alle alles als am an ao aos as au auch aux avec avoir bitte cada ce ces
cette chaque che chi ci com como con cosa cual cuales cuando cuanta cuanto cuantos cui da dafur
damit dann dans das dass dazu de dei del dela dele della di diese diesem diesen dieser dieses do
doch donc donde dos dov dove du durch e ed eigene eigenen einem einer eines el ella elle em en er
es esa ese eso essa esse esta estas este esto estos et etwas faco faire fait fare faut fazer
fonctionne funciona funktioniert geht gibt gli ha habe haben hace hacen hacer hai hat hay hier ho
i ihre il ils im in ins io isso isto jede jeden jeder jetzt keine konnen le leur llega lo loro los
ma mache machen mais man mas me mehr meinen meines mes mia mie miei mio mis mochte mussen na ne
nei nicht no noch non nos nostro notre nous nur o ob oder ohne on os ou par pas pela pelo per pero
peux piu plus pode porque posso pourquoi puedo puis puo qu quais qual quale quali quand quando que
quel quelle quelles quels quero qui quiero quoi sa sans se sein seine sem ser ses setze setzen si
sie sin sobre sollen sollte son su sua suas sue sul suo sus ta te tem tengo tenho tes ti toi ton
tous tout toute tu tua tudo tus um uma unas und uno unos unser unsere us va vi vor vos votre vous
vuole wann warum was welche welchen welcher welches wenn werden wieder wir wird wo wurde y zuruck
"""
#: Little words of other languages; some are English, too.
FUNCTION_WORDS = _LITTLE_WORDS | frozenset(_FUNCTION_WORDS_TEXT.split())


@dataclass(frozen=True, slots=True)
class Translation:
    """A query in English words, its original language, and the number of `missed` words.

    `is_guess` if only the translated words suggest that it is foreign.
    """

    text: str
    language: str
    missed: int = 0
    is_guess: bool = False

    @property
    def is_partial(self) -> bool:
        """Report whether at least half of the distinctive words were not translated."""
        return self.missed >= len(self._content_words)

    @property
    def keywords(self) -> str:
        """Return the distinctive words, for display: a word-by-word translation is no sentence."""
        return ", ".join(self._content_words) or self.text

    @property
    def _content_words(self) -> list[str]:
        words = self.text.removesuffix("?").removeprefix("how to ").split()
        return [each for each in words if each.lower() not in STOP_WORDS | _ASKING]


@dataclass(frozen=True, slots=True)
class _EnglishTerm:
    english: str
    language: str


class QueryTranslations:
    """Translations for one index. `is_known` reports whether the documentation has a word."""

    def __init__(self, is_known: Callable[[str], bool]) -> None:
        self._is_known = is_known

    def translated(self, query: str) -> Translation | None:
        """Return the translation of a query; None if it is English or in the pages' language."""
        if self._is_written(query):
            return None
        is_foreign = _is_foreign(query)
        words: list[str] = []
        languages: Counter[str] = Counter()
        unknown = missed = 0
        for part in self._parts(_TOKEN.findall(query), is_foreign=is_foreign):
            if isinstance(part, _EnglishTerm):
                languages[part.language] += part.english not in _ASKING
                words.append(part.english)
            elif is_foreign and folded(part) in FUNCTION_WORDS:
                continue
            elif self._is_understood(part, is_foreign=False):
                words.append(part)
            elif folded(part) not in _LITTLE_WORDS:
                unknown += 1
                missed += folded(part) not in FUNCTION_WORDS
        hits = languages.total()
        is_clear = is_foreign or (hits >= _LEAST_HITS and hits > unknown)
        # "Comment installer Docker ?": the pages have every word but the first.
        is_kept = is_foreign and bool(languages) and not _ASKING.issuperset(words)
        if not is_clear or not (hits or is_kept):
            return None
        asks = "?" if "?" in query or "？" in query else ""
        text = " ".join(dict.fromkeys(words)) + asks
        return Translation(text, languages.most_common(1)[0][0], missed, not is_foreign)

    def _is_written(self, query: str) -> bool:
        """Report whether the documentation has most of the Chinese, Japanese or Korean words."""
        runs = _CJK_RUN.findall(query)
        pairs = [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]
        return bool(pairs) and 2 * sum(map(self._is_known, pairs)) > len(pairs)

    def _is_understood(self, word: str, *, is_foreign: bool) -> bool:
        """Report whether a word needs no translation: known here, English, or name-like.

        In a foreign query, an English word may belong to the other language.
        """
        if folded(word) in _LITTLE_WORDS or (is_foreign and folded(word) in _ASKING_WORDS):
            return False
        is_english = is_common(word.lower()) and not is_foreign
        return is_english or bool(_NAME.match(word)) or self._is_known(word)

    def _parts(self, tokens: list[str], *, is_foreign: bool) -> Iterator[str | _EnglishTerm]:
        """Yield the translated terms and the other words, in order."""
        position = 0
        while position < len(tokens):
            if _CJK_RUN.search(tokens[position]):
                yield from self._cjk_parts(tokens[position])
                position += 1
                continue
            length, term = self._term_at(tokens, position, is_foreign=is_foreign)
            yield term or tokens[position]
            position += length

    def _term_at(
        self, tokens: list[str], position: int, *, is_foreign: bool
    ) -> tuple[int, _EnglishTerm | None]:
        begins_term = folded(tokens[position]) in _first_words()
        most = min(_MOST_WORDS, len(tokens) - position) if begins_term else 1
        for length in range(most, 1, -1):
            several = "-".join(map(folded, tokens[position : position + length]))
            if term := _terms().get(several):
                return length, term
        word = tokens[position]
        is_understood = self._is_understood(word, is_foreign=is_foreign)
        return 1, None if is_understood else _term(folded(word))

    @staticmethod
    def _cjk_parts(text: str) -> Iterator[str | _EnglishTerm]:
        """Yield the terms of a text without spaces, and text in other scripts."""
        position = 0
        for run in _CJK_RUN.finditer(text):
            if position < run.start():
                yield text[position : run.start()]
            yield from _cjk_terms(run[0])
            position = run.end()
        if position < len(text):
            yield text[position:]


def _cjk_terms(run: str) -> Iterator[_EnglishTerm]:
    """Yield the terms of a text without spaces: the longest that begins at each character."""
    terms, longest = _terms(), _longest_term()
    position = 0
    while position < len(run):
        ends = range(min(len(run), position + longest), position, -1)
        word = next((run[position:end] for end in ends if run[position:end] in terms), "")
        if word:
            yield terms[word]
        position += len(word) or 1


def folded(word: str) -> str:
    """Return the word in lower case, without accents."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.lower().replace("ß", "ss"))
    return "".join(each for each in parts if not unicodedata.combining(each))


def _term(word: str) -> _EnglishTerm | None:
    terms = _terms()
    for length in range(len(word), max(0, len(word) - _LONGEST_ENDING) - 1, -1):
        is_whole = length == len(word)
        if (is_whole or length >= _SHORTEST_BEGINNING) and (term := terms.get(word[:length])):
            return term
    return None


def _is_foreign(query: str) -> bool:
    if _FOREIGN_LETTER.search(query):
        return True
    words = query.lower().split()
    little = len(_LITTLE_WORDS.intersection(words))
    if not words or words[0] not in _ASKING_WORDS:
        return little > 1
    # "Comment utiliser WebSocket ?", but not "comment on a pull request"
    is_english = not STOP_WORDS.isdisjoint(words[1:])
    return little > 0 or not (is_english or all(map(is_common, filter(str.isalpha, words[1:]))))


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    """Return the first words of terms of several words."""
    return frozenset(term.partition("-")[0] for term in _terms() if "-" in term)


@lru_cache(maxsize=1)
def _longest_term() -> int:
    return max(map(len, _terms()))


@lru_cache(maxsize=1)
def _terms() -> Mapping[str, _EnglishTerm]:
    first, *lines = _FILE.read_text(encoding="utf-8").splitlines()
    languages = first.split("\t")[1:]
    terms: dict[str, _EnglishTerm] = {}
    for line in lines:
        english, *cells = line.split("\t")
        for language, cell in zip(languages, cells, strict=True):
            for beginning in cell.split():
                terms.setdefault(beginning, _EnglishTerm(english, language))
    return terms
