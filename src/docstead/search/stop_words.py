"""English words without meaning for a question. By measurement, a longer list
loses more questions than it helps.
"""

_WORDS = """
a about all am an and any are as at be been being but by can can't could did do does doesn't
doing don't done for from get had has have having he her here hers him his how i i'm i've if in
into is isn't it it's its just let may me might more most must my no nor not of on or our ours
out shall she should so some such than that the their theirs them then there these they this
those to too us very was we were what what's when where which while who whom whose why will
with would you your yours
"""

STOP_WORDS = frozenset(_WORDS.split())

_GENERIC = """
ability able actually allow allows another best better change choose come consider correct correctly
currently decide difference different easily else ever everything exactly example examples explain
find first fix follow give given go good happen happened happening happens help instead issue issues
keep kind kinds know like main make makes making many mean means much necessary need needed needs
new nice one particular perform please possible prevent problem problems proper properly provide
question questions recommend recommended right same say see seem seems several show similar simple
someone something specific specify start started still stop successful such suggestion suggestions
support supported supports sure take tell thing things think three try trying turn two type types
understand use used useful uses using want wants way ways without work working works wrong yet
"""

#: Words of many questions. Their absence in a documentation means nothing.
GENERIC_WORDS = frozenset(_GENERIC.split())
