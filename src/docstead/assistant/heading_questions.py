"""Questions that headings ask, or that their verbs form."""

from __future__ import annotations

import re
from functools import lru_cache

from docstead.search.english import is_english

_LONGEST = 70
_REMEMBERED = 2_000  # headings, which follow many answers
_VERBS_TEXT = """
access activate add adjust aggregate analyze annotate apply archive assign attach audit authenticate
authorize automate avoid bind browse build bypass cache calculate call cancel capture change check
choose clear clone close collect combine compare compress compute configure connect control convert
copy count create customize deactivate debug declare decrypt define delete deploy detect determine
disable disconnect discover display download duplicate edit embed enable encrypt enforce enrich
evaluate execute expand explore export expose extend extract fetch filter find fix fork format
forward generate get grant group handle hide highlight host identify ignore implement import improve
increase initialize inject insert inspect install instrument integrate investigate invite invoke
isolate iterate join keep launch leave limit link list load log make manage mask match measure merge
migrate mock modify monitor mount move navigate normalize obtain open optimize organize override
parse pass pause persist pin plan populate prepare prevent preview prioritize process promote
protect provide provision publish push query read rebuild receive record recover redirect reduce
refresh refund register reject reload remove rename render reorder replace report request require
resend reset resize resolve respond restart restore restrict resume retrieve retry revert review
revoke rewrite rotate route run sanitize save scale schedule search secure select send serve set
share show sign simulate skip sort specify speed split start stop store stream structure submit
subscribe summarize suspend switch sync tag take test throttle toggle trace track transfer transform
translate trigger trim troubleshoot tune turn undo uninstall unlock unpublish unsubscribe update
upgrade upload use validate verify view visualize wait wrap write
"""
VERBS = frozenset(_VERBS_TEXT.split())
# Also nouns: "Sync interval", "Test cards", "Upgrade path". A word like "your" indicates verbs.
_NOUNS_TOO_TEXT = """
access audit build cache call capture change compute control copy count debug display download
duplicate embed export filter fix fork format forward grant group highlight host import launch leave
limit link list load log make mask match measure mock monitor mount move open pass pause pin plan
preview process push query read record redirect refund report request reset restart retry review
route run scale schedule search set share show sign skip sort speed split start stop store stream
structure switch sync tag test trace track transfer trigger turn upgrade upload use wait wrap write
"""
_NOUNS_TOO = frozenset(_NOUNS_TOO_TEXT.split())
_ONLY_VERBS = sorted(VERBS - _NOUNS_TOO)
_AFTER_VERBS_TEXT = """
a an the your my our its this that these all any another each every multiple several from to with
on off up out in into as by for via new custom existing it them
"""
_AFTER_VERBS = frozenset(_AFTER_VERBS_TEXT.split())
_ARTICLES = frozenset({"a", "an", "another", "no", "the"})
_PARTICLES = frozenset({"up", "on", "off", "out", "in", "now", "started"})
_EMPTY_TEXT = """
overview introduction summary example examples usage notes see also next steps what's next
prerequisites requirements parameters properties response request body headers faq related
resources more conclusion step description responses query path header cookie parameter
authorization it them this that these how what to do i works work fix happened need help ready get
getting new what's
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())
# Headings that continue the page's title.
_LEANING = frozenset({"after", "as", "at", "by", "for", "from", "in", "on", "to", "with"})
_AUXILIARIES_TEXT = "is are do does can could should must may will would has have am"
_AUXILIARIES = frozenset(_AUXILIARIES_TEXT.split())
_STATING = frozenset({"has", "have"})  # "Has a daily limit"
_ASKING = _AUXILIARIES | {"how", "what", "why", "when", "where", "which", "who"}
_DOUBLED = frozenset({"get", "run", "set", "stop", "submit"})  # in "getting"
GERUNDS = {
    f"{verb.removesuffix('e')}{verb[-1] if verb in _DOUBLED else ''}ing": verb for verb in VERBS
}
# "Streaming agent", "Testing environment": not what is done to it.
_ADJECTIVES_TEXT = "building forwarding loading moving running streaming testing tracing tracking"
_ADJECTIVES = frozenset(_ADJECTIVES_TEXT.split())
_FEW = 3
_DASHES = frozenset({"-", "–", "—"})
_POINTING = frozenset({"it", "this", "that", "them", "these"})  # to something that is not named
# "Filtering options": kinds of it.
_KINDS = frozenset({"basics", "considerations", "examples", "modes", "options", "strategies"})
# "Getting started & setup", "Testing and development": topics.
_NO_OBJECTS = frozenset({"&", "and", "or", "now", "started"})
_NO_QUESTIONS = frozenset({"need", "ready", "still"})  # "Need help?", "Still having issues?"
_ASIDE = re.compile(r"(?<!\s)\s*+\((?:optional|required|recommended)\)", re.IGNORECASE)
_MARKS = re.compile(r"[`*]|(?<!\w)_|_(?!\w)")
_STEP = re.compile(r"^(?:step\s+)?\d+[.:)]?\s", re.IGNORECASE)
_SIGNS = re.compile(r"^[^\w\x00-\x7f¿¡“‘«]+\s*")
_FORMS = tuple(
    (re.compile(pattern, re.IGNORECASE), question)
    for pattern, question in (
        (r"how (?:the |an? )?(?!it\b|this\b|that\b|they\b)(.+?) works$", "How does {} work?"),
        (r"what to do ((?:if|when|after|before) .+)", "What do I do {}?"),
        (r"how to (.+)", "How do I {}?"),
        (r"when to ((?!.*\b(?:this|it|them)$)\S+ .+)", "When should I {}?"),
        (r"where to (.+)", "Where do I {}?"),
        (r"what ((?:happens|changes|counts) .+)", "What {}?"),
        (
            r"((?:advantages|benefits|differences|kinds|risks|types) (?:between|from|of) .+)",
            "What are the {}?",
        ),
        (r"(difference between .+)", "What is the {}?"),
        (rf"why ((?:{'|'.join(_ONLY_VERBS)}) [^?]+)$", "Why should I {}?"),
    )
)
_OF_READER = (
    (re.compile(r"\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\byourself\b", re.IGNORECASE), "myself"),
    (re.compile(r"\b(?:you are|you're)\b", re.IGNORECASE), "I am"),
    (re.compile(r"(?<=\bfor )you\b|\b(?<=to )you\b|(?<=\bwith )you\b", re.IGNORECASE), "me"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
)
_CAPITALIZED = re.compile(r"[A-Z][a-z]*(?:-(?:[A-Z]?[a-z]+))*\Z")
# English words that are names in documentation.
_NAMES_TEXT = """
amazon android apple azure chrome discord docker excel facebook firefox google instagram java
linux microsoft notion oracle python ruby safari slack stripe swift telegram twitter windows zoom
"""
_NAMES = frozenset(_NAMES_TEXT.split())
_SMALL = 3  # letters of words that not every title capitalizes
_NEEDING_OBJECTS = frozenset({"access", "add", "create", "get", "set", "use"})
_NO_OBJECT_YET = frozenset({"to", "from", "with", "by", "for", "in", "on"})


@lru_cache(maxsize=_REMEMBERED)
def question_of(heading: str, *, names: str = "", is_english_text: bool) -> str:
    """Return the question that a heading asks, or that its verb forms; "" for a topic.

    Verbs are known of English only. Words of `names` keep their capitals.
    """
    text = _topic_of(heading)
    if not text or heading.lstrip().startswith("`"):  # a command, not a verb
        return text if text.endswith("?") else ""
    if not is_english_text:
        return text if text.endswith(("?", "？")) else ""
    return _by_reader(_asked(in_lower_case(text, frozenset(names.split()))))


def _topic_of(heading: str) -> str:
    """Return the words of a heading, or "" if it is meaningless on its own."""
    text = _ASIDE.sub("", _MARKS.sub("", heading))
    text = _SIGNS.sub("", _STEP.sub("", text.strip()))
    text = text.strip().rstrip(".:")
    words = re.findall(r"[^\s?？]+", text.lower())
    if not words or len(text) > _LONGEST or set(words) <= _EMPTY or words[0] in _LEANING:
        return ""
    return text


def in_lower_case(text: str, names: frozenset[str]) -> str:
    """Return a heading in title case with a capital only for the first word and for names."""
    first, *others = text.split(" ")
    long = [word for word in others if len(word) > _SMALL and word[0].isalpha()]
    small = [word for word in others if len(word) <= _SMALL and _lower(word) != word]
    several = len(long) > 1 or small or (long and _lower(long[0]).endswith("s"))  # "Delete Keys"
    is_title = bool(long) and several and all(word[0].isupper() for word in long)
    if not is_title:
        return text
    return " ".join([first, *(word if word in names else _lower(word) for word in others)])


def in_sentence(text: str, names: str) -> str:
    """Return a topic as it is written within a sentence.

    A name that is not known leaves its capitals to the others: "Key Revocation".
    """
    words = [word if word in names.split() else _lower(word) for word in text.split()]
    return (
        text if any(word[1:].islower() and word[0].isupper() for word in words) else " ".join(words)
    )


def _lower(word: str) -> str:
    plain = word.rstrip("?,;:!")
    parts = plain.lower().split("-")
    is_word = all(part == "a" or is_english(part) for part in parts) and _NAMES.isdisjoint(parts)
    return word.lower() if is_word and _CAPITALIZED.match(plain) else word


def _asked(text: str) -> str:
    words = re.findall(r"[^\s?]+", text.lower())
    for pattern, question in _FORMS:
        if found := pattern.match(text):
            said = found[1].rstrip("?")
            return question.format(f"{_lower(said[: said.find(' ')])}{said[said.find(' ') :]}")
    # "Build with AI: overview", "Deploy rejected — no secret"
    is_label = any(word.endswith(":") or word in _DASHES for word in words)
    if words[1:2] == ["not"] or words[0] in _NO_QUESTIONS or "vs" in words or is_label:
        return ""
    if words[0] == "getting" and text.endswith("?"):  # "Getting 401 with a valid key?"
        return f"Why do I get{text[len(words[0]) :]}"
    if words[0] in _ASKING:
        asks = words[0] not in _STATING and _AUXILIARIES.intersection(words[:2])
        is_question = asks or text.endswith("?")
        return f"{text.rstrip('?')}?" if is_question else ""
    verb = GERUNDS.get(words[0], words[0])
    is_method = text.split(maxsplit=1)[0].isupper()  # "GET /v1/keys"
    if verb in VERBS and _has_object(verb, words) and not is_method:
        return f"How do I {verb}{text[len(words[0]) :].rstrip('?')}?"
    return text if text.endswith("?") else ""


def _has_object(verb: str, words: list[str]) -> bool:
    """Report whether a heading that begins with a verb says what it is done to."""
    rest = [word for word in words[1:] if word not in _PARTICLES]
    if not _NO_OBJECTS.isdisjoint(words[1:2]):  # "Add or remove keys"
        return len(words) > _FEW and VERBS.issuperset((words[0], words[2]))
    if not rest or _POINTING.issuperset(rest) or rest[-1] in _LEANING:
        return False
    if verb in _NEEDING_OBJECTS and words[1] in _NO_OBJECT_YET:
        return False
    if words[1].endswith("s") and words[1][:-1] in VERBS and _ARTICLES.intersection(words[2:3]):
        return False  # a command: "publish creates another folder"
    if words[0] in GERUNDS:
        return not _is_topic(words, rest)
    return words[0] not in _NOUNS_TOO or words[1] in _AFTER_VERBS


def _is_topic(words: list[str], rest: list[str]) -> bool:
    """Report whether a heading that begins with "-ing" names something: "Filtering options"."""
    is_kind = words[0] in _ADJECTIVES and not words[-1].endswith("s") and len(words) <= _FEW
    # "Taking and saving pictures" would need both verbs changed.
    return is_kind or rest[-1] in _KINDS or not GERUNDS.keys().isdisjoint(rest)


def _by_reader(question: str) -> str:
    """Return a question as the reader asks it: "my key" instead of "your key"."""
    for pattern, instead in _OF_READER:
        question = pattern.sub(instead, question)
    return question
