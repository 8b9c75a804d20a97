"""Seeded defects that several evaluations share, and the end of a run with one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from corpus import Corpus
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.retrieval import RetrievedPassages

_NOT_TRIED = 2  # the status of a run that says nothing about its defect


def finish(
    is_good: bool, defect: str | None, *, is_complete: bool = True, is_sound: bool = True
) -> NoReturn:
    """Exit with status 1 if a figure misses its bar; say whether a seeded defect was noticed.

    Missing documentation is a failure, too. Neither that nor a bar that is missed without the
    defect (`is_sound`) says anything about a seeded defect.
    """
    if defect and not (is_complete and is_sound):
        missing = "documentation is missing"
        reason = missing if not is_complete else "the bar is missed without it"
        print(f"the seeded defect '{defect}' was not tried: {reason}")
        sys.exit(_NOT_TRIED)
    is_good &= is_complete
    if defect:
        print(f"the seeded defect '{defect}' is {'NOT noticed' if is_good else 'noticed'}")
    sys.exit(0 if is_good else 1)


def has_noticed(sound: Mapping[str, int], defective: Mapping[str, int]) -> bool:
    """Print the figures that a defect makes worse; report whether there are any."""
    worse = [name for name in sound if defective[name] < sound[name]]
    for name in worse:
        print(f"worse with the defect: {name}, {defective[name]} instead of {sound[name]}")
    return bool(worse)


def _reversed(candidates: Sequence[Excerpt]) -> Iterator[Excerpt]:
    """Yield the candidates in reverse order, with the original order of scores."""
    for worse, better in zip(candidates[::-1], candidates, strict=True):
        yield replace(worse, score=better.score, share=better.share, cosine=better.cosine)


#: Defects between search and quotes.
CHANGES: dict[str, Callable[[RetrievedPassages], RetrievedPassages]] = {
    # Without semantic similarity, each first quote counts as sure.
    "all": lambda found: replace(found, covered=True, nearness=None),
    "none": lambda found: replace(found, covered=False, candidates=()),
    "reversed": lambda found: replace(found, candidates=tuple(_reversed(found.candidates))),
}


@dataclass(frozen=True)
class DefectiveCorpus(Corpus):
    """A documentation with a defect between search and quotes."""

    defect: str = "none"

    def found(self, question: str) -> RetrievedPassages:
        return CHANGES[self.defect](super().found(question))


def with_defect(known: Mapping[str, Corpus], defect: str | None) -> dict[str, Corpus]:
    """Return the corpora, each with the defect if one is seeded."""
    if not defect:
        return dict(known)
    return {
        name: DefectiveCorpus(each.site, each.index, each.sections, defect)
        for name, each in known.items()
    }
