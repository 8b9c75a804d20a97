"""Replies without an answer: no sources, but further links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from docstead.assistant.conversation import Question
from docstead.assistant.events import AnswerData, TextDelta
from docstead.assistant.reader_location import page_around, preference
from docstead.assistant.tools.library import DocumentationLookup
from docstead.assistant.writing.markdown_units import visible
from docstead.base.errors import InvalidRequest
from docstead.content.pages import Site
from docstead.markup.words import ShellTexts, shell_texts

NEAREST = "nearest"  #: Name of the data part with related pages.

_MOST_NEAREST = 3
_MOST_QUERIES = 3
_LONGEST_QUERY = 80


@dataclass(frozen=True, slots=True)
class SupportContact:
    """Contact for help: an email address, or a link that gets the thread's id."""

    target: str

    def __post_init__(self) -> None:
        parts = urlsplit(self.target)
        is_link = parts.scheme in ("http", "https") and parts.hostname and not parts.username
        is_mail = not parts.scheme and self.target.count("@") == 1 and " " not in self.target
        if not (is_link or is_mail):
            raise InvalidRequest(
                f"support: {self.target!r} is neither an email address nor an http(s) link "
                "without credentials"
            )

    @property
    def is_link(self) -> bool:
        return "@" not in self.target or self.target.startswith(("http://", "https://"))

    def link(self, thread_id: str) -> str:
        """Return the link with the thread's id."""
        if not self.is_link:
            return f"mailto:{self.target}"
        parts = urlsplit(self.target)
        query = urlencode([*parse_qsl(parts.query), ("threadId", thread_id)])
        return urlunsplit(parts._replace(query=query))


def refusal(
    library: DocumentationLookup,
    words: ShellTexts,
    looked_for: Sequence[str],
    *,
    support: SupportContact | None,
    thread_id: str,
    said: str = "",
) -> Iterator[TextDelta | AnswerData]:
    """Yield a refusal: searched topics, related pages and the contact.

    `said` is the model's own sentence.
    """
    yield TextDelta(said or words.not_covered)
    queries = [" ".join(query.split()) for query in looked_for if query.strip()]
    # As code, because a model may have written anything.
    shown = [f"`{short}`" for short in map(_short, queries[:_MOST_QUERIES]) if short]
    if shown:
        yield TextDelta("\n\n" + words.looked_for.format(queries=", ".join(shown)))
    yield from helpers(support, thread_id, words)
    pages = library.nearest(" ".join(queries), _MOST_NEAREST)
    if pages:
        yield AnswerData(NEAREST, [{"title": title, "url": url} for title, url in pages])


def helpers(
    support: SupportContact | None, thread_id: str, words: ShellTexts
) -> Iterator[TextDelta | AnswerData]:
    """Yield the contact for help, if configured."""
    if support is None:
        return
    name = words.support if support.is_link else support.target
    contact = f"[{name}]({support.link(thread_id)})"
    yield TextDelta("\n\n" + words.ask_support.format(contact=contact))
    kind = "link" if support.is_link else "email"
    yield AnswerData("support", {"kind": kind, "url": support.link(thread_id)})


def words_of(question: Question, site: Site, asked_in: str = "") -> ShellTexts:
    """Return the assistant's messages in the reader's language.

    `asked_in` is the question's language, if it is known. An explicit choice of the reader's counts
    more than English words, which are in every language's questions.
    """
    if asked_in and not (asked_in == "en" and question.language):
        return shell_texts(asked_in)
    near = page_around(site, question.current_path) if question.current_path else None
    return shell_texts(question.language or preference(site, near).language)


def _short(query: str) -> str:
    query = visible(query.replace("`", "'")).rstrip("?!. ")
    return query if len(query) <= _LONGEST_QUERY else f"{query[:_LONGEST_QUERY].rstrip()}…"
