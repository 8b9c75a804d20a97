"""Questions that ask the same, put together."""

from __future__ import annotations

from itertools import permutations

import pytest

from docstead.analytics.similarity import grouped
from exchanges import exchanges

ALIKE = (
    "Does it support SAML login?",
    "SAML login?",
    "How do I configure SAML login for the readers of my organization?",
)
OTHER = "Is there a Kubernetes operator?"


@pytest.mark.parametrize("questions", list(permutations((*ALIKE, OTHER))))
def test_groups_do_not_depend_on_the_order_of_questions(questions: tuple[str, ...]) -> None:
    together, single = grouped(exchanges(questions))
    assert {each.question for each in together.exchanges} == set(ALIKE)
    assert together.question == "SAML login?"
    assert single.question == OTHER


def test_the_newest_comes_first_in_its_group() -> None:
    (group,) = grouped(exchanges(ALIKE))
    assert group.last.question == ALIKE[0]


def test_what_is_missed_often_is_one_gap_however_it_is_asked() -> None:
    missed = (
        "How do I connect Firebase as a database?",
        "Can I use Firebase as the database?",
        "Is there a Firebase integration?",
        "Does it support Firebase?",
    )
    others = ("Does it run on an Arduino?", "Does it support SAML?", "Is there a Slack bot?")
    groups = grouped(exchanges((*missed, *others)))
    assert [len(group) for group in groups] == [4, 1, 1, 1]
    assert {each.question for each in groups[0].exchanges} == set(missed)


def test_what_asks_nothing_is_in_no_group() -> None:
    assert [group.question for group in grouped(exchanges(("thanks!", OTHER, "Thanks")))] == [OTHER]
    assert grouped(exchanges(("hello", "", " \n"))) == []
