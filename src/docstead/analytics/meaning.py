"""Grouping of questions by meaning, with the vectors of a sentence model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from docstead.analytics.conversations import ConversationExchange
from docstead.analytics.similarity import COMPARED, QuestionGroup, asks, grouped
from docstead.search.analyser import Analyser, is_cjk
from docstead.search.translation import QueryTranslations

if TYPE_CHECKING:
    from docstead.models.embedding import Matrix, Vector

QuestionVectors: TypeAlias = "Callable[[Sequence[str]], Sequence[Vector] | None]"

# By measurement on issue titles: unrelated questions about one documentation have a cosine
# of .11 in the median and .37 at the 90th percentile, rewordings of a question mostly .5
# and more.
_LEAST_COSINE = 0.5
_MOST_CHARACTERS = 200  # characters of a question


def no_vectors(_questions: Sequence[str]) -> None:
    """Return None: there is no sentence model."""


def grouped_by_meaning(
    exchanges: Sequence[ConversationExchange], vectors: QuestionVectors
) -> list[QuestionGroup]:
    """Return questions (given newest first) in groups, the largest first.

    Questions in other languages are compared by their words in English. Those in Chinese, Japanese
    and Korean without such words, which the shipped model does not support, and all questions
    without vectors, are grouped by words. Blocking.
    """
    asked = [each for each in exchanges if asks(each.question)]
    known, others = _by_language(asked)
    found = vectors([english[:_MOST_CHARACTERS] for _, english in known])
    if found is None:
        return grouped(asked)
    groups = [
        *grouped(others),
        *(QuestionGroup(tuple(known[i][0] for i in each)) for each in linked(found)),
    ]
    positions = {each.id: position for position, each in enumerate(asked)}
    return sorted(groups, key=lambda group: (-len(group), positions[group.last.id]))


def linked(vectors: Sequence[Vector], least: float = _LEAST_COSINE) -> list[list[int]]:
    """Return indexes in groups by average linkage, each in ascending order.

    The two closest groups are merged while the mean cosine of their members is at least `least`.
    Vectors must have length 1.
    """
    import numpy as np

    if not vectors:
        return []
    groups = {position: [position] for position in range(len(vectors))}
    cosines = _cosines(vectors)
    while len(groups) > 1:
        one, other = map(int, np.unravel_index(np.argmax(cosines), cosines.shape))
        if cosines[one, other] < least:
            break
        _join(cosines, one, other, len(groups[one]), len(groups[other]))
        groups[one] += groups.pop(other)
    return [sorted(group) for group in groups.values()]


def _cosines(vectors: Sequence[Vector]) -> Matrix:
    """Return the cosines of all pairs, with a lower value on the diagonal."""
    import numpy as np

    matrix = np.array(vectors, np.float32)
    cosines = matrix @ matrix.T
    np.fill_diagonal(cosines, -np.inf)
    return cosines


def _join(cosines: Matrix, one: int, other: int, size: int, other_size: int) -> None:
    """Store the mean cosines of two merged groups in the row and column of the first."""
    mean = (size * cosines[one] + other_size * cosines[other]) / (size + other_size)
    cosines[one], cosines[:, one] = mean, mean
    cosines[other], cosines[:, other] = -float("inf"), -float("inf")
    cosines[one, one] = -float("inf")


def _by_language(
    asked: Sequence[ConversationExchange],
) -> tuple[list[tuple[ConversationExchange, str]], list[ConversationExchange]]:
    """Split questions into those that the model supports, with their English text, and others."""
    analyser, translations = Analyser(), QueryTranslations(lambda _word: False)
    known: list[tuple[ConversationExchange, str]] = []
    others: list[ConversationExchange] = []
    for each in asked:
        english = _in_english(each.question[:COMPARED], translations)
        if any(map(is_cjk, analyser.words(english))):
            others.append(each)
        else:
            known.append((each, english))
    return known, others


def _in_english(question: str, translations: QueryTranslations) -> str:
    """Return the English words of a question in another language if most of them are known."""
    found = translations.translated(question)
    return question if found is None or found.is_partial else found.text
