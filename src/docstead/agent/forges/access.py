"""Docstead's credentials for a forge: a token, a key, or a GitHub App."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docstead.agent.workspace.remote import GitRemote
from docstead.base.errors import InvalidRequest

_SETTING = "DOCSTEAD_FORGE_CREDENTIALS"


@dataclass(frozen=True, slots=True)
class GitHubApp:
    """A GitHub App; without `installation_id` it is looked up by repository."""

    id: str
    private_key: str = field(repr=False)  # PEM
    installation_id: int | None = None


@dataclass(frozen=True, slots=True)
class ForgeAccess:
    """A named entry of the setting.

    `api_url` is "" if it follows from the repository's host. Only the operator can set it: a token
    is sent to the source's host and this URL only.
    """

    name: str
    token: str = field(default="", repr=False)
    username: str = ""
    api_url: str = ""
    app: GitHubApp | None = None
    ssh_key_file: Path | None = None  # private key for git over ssh
    organizations: frozenset[str] = frozenset()  # that may use it; empty means all


NO_ACCESS = ForgeAccess("")


def access_named(known: Mapping[str, ForgeAccess], name: str, organization_id: str) -> ForgeAccess:
    """Return the entry with this name, or None for "".

    Raises:
        InvalidRequest: the organization has no such entry.
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
    """Return a function that provides the token of an entry, or of the source's URL.

    Raises:
        InvalidRequest: there is no token.
    """
    token = access.token or (remote.credentials.password if remote.credentials else "")
    if token:
        return lambda: token
    raise InvalidRequest(
        f"{forge} needs a token: put one into {_SETTING} and choose it "
        "in the project's agent settings"
    )
