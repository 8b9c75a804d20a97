"""The 404 page, which hosts show at any depth."""

from __future__ import annotations

from markupsafe import Markup

from docstead.content.config import NotFoundPage
from docstead.markup.words import ShellTexts
from docstead.theme.markup import inline_markdown, templates
from docstead.theme.page import PageView
from docstead.theme.searching import SearchView
from docstead.theme.sidebar.sidebar import MenuEntry

NOT_FOUND = "404"
_STATUS_CODE = Markup('<span class="not-found-status-code">404</span>')


def not_found_view(own: NotFoundPage, words: ShellTexts, search: SearchView | None) -> PageView:
    """Return the 404 page, with texts of the site or defaults."""
    text = inline_markdown(own.description or words.not_found_text)
    template = templates().get_template("not_found.html")
    body = template.render(text=text, words=words, search=search)
    title = own.title or words.not_found
    code = MenuEntry(_STATUS_CODE, None)
    return PageView(NOT_FOUND, "center", title, None, False, Markup(body), (code,))  # noqa: S704
