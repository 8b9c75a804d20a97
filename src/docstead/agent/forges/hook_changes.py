"""Changes of pull requests in the webhook formats of GitHub and GitLab."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docstead.agent.forges import github, gitlab
from docstead.agent.forges.client import expected
from docstead.agent.forges.forge import ForgeChange


def github_change(event: str, payload: Mapping[str, Any]) -> ForgeChange | None:
    """Return the pull request of an event about one, or None for other events.

    Raises:
        ForgeUnreachable: the payload does not have GitHub's format.
    """
    if event != "pull_request":
        return None
    with expected("GitHub"):
        return github.change_of(payload["pull_request"])


def gitlab_change(payload: Mapping[str, Any]) -> ForgeChange | None:
    """Return the merge request of an event about one, or None for other events.

    Raises:
        ForgeUnreachable: the payload does not have GitLab's format.
    """
    with expected("GitLab"):
        if payload["object_kind"] != "merge_request":
            return None
        merge = payload["object_attributes"]
        merged_by = payload["user"] if merge.get("action") == "merge" else None
        more = {"web_url": merge["url"], "reviewers": payload.get("reviewers")}
        return gitlab.change_of({**merge, **more, "merge_user": merged_by})
