"""Additional repositories that the operator approves for reading by agent jobs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ApprovedRepository:
    """An entry of the setting.

    `credential` names the forge credential for reading it; "" is the project's own, if the
    repository is on the host of the project's source. `organizations` are those that may read it;
    empty means all.
    """

    url: str
    credential: str = ""
    organizations: frozenset[str] = frozenset()

    def is_for(self, organization_id: str) -> bool:
        return not self.organizations or organization_id in self.organizations


def approved_for(
    known: Iterable[ApprovedRepository], organization_id: str
) -> dict[str, ApprovedRepository]:
    """Return the entries for an organization, by URL."""
    return {each.url: each for each in known if each.is_for(organization_id)}
