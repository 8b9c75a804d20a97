"""Questions about topics that headings and titles name."""

from __future__ import annotations

import re
from functools import lru_cache

from docstead.assistant.heading_questions import GERUNDS, VERBS, in_sentence
from docstead.search.english import is_english

_REMEMBERED = 2_000  # headings, which follow many answers
_WORDS = (2, 4)  # a single word is often a product
# Parts of any page, and words that begin or end something else than a topic.
_NO_TOPICS_TEXT = """
a about advanced after all an and api as at available basic before behaviour behavior benefits
best breaking by case cases changelog changes code coming common comparison concepts
considerations conclusion default details difference differences error errors example examples
existing failed faq faqs features final for from full further general guide guides help how
important in information intended into introduction issues list main mistakes more new next no not
note notes of on only or other our out overview pages pattern patterns per platform practices
prerequisites problems problem questions quick quickstart reasons recommended reference refused
related required requirements resources sample samples schema section see setup simple soon start
started step steps structure summary support supported table that the these this tips to
troubleshooting tutorial tutorials usage use via vs walkthrough what when why with without your
"""
_NO_TOPICS = frozenset(_NO_TOPICS_TEXT.split())
# Of these there are several to choose from.
_KINDS_TEXT = """
actions codes events fields filters formats limits methods models options parameters plans
properties providers roles scopes settings statuses types variables
"""
_KINDS = frozenset(_KINDS_TEXT.split())
# Words without an article, mostly, and those that need one.
_MASS = re.compile(r".+(?:ing|tion|sion|ment|ity|ance|ence|age|ics|cess)\Z")
_COUNTED_TEXT = """
action address application argument collection component connection deployment document element
environment exception expression extension function image instance integration language message
notification package page payment permission question reference section session setting string
subscription transaction version
"""
_COUNTED = frozenset(_COUNTED_TEXT.split())
_ABBREVIATIONS_TEXT = "api cli http https id ip llm mcp sdk smtp sql ssh sso ui url"
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_TEXT.split())
# Topics with a question of their own. Each part has at most four words, such as "Node.js".
_NAMED = r"\w[\w-]*(?:\.\w+)*"
_PART = rf"((?:{_NAMED} ){{0,3}}{_NAMED})"
_FORMS = tuple(
    (re.compile(pattern, re.IGNORECASE), question)
    for pattern, question in (
        (r"error handling", "How do I handle errors?"),
        (rf"supported {_PART}(?<=s)", "Which {} are supported?"),
        (rf"available {_PART}(?<=s)", "Which {} are available?"),
        (rf"{_PART} (?-i:[Vv]s\.?|versus) {_PART}", "What is the difference between {} and {}?"),
        (rf"custom {_PART}(?<=[^s]s)(?<!examples)", "How do I use custom {}?"),
        (r"custom (domain|theme|font|script|model|image)", "How do I use a custom {}?"),
        (rf"{_PART}(?<=[^s]s)(?: are)? not (\w+ing|found)", "Why are {} not {}?"),
        (rf"{_PART}(?<!s)(?: is)? not (\w+ing|found)", "Why is {} not {}?"),
    )
)
_WORD = re.compile(r"[A-Za-z][A-Za-z-]*\Z")
# Headings that many pages have, and the question about such a page's title.
_OF_PAGES = (
    (re.compile(r"how (?:it|this) works|overview", re.IGNORECASE), ""),
    (re.compile(r"when to use(?: this| it| them)?", re.IGNORECASE), "When should I use {}?"),
    (re.compile(r"limits|limitations", re.IGNORECASE), "What are the limits of {}?"),
    (re.compile(r"best practices", re.IGNORECASE), "What are best practices for {}?"),
    (re.compile(r"install(?:ation)?", re.IGNORECASE), "How do I install {}?"),
    (re.compile(r"configur(?:e|ation)|settings", re.IGNORECASE), "How do I configure {}?"),
    (re.compile(r"usage|use", re.IGNORECASE), "How do I use {}?"),
    (re.compile(r"(?:pre)?requirements|prerequisites", re.IGNORECASE), "What do I need for {}?"),
    (re.compile(r"pricing|billing|cost", re.IGNORECASE), "How much does {} cost?"),
)


@lru_cache(maxsize=_REMEMBERED)
def question_on_page(heading: str, title: str, *, names: str = "") -> str:
    """Return the question of a heading that says something only with its page's title."""
    words = [word.lower() for word in title.split()]
    named = all(map(_WORD.match, words)) and _NO_TOPICS.isdisjoint(words)
    is_part = any(pattern.fullmatch(title) for pattern, _ in _OF_PAGES)
    named = named and not is_part and not _KINDS.issuperset(words)
    if not named or len(words) > _WORDS[1] or words[0] in VERBS or words[0].endswith("ing"):
        return ""
    topic, verb = in_sentence(title, names), GERUNDS.get(heading.lower(), heading.lower())
    if verb == "troubleshoot" or (verb in VERBS and _is_plural(title)):
        return f"How do I {verb} {topic}?"
    for pattern, question in _OF_PAGES:
        if pattern.fullmatch(heading):
            return question.format(topic) if question else question_about(title, names=names)
    return ""


@lru_cache(maxsize=_REMEMBERED)
def question_about(topic: str, *, names: str = "") -> str:
    """Return a question about a topic in English, such as "Session keys"; "" for other text."""
    for pattern, question in _FORMS:
        if named := pattern.fullmatch(topic):
            return question.format(*(in_sentence(each, names) for each in named.groups()))
    words = topic.split()
    if not _WORDS[0] <= len(words) <= _WORDS[1] or not all(map(_WORD.match, words)):
        return ""
    lower = [word.lower() for word in words]
    parts = [part for word in lower for part in word.split("-")]
    is_plain = all(is_english(part) or part in _ABBREVIATIONS for part in parts)
    does_more = lower[0] in VERBS or lower[0].endswith("ing")
    if not is_plain or does_more or not _NO_TOPICS.isdisjoint(lower):
        return ""
    last, text = lower[-1], in_sentence(topic, names)
    if last in _KINDS:
        return f"Which {text} are there?"
    if _is_plural(last):
        return f"How do {text} work?"
    return f"How does {text} work?" if _MASS.match(last) and last not in _COUNTED else ""


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "is", "us", "ics"))
