"""Misspelled words in queries."""

from __future__ import annotations

import pytest

from docstead.search.english import is_common
from docstead.search.spelling_repair import LONGEST_REPAIRED, QueryRepairs
from docstead.search.stop_words import STOP_WORDS

WORDS = {
    "authentication": 9,
    "code": 30,
    "configure": 8,
    "create": 12,
    "demo": 4,
    "editor": 6,
    "email": 9,
    "error": 15,
    "home": 3,
    "key": 40,
    "kubernetes": 3,
    "slack": 2,
    "weviate": 1,
    "coode": 1,  # "code"
    "working": 7,
}


def is_known(word: str) -> bool:
    return word in WORDS or word in STOP_WORDS or is_common(word)


def repaired(query: str) -> str:
    def with_prefix(start: str) -> list[tuple[str, int]]:
        return [(word, count) for word, count in WORDS.items() if word.startswith(start)]

    return QueryRepairs(is_known, lambda _: True, with_prefix).repaired(query)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hwo do I craete a kye?", "how do I create a key?"),
        ("Authentciation eror when I cofnigure it", "Authentication error when I configure it"),
        ("it is not wroking", "it is not working"),
        ("the cde of the editr?", "the code of the editor?"),
        ("which emal is used?", "which email is used?"),
        ("does it recieve mail?", "does it receive mail?"),
        ("send it to Slakc please", "send it to Slack please"),
        ("kubernets: eror", "kubernetes: error"),
        ("the eror's code", "the error's code"),
        ("hpw fr te code", "how for the code"),
        ("which coode is it?", "which code is it?"),  # one page misspells it, too
        ("It dosen't work, I caan't see it", "It doesn't work, I can't see it"),
    ],
)
def test_slips_are_corrected(typed: str, meant: str) -> None:
    assert repaired(typed) == meant
    assert repaired(meant) == meant


@pytest.mark.parametrize(
    "query",
    [
        "Does it work with deno?",  # another product, not "demo"
        "How do I use Weaviate?",  # one page misspells it
        "Is Windsurf supported?",
        "I don't, can’t and won't",
        "can ci do it in js, ts and go, by ip or id, as an ad for us?",
        "FR TE",
        "does it run on aws, with sso, tls and ios?",  # not "was", "also", "also"
        "set `cofnigure` to true",
        'it says "eror 5"',
        "run docs/craete.py --kye ERORR_CODE eror5 eror.code",
        "Wie kann ich den Schlüssel erstellen, eror?",
        "wie kann man das configurieren",
        "¿como configurer?",
        "Warum geht mein eror nicht?",
        "Pourquoi dois-je avoir cet eror encore, comment faire ?",
        "authentic",
        "how to create a sla",
        "xylophone",
        "",
        "   ",
        "a" * 50,
        f"eror {'x ' * LONGEST_REPAIRED}",
    ],
)
def test_what_is_no_clear_slip_stays(query: str) -> None:
    assert repaired(query) == query


def test_many_slips_in_a_row() -> None:
    typed = "craete eror cofnigure emal wroking editr kubernets authentciation cde kye eror craete."
    meant = "create error configure email working editor kubernetes authentication code key"
    assert repaired(typed) == f"{meant} error create."
