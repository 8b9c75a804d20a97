"""Messages that ask nothing."""

from __future__ import annotations

import pytest

from docstead.assistant.small_talk import is_small_talk


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "Hi there",
        "THANKS!",
        "ok, thank you very much :)",
        "Great, it works now. Bye!",
        "How are you?",
        "Danke schön!",
        "merci beaucoup",
        "MULTUMESC",
        "¡Muchas gracias!",
        "你好",
        "ありがとうございます。",
        "감사합니다",
        "धन्यवाद",
        "شكرًا",
        "до свидания",
    ],
)
def test_nothing_is_asked(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "???",
        "hello, how do I install?",
        "ok 404",
        "thanks, and for Python?",
        "hello_world",
        "good",
        "thank",
        "DAG",
        "ok " * 9,
    ],
)
def test_something_is_asked_or_nothing_said(text: str) -> None:
    assert not is_small_talk(text)
