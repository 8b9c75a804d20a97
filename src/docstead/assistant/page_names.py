"""Questions that are nothing but the name of a page or a section: "rate limits", "docker"."""

from __future__ import annotations

from enum import IntEnum

from docstead.assistant.extractive.evidence import Stems
from docstead.content.pages import PageMeta

_LONGEST = 100  # characters of such a question
_BEGIN = 4  # letters of a word that other forms of it have
_GENERAL = (
    "guide guides overview introduction intro documentation docs page tutorial using your new"
)
_ALSO_GENERAL = "getting started start how to production"
_WALKED = "install installation installing deploy deployment set setup up upgrade upgrading migrate"
_SOFT = (
    "list show define find see use using configure configuration add enable create run "
    "connect integrate work works which guide overview"
)
_QUALITIES = "supported available accepted allowed different official"


class NameFit(IntEnum):
    """Fit of a question and a name; more is better."""

    NONE = 0
    NEARLY = 1  # it has a verb or the like in addition
    OF_PATH = 2  # the end of a page's path, whose words its title has
    EXACT = 3


class AskedName:
    """A question that is nothing but a name. False for other questions."""

    def __init__(self, question: str, site_name: str, stems: Stems) -> None:
        self._stems = stems
        self._site = self._read(site_name)
        self._general = self._read(f"{_GENERAL} {_ALSO_GENERAL}")
        self._qualities = self._read(_QUALITIES)
        self._soft = self._read(_SOFT) | self._qualities
        self._walked = self._read(_WALKED)
        asked = self._read(question) if len(question) <= _LONGEST else frozenset[str]()
        self._asked = self._bare(asked)
        self._begins = tuple(word[:_BEGIN] for word in self._asked)
        #: Whether a heading may be meant: of "how do I log in" only one word counts.
        self.may_be_heading = len(asked) > 1 or len(question.split()) == 1

    def __bool__(self) -> bool:
        return bool(self._asked)

    def fit(self, name: str) -> NameFit:
        """Return how the question fits a title or a heading."""
        named = self._bare(self._read(name))
        if not named:
            return NameFit.NONE
        if named == self._asked:
            return NameFit.EXACT
        is_nearly = self._is_more_than(named) or self._is_more_than(named - self._qualities)
        return NameFit.NEARLY if is_nearly else NameFit.NONE

    def may_fit(self, page: PageMeta) -> bool:
        """Report whether a page may fit, without reading the words of its title."""
        name = f"{page.title} {page.sidebar_title or ''}".lower()
        return any(begin in name for begin in self._begins)

    def fit_of_page(self, page: PageMeta) -> NameFit:
        """Return how it fits a page's title, or the end of its path with words of the title."""
        best = max(self.fit(page.title), self.fit(page.sidebar_title or ""))
        end = self._bare(self._read(page.slug.rpartition("/")[2]))
        if end and end <= self._bare(self._read(page.title)):
            best = max(best, NameFit.OF_PATH if end == self._asked else NameFit.NONE)
            best = max(best, NameFit.NEARLY if self._is_more_than(end) else NameFit.NONE)
        return best

    @property
    def walks(self) -> bool:
        """Whether it asks for all steps, such as those of an installation."""
        return bool(self._asked & self._walked)

    def _is_more_than(self, named: frozenset[str]) -> bool:
        return (
            bool(named) and named < self._asked and self._asked - named <= self._soft | self._walked
        )

    def _bare(self, words: frozenset[str]) -> frozenset[str]:
        return words - self._site - self._general or words - self._site or words

    def _read(self, text: str) -> frozenset[str]:
        return self._stems(text.replace("-", " ").replace("_", " ").replace("/", " "))
