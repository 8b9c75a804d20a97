"""Suggested questions, derived from headings near an answer or on a page.

They come from the documentation, so each has an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docstead.assistant.conversation import ReadableEdition
from docstead.assistant.reader_location import page_at
from docstead.assistant.retrieval import RetrievedPassages
from docstead.markup.words import language_tag
from docstead.search.documents import Passage

MOST = 3
_LONGEST = 70
_VERBS_TEXT = """
add authenticate build call change check choose configure connect convert create customize debug
define delete deploy disable download edit embed enable export filter find fix generate get
handle host import install integrate invite limit list load manage migrate monitor move open
organize pass protect publish query read receive redirect remove rename replace require reset
restrict retrieve revoke rotate run schedule search secure send set share sign start stop store
stream submit switch sync test track translate troubleshoot turn undo uninstall update upgrade
upload use validate verify view write
"""
_VERBS = frozenset(_VERBS_TEXT.split())
_EMPTY_TEXT = """
overview introduction summary example examples usage notes see also next steps what's next
prerequisites requirements parameters properties response request body headers faq related
resources more conclusion step description responses query path header cookie parameter
authorization
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())
# Headings that continue the page's title.
_LEANING = frozenset({"after", "as", "at", "by", "for", "from", "in", "on", "to", "with"})
_AUXILIARIES = frozenset({"is", "are", "do", "does", "can", "should", "must", "may", "will"})
_ASKING = _AUXILIARIES | {"how", "what", "why", "when", "where", "which"}
_DOUBLED = frozenset({"get", "run", "set", "stop", "submit"})  # in "getting"
_GERUNDS = {
    f"{verb.removesuffix('e')}{verb[-1] if verb in _DOUBLED else ''}ing": verb for verb in _VERBS
}
# "Getting started & setup", "Testing and development": topics.
_NO_OBJECTS = frozenset({"&", "and", "now", "started"})
_STEP = re.compile(r"^(?:step\s+)?\d+[.:)]?\s", re.IGNORECASE)


def follow_ups(edition: ReadableEdition, found: RetrievedPassages, question: str) -> Iterator[str]:
    """Yield at most three questions in the answer's language: other results, then their pages."""
    passages = found.passages
    own = [each for each in passages if each.language == passages[0].language]
    headings = [
        *((each.slug, each.heading_path[-1]) for each in own if each.heading_path),
        *((slug, heading) for slug in _slugs(own) for heading in _headings(edition, slug)),
    ]
    given = {
        (passage.slug, passage.heading_path[-1]) for passage in passages[:1] if passage.heading_path
    }
    yield from _questions(edition, (each for each in headings if each not in given), question)


def _slugs(passages: Iterable[Passage]) -> list[str]:
    return list(dict.fromkeys(passage.slug for passage in passages))


def starters(edition: ReadableEdition, path: str | None) -> tuple[str, ...]:
    """Return at most three questions, by the maintainers or from the page at this path."""
    written = edition.site.assistant.questions
    if written:
        return written[:MOST]
    slug = page_at(edition.site, path) if path else None
    if slug is None or not edition.index.knows(slug):
        return ()
    headings = ((slug, heading) for heading in _headings(edition, slug))
    return tuple(_questions(edition, headings, besides=""))


def _headings(edition: ReadableEdition, slug: str) -> list[str]:
    page = edition.page(slug)
    paths = [section.heading_path for section in page.sections if page] if page else []
    return list(dict.fromkeys(path[-1] for path in paths if path))


def _questions(
    edition: ReadableEdition, headings: Iterable[tuple[str, str]], besides: str
) -> Iterator[str]:
    """Yield at most three questions, each with words that no question before it has."""
    stems = edition.index.analyser.terms
    asked = [frozenset(stems(besides))] if besides else []
    left = MOST
    for question in _asked_first(edition, headings):
        words = frozenset(stems(question))
        if not words or any(words <= each for each in asked):
            continue
        asked.append(words)
        yield question
        left -= 1
        if not left:
            return


def _asked_first(edition: ReadableEdition, headings: Iterable[tuple[str, str]]) -> Iterator[str]:
    statements = []
    for slug, heading in headings:
        text = _topic_of(heading)
        language = edition.site.pages[slug].language
        asked = _asked(text, is_english=_is_english(language)) if text else ""
        if asked.endswith(("?", "？")):
            yield asked
        elif asked:
            statements.append(asked)
    yield from statements


def _topic_of(heading: str) -> str:
    """Return the words of a heading, or "" if it is meaningless on its own."""
    text = _STEP.sub("", re.sub(r"[`*_]", "", heading)).strip().rstrip(".:")
    words = text.lower().split()
    if not words or len(text) > _LONGEST or set(words) <= _EMPTY or words[0] in _LEANING:
        return ""
    return text


def _is_english(language: str | None) -> bool:
    return language_tag(language).partition("-")[0] == "en"


def _asked(text: str, *, is_english: bool) -> str:
    """Return the question that a heading asks, or that its verb forms; "" for a topic.

    "What authors decide" is no question, and stays as it is. Verbs are known of English only.
    """
    words = text.lower().split()
    verb = _GERUNDS.get(words[0], words[0])
    if text.endswith(("?", "？")):
        return text
    if not is_english:
        return ""
    if verb in _VERBS and len(words) > 1 and words[1] not in _NO_OBJECTS:
        return f"How do I {verb}{text[len(words[0]) :]}?"
    if how_to := re.match(r"how to\s+(?=\S)", text, re.IGNORECASE):
        return f"How do I {text[how_to.end() :]}?"
    if words[0] in _ASKING:
        return f"{text}?" if _AUXILIARIES.intersection(words[:2]) else text
    return ""
