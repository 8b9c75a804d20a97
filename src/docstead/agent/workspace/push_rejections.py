"""Reasons of failed pushes, from what git and the remote print."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docstead.agent.workspace.remote import GitRemote
from docstead.publishing.git import GitFailed

_MOVED = re.compile(
    r"\[rejected\]|fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old"
)
_REFUSED = re.compile(r"\[remote rejected\][^(]*\((?P<reason>[^)]*)\)")
_REMOTE_TEXT = re.compile(r"(?m)^remote: *(?P<text>\S.*)$")
_DENIED = re.compile(
    r"error: 40[13]|could not read Username|needs credentials|denied|Authentication"
)
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class PushRejection:
    """Reason of a failed push."""

    message: str
    is_moved: bool = False  # the branch has commits that the push does not contain
    is_refused: bool = False  # by rules of the remote, such as protection of the branch


def push_rejection(error: GitFailed, remote: GitRemote, branch: str) -> PushRejection:
    """Return why a push to a branch failed."""
    refused = _REFUSED.search(error.printed)
    if _MOVED.search(refused["reason"] if refused else error.printed):
        return PushRejection(f"the branch {branch!r} has moved", is_moved=True)
    if refused:
        texts = (match["text"].strip() for match in _REMOTE_TEXT.finditer(error.printed))
        reason = " ".join(texts)[:_LONGEST_REASON] or refused["reason"]
        return PushRejection(f"the remote refuses a push to {branch!r}: {reason}", is_refused=True)
    if _DENIED.search(f"{error.printed}\n{error.message}"):
        return PushRejection(f"{remote.url}: the token may not push to the repository")
    return PushRejection(f"{remote.url}: {error.message}")
