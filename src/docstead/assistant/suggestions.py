"""Questions that a reader may ask next: from the headings near an answer or on a page.

They are made of what the documentation has, so each of them has an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docstead.assistant.conversation import Readable
from docstead.assistant.places import page_at
from docstead.assistant.retrieval import Found

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
# Headings that begin so are parts of a sentence that the page's title begins.
_LEANING = frozenset({"after", "as", "at", "by", "for", "from", "in", "on", "to", "with"})
_AUXILIARIES = frozenset({"is", "are", "do", "does", "can", "should", "must", "may", "will"})
_ASKING = _AUXILIARIES | {"how", "what", "why", "when", "where", "which"}
_STEP = re.compile(r"^(?:step\s+)?\d+[.:)]?\s", re.IGNORECASE)


def follow_ups(edition: Readable, found: Found, question: str) -> Iterator[str]:
    """At most three, from the sections beside those that the answer came from, in its language."""
    passages = found.passages
    own = [each for each in passages if each.language == passages[0].language]
    pages = list(dict.fromkeys(passage.slug for passage in own))
    given = {
        (passage.slug, passage.heading_path[-1]) for passage in passages[:1] if passage.heading_path
    }
    headings = (
        (slug, heading)
        for slug in pages
        for heading in _headings(edition, slug)
        if (slug, heading) not in given
    )
    yield from _questions(edition, headings, besides=question)


def starters(edition: Readable, path: str | None) -> tuple[str, ...]:
    """At most three: those that the maintainers wrote, or else from the page at this path."""
    written = edition.site.assistant.questions
    if written:
        return written[:MOST]
    slug = page_at(edition.site, path) if path else None
    if slug is None or not edition.index.knows(slug):
        return ()
    headings = ((slug, heading) for heading in _headings(edition, slug))
    return tuple(_questions(edition, headings, besides=""))


def _headings(edition: Readable, slug: str) -> list[str]:
    page = edition.page(slug)
    paths = [section.heading_path for section in page.sections if page] if page else []
    return list(dict.fromkeys(path[-1] for path in paths if path))


def _questions(
    edition: Readable, headings: Iterable[tuple[str, str]], besides: str
) -> Iterator[str]:
    stems = edition.index.analyser.terms
    asked = [frozenset(stems(besides))] if besides else []
    left = MOST
    for slug, heading in headings:
        question = _question(heading, edition.site.pages[slug].title)
        words = frozenset(stems(question))
        if not question or not words or any(words <= each or words == each for each in asked):
            continue
        asked.append(words)
        yield question
        left -= 1
        if not left:
            return


def _question(heading: str, title: str) -> str:
    """The question that a heading answers; "" for one that says nothing on its own."""
    text = _STEP.sub("", re.sub(r"[`*_]", "", heading)).strip().rstrip(".:")
    words = text.lower().split()
    if not words or len(text) > _LONGEST or set(words) <= _EMPTY or words[0] in _LEANING:
        return ""
    if text.endswith("?"):
        return text
    if words[0] in _VERBS and len(words) > 1:
        return f"How do I {text[0].lower()}{text[1:]}?"
    if words[0] in _ASKING:
        return _asked(text)
    if words[0].endswith("ing") and len(words) > 1:
        return f"What should I know about {text[0].lower()}{text[1:]}?"
    return f"What is “{text}” in {title}?" if text.lower() != title.lower() else ""


def _asked(text: str) -> str:
    """A heading that begins as a question. "What authors decide" is none, and stays as it is."""
    if how_to := re.match(r"how to\s+(?=\S)", text, re.IGNORECASE):
        return f"How do I {text[how_to.end() :]}?"
    return f"{text}?" if _AUXILIARIES.intersection(text.lower().split()[:2]) else text
