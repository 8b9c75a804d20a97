from __future__ import annotations

import pytest

from docstead.assistant.refusals import SupportContact
from docstead.base.errors import InvalidRequest


def test_a_link_is_given_the_thread() -> None:
    assert SupportContact("https://help.example.com/new?a=1").link("t 1") == (
        "https://help.example.com/new?a=1&threadId=t+1"
    )


def test_an_address_is_written_to() -> None:
    assert SupportContact("help@example.com").link("t1") == "mailto:help@example.com"


def test_an_address_within_a_link_makes_no_email_of_it() -> None:
    contact = SupportContact("https://help.example.com/@team")
    assert contact.is_link
    assert contact.link("t1") == "https://help.example.com/@team?threadId=t1"


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "https://user:key@example.com", "help", "//x", "a b@c.d"]
)
def test_neither_is_refused(address: str) -> None:
    with pytest.raises(InvalidRequest, match="support"):
        SupportContact(address)
