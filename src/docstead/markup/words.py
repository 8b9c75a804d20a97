"""Texts of the shell and its scripts, in the reader's language.

A translation is one file: `page` contains texts of the shell, `content` those added to the content
of pages, and each other namespace those of a script. English texts are defined where they are used:
here, in `markup/content_words.py`, and in the scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from docstead.base.decoders import json_decoder
from docstead.markup.content_words import ContentTexts

_TRANSLATIONS = Path(__file__).parent / "translations"
_TABLE = json_decoder(dict[str, dict[str, str]])
_RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")
_TAGS = {"cn": "zh-CN", "jp": "ja", "ua": "uk"}  # codes of docs.json that are not language tags
_TRADITIONAL = ("zh-Hant", "zh-TW")
_OWN = "page"  # namespace of the shell
_CONTENT = "content"


@dataclass(frozen=True, slots=True)
class ShellTexts:
    skip: str = "Skip to content"
    contents: str = "On this page"
    table_of_contents: str = "Contents"
    previous: str = "Previous"
    next: str = "Next"
    menu: str = "Menu"
    close: str = "Close"
    navigation: str = "Documentation"
    language: str = "Language"
    version: str = "Version"
    theme: str = "Theme preference"
    system: str = "System"
    light: str = "Light"
    dark: str = "Dark"
    dismiss: str = "Dismiss"
    markdown: str = "View as Markdown"
    deprecated: str = "Deprecated"
    not_found: str = "Page not found"
    not_found_text: str = "There is no page at this URL."
    home: str = "Go to the home page"
    search: str = "Search documentation"
    sections: str = "Sections"
    breadcrumb: str = "Breadcrumb"
    more: str = "More actions"
    copy_page: str = "Copy page"
    copied: str = "Copied"
    copy_note: str = "Copy as Markdown for language models"
    view_note: str = "View this page as plain text"
    open_in: str = "Open in {name}"
    ask_about: str = "Ask questions about this page"
    ask_prompt: str = "Read {url} and help me with my questions."
    download_spec: str = "Download the API description"
    helpful: str = "Was this page helpful?"
    yes: str = "Yes"
    no: str = "No"
    thanks: str = "Thanks for your feedback!"
    improvement: str = "What could be better? (optional)"
    contact: str = "Email, if you want an answer (optional)"
    send: str = "Send"
    suggest_edit: str = "Suggest edits"
    raise_issue: str = "Raise an issue"
    related: str = "Related pages"
    updated: str = "Last updated on {date}"
    rss: str = "RSS feed"
    near: str = "Perhaps you were looking for"
    announcement: str = "Announcement"
    print: str = "Save as PDF"
    print_note: str = "Print this page or save it as a file"
    unconfirmed: str = "Some statements could not be confirmed. The documentation says more here:"
    closest: str = "No direct answer was found. These sections come closest:"
    not_covered: str = (
        "The documentation does not cover this question. "
        "Try other words for it, such as the name of the feature, setting or command."
    )
    looked_for: str = "I looked for {queries}."
    ask_support: str = "You can ask {contact}."
    support: str = "our support"
    quoted: str = "Quoted from the documentation:"
    more_sections: str = "More in the documentation:"
    selected: str = "You selected {text}."
    small_talk: str = (
        "Ask me about anything in this documentation: how something is done, what a setting "
        "means, where an error comes from."
    )
    repaired: str = "Showing results for {query}."
    more_pages: str = "More pages"
    unavailable: str = "Page not available"


_NAMES = {
    "ar": "العربية",
    "ca": "Català",
    "cn": "简体中文",
    "cs": "Čeština",
    "da": "Dansk",
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fi": "Suomi",
    "fr": "Français",
    "fr-CA": "Français (Canada)",
    "he": "עברית",
    "hi": "हिन्दी",
    "hu": "Magyar",
    "id": "Bahasa Indonesia",
    "it": "Italiano",
    "ja": "日本語",
    "ja-JP": "日本語",
    "jp": "日本語",
    "ko": "한국어",
    "lv": "Latviešu",
    "nl": "Nederlands",
    "no": "Norsk",
    "pl": "Polski",
    "pt": "Português",
    "pt-BR": "Português (Brasil)",
    "ro": "Română",
    "ru": "Русский",
    "sv": "Svenska",
    "tr": "Türkçe",
    "ua": "Українська",
    "uk": "Українська",
    "uz": "Oʻzbekcha",
    "vi": "Tiếng Việt",
    "zh": "简体中文",
    "zh-CN": "简体中文",
    "zh-Hans": "简体中文",
    "zh-Hant": "繁體中文",
    "zh-TW": "繁體中文",
}


def shell_texts(code: str | None) -> ShellTexts:
    """Return the texts of the shell, in English without a translation."""
    return _translated_shell(translation_of(code))


@lru_cache(maxsize=64)
def _translated_shell(name: str | None) -> ShellTexts:
    return ShellTexts(**_table(name)[_OWN]) if name else ShellTexts()


def translation_of(code: str | None) -> str | None:
    """Return the name of a language's translation; None for English or without one.

    Not cached: clients choose the code, which may be long.
    """
    tag = language_tag(code)
    name = "zh-Hant" if tag.startswith(_TRADITIONAL) else tag.partition("-")[0]
    return name if name in _translations() else None


@cache
def _translations() -> frozenset[str]:
    return frozenset(file.stem for file in _TRANSLATIONS.glob("*.json"))


def script_texts(name: str) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of page scripts in a translation, by namespace and name.

    They include those of page content, because browsers render islands again.
    """
    return {namespace: words for namespace, words in _table(name).items() if namespace != _OWN}


@lru_cache(maxsize=64)
def content_texts(name: str) -> ContentTexts:
    """Return the texts of page content in a translation."""
    return ContentTexts(**_table(name)[_CONTENT])


def _table(name: str) -> dict[str, dict[str, str]]:
    return _TABLE.decode(_file(name).read_bytes())


def _file(name: str) -> Path:
    return _TRANSLATIONS / f"{name}.json"


def language_tag(code: str | None) -> str:
    """Return the BCP 47 tag of a language code of docs.json."""
    return _TAGS.get(code, code) if code else "en"


def language_name(code: str) -> str:
    """Return the language's own name for itself."""
    return _NAMES.get(code, code)


def direction(code: str | None) -> str:
    """Return the direction of writing, as the `dir` attribute wants it."""
    return "rtl" if language_tag(code).partition("-")[0] in _RIGHT_TO_LEFT else "ltr"
