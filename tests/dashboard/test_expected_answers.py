"""Page that makes an entry of `answers.yaml` from a conversation."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
import yaml

from conversations import Talks
from docstead.analytics.conversations import Conversations

LIST = "/dashboard/conversations/acme"
QUOTE = "The documentation says:\n\n**[Start](https://docs.acme.test/guides/start)**\n\n> Run it.\n"


@pytest.fixture
def talks(house: Any) -> Talks:
    return Talks(house.database, house.clock)


def entry_url(house: Any, deployment: Any, thread: Any) -> str:
    (turn,) = Conversations(house.database).opened([deployment.id], thread.id).exchanges
    return f"{LIST}/{thread.id}/{turn.id}/expected-answer"


def entry_on(page: str) -> list[dict[str, Any]]:
    (text,) = re.findall(r'<textarea id="entry".*?>(.*?)</textarea>', page, re.DOTALL)
    return yaml.safe_load(html.unescape(text))


def test_a_conversation_leads_to_an_entry(owner: Any, house: Any, acme: Any, talks: Talks) -> None:
    thread = talks.ask(acme.id, "How do I start <it>?", QUOTE)
    url = entry_url(house, acme, thread)
    assert f'href="{url}"' in owner.get(f"{LIST}/{thread.id}").text
    page = owner.get(url).text
    entry = {
        "question": "How do I start <it>?",
        "facts": ["Run it."],
        "pages": ["guides/start"],
    }
    assert entry_on(page) == [entry]
    assert "There is no <code>answers.yaml</code> yet." in page
    fields = {"question": "How?", "facts": "Run: it\r\n\r\n# twice \r\n", "pages": " /guides/start"}
    changed = owner.post(url, **fields)
    assert entry_on(changed.text) == [
        {"question": "How?", "facts": ["Run: it", "# twice"], "pages": ["/guides/start"]}
    ]


def test_an_entry_needs_a_page(owner: Any, house: Any, acme: Any, talks: Talks) -> None:
    url = entry_url(house, acme, talks.ask(acme.id, "Can it fly?"))
    page = owner.get(url).text
    assert "This answer cited no page" in page
    assert "Not complete yet" in page
    assert 'id="entry"' not in page
    assert entry_on(owner.post(url, question="Can it fly?", pages="index").text) == [
        {"question": "Can it fly?", "pages": ["index"]}
    ]


def test_questions_of_others_are_not_there(owner: Any, house: Any, acme: Any, talks: Talks) -> None:
    other = house.organization("other")
    theirs, mine = talks.ask(other.id, "A secret?", QUOTE), talks.ask(acme.id, "Mine?", QUOTE)
    their_url, my_url = entry_url(house, other, theirs), entry_url(house, acme, mine)
    assert owner.get(their_url).status_code == 404
    assert owner.get(their_url.replace("/acme/", "/other/")).status_code == 404
    swapped = my_url.replace(my_url.split("/")[-2], their_url.split("/")[-2])
    assert owner.get(swapped).status_code == 404
    assert owner.post(swapped, question="a", pages="b").status_code == 404
