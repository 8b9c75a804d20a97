"""Words of technical English with opposite meanings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

#: Words on the left of a line are opposites of those on its right.
_GROUPS = """
accept accepted | reject refuse decline deny block
activate active | deactivate inactive deactivated
add append attach | remove detach
allow permit | forbid prevent deny block disallow prohibit
always | never
append add | overwrite replace
approve | reject decline deny
ascending | descending
asynchronous asynchronously async | synchronous synchronously sync
automatic automatically | manual manually yourself hand
available | unavailable
average | sum
sum total | maximum minimum
independent | increase grow rise depend
backward | forward
best | worst
block blocked | unblock
both either | neither
capped limited restricted bounded | unlimited unrestricted unbounded
cheap cheaper | expensive
clear | retain
client | server
close closed | open reopen
commit | rollback revert
compressed | uncompressed
connect connected | disconnect disconnected
continue resume proceed | stop abort halt pause cancel
create | delete destroy
decrease reduce shrink fall drop | increase grow rise raise
default | custom
delete remove erase purge discard | keep retain preserve keeps kept restore
delete | merge
depend dependent | independent
disable disabled deactivate | enable enabled activate
discard lose lost drop dropped revoke invalidate skip | keep kept preserve retain
duplicate repeated | unique
earlier | later
earliest | latest
encrypt encrypted | decrypt plaintext unencrypted plain
eventually later delayed | immediately instantly
every | no
exclude excluded omit omitted | include included
expand | collapse
explicit explicitly | implicit implicitly
external | internal
fail failed failure | succeed success successful successfully pass
false | true
fast faster | slow slower
finite limited | infinite
first | last
free | paid
full | empty
global globally | local locally
grant | revoke
guaranteed | best-effort
hide hidden | show shown visible display
higher | lower
highest | lowest
ignore ignored | throw respect honor honour apply consider considered
import | export
inbound incoming | outbound outgoing
inherit | override
input | output
install | uninstall
invalid | valid
join | leave
large larger | small smaller
left | right
less fewer | more
link | unlink
load | unload
lock locked | unlock unlocked
long longer | short shorter
lowercase | uppercase
maximum max | minimum min
most | least
mount | unmount
mutable | immutable
mute | unmute
nested | flat
new newer newest | old older oldest
offline | online
once | repeatedly
single | multiple several many
optional optionally | required mandatory compulsory
ordered sequential sequentially | unordered random randomly parallel concurrently
parallel concurrently simultaneously | sequentially serially
parent | child
partial partially partly | complete completely entirely fully
pause | resume
permanent permanently | temporary temporarily
pin | unpin
possible | impossible
prepend | append
prevent | risk
private | public
proceed | abort
production | sandbox
promote | demote
publish published | unpublish draft
push | pull
queue queued enqueue enqueued | skip
read | write
readonly | writable
recommended encouraged advised | discouraged unadvised
register | unregister
relative | absolute
reliable reliably | unreliable
replace | keep
reset | keep
retry retried | skip
reversible | irreversible
rule | risk
safe | unsafe
same identical equal | different distinct
same | separate separately
secure | insecure
sender | receiver recipient
sensitive | insensitive
separate separately | together
shared common | separate dedicated
sign | verify
stable | unstable
start started begin | stop stopped
stateful | stateless
static | dynamic
strict strictly | lenient loosely
strong | weak
subscribe | unsubscribe
supported | unsupported
synced | unsynced
top | bottom
trusted | untrusted
upload | download
upgrade | downgrade
upper | lower
upstream | downstream
use used | ignore ignored bypass bypassed skip skipped
verified | unverified
wait | immediately
carry | forfeit
wins | loses
"""


@dataclass(frozen=True, slots=True)
class OppositeSense:
    """Words that mean the same as one, and its opposites."""

    mates: frozenset[str]
    opposites: frozenset[str]


@cache
def senses() -> Mapping[str, Sequence[OppositeSense]]:
    """Return, for each word, its lines as `OppositeSense`."""
    found: dict[str, list[OppositeSense]] = {}
    for line in _GROUPS.strip().splitlines():
        left, right = (frozenset(words.split()) for words in line.split("|"))
        for mates, opposites in ((left, right), (right, left)):
            for word in mates:
                found.setdefault(word, []).append(OppositeSense(mates, opposites))
    return found
