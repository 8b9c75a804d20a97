"""The language of questions, by script and little words."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.assistant.reader_language import language_of
from docstead.assistant.small_talk import small_talk_language
from docstead.markup import words

QUESTIONS = {
    "ar": "كيف أقطع البصل؟",
    "ca": "Com puc tallar la ceba?",
    "cs": "kde je cena",
    "da": "hvad koster det",
    "de": "wo finde ich die Preise",
    "en": "does it work with an iPad",
    "es": "donde esta el precio",
    "fi": "Miten voin leikata sipulia?",
    "fr": "est-ce que ça marche avec un iPad ?",
    "he": "איך חותכים בצל?",
    "hi": "प्याज कैसे काटें?",
    "hu": "Hogyan lehet hagymát vágni?",
    "id": "Bagaimana cara memotong bawang?",
    "it": "Come posso tagliare la cipolla?",
    "ja": "玉ねぎの切り方は？",
    "ko": "양파를 어떻게 자르나요?",
    "lv": "Kā es varu sagriezt sīpolu?",
    "nl": "waar staat de prijs",
    "no": "hva koster det",
    "pl": "Jak mogę pokroić cebulę?",
    "pt": "onde fica o preço",
    "ro": "unde este prețul",
    "ru": "Как нарезать лук?",
    "sv": "var finns det en prislista",
    "tr": "bu ne için var",
    "uk": "де ціна",
    "uz": "Piyozni qanday kesish mumkin?",
    "vi": "giá ở đâu",
    "zh": "怎么切洋葱？",
    "zh-Hant": "怎麼切洋蔥？",
}


@pytest.mark.parametrize(("language", "question"), QUESTIONS.items())
def test_little_words_and_letters_reveal_a_language(language: str, question: str) -> None:
    assert language_of(question) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", ""),
        ("dark mode", ""),
        ("API-Key 404", ""),
        ("¿Cuánto pesa?", "es"),  # by its marks
        ("die", ""),  # one word
        ("Which page explains what 你好 means?", "en"),  # with a foreign word
    ],
)
def test_other_text_is_not_guessed(text: str, language: str) -> None:
    assert language_of(text) == language


def test_every_language_of_the_texts_is_known() -> None:
    translations = Path(words.__file__).with_name("translations").glob("*.json")
    assert {"en", *(file.stem for file in translations)} == set(QUESTIONS)


@pytest.mark.parametrize(
    ("text", "language"),
    [("Danke schön!", "de"), ("hello", "en"), ("hola", ""), ("謝謝", "zh-Hant")],
)
def test_small_talk_has_a_language_unless_several_share_it(text: str, language: str) -> None:
    assert small_talk_language(text) == language
