"""English words that say nothing about what a question is about. Measured: a longer list
loses more questions than it helps."""

_WORDS = """
a about all am an and any are as at be been being but by can can't could did do does doesn't
doing don't done for from get had has have having he her here hers him his how i i'm i've if in
into is isn't it it's its just let may me might more most must my no nor not of on or our ours
out shall she should so some such than that the their theirs them then there these they this
those to too us very was we were what what's when where which while who whom whose why will
with would you your yours
"""

STOP_WORDS = frozenset(_WORDS.split())
