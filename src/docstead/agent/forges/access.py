"""Credentials of Docstead for a forge: a token, a key, or a GitHub App."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docstead.agent.workspace.remote import GitRemote
from docstead.base.errors import InvalidRequest

_SETTING = "DOCSTEAD_FORGE_CREDENTIALS"


@dataclass(frozen=True, slots=True)
class GitHubApp:
    """A GitHub App; `installation_id` is looked up by repository where it is None."""

    id: str
    private_key: str = field(repr=False)  # PEM
    installation_id: int | None = None


@dataclass(frozen=True, slots=True)
class ForgeAccess:
    """One named entry of the setting.

    `api_url` is "" where it follows from the repository's host. Only the operator names it:
    a token goes to the source's own host and there.
    """

    name: str
    token: str = field(default="", repr=False)
    username: str = ""
    api_url: str = ""
    app: GitHubApp | None = None
    ssh_key_file: Path | None = None  # private key for git over ssh
    organizations: frozenset[str] = frozenset()  # whose projects may use it; empty is all


NO_ACCESS = ForgeAccess("")


def access_named(known: Mapping[str, ForgeAccess], name: str, organization_id: str) -> ForgeAccess:
    """The entry of this name; none for "".

    Raises:
        InvalidRequest: there is no such entry for this organization.
    """
    if not name:
        return NO_ACCESS
    found = known.get(name)
    if found is None or (found.organizations and organization_id not in found.organizations):
        raise InvalidRequest(
            f"the project's agent settings name the credential {name!r}, "
            f"which is not in {_SETTING} for this organization"
        )
    return found


def token_of(access: ForgeAccess, remote: GitRemote, forge: str) -> Callable[[], str]:
    """Hands out the token of an entry, else the one in the source's own address.

    Raises:
        InvalidRequest: there is none.
    """
    token = access.token or (remote.credentials.password if remote.credentials else "")
    if token:
        return lambda: token
    raise InvalidRequest(
        f"{forge} needs a token: put one into {_SETTING} and choose it "
        "in the project's agent settings"
    )
