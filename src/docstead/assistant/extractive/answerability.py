"""Classifier of answerability: whether the documentation contains an answer at all.

Its features are: coverage of the question's distinctive words by one passage together with semantic
similarity; similarity of the best single sentences; unknown names; the gap between the best passage
and the others; and whether a sentence has both the question's words and the expected answer type.
Substitutes of words count by their similarity. `evals/runners/gate.py` fits the weights and prints
the quality on held-out documentation; `evals/runners/answers.py` prints the results per question
set.
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
_MEANING_SHARE = 1.5  # of a passage's cosine in addition to its coverage
_LEAST = 0.1  # of the words; below it, long questions would be covered by length
_SEARCH_CREDIT = 0.7
NEARLY_WHOLE = 0.8  # of the words of a question
_WHOLE = 0.999  # all words, except for rounding
_SHORT = 4  # words; having fewer makes no difference
_MOST_MISSED = 9.0  # maximum weight of a word


@dataclass(frozen=True, slots=True)
class AnswerabilityFeatures:
    """Features of the classifier."""

    fit: float  # coverage and semantic similarity of the best passage
    missed_name: float  # weight of the most important unknown name
    words: float  # log of the number of words: long questions are never covered completely
    weight: float  # log of their total weight
    # Without semantic similarity:
    together: float = 0.0  # like fit, within one paragraph
    share: float = 0.0  # relative to the maximum possible score
    missed: float = 0.0  # weight of the most important word missing in the best passage
    # With semantic similarity:
    said: float = 0.0  # similarity of the best single sentence
    lead: float = 0.0  # gap between the best passage and the following ones
    number: float = 0.0  # negative if a number is asked for and sentences lack one
    name: float = 0.0  # the same for names in code
    whether: float = 0.0  # 1 for yes-or-no questions, which may ask for what does not exist


@dataclass(frozen=True, slots=True)
class SemanticSimilarity:
    """Semantic similarity. `of` returns the maximum similarity of some texts, 0 to 1."""

    lead: float
    of: Callable[[Sequence[str]], float]


@dataclass(frozen=True, slots=True)
class _AnswerabilityClassifier:
    """Linear classifier: covered if the sum is positive."""

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
    """Report whether these excerpts, best first, cover a question.

    `nearness` is None without semantic similarity. Keyword queries without a question (`asks`) are
    covered more easily. In small documentation no word is rare, so without semantic similarity one
    passage with all words suffices. A question for a listed name is covered by its entry. A feature
    request is covered only by a passage with nearly all of its words.
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
    # Sentences take the model a while, so they are used only if they can change the result.
    least = -strength / weights.features.said
    return least < 1 and any(nearness.of(each) > least for each in sentences.likeliest_first())


def features_of(
    question: str,
    sentences: ExcerptSentences,
    found: Sequence[Evidence],
    nearness: SemanticSimilarity | None,
) -> AnswerabilityFeatures:
    """Return all features except `said`. `found` is the evidence of each excerpt, at least one."""
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
