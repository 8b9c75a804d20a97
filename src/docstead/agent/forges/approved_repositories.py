"""Further repositories that the operator of the service lets agent jobs read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ApprovedRepository:
    """One entry of the setting.

    `credential` names the forge credential it is read with; with "" it is the project's own,
    where the repository is on the host of the project's source. `organizations` are those
    whose projects may read it; empty is all.
    """

    address: str
    credential: str = ""
    organizations: frozenset[str] = frozenset()

    def is_for(self, organization_id: str) -> bool:
        return not self.organizations or organization_id in self.organizations


def approved_for(
    known: Iterable[ApprovedRepository], organization_id: str
) -> dict[str, ApprovedRepository]:
    """The entries for an organization, by address."""
    return {each.address: each for each in known if each.is_for(organization_id)}
