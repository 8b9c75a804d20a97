"""Words of the screens: plain English, one word for one thing, messages that name the screen's own
fields."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from conversations import Talks
from docstead.dashboard.formats import sentence

_TEMPLATES = Path("src/docstead/dashboard/templates")
_OLD = (
    "The same again",
    "What is to be different",
    "No fault that",
    "moves forward to this branch",
    "Hand in by",
    "By the address",
    "hand in their work",
    "Choose none for everything",
    "AI are programs",
    ">Both<",
    "put together by the rare words",
    "Nothing was asked twice",
    "go for ever",
    "waits for jobs",
    'the service") }}',
    "Changes reviewed here",
    "A change to review",
    "tokens read",
    "What happened",
)


@pytest.mark.parametrize("words", _OLD)
def test_templates_have_none_of_the_old_words(words: str) -> None:
    found = [path.name for path in _TEMPLATES.glob("*.html") if words in path.read_text()]
    assert not found


def test_screens_say_it_in_plain_words(owner: Any, acme: Any) -> None:
    shown = {
        "/dashboard/keys/acme": ("Select neither for full access.", "Deployment (domain in API"),
        "/dashboard/readers/acme": ("AI means crawlers and assistants.", ">Total</th>"),
        "/dashboard/gaps/acme": ("Similar questions are grouped; based on the latest 500.",),
        "/dashboard/conversations/acme": ("are deleted permanently",),
        "/dashboard/agent/acme/webhooks": ("Add a URL to notify.",),
        "/dashboard/agent-settings/acme": ("Deliver as", "Automatic", "A pull request"),
        "/dashboard/password": ("Repeat the password",),
    }
    for path, texts in shown.items():
        page = owner.get(path).text
        for text in texts:
            assert text in page, (path, text)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("prompt: must not be empty", "Instruction: must not be empty"),
        ("threadId: there is no such conversation", "There is no such conversation"),
        ("version: must have 1 to 200 characters", "Version: must have 1 to 200 characters"),
        ("nothing: special", "Nothing: special"),
    ],
)
def test_messages_name_the_fields_of_the_screen(message: str, expected: str) -> None:
    assert sentence(message) == expected


def test_a_list_that_went_on_is_explained(owner: Any, acme: Any) -> None:
    answer = owner.get("/dashboard/conversations/acme?after=nonsense")
    assert answer.status_code == 400
    assert "no longer exists" in answer.text
    assert "nextCursor" not in answer.text


def test_only_a_removal_says_that_conversations_were_removed(
    owner: Any, harness: Any, acme: Any
) -> None:
    here = "/dashboard/conversations/acme"
    assert "Removed" not in owner.get(f"{here}?removed=99999").text
    Talks(harness.database, harness.clock).ask(acme.id, "Mine?", fp="reader-1")
    owner.get(here)
    answer = owner.post(f"{here}/forget", fp="reader-1", confirmed="yes")
    assert "Removed 1 conversation" in owner.get(answer.headers["location"]).text
    forged = re.sub(r"removed=1\.", "removed=9.", answer.headers["location"])
    assert "Removed" not in owner.get(forged).text


def test_gaps_say_of_how_many_and_since_when(owner: Any, harness: Any, acme: Any) -> None:
    talks = Talks(harness.database, harness.clock)
    animals = [f"{a}{b}" for a in "bdfgklmnp" for b in ("azu", "eli", "oxa", "uri")][:33]
    for name in animals:
        talks.ask(acme.id, f"Where does the {name} live?")
    page = owner.get("/dashboard/gaps/acme").text
    assert re.search(r"30 of \d+ groups, the largest first, since 21 Nov 2026", page)


def test_pages_are_compressed_and_their_tokens_differ(owner: Any, acme: Any) -> None:
    headers = {"accept-encoding": "gzip"}
    first = owner.get("/dashboard/keys/acme", headers=headers)
    assert first.headers["content-encoding"] == "gzip"
    token = owner.csrf
    owner.get("/dashboard/keys/acme", headers=headers)
    assert token != owner.csrf
    for each in (token, owner.csrf):  # one is as good as the other
        answer = owner.post("/dashboard/keys/acme", csrf=each, kind="assistant", name="")
        assert answer.status_code == 400
    assert owner.post("/dashboard/keys/acme", csrf="ab" * 64).status_code == 403
