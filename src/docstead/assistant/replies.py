"""The two ways to answer: a chat model's words, or the documentation's own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing

from docstead.assistant.conversation import Source
from docstead.assistant.events import SourceFound, TextDelta
from docstead.assistant.prompt import NOT_COVERED_MARK
from docstead.assistant.retrieval import Found
from docstead.base.errors import Unavailable
from docstead.models import chat
from docstead.models.chat import ChatModel
from docstead.models.evidence import Excerpt
from docstead.models.extractive import NOT_COVERED, Extractive, rendered
from docstead.search.chunks import blocks

Said = SourceFound | TextDelta


def quoted(question: str, found: Found) -> Iterator[Said]:
    """Quotes with their sources; where nothing fits, that, and no source."""
    quotes = Extractive(found.stems, blocks).quotes(question, found.words, found.excerpts)
    if not quotes:
        yield TextDelta(NOT_COVERED)
        return
    yield from sources([quote.excerpt for quote in quotes])
    yield from (TextDelta(text) for text in rendered(quotes))


async def written(
    model: ChatModel, messages: Sequence[chat.Message], excerpts: Sequence[Excerpt]
) -> AsyncGenerator[Said, None]:
    """A model's answer. Its sources come first, held back until it is clear that it has any.

    Raises:
        Unavailable: the model failed, or said nothing.
    """
    opening, is_open = "", True
    async with aclosing(model.stream(messages)) as events:
        async for event in events:
            if not isinstance(event, chat.TextDelta):
                continue
            token = event.text
            if not is_open:
                yield TextDelta(token)
                continue
            opening = (opening + token).lstrip()
            if NOT_COVERED_MARK.startswith(opening):
                continue
            is_open = False
            for said in _opened(opening, excerpts):
                yield said
    if is_open and not opening:
        raise Unavailable("The assistant's model gave no answer.")
    if is_open:
        for said in _opened(opening, excerpts):
            yield said


def sources(excerpts: Iterable[Excerpt]) -> Iterator[SourceFound]:
    """One source for each section, in order."""
    for link, name in {each.link: each.name for each in excerpts}.items():
        yield SourceFound(Source(id=link, url=link, title=name))


def _one_per_page(excerpts: Iterable[Excerpt]) -> list[Excerpt]:
    """The best section of each page."""
    pages: dict[str, Excerpt] = {}
    for each in excerpts:
        pages.setdefault(each.link.partition("#")[0], each)
    return list(pages.values())


def _opened(opening: str, excerpts: Sequence[Excerpt]) -> Iterator[Said]:
    if opening.startswith(NOT_COVERED_MARK):
        yield TextDelta(opening.removeprefix(NOT_COVERED_MARK).lstrip() or NOT_COVERED)
    else:
        yield from sources(_one_per_page(excerpts))
        yield TextDelta(opening)
