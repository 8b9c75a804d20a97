"""Pull request comments in the webhook formats of GitHub and GitLab."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docstead.agent.forges.client import expected
from docstead.agent.forges.texts import is_own_comment

_MENTION = re.compile(r"(?<![\w@/])@docstead\b[:,]?\s*", re.IGNORECASE)
# Members and collaborators may have no more than read access.
_IS_TRUSTED = {"OWNER": True, "MEMBER": None, "COLLABORATOR": None}


@dataclass(frozen=True, slots=True)
class ForgeComment:
    """A comment that mentions `@docstead`. `user` is the author as the forge's API names users.

    `is_trusted` is None if the forge must be asked whether the author may push.
    """

    id: str
    pull_request: str  # its URL
    author: str
    user: str
    text: str
    about: str = ""  # file and line
    is_trusted: bool | None = None

    @property
    def instruction(self) -> str:
        about = f", about {self.about}" if self.about else ""
        return f"{self.text}\n\nThis is a comment by {self.author} on the pull request{about}."


def github_comment(event: str, payload: Mapping[str, Any]) -> ForgeComment | None:
    """Return a new pull request comment, or None for other events.

    Raises:
        ForgeUnreachable: the payload does not have GitHub's format.
    """
    with expected("GitHub"):
        if event == "pull_request_review" and payload["action"] == "submitted":
            comment, pull = payload["review"], payload["pull_request"]
        elif event == "pull_request_review_comment" and payload["action"] == "created":
            comment, pull = payload["comment"], payload["pull_request"]
        elif event == "issue_comment" and payload["action"] == "created":
            comment, pull = payload["comment"], payload["issue"]
        else:
            return None
        text = _instruction(comment["body"])
        if text is None or comment["user"]["type"] == "Bot":
            return None
        return ForgeComment(
            id=f"{event} {comment['id']}",
            pull_request=str(pull["html_url"]),
            author=str(comment["user"]["login"]),
            user=str(comment["user"]["login"]),
            text=text,
            about=_location(comment.get("path"), comment.get("line")),
            is_trusted=_IS_TRUSTED.get(comment["author_association"], False),
        )


def gitlab_comment(payload: Mapping[str, Any]) -> ForgeComment | None:
    """Return a new merge request comment, or None for other events.

    Raises:
        ForgeUnreachable: the payload does not have GitLab's format.
    """
    with expected("GitLab"):
        if payload["object_kind"] != "note" or "merge_request" not in payload:
            return None
        note = payload["object_attributes"]
        text = _instruction(note["note"])
        if text is None or note.get("action", "create") != "create" or note.get("system"):
            return None
        position = note.get("position") or {}
        return ForgeComment(
            id=f"note {note['id']}",
            pull_request=str(payload["merge_request"]["url"]),
            author=str(payload["user"]["username"]),
            user=str(payload["user"]["id"]),
            text=text,
            about=_location(position.get("new_path"), position.get("new_line")),
        )


def _instruction(body: str | None) -> str | None:
    """Return the text without its mention, or None if there is no mention or no other text.

    Our own comments quote texts that may mention us.
    """
    if is_own_comment(body or ""):
        return None
    text, mentions = _MENTION.subn("", body or "")
    return text.strip() or None if mentions else None


def _location(path: str | None, line: int | None) -> str:
    if not path:
        return ""
    return f"{path}:{line}" if line else path
