"""Detection of sentences with opposite meanings."""

from __future__ import annotations

import re
from collections import Counter

from docstead.assistant.checking.facts import Negation, TextFacts, base_forms
from docstead.assistant.checking.opposite_words import senses

_CASE = re.compile(r"^(?:if|when|unless|where)\b[^,]*,", re.IGNORECASE)
# Before and after what a sentence says: "Without a key, …", "…, so you can do without it".
_ASIDE = re.compile(
    r"^(?:if|when|unless|where|without|for)\b[^,]*,|^[^:]{1,60}: |,? so (?:that )?.*$",
    re.IGNORECASE,
)
_NOT = frozenset({"not", "cannot", "no", "never"})
_NEARLY_SAME = 0.5  # of the words of a sentence
_BESIDE = 4  # words on each side that the opposite refers to

_PAIRS = """
accept reject
add remove
after before
allow forbid
allow prevent
always never
ascending descending
asynchronous synchronous
automatically manually
automatically yourself
available unavailable
both neither
client server
continue stop
create delete
decrease increase
default custom
deny allow
disable enable
disabled enabled
earlier later
earliest latest
encrypt decrypt
every no
exclude include
excluded included
expand collapse
external internal
false true
fast slow
faster slower
first last
global local
grant revoke
hidden visible
hide show
higher lower
highest lowest
import export
input output
invalid valid
large small
larger smaller
left right
less more
lock unlock
lowercase uppercase
maximum minimum
most least
mutable immutable
new old
newer older
newest oldest
offline online
one many
one multiple
one several
open close
optional required
optional mandatory
parent child
pass fail
pause resume
permanent temporary
possible impossible
public private
push pull
read write
receive send
safe unsafe
same different
shared separate
separately together
secure insecure
sender receiver
shorter longer
single multiple
start stop
static dynamic
subscribe unsubscribe
success failure
succeed fail
supported unsupported
top bottom
upload download
upgrade downgrade
"""


#: Words that are opposites only where they are said of the same.
_PAIRS_IN_PLACE = """
accept refuse
append overwrite
append replace
average sum
delete merge
depend independent
discard keep
eventually immediately
delete keep
grow independent
ignore throw
immediately later
increase independent
inherit override
keep lose
maximum sum
minimum sum
plaintext encrypted
prevent risk
rise independent
risk rule
same separate
same separately
carry forfeit
limited unlimited
"""


_PARTICLES = {"on": "off", "off": "on", "up": "down", "down": "up", "in": "out", "out": "in"}


#: Words of negation in a broad sense.
_NEGATIVE = re.compile(
    r"(?<![\w-])(?:not|no|never|none|neither|nor|cannot|without|nothing|nobody|\w+n['’]t|non-\w+|un(?!til|der|i)[a-z]{3,}"
    r"|in(?:valid|correct|secure)|avoid\w*|instead|rather|except|unless|only|lack\w*|missing|miss"
    r"|fail\w*|refus\w*|reject\w*|forbid\w*|prohibit\w*|prevent\w*|disabl\w*|block\w*|ignor\w*|skip\w*|omit\w*|empty"
    r"|leave|leav\w+|lost|lose\w*|gone|stop\w*|off|too(?= \w)|small|less|few|hardly|remov\w*|drop\w*"
    r"|(?:stay|leav|left|keep)\w* out|keep\w* [\w ]+ from|discard\w*|limit\w*|otherwise|even|though|despite|free|beyond|outside|exclud\w*|den(?:y|ies))(?![\w-])",
    re.IGNORECASE,
)


def says_no(text: str) -> bool:
    """Report whether a text negates, excludes or limits anything."""
    return bool(_NEGATIVE.search(text))


def disagrees(claim: TextFacts, span: TextFacts) -> bool:
    """Report whether a contradiction changes the meaning; a double negation does not.

    "Refuses to start without a key" and "refuses to start if the key is unset" agree.
    """
    if not (claim.denials or span.denials):
        return True
    if len(claim.word_set & span.word_set) < _NEARLY_SAME * len(span.word_set):
        return False
    own, theirs = _negatives(claim.text), _negatives(span.text)
    return ((own - theirs).total() + (theirs - own).total()) % 2 == 1


def _negatives(text: str) -> Counter[str]:
    """Count words of negation, except in a subordinate clause at the beginning."""
    found = (word.lower() for word in _NEGATIVE.findall(_CASE.sub("", text)))
    return Counter(
        "not" if word in _NOT or word.endswith(("n't", "n’t")) else word for word in found
    )


