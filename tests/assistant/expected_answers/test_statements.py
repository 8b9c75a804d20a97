from __future__ import annotations

import pytest

from docstead.assistant.expected_answers.statements import StatedFacts

PAGE = """## Rotate a key

To rotate a **key**, make a [new key](/guides/new) with `docstead keys create`
and revoke the _old_ one after 30 days.

> Generics such as `Map<string>` stay.
"""


@pytest.mark.parametrize(
    "fact",
    [
        "make a new key",
        "Revoke the old one after 30 days.",
        "new key with docstead keys create and revoke",
        "**new** [key](/elsewhere)",
        "generics such as Map<string> stay",
    ],
)
def test_a_fact_holds_however_it_is_marked_up(fact: str) -> None:
    assert StatedFacts(PAGE).hold([fact])


@pytest.mark.parametrize(
    "fact", ["revoke the old one after 60 days", "Map<number>", "make new keys"]
)
def test_a_fact_holds_only_with_its_words(fact: str) -> None:
    assert not StatedFacts(PAGE).hold(["make a new key", fact])
