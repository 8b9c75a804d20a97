"""Queries in another language, in words of English documentation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docstead.search.documents import SearchDocument
from docstead.search.index import Index
from docstead.search.translation import QueryTranslations, Translation

PAGES = {"parcelo", "csv", "url"}


def translated(query: str) -> tuple[str, str] | None:
    found = QueryTranslations(lambda word: word.lower() in PAGES).translated(query)
    return (found.text, found.language) if found else None


@pytest.mark.parametrize(
    ("query", "english", "language"),
    [
        ("Wie kann ich eine CSV-Datei importieren?", "how to CSV file import?", "de"),
        ("¿Cómo restablezco mi contraseña?", "how to reset password?", "es"),
        ("comment déployer parcelo hors ligne", "how to deploy parcelo offline", "fr"),
        ("如何重置密码？", "how to reset password?", "zh"),
        ("Parcelo にログインできません", "Parcelo login cannot", "ja"),
        ("Wie vermeide ich einen Kaltstart?", "how to cold start?", "de"),
        ("如何避免冷启动？", "how to cold start?", "zh"),
        ("Wie erstelle ich ein Postfach?", "how to create inbox?", "de"),
        ("¿Cómo ordenar las columnas?", "how to sort column?", "es"),
        ("Comment chiffrer une sauvegarde ?", "how to encrypt backup?", "fr"),
        ("如何加密收件箱？", "how to encrypt inbox?", "zh"),
        ("Wo ist das beste Restaurant?", "where restaurant?", "de"),
        ("Wie richte ich Umgebungsvariablen ein?", "how to environment variable?", "de"),
        ("¿Cómo uso las variables de entorno?", "how to environment variable?", "es"),
        ("Comment utiliser Parcelo ?", "how to use Parcelo?", "fr"),
        ("Comment installer Parcelo avec CSV ?", "how to install Parcelo CSV?", "fr"),
        ("Wie kann ich die Datenbank sichern?", "how to database backup?", "de"),
        ("Comment restaurer une sauvegarde ?", "how to restore backup?", "fr"),
    ],
)
def test_a_query_is_translated_word_by_word(query: str, english: str, language: str) -> None:
    assert translated(query) == (english, language)


def test_readers_are_shown_words_and_no_broken_sentence() -> None:
    assert Translation("how to CSV file import?", "de").keywords == "CSV, file, import"
    assert Translation("payment a account bank?", "es").keywords == "payment, account, bank"
    assert Translation("how to?", "zh").keywords == "how to?"


@pytest.mark.parametrize(
    ("query", "missed", "is_partial"),
    [
        ("Wie erstelle ich einen Quastenflosser?", 1, True),
        ("Wie importiere ich eine CSV-Datei in einen Quastenflosser?", 1, False),
        ("Wie setze ich mein Passwort zurück?", 0, False),
        ("¿Cómo restablezco mi contraseña?", 0, False),
    ],
)
def test_lost_words_are_counted(query: str, missed: int, is_partial: bool) -> None:
    found = QueryTranslations(lambda word: word.lower() in PAGES).translated(query)
    assert found is not None
    assert (found.missed, found.is_partial) == (missed, is_partial)


@pytest.mark.parametrize(
    "query",
    [
        "how do I export a form to csv",
        "conect parcelo to a databse",
        "price per hour, in the data plan",
        "Straßenbahn",  # no word of it is known
        "法国的首都是哪里？",
        "",
    ],
)
def test_english_and_unknown_words_are_not_translated(query: str) -> None:
    assert translated(query) is None


def test_known_function_words_are_no_terms_of_a_foreign_query() -> None:
    pages = {"de", "comment", "postman"}
    translations = QueryTranslations(lambda word: word.lower() in pages)
    spanish = translations.translated("¿Cómo importo una colección de Postman?")
    assert spanish is not None
    assert spanish.keywords == "import, collection, Postman"
    french = translations.translated("Comment déployer Postman ?")
    assert french is not None
    assert french.text == "how to deploy Postman?"
    assert translations.translated("comment on a deployment") is None
    known = translations.translated("Comment trouver Postman avec Postman ?")
    assert known is not None
    assert (known.text, known.language, known.missed) == ("how to Postman?", "fr", 1)


def test_pages_in_the_language_of_a_query_are_searched_in_its_words(
    index_of: Callable[..., Index], page: Callable[..., SearchDocument]
) -> None:
    index = index_of(
        page("keys", "API keys", {"Reset": "Reset a password on the account page."}),
        page("zh/keys", "密钥", {"创建": "在控制台中创建密钥,然后复制。"}, language="zh"),
    )
    assert index.repaired("如何创建密钥") == "如何创建密钥"
    assert [each.slug for each in index.search("Passwort zurücksetzen", limit=5)] == ["keys"]


@pytest.mark.parametrize(
    ("query", "searched"),
    [
        ("costum frame procesor", "costum frame processor"),
        ("marco proceso", "marco process"),
    ],
)
def test_misspelled_english_is_not_translated(
    index_of: Callable[..., Index],
    page: Callable[..., SearchDocument],
    query: str,
    searched: str,
) -> None:
    frames = {"Frames": "Write a custom processor for each frame. A process has a processor."}
    assert index_of(page("frames", "Frames", frames)).repaired(query) == searched


@pytest.mark.parametrize(
    ("query", "english", "language"),
    [
        ("Wie lautet die Aufbewahrungsfrist?", "how to retention?", "de"),
        ("¿Cómo añado un proveedor?", "how to add provider?", "es"),
        ("Comment renommer une pièce jointe ?", "how to rename attachment?", "fr"),
        ("Como recebo o histórico?", "how to receive history?", "pt"),
        ("如何设置速率限制？", "how to configure rate limit?", "zh"),
        ("監査ログの保持期間", "audit log retention", "ja"),
    ],
)
def test_terms_of_headings_are_translated(query: str, english: str, language: str) -> None:
    assert translated(query) == (english, language)
