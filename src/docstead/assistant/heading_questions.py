"""Questions that headings ask, or that their verbs form."""

from __future__ import annotations

import re

from docstead.search.english import is_english

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
# Also nouns: "Sync interval", "Test cards", "Upgrade path". A word like "your" tells verbs.
_NOUNS_TOO_TEXT = """
build call change check debug download embed export filter fix host import limit list load monitor
move open pass query read redirect reset schedule search set share sign start stop store stream
switch sync test track turn update upgrade upload use view write
"""
_NOUNS_TOO = frozenset(_NOUNS_TOO_TEXT.split())
_AFTER_VERBS_TEXT = """
a an the your my our its this that these all any another each every multiple several from to with
on off up out in into as by for via new custom existing it them
"""
_AFTER_VERBS = frozenset(_AFTER_VERBS_TEXT.split())
_PARTICLES = frozenset({"up", "on", "off", "out", "in", "now", "started"})
_EMPTY_TEXT = """
overview introduction summary example examples usage notes see also next steps what's next
prerequisites requirements parameters properties response request body headers faq related
resources more conclusion step description responses query path header cookie parameter
authorization it them this that these how what to do i works work fix happened need help ready get
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())
# Headings that continue the page's title.
_LEANING = frozenset({"after", "as", "at", "by", "for", "from", "in", "on", "to", "with"})
_AUXILIARIES_TEXT = "is are do does can could should must may will would has have am"
_AUXILIARIES = frozenset(_AUXILIARIES_TEXT.split())
_ASKING = _AUXILIARIES | {"how", "what", "why", "when", "where", "which", "who"}
_DOUBLED = frozenset({"get", "run", "set", "stop", "submit"})  # in "getting"
_GERUNDS = {
    f"{verb.removesuffix('e')}{verb[-1] if verb in _DOUBLED else ''}ing": verb for verb in _VERBS
}
# "Getting started & setup", "Testing and development": topics.
_NO_OBJECTS = frozenset({"&", "and", "or", "now", "started"})
_NO_QUESTIONS = frozenset({"need", "ready"})  # "Need help?", "Ready to start?"
_STEP = re.compile(r"^(?:step\s+)?\d+[.:)]?\s", re.IGNORECASE)
_SIGNS = re.compile(r"^[^\w\x00-\x7f¿¡“‘«]+\s*")
_FORMS = tuple(
    (re.compile(pattern, re.IGNORECASE), question)
    for pattern, question in (
        (r"how (?:the |an? )?(?!it\b|this\b|that\b|they\b)(.+?) works$", "How does {} work?"),
        (r"what to do ((?:if|when|after|before) .+)", "What do I do {}?"),
        (r"how to (.+)", "How do I {}?"),
    )
)
_OF_READER = (
    (re.compile(r"\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\byourself\b", re.IGNORECASE), "myself"),
    (re.compile(r"\b(?:you are|you're)\b", re.IGNORECASE), "I am"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
)
_CAPITALIZED = re.compile(r"[A-Z][a-z]*\Z")
_SMALL = 3  # letters of words that not every title capitalizes
_NEEDING_OBJECTS = frozenset({"add", "create", "get", "set", "use"})
_NO_OBJECT_YET = frozenset({"to", "from", "with", "by", "for", "in", "on"})


def question_of(heading: str, *, names: str = "", is_english_text: bool) -> str:
    """Return the question that a heading asks, or that its verb forms; "" for a topic.

    Verbs are known of English only. Words of `names` keep their capitals.
    """
    text = _topic_of(heading)
    if not text or heading.lstrip().startswith("`"):  # a command, not a verb
        return text if text.endswith("?") else ""
    if not is_english_text:
        return text if text.endswith(("?", "？")) else ""
    return _by_reader(_asked(_in_lower_case(text, frozenset(names.split()))))


def _topic_of(heading: str) -> str:
    """Return the words of a heading, or "" if it is meaningless on its own."""
    text = _SIGNS.sub("", _STEP.sub("", re.sub(r"[`*_]", "", heading).strip()))
    text = text.strip().rstrip(".:")
    words = re.findall(r"[^\s?？]+", text.lower())
    if not words or len(text) > _LONGEST or set(words) <= _EMPTY or words[0] in _LEANING:
        return ""
    return text


def _in_lower_case(text: str, names: frozenset[str]) -> str:
    """Return a heading in title case with a capital only for the first word and for names."""
    first, *others = text.split(" ")
    long = [word for word in others if len(word) > _SMALL and word[0].isalpha()]
    small = [word for word in others if len(word) <= _SMALL and _lower(word) != word]
    is_title = bool(long) and (len(long) > 1 or small) and all(word[0].isupper() for word in long)
    if not is_title:
        return text
    return " ".join([first, *(word if word in names else _lower(word) for word in others)])


def _lower(word: str) -> str:
    plain = word.rstrip("?,;:!")
    return word.lower() if _CAPITALIZED.match(plain) and is_english(plain.lower()) else word


def _asked(text: str) -> str:
    words = re.findall(r"[^\s?]+", text.lower())
    for pattern, question in _FORMS:
        if found := pattern.match(text):
            return question.format(found[1].rstrip("?"))
    if words[1:2] == ["not"] or words[0] in _NO_QUESTIONS:
        return ""
    if words[0] in _ASKING:
        is_question = text.endswith("?") or _AUXILIARIES.intersection(words[:2])
        return f"{text.rstrip('?')}?" if is_question else ""
    verb = _GERUNDS.get(words[0], words[0])
    is_method = text.split(maxsplit=1)[0].isupper()  # "GET /v1/keys"
    if verb in _VERBS and _has_object(verb, words) and not is_method:
        return f"How do I {verb}{text[len(words[0]) :].rstrip('?')}?"
    return text if text.endswith("?") else ""


def _has_object(verb: str, words: list[str]) -> bool:
    """Report whether a heading that begins with a verb says what it is done to."""
    rest = [word for word in words[1:] if word not in _PARTICLES]
    if not rest or words[1] in _NO_OBJECTS:
        return False
    if verb in _NEEDING_OBJECTS and words[1] in _NO_OBJECT_YET:
        return False
    return words[0] not in _NOUNS_TOO or words[1] in _AFTER_VERBS


def _by_reader(question: str) -> str:
    """Return a question as the reader asks it: "my key" instead of "your key"."""
    for pattern, instead in _OF_READER:
        question = pattern.sub(instead, question)
    return question
