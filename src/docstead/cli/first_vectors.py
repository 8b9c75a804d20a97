"""The wait for vectors before a new site is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from rich.console import Console

from docstead.accounts.tenancy import Deployment
from docstead.app.services import AppServices
from docstead.base.errors import DocsteadError
from docstead.publishing.vectors import VectorProgress

_LONGEST_SECONDS = 120.0  # large sites become ready later
_LOOK_SECONDS = 0.5
_SAY_SECONDS = 5.0


def wait_for_vectors(services: AppServices, target: Deployment) -> None:
    """Wait until search by meaning works for a deployment, and print how far it is."""
    edition_id = services.tenancy.deployment(target.id).current_edition_id
    if services.vectors is None or edition_id is None:
        return
    vectors = services.vectors
    with suppress(DocsteadError):  # the service reports its outages itself
        vectors.start_missing()
        console = Console(highlight=False, soft_wrap=True)
        _wait(lambda: vectors.progress(edition_id), console.print, repeats=console.is_terminal)


def _wait(
    progress: Callable[[], VectorProgress], say: Callable[[str], object], *, repeats: bool
) -> None:
    """Wait; the progress is printed every five seconds if it `repeats`, otherwise once."""
    began = said = time.monotonic()
    is_due = True
    while not (found := progress()).is_ready:
        now = time.monotonic()
        if now - began > _LONGEST_SECONDS:
            say("Search compares words until the vectors of all sections are ready.")
            return
        if is_due and found.is_growing and now - said >= _SAY_SECONDS:
            said, is_due = now, repeats
            say(f"Preparing search by meaning: {found.done:,} of {found.total:,} sections")
        time.sleep(_LOOK_SECONDS)
