from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest

from docstead.analytics.meaning import grouped_by_meaning, linked, no_vectors
from docstead.analytics.similarity import grouped
from docstead.base.errors import Unavailable
from docstead.models.embedding import QueryEmbeddings
from docstead.models.minilm import MiniLM
from exchanges import exchanges

ROLLBACK = (
    "Can I undo a release?",
    "How do I roll back to the previous version?",
    "go back to an earlier edition",
)
SAML = ("Does it support SAML login?", "SAML login?", "Does it support SAML?")
CHINESE = ("如何重置密码？", "可以导出数据吗？")
UNKNOWN = ("法国的首都是哪里？", "今天天气怎么样？")


@pytest.fixture(scope="module")
def queries(tmp_path_factory: pytest.TempPathFactory) -> QueryEmbeddings:
    return QueryEmbeddings(MiniLM(tmp_path_factory.mktemp("models")))


def questions_in(queries: QueryEmbeddings, questions: Sequence[str]) -> list[set[str]]:
    groups = grouped_by_meaning(exchanges(questions), queries.vectors)
    return [{each.question for each in group.exchanges} for group in groups]


def test_questions_without_a_common_word_are_one_gap(queries: QueryEmbeddings) -> None:
    questions = (*ROLLBACK, *SAML, "Is there a Slack bot?")
    found = questions_in(queries, questions)
    assert found == [set(ROLLBACK), set(SAML), {"Is there a Slack bot?"}]
    assert len(grouped(exchanges(ROLLBACK))) == len(ROLLBACK)


@pytest.mark.parametrize("questions", list(permutations((*SAML, "Is there a Slack bot?"))))
def test_groups_do_not_depend_on_the_order(
    queries: QueryEmbeddings, questions: tuple[str, ...]
) -> None:
    assert questions_in(queries, questions) == [set(SAML), {"Is there a Slack bot?"}]


def test_the_newest_of_groups_of_one_size_comes_first(queries: QueryEmbeddings) -> None:
    questions = ("Is there a Slack bot?", *CHINESE, "How are invoices paid?", "thanks!")
    found = questions_in(queries, questions)
    assert found == [{each} for each in questions[:-1]]


def test_languages_that_the_model_does_not_know_are_grouped_by_words(
    queries: QueryEmbeddings,
) -> None:
    found = questions_in(queries, (*UNKNOWN, "法国的首都是哪里?", "Is there a Slack bot?"))
    assert found[0] == {UNKNOWN[0], "法国的首都是哪里?"}
    assert len(found) == 3


def test_questions_of_several_languages_are_one_gap(queries: QueryEmbeddings) -> None:
    password = ("How do I reset my password?", "¿Cómo restablezco mi contraseña?", CHINESE[0])
    other = ("¿Cómo importo una colección de Postman?", "Wie lösche ich einen Benutzer?")
    found = questions_in(queries, (*password, *other))
    assert found == [set(password), {other[0]}, {other[1]}]
    (group,) = grouped_by_meaning(exchanges(password), queries.vectors)
    assert group.question == password[0]


def test_words_decide_without_vectors() -> None:
    class FailingModel:
        space = "none"

        def embed(self, texts: Sequence[str]) -> None:
            raise Unavailable("no model")

    expected = grouped(exchanges((*ROLLBACK, *SAML)))
    for vectors in (no_vectors, QueryEmbeddings(FailingModel()).vectors):
        assert grouped_by_meaning(exchanges((*ROLLBACK, *SAML)), vectors) == expected


def test_nothing_is_in_no_group(queries: QueryEmbeddings) -> None:
    for questions in ((), ("hello", "", "\n")):
        assert questions_in(queries, questions) == []
        assert grouped_by_meaning(exchanges(questions), no_vectors) == []


def test_members_of_a_group_are_near_on_average_not_in_a_chain() -> None:
    angles = np.radians([0, 40, 80, 120])
    vectors = [np.array([np.cos(a), np.sin(a)], np.float32) for a in angles]
    assert linked(vectors, 0.5) == [[0, 1], [2, 3]]
    assert linked(vectors, 0.9) == [[0], [1], [2], [3]]
    assert linked(vectors, -1) == [[0, 1, 2, 3]]
    assert linked([]) == []
