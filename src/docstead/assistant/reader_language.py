"""The language of a question, by its script or marks, and its little words.

`reader_languages.txt` has a line for each language of the site's texts: its code, frequent words
and letters that few others use. Languages without words have a script of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_name("reader_languages.txt")
_LONGEST = 600  # characters; longer text is pasted
_ENOUGH = 2  # words, or letters and a word
_WORD = re.compile(r"[^\W\d_]+(?:['’ʻ‘][^\W\d_]+)*")
_SCRIPTS = tuple(
    (re.compile(pattern), language)
    for pattern, language in (
        (r"[\uac00-\ud7af]", "ko"),
        (r"[\u3040-\u30ff]", "ja"),
        (r"[\u3400-\u9fff]", "zh"),
        (r"[\u0600-\u06ff]", "ar"),
        (r"[\u0590-\u05ff]", "he"),
        (r"[\u0900-\u097f]", "hi"),
        (r"[іїєґІЇЄҐ]", "uk"),
        (r"[\u0400-\u04ff]", "ru"),
        (r"[¿¡]", "es"),
    )
)
_TRADITIONAL = re.compile(
    r"[個們這麼為說時會來發點沒還網頁設檔開關嗎請問錯誤體應該無從對過與實類選擇標題圖語處]"
)
_SIMPLIFIED = re.compile(
    r"[个们这么为说时会来发点没还网页设档开关吗请问错误体应该无从对过与实类选择标题图语处]"
)
_ENGLISH = "en"
_ALIKE = {"da", "no"}  # whose readers understand both


@dataclass(frozen=True, slots=True)
class _LittleWords:
    common: frozenset[str]
    letters: frozenset[str]

    def hits(self, words: frozenset[str]) -> int:
        """Return how many of the words are common, and one more for letters of the language."""
        return len(self.common & words) + (not self.letters.isdisjoint("".join(words)))


def language_of(question: str) -> str:
    """Return the code of a question's language, or "" if it is not clear."""
    text = question[:_LONGEST]
    words = frozenset(word.lower().replace("’", "'") for word in _WORD.findall(text))
    english = len(_languages()[_ENGLISH].common & words)
    for script, language in _SCRIPTS:
        if not english and script.search(text):
            return _chinese(text) if language == "zh" else language
    ranked = sorted(
        ((each.hits(words), language) for language, each in _languages().items()),
        key=lambda hit: -hit[0],
    )
    (most, best), (second, other) = ranked[:2]
    is_clear = most > second or {best, other} == _ALIKE
    return best if most >= _ENOUGH and is_clear else ""


def _chinese(text: str) -> str:
    traditional = len(_TRADITIONAL.findall(text)) > len(_SIMPLIFIED.findall(text))
    return "zh-Hant" if traditional else "zh"


@lru_cache(maxsize=1)
def _languages() -> Mapping[str, _LittleWords]:
    languages = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        code, common, letters = line.split("\t")
        languages[code] = _LittleWords(frozenset(common.split()), frozenset(letters))
    return languages
