"""The `ask` command: answers a question from the data folder, with its sources.

Nothing is recorded, because the operator is not a reader.
"""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass, field
from typing import Any

import msgspec
import typer

from docstead.accounts.tenancy import Deployment
from docstead.app.services import AppServices, open_services
from docstead.assistant.conversation import AnswerSource, ConversationMessage, Question, Speaker
from docstead.assistant.events import (
    AnswerData,
    AnswerFailed,
    AnswerFinished,
    SourceFound,
    TextDelta,
)
from docstead.base.errors import InvalidRequest, Unavailable
from docstead.base.texts import clean
from docstead.cli.installation import published_settings, warn_if_not_running
from docstead.cli.tenants import deployment

_LINK = re.compile(r"(?<!\\)(?P<image>!?)\[(?P<words>(?:[^\[\]\\\n]|\\.)*)\]\((?P<url>[^()\s]+)\)")
_WORDS_ON_PAGE = re.compile(r"#?:~:text=.*\Z")


@dataclass
class _PrintedAnswer:
    """Prints the complete lines of an answer as they arrive, unless `quiet`."""

    quiet: bool
    text: str = ""
    answered: bool = False
    sources: list[AnswerSource] = field(default_factory=list)
    nearest: list[dict[str, Any]] = field(default_factory=list)  # pages
    closest: list[dict[str, Any]] = field(default_factory=list)  # sections within the text
    _shown: int = 0

    def add(self, text: str) -> None:
        self.text += text
        self._show(self.text.rfind("\n") + 1)

    def finish(self) -> None:
        self._show(len(self.text))

    def _show(self, end: int) -> None:
        if self.quiet or end <= self._shown:
            return
        sys.stdout.write(clean(_LINK.sub(self._link, self.text[self._shown : end])))
        sys.stdout.flush()
        self._shown = end

    def _link(self, link: re.Match[str]) -> str:
        """Return a link's text with the number of its source, or with its URL.

        The text is the number itself in citations of a model. Images are shown by their alternative
        text.
        """
        words, url = link["words"], _short(link["url"])
        if link["image"]:
            return words
        urls = [_short(each.url) for each in self.sources]
        if url not in urls:
            return f"{words} ({url})"
        number = str(urls.index(url) + 1)
        return f"[{number}]" if words == number else f"{words} [{number}]"


def run(question: str, *, domain: str | None, as_json: bool) -> None:
    if not question.strip():
        raise InvalidRequest("QUESTION: must not be empty")
    settings = published_settings()
    answer = _PrintedAnswer(quiet=as_json)
    with open_services(settings) as services:
        asyncio.run(_fill(answer, services, deployment(services, domain), question))
    if as_json:
        sys.stdout.write(msgspec.json.encode(_wire(answer)).decode() + "\n")
        return
    _print_links(answer)
    warn_if_not_running(settings)


async def _fill(
    answer: _PrintedAnswer, services: AppServices, target: Deployment, question: str
) -> None:
    asked = Question((ConversationMessage(Speaker.USER, question),))
    url = services.site_url(target) if answer.quiet else services.browser_url(target)
    async for event in services.assistant.answer(target, asked, recorded=False, site_url=url):
        match event:
            case SourceFound(source):
                answer.sources.append(source)
            case TextDelta(text):
                answer.add(text)
            case AnswerData("nearest", pages):
                answer.nearest = pages
            case AnswerData("closest", sections):
                answer.closest = sections
            case AnswerFinished(answered=answered):
                answer.answered = answered
            case AnswerFailed(message=message):
                raise Unavailable(message)
    answer.finish()


def _print_links(answer: _PrintedAnswer) -> None:
    typer.echo("\n" if answer.text.endswith("\n") else "\n\n", nl=False)
    for number, source in enumerate(answer.sources, 1):
        typer.echo(clean(f"[{number}] {source.title}  {_short(source.url)}"))
    for page in answer.nearest:
        typer.echo(clean(f"Nearest: {page['title']}  {_short(page['url'])}"))


def _short(url: str) -> str:
    """Return a URL without its text fragment, for the terminal."""
    return _WORDS_ON_PAGE.sub("", url)


def _wire(answer: _PrintedAnswer) -> dict[str, object]:
    return {
        "answer": answer.text,
        "answered": answer.answered,
        "sources": [{"title": each.title, "url": _short(each.url)} for each in answer.sources],
        "nearest": [
            {"title": each["title"], "url": _short(each["url"])}
            for each in (*answer.closest, *answer.nearest)
        ],
    }
