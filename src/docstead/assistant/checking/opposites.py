"""Sentences that say the opposite of each other."""

from __future__ import annotations

from docstead.assistant.checking.facts import Denial, Facts

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
available unavailable
both neither
client server
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


_PARTICLES = {"on": "off", "off": "on", "up": "down", "down": "up", "in": "out", "out": "in"}


def contradicts(claim: Facts, span: Facts) -> str:
    """Why the span speaks against the claim; "" where it does not."""
    return (
        _denied(claim, span)
        or _affirmed(claim, span)
        or _opposite(claim, span)
        or _switched(claim, span)
    )


def _switched(claim: Facts, span: Facts) -> str:
    """`switched on` against `switched off`: what a verb does is decided by the little word."""
    for verb, particle in claim.particles:
        other = _PARTICLES[particle]
        if (verb, other) in span.particles and (verb, particle) not in span.particles:
            return f"it says {verb} {other} there"
    return ""


def _denied(claim: Facts, span: Facts) -> str:
    """What the claim denies, the span must deny, too."""
    if len(claim.denials) > len(span.denials):
        return "it denies what is not denied there"
    for denial in claim.denials:
        if denial.words and not any(_shares(denial, other) for other in span.denials):
            return f"{denial.words[0]} is not denied there"
    return ""


def _affirmed(claim: Facts, span: Facts) -> str:
    """What the span denies, the claim must not affirm."""
    for denial in span.denials:
        head = denial.words[:1]
        if not head or head[0] not in claim.word_set:
            continue
        if any(_shares(other, denial) for other in claim.denials):
            continue
        # Elsewhere in the span it may be affirmed.
        if span.words.count(head[0]) > 1:
            continue
        if len(set(denial.words) & claim.word_set) == len(set(denial.words)):
            return f"{head[0]} is denied there"
    return ""


def _shares(one: Denial, other: Denial) -> bool:
    return bool(set(one.words) & set(other.words))


def _opposite(claim: Facts, span: Facts) -> str:
    for one, other in _BOTH_WAYS:
        is_claimed = one in claim.said and other not in claim.said
        if is_claimed and other in span.said and one not in span.said:
            return f"it says {other} there, not {one}"
    return ""


def are_opposites(stem: str, other: str) -> bool:
    return any(one.startswith(stem) and two.startswith(other) for one, two in _BOTH_WAYS)


_BOTH_WAYS = tuple(
    pair
    for line in _PAIRS.strip().splitlines()
    for one, other in [line.split()]
    for pair in ((one, other), (other, one))
)
