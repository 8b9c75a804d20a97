"""Forms of sentences that matter for citations and for removed neighbors."""

from __future__ import annotations

import re

_MOST_WORDS = 4  # of a label or an announcement
_LABEL = re.compile(r"\s*(\*\*|__)(?P<text>[^*_\n]+)\1\s*|(?P<announcement>[^\n]+)[:：]\W*")
_QUESTION = re.compile(r"[?？]\W*\Z")
_CONNECTIVE = re.compile(
    r"\s*(?:(?:however|therefore|thus|hence|nevertheless|nonetheless|that said|in addition"
    r"|additionally|moreover|furthermore|as a result|consequently|because of this"
    r"|cependant|toutefois|néanmoins|par conséquent|de plus|en outre"
    r"|sin embargo|no obstante|por (?:lo )?tanto|además"
    r"|no entanto|porém|contudo|portanto|além disso|tuttavia|pertanto|inoltre),\s+"
    r"|(?:不过|因此|但是|然而|此外|所以)[，,]?|(?:ただし|しかし|そのため|したがって|また|なお)、)(?=\S)",
    re.IGNORECASE,
)

# Without the first word of a German sentence, its subject comes before the verb. Only pronouns
# that are no articles are moved: "Allerdings musst du …" is "Du musst …".
_GERMAN_CONNECTIVE = re.compile(
    r"\s*(?:allerdings|jedoch|daher|deshalb|deswegen|folglich|somit|trotzdem|dennoch|außerdem"
    r"|zudem|darüber hinaus|infolgedessen)\s+"
    r"(?P<verb>(?-i:[a-zäöü])\w+)\s+(?P<subject>du|sie|er|es|man|wir|ich|dies)(?=[\s,.])",
    re.IGNORECASE,
)


def needs_no_citation(sentence: str) -> bool:
    """Report whether it only asks, labels or announces: "**Install it.**", "Then run:"."""
    if _QUESTION.search(sentence):
        return True
    found = _LABEL.fullmatch(sentence)
    text = found["text"] or found["announcement"] if found else ""
    return 0 < len(text.split()) <= _MOST_WORDS


def without_connective(sentence: str) -> str:
    """Return a sentence without a first word that refers to a removed one, such as "However,"."""
    if german := _GERMAN_CONNECTIVE.match(sentence):
        subject = german["subject"]
        return f"{subject[0].upper()}{subject[1:]} {german['verb']}{sentence[german.end() :]}"
    found = _CONNECTIVE.match(sentence)
    rest = sentence[found.end() :] if found else ""
    return rest[0].upper() + rest[1:] if rest else sentence
