"""Whether the documentation holds an answer at all: the gate before anything is quoted.

It weighs what one passage has of the question's distinctive words and how near its meaning is, both
at once; how near the likeliest single sentences are; which names stand nowhere; by how much the
nearest passage stands out; and whether what an answer to such a question is made of stands in one
sentence with its words. A word that another stands for counts by how near they are.
`evals/runners/gate.py` fits the weights, and prints how good they are on documentation that they
were not fitted to; `evals/runners/answers.py` prints what becomes of each set of questions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, replace

from docstead.assistant.extractive.answer_types import (
    IDENTIFIER,
    NUMERAL,
    asks_for_name,
    asks_for_number,
    asks_whether,
    wishes,
)
from docstead.assistant.extractive.evidence import (
    Evidence,
    Excerpt,
    QuestionWord,
    Stems,
    evidence_in,
)
from docstead.assistant.extractive.name_lookup import AskedNames, is_listed
from docstead.assistant.extractive.sentences import ExcerptSentences

CONSIDERED = 6  # passages
_MEANING_SHARE = 1.5  # of a passage's cosine beside the share of words that it has
_LEAST = 0.1  # of the words; below it a long question would be covered by its length
_SEARCH_CREDIT = 0.7
NEARLY_WHOLE = 0.8  # of the words of a question
_WHOLE = 0.999  # all of the words, but for rounding
_SHORT = 4  # words; that a question has fewer says nothing
_MOST_MISSED = 9.0  # a word's weight beyond which it makes no difference


@dataclass(frozen=True, slots=True)
class AnswerabilityFeatures:
    """Features of the answerability classifier."""

    fit: float  # the share of words and the nearness in meaning of the best passage
    missed_name: float  # the weight of the heaviest name that stands nowhere
    words: float  # the logarithm of their number: long questions are never met whole
    weight: float  # the logarithm of what they weigh together
    # Where meaning is not known:
    together: float = 0.0  # as fit, of the words in one paragraph
    share: float = 0.0  # of what a text full of the words could score
    missed: float = 0.0  # the weight of the heaviest word that the passage with most words lacks
    # And where it is:
    said: float = 0.0  # how near the nearest single sentence is
    lead: float = 0.0  # by how much the nearest passage is nearer than those after it
    number: float = 0.0  # below 0: what sentences with numbers lack, if one is asked for
    name: float = 0.0  # the same for names in code
    whether: float = 0.0  # 1 where yes or no would do: so one asks for what may not exist


@dataclass(frozen=True, slots=True)
class SemanticSimilarity:
    """Semantic similarity. `of` returns the highest similarity of some texts, 0 to 1."""

    lead: float
    of: Callable[[Sequence[str]], float]


@dataclass(frozen=True, slots=True)
class _AnswerabilityClassifier:
    """Above 0 in all, a question counts as covered."""

    features: AnswerabilityFeatures
    bias: float

    def strength(self, features: AnswerabilityFeatures) -> float:
        pairs: Iterable[tuple[float, float]] = zip(
            astuple(self.features), astuple(features), strict=True
        )
        return self.bias + sum(weight * value for weight, value in pairs)


_BY_MEANING = _AnswerabilityClassifier(
    AnswerabilityFeatures(
        fit=2.557,
        missed_name=-0.313,
        words=2.259,
        weight=-0.269,
        said=3.231,
        lead=6.995,
        number=1.207,
        name=2.585,
        whether=-1.795,
    ),
    bias=-8.815,
)
_BY_WORDS = _AnswerabilityClassifier(
    AnswerabilityFeatures(
        fit=2.091,
        missed_name=-0.272,
        words=3.106,
        weight=0.409,
        together=1.501,
        share=2.038,
        missed=-0.176,
    ),
    bias=-8.014,
)


def is_covered(
    question: str,
    excerpts: Sequence[Excerpt],
    words: Sequence[QuestionWord],
    stems: Stems,
    nearness: SemanticSimilarity | None = None,
    *,
    asks: bool = True,
) -> bool:
    """Whether the best of these excerpts, given best first, speak of what is asked.

    `nearness` is None where meaning is not known. A text that asks nothing, and has words as for
    a search, is shown near sections sooner (`asks`). In a handful of pages no word is rare; by
    words only, one passage that has every word of the question is evidence enough, however small
    the documentation. A question for a name that is listed is answered by its entry.
    A wish for something that seems to be missing is covered only by a passage with nearly all of
    its words.
    """
    considered = excerpts[:CONSIDERED]
    if not considered or not words:
        return False
    if is_listed((each.markdown for each in considered), AskedNames(question)):
        return True
    found = [evidence_in(each, words, stems) for each in considered]
    coverage = max(each.coverage for each in found)
    if coverage < _LEAST or (nearness is None and coverage >= _WHOLE):
        return coverage >= _WHOLE
    if coverage < NEARLY_WHOLE and wishes(question):
        return False
    sentences = ExcerptSentences(considered, words, stems)
    features = features_of(question, sentences, found, nearness)
    weights = _BY_WORDS if nearness is None else _BY_MEANING
    strength = weights.strength(features) + (0.0 if asks else _SEARCH_CREDIT)
    if strength > 0 or nearness is None:
        return strength > 0
    # Sentences take the model a while: they are looked at only while they can turn the scale.
    wanted = -strength / weights.features.said
    return wanted < 1 and any(nearness.of(each) > wanted for each in sentences.likeliest_first())


def features_of(
    question: str,
    sentences: ExcerptSentences,
    found: Sequence[Evidence],
    nearness: SemanticSimilarity | None,
) -> AnswerabilityFeatures:
    """All but `said`. `found` is the evidence in each of the excerpts, of which there is one."""
    excerpts, words = sentences.excerpts, sentences.words
    features = AnswerabilityFeatures(
        fit=max(
            each.coverage + _MEANING_SHARE * (e.cosine or 0.0)
            for e, each in zip(excerpts, found, strict=True)
        ),
        missed_name=sentences.missed_name(),
        words=math.log(max(_SHORT, len(words))),
        weight=math.log1p(sum(word.rarity for word in words)),
    )
    if nearness is None:
        return replace(
            features,
            together=max(each.together for each in found),
            share=max(each.share for each in excerpts),
            missed=min(_MOST_MISSED, max(found, key=lambda each: each.coverage).missed),
        )
    return replace(
        features,
        lead=nearness.lead,
        number=sentences.share_with(NUMERAL) - 1 if asks_for_number(question) else 0.0,
        name=sentences.share_with(IDENTIFIER) - 1 if asks_for_name(question) else 0.0,
        whether=float(asks_whether(question)),
    )


def with_sentences(
    features: AnswerabilityFeatures, sentences: ExcerptSentences, nearness: SemanticSimilarity
) -> AnswerabilityFeatures:
    said = max((nearness.of(each) for each in sentences.likeliest_first()), default=0.0)
    return replace(features, said=said)
