import re
from pathlib import Path

import msgspec
import pytest

from docstead.markup import words
from docstead.markup.words import ShellTexts, direction, language_name, shell_texts

# docs.json, `navigation.languages`: every code that it knows.
CODES = """
    ar ca cn cs da de es fi fr fr-CA he hi hu id it ja ja-JP jp ko lv nl no pl pt pt-BR ro ru sv
    tr ua uk uz vi zh zh-CN zh-Hans zh-Hant zh-TW
"""
TABLES = sorted((Path(words.__file__).parent / "translations").glob("*.json"))
PLACEHOLDERS = re.compile(r"\{\w+\}")


@pytest.mark.parametrize("code", CODES.split())
def test_every_language_of_docs_json_has_its_words(code: str) -> None:
    assert shell_texts(code) != ShellTexts()
    assert language_name(code) != code


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_tables_of_words_are_whole(table: Path) -> None:
    english = msgspec.to_builtins(ShellTexts())
    own = msgspec.json.decode(table.read_bytes(), type=dict[str, dict[str, str]])["page"]
    assert own.keys() == english.keys()
    for name, text in own.items():
        assert PLACEHOLDERS.findall(text) == PLACEHOLDERS.findall(english[name])


def test_chinese_is_written_in_two_ways() -> None:
    assert shell_texts("zh-TW") == shell_texts("zh-Hant")
    assert shell_texts("zh-TW").search == "搜尋文件"
    assert shell_texts("cn") == shell_texts("zh-Hans")
    assert shell_texts("zh-CN").search == "搜索文档"


@pytest.mark.parametrize("code", [None, "en", "xx", "../de", ""])
def test_english_stands_in_for_what_is_not_known(code: str | None) -> None:
    assert shell_texts(code) == ShellTexts()


def test_arabic_and_hebrew_run_from_the_right() -> None:
    assert [direction(code) for code in ("ar", "he", "de", None)] == ["rtl", "rtl", "ltr", "ltr"]
