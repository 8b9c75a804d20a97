"""Opening a change exactly once, also if calls to the forge fail."""

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
    """The open change that `find` knows, else the one that `create` makes.

    `create` is given the change that was merged or closed before. Where its answer is lost,
    or somebody else was faster, the change is looked for before another is asked for.
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
