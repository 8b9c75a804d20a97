"""Sentences on documentation that is not in English."""

from __future__ import annotations

import asyncio

import pytest

from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser

ANALYSER = Analyser()
TEXT = (
    "1. Öffnen Sie **Einstellungen** und wählen Sie *Schlüssel*.\n"
    "2. Klicken Sie auf **Neuer Schlüssel** und geben Sie ihm einen Namen.\n"
    "3. Kopieren Sie den Schlüssel. Er wird nur einmal gezeigt und gilt 30 Tage.\n\n"
    "Die Schlüssel, die nicht mehr gelten, stehen auf dem Server in der Liste. "
    "Behandeln Sie die anderen vertraulich, denn mit dem Namen des Servers sind sie zu raten.\n"
)
PASSAGES = (ExcerptSpans(Excerpt("https://x/", "API", ("Schlüssel",), TEXT, 1.0), ANALYSER),)
QUESTION = "Wie erstelle ich einen Schlüssel?"


@pytest.mark.parametrize(
    ("said", "is_kept"),
    [
        ("Wählen Sie dort den Knopf für die Erzeugung und vergeben Sie einen Titel.", True),
        ("Der Wert erscheint ein einziges Mal, also legen Sie ihn im Tresor ab.", True),
        ("Der Schlüssel gilt 90 Tage.", False),
        ("Setzen Sie `API_SECRET`, bevor Sie den Schlüssel kopieren.", False),
    ],
)
def test_nouns_with_capitals_are_no_names(said: str, *, is_kept: bool) -> None:
    checked = asyncio.run(Checker(ANALYSER).sentence(said, PASSAGES, (), QUESTION))
    assert checked.is_kept is is_kept


@pytest.mark.parametrize(
    ("said", "is_shown"),
    [
        ("Die Dokumentation behandelt Schlüssel auf dem Mond nicht.", True),
        ("Der Mond hat 12 Schlüssel.", False),
    ],
)
def test_a_refusal_in_the_language_of_the_pages_is_shown(said: str, *, is_shown: bool) -> None:
    assert Checker(ANALYSER).refuses(said, PASSAGES, QUESTION) is is_shown


def test_german_nouns_on_english_pages_are_no_names() -> None:
    english = (
        "Session keys are permissionless on testnet. Mainnet enforces several security measures "
        "to protect users. This document is for the best practices of session keys."
    )
    passages = (ExcerptSpans(Excerpt("https://x/", "Keys", (), english, 1.0), ANALYSER),)
    said = (
        "Kurz gesagt: Im Testnet sind Session Keys ohne Erlaubnis nutzbar, "
        "im Mainnet gelten strengere Regeln."
    )
    asked = "Was muss ich für Session Keys im Mainnet beachten?"
    assert asyncio.run(Checker(ANALYSER).sentence(said, passages, (), asked)).is_kept
    invented = f"{said.removesuffix('.')}, mit Premium für 30 Tage."
    assert not asyncio.run(Checker(ANALYSER).sentence(invented, passages, (), asked)).is_kept