def contradicts(claim: TextFacts, span: TextFacts) -> str:
    """Return why the span contradicts the claim, or ""."""
    return (
        _denied(claim, span)
        or _affirmed(claim, span)
        or _opposite(claim, span)
        or _switched(claim, span)
    )


def _switched(claim: TextFacts, span: TextFacts) -> str:
    """Return a contradiction such as `switched on` and `switched off`."""
    for verb, particle in claim.particles:
        other = _PARTICLES[particle]
        if (verb, other) in span.particles and (verb, particle) not in span.particles:
            return f"it says {verb} {other} there"
    return ""


def _denied(claim: TextFacts, span: TextFacts) -> str:
    """Return what the claim denies and the span does not, or ""."""
    own = TextFacts(without_asides(claim.text), claim.analyser) if claim.denials else claim
    denials = own.denials
    if len(denials) > len(span.denials):
        return "it denies what is not denied there"
    for denial in denials:
        if denial.words and not any(_shares(denial, other) for other in span.denials):
            return f"{denial.words[0]} is not denied there"
    return ""


def without_asides(text: str) -> str:
    """Return what a sentence says, without a condition before it or a result behind it."""
    return _ASIDE.sub("", text)


def _affirmed(claim: TextFacts, span: TextFacts) -> str:
    """Return what the claim affirms and the span denies, or ""."""
    for denial in span.denials:
        head = denial.words[:1]
        if not head or head[0] not in claim.word_set:
            continue
        if any(_shares(other, denial) for other in claim.denials):
            continue
        # It may be affirmed elsewhere in the span.
        if span.words.count(head[0]) > 1:
            continue
        if len(set(denial.words) & claim.word_set) == len(set(denial.words)):
            return f"{head[0]} is denied there"
    return ""


def _shares(one: Negation, other: Negation) -> bool:
    return bool(set(one.words) & set(other.words))


def _opposite(claim: TextFacts, span: TextFacts) -> str:
    for one, other in _BOTH_WAYS:
        is_claimed = one in claim.said and other not in claim.said
        if is_claimed and other in span.said and one not in span.said:
            return f"it says {other} there, not {one}"
    return ""


def are_opposites(stem: str, other: str) -> bool:
    return any(one.startswith(stem) and two.startswith(other) for one, two in _BOTH_WAYS)


#: The order of two things is compared separately.
_ORDER = frozenset(["after", "before", "first", "last", "earlier", "later"])


def opposed(claim: TextFacts, other: TextFacts) -> tuple[str, str] | None:
    """Return a word of the claim and its opposite in another sentence about the same words."""
    if claim.denials:
        return None
    denied = frozenset(word for denial in other.denials for word in denial.words)
    for one in sorted((claim.forms & senses().keys()) - _ORDER):
        for sense in senses()[one]:
            if sense.opposites & claim.forms or sense.mates & other.forms:
                continue
            for opposite in sorted(sense.opposites & other.forms):
                is_denied = not denied.isdisjoint(claim.analyser.terms(opposite))
                if not is_denied and _around(claim, one) & _around(other, opposite):
                    return one, opposite
    return None


def means(pair: tuple[str, str], other: TextFacts) -> bool:
    """Report whether another sentence has the first word of a pair, or one that means the same."""
    one, opposite = pair
    return any(
        not sense.mates.isdisjoint(other.forms)
        for sense in senses()[one]
        if opposite in sense.opposites
    )


def _around(facts: TextFacts, word: str) -> frozenset[str]:
    """Return stems of the words next to a word."""
    words = re.findall(r"[a-z]+", facts.text.lower())
    places = [place for place, each in enumerate(words) if word in base_forms(each)]
    return frozenset(
        stem
        for place in places
        for each in words[max(0, place - _BESIDE) : place + _BESIDE + 1]
        for stem in facts.analyser.terms(each)
    ) - {facts.analyser.stem(word)}


def _both_ways(pairs: str) -> tuple[tuple[str, str], ...]:
    lines = (line.split() for line in pairs.strip().splitlines())
    return tuple(pair for one, other in lines for pair in ((one, other), (other, one)))


_BOTH_WAYS = _both_ways(_PAIRS)
_BOTH_WAYS_IN_PLACE = _both_ways(_PAIRS_IN_PLACE)
