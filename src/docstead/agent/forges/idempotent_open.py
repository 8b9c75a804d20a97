"""Opening a change exactly once, even if calls fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from docstead.agent.forges.errors import ForgeRefused, ForgeUnreachable
from docstead.agent.forges.forge import ForgeChange

_TRIES = 3
_PAUSE_SECONDS = 2.0


def open_once(
    find: Callable[[], ForgeChange | None],
    create: Callable[[ForgeChange | None], ForgeChange],
    sleep: Callable[[float], None],
) -> ForgeChange:
    """Return the open change that `find` finds, or the one that `create` creates.

    `create` receives the previous merged or closed change. If its response is lost or another
    process was faster, the change is looked up before it is created again.
    """
    before = find()
    if before is not None and before.is_open:
        return before
    follows = before.url if before else None
    for attempt in range(1, _TRIES + 1):
        try:
            return replace(create(before), follows=follows)
        except (ForgeRefused, ForgeUnreachable) as error:
            after = find()
            if after is not None and after.is_open:
                return replace(after, follows=follows)
            if attempt == _TRIES or isinstance(error, ForgeRefused):
                raise
            sleep(_PAUSE_SECONDS * attempt)
    raise AssertionError("the last try answers or raises")
