"""The 404 page, which hosts show at any depth."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from docstead.content.config import NotFoundPage
from docstead.markup.words import ShellTexts, direction, language_tag, shell_texts
from docstead.theme.markup import inline_markdown, templates
from docstead.theme.page import PageView
from docstead.theme.searching import SearchView
from docstead.theme.sidebar.sidebar import MenuEntry

NOT_FOUND = "404"
_STATUS_CODE = Markup('<span class="not-found-status-code">404</span>')


def not_found_view(
    own: NotFoundPage, words: ShellTexts, search: SearchView | None, home: str
) -> PageView:
    """Return the 404 page, with texts of the site or defaults, and a link to `home`."""
    text = inline_markdown(own.description or words.not_found_text)
    template = templates().get_template("not_found.html")
    body = template.render(text=text, words=words, search=search, home=home)
    title = own.title or words.not_found
    code = MenuEntry(_STATUS_CODE, None)
    return PageView(NOT_FOUND, "center", title, None, False, Markup(body), (code,))  # noqa: S704


def translated_texts(
    own: NotFoundPage, prompt: str | None, folders: Mapping[str, str], homes: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Return language, direction, home and texts of the page below folders of languages.

    Texts are by selector. Those of the site itself, and its `prompt` of the search, are in one
    language. `homes` are URLs by language.
    """
    return {
        folder: {
            "lang": language_tag(language),
            "dir": direction(language),
            "home": homes[language],
            **_texts(own, prompt, shell_texts(language)),
        }
        for folder, language in folders.items()
    }


def _texts(own: NotFoundPage, prompt: str | None, words: ShellTexts) -> dict[str, str]:
    texts = {
        ".not-found-title": "" if own.title else words.not_found,
        ".not-found-message": "" if own.description else words.not_found_text,
        ".ds-not-found-search span": "" if prompt else words.search,
        ".not-found-go-back-text": words.home,
        ".ds-near h2": words.near,
    }
    return {selector: text for selector, text in texts.items() if text}
