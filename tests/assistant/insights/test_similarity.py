"""Questions that ask the same, put together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import permutations

import pytest

from docstead.analytics.conversations import ConversationExchange
from docstead.analytics.similarity import grouped

ALIKE = (
    "Does it support SAML login?",
    "SAML login?",
    "How do I configure SAML login for the readers of my organization?",
)
OTHER = "Is there a Kubernetes operator?"


def _asked(questions: Sequence[str]) -> list[ConversationExchange]:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        ConversationExchange(
            f"msg_{n}", "th", "", asked, "", (), False, None, "api", None, None, now
        )
        for n, asked in enumerate(questions)
    ]


@pytest.mark.parametrize("questions", list(permutations((*ALIKE, OTHER))))
def test_groups_do_not_depend_on_the_order_of_questions(questions: tuple[str, ...]) -> None:
    together, single = grouped(_asked(questions))
    assert {each.question for each in together.exchanges} == set(ALIKE)
    assert together.question == "SAML login?"
    assert single.question == OTHER


def test_the_newest_comes_first_in_its_group() -> None:
    (group,) = grouped(_asked(ALIKE))
    assert group.last.question == ALIKE[0]


def test_what_is_missed_often_is_one_gap_however_it_is_asked() -> None:
    missed = (
        "How do I connect Firebase as a database?",
        "Can I use Firebase as the database?",
        "Is there a Firebase integration?",
        "Does it support Firebase?",
    )
    others = ("Does it run on an Arduino?", "Does it support SAML?", "Is there a Slack bot?")
    groups = grouped(_asked((*missed, *others)))
    assert [len(group) for group in groups] == [4, 1, 1, 1]
    assert {each.question for each in groups[0].exchanges} == set(missed)


def test_what_asks_nothing_is_in_no_group() -> None:
    assert [group.question for group in grouped(_asked(("thanks!", OTHER, "Thanks")))] == [OTHER]
    assert grouped(_asked(("hello", "", " \n"))) == []
