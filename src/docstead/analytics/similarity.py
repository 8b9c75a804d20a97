"""Grouping of similar questions, by their rare words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docstead.analytics.conversations import ConversationExchange
from docstead.assistant.small_talk import is_small_talk
from docstead.search.analyser import Analyser
from docstead.search.english import distinctiveness
from docstead.search.stop_words import STOP_WORDS

COMPARED = 400  #: Characters of a question that are compared; longer text is pasted, not typed.
_ALIKE = 0.55  # fraction of the shorter question's weight


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """Similar questions, newest first."""

    exchanges: tuple[ConversationExchange, ...]

    @property
    def question(self) -> str:
        """The shortest question, as representative; one in ASCII if there is any."""
        questions = (each.question for each in self.exchanges)
        return min(questions, key=lambda question: (not question.isascii(), len(question)))

    @property
    def last(self) -> ConversationExchange:
        return self.exchanges[0]

    @property
    def pages(self) -> tuple[str, ...]:
        """Return the pages on which they were asked, most frequent first."""
        counted = Counter(each.path for each in self.exchanges if each.path)
        return tuple(path for path, _ in counted.most_common())

    def __len__(self) -> int:
        return len(self.exchanges)


def grouped(exchanges: Sequence[ConversationExchange]) -> list[QuestionGroup]:
    """Return questions (given newest first) in groups, the largest first.

    Messages that are not questions are omitted.
    """
    exchanges = [each for each in exchanges if asks(each.question)]
    analyser = Analyser()
    questions = [each.question[:COMPARED] for each in exchanges]
    words = [frozenset(analyser.terms(question)) - STOP_WORDS for question in questions]
    weights = _weights(words, _distinctiveness(questions, analyser))
    groups: list[list[int]] = []
    for position, said in enumerate(words):
        alike = [
            group
            for group in groups
            if any(_similarity(words[each], said, weights) >= _ALIKE for each in group)
        ]
        # A question may connect groups that were separate before it.
        joined = [position, *(each for group in alike for each in group)]
        groups = [*(group for group in groups if group not in alike), sorted(joined)]
    groups.sort(key=lambda group: (-len(group), group[0]))
    return [QuestionGroup(tuple(exchanges[each] for each in group)) for group in groups]


def asks(question: str) -> bool:
    """Report whether a message asks for anything, unlike greetings and thanks."""
    return bool(question.strip()) and not is_small_talk(question)


def _distinctiveness(questions: Sequence[str], analyser: Analyser) -> dict[str, float]:
    """Return the weight of each stem: high for names and terms, low for common words."""
    weights_by_word: dict[str, float] = {}
    for word in {word for each in questions for word in analyser.words(each)}:
        stem = analyser.stem(word)
        weights_by_word[stem] = max(weights_by_word.get(stem, 0.0), distinctiveness(word))
    return weights_by_word


def _weights(
    questions: Sequence[frozenset[str]], weights_by_word: Mapping[str, float]
) -> dict[str, float]:
    """Halve the weight of words that all questions have, so that they still form one group."""
    counted = Counter(word for words in questions for word in words)
    return {
        w: weights_by_word.get(w, 1.0) * (1 - n / (2 * len(questions))) for w, n in counted.items()
    }


def _similarity(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float]) -> float:
    """Return the weight of shared words relative to the shorter question's, up to 1."""
    shared = one & other
    if not shared:
        return float(one == other)
    least = min(sum(weights[word] for word in words) for words in (one, other))
    return sum(weights[word] for word in shared) / least
