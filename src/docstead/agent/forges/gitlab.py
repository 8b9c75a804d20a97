"""GitLab, also self-managed, by its REST API v4.

A merge request is a draft if its title says so; the API has no other way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import quote, urlsplit

from docstead.agent.forges.client import ForgeClient, expected
from docstead.agent.forges.errors import ForgeNotFound
from docstead.agent.forges.forge import (
    ChangeReport,
    ChangeState,
    CommitStatus,
    ForgeChange,
    ForgeKind,
)
from docstead.agent.forges.idempotent_open import open_once
from docstead.agent.forges.texts import clipped, following, own_comment
from docstead.agent.forges.tokens import TokenSource
from docstead.agent.forges.urls import credentials_for, repository_of
from docstead.agent.workspace.remote import GitCredentials, GitRemote

_USERNAME = "oauth2"
_DRAFT = "Draft: "
_DRAFT_MARK = re.compile(r"\A\s*(?:draft:|\[draft\]|\(draft\))\s*", re.IGNORECASE)
_TITLE_CHARACTERS = 255
_BODY_CHARACTERS = 1_000_000
_STATUS_CHARACTERS = 255
_DEVELOPER = 30  # minimum access level for pushing
_STATES = {"merged": ChangeState.MERGED, "closed": ChangeState.CLOSED}  # "locked": being merged


def api_url_of(host: str) -> str:
    """Return the URL of a GitLab host's API."""
    return f"https://{host}/api/v4"


def headers_with(token: str) -> Mapping[str, str]:
    # Unlike PRIVATE-TOKEN, this header is dropped on redirects to other hosts.
    return {
        "Accept": "application/json",
        "Authorization": f"Bearer {token}",
        "User-Agent": "docstead",
    }


@dataclass(frozen=True)
class GitLab:
    """Merge requests of one repository."""

    remote: GitRemote
    calls: ForgeClient
    token: TokenSource

    @property
    def kind(self) -> ForgeKind:
        return ForgeKind.GITLAB

    def credentials(self) -> GitCredentials | None:
        return credentials_for(self.remote, _USERNAME, self.token())

    def find(self, branch: str) -> ForgeChange | None:
        found = self.calls.get(
            self._path(),
            source_branch=branch,
            state="all",
            order_by="created_at",
            sort="desc",
            per_page=20,
        )
        with expected("GitLab"):  # forks may have branches with the same name
            ours = [c for c in found if c["source_project_id"] == c["target_project_id"]]
        changes = [change_of(each) for each in ours]
        return next((each for each in changes if each.is_open), next(iter(changes), None))

    def open(
        self, branch: str, *, base: str, title: str, body: str, draft: bool = False
    ) -> ForgeChange:
        def create(before: ForgeChange | None) -> ForgeChange:
            requested = {
                "source_branch": branch,
                "target_branch": base,
                "title": _titled(title, draft=draft),
                "description": following(before, body, _BODY_CHARACTERS),
            }
            return change_of(self.calls.post(self._path(), requested))

        return open_once(partial(self.find, branch), create, self.calls.sleep)

    def update(self, change: ForgeChange, *, title: str, body: str, draft: bool) -> ForgeChange:
        requested = {
            "title": _titled(title, draft=draft),
            "description": clipped(body, _BODY_CHARACTERS),
        }
        known = self.calls.send("PUT", self._path(change.number), json=requested)
        return replace(change_of(known), follows=change.follows)

    def report(self, number: int, etag: str = "") -> ChangeReport | None:
        found = self.calls.get_changed(self._path(number), etag)
        return None if found is None else ChangeReport(change_of(found[0]), found[1])

    def request_reviews(self, change: ForgeChange, names: Sequence[str]) -> Sequence[str]:
        ids = {name: self._user_id(name) for name in names}
        known = self.calls.get(self._path(change.number))
        with expected("GitLab"):
            asked = [each["id"] for each in known.get("reviewers") or ()]
        more = [found for found in ids.values() if found is not None and found not in asked]
        if more:
            body = {"reviewer_ids": [*asked, *more]}
            known = self.calls.send("PUT", self._path(change.number), json=body)
        with expected("GitLab"):  # users without access to the project are missing in the result
            asked = [each["id"] for each in known.get("reviewers") or ()]
        return [_problem(name, found) for name, found in ids.items() if found not in asked]

    def _user_id(self, name: str) -> int | None:
        """Return the id of a user, or None; groups cannot be reviewers."""
        found = self.calls.get("/users", username=name) if "/" not in name else []
        with expected("GitLab"):
            return next((int(each["id"]) for each in found), None)

    def comment(self, change: ForgeChange, text: str) -> None:
        body = {"body": own_comment(text, _BODY_CHARACTERS)}
        self.calls.post(self._path(change.number, "notes"), body)

    def report_check(self, report: CommitStatus) -> None:
        body = {
            "state": "success" if report.passed else "failed",
            "target_url": report.url,
            "description": clipped(report.summary, _STATUS_CHARACTERS),
            "name": "docstead",
        }
        project = quote(self._project, safe="")
        self.calls.post(f"/projects/{project}/statuses/{report.commit}", body)

    def may_push(self, user: str) -> bool:
        project = quote(self._project, safe="")
        try:
            found = self.calls.get(f"/projects/{project}/members/all/{quote(user, safe='')}")
        except ForgeNotFound:
            return False
        with expected("GitLab"):
            return int(found["access_level"]) >= _DEVELOPER

    def _path(self, *parts: object) -> str:
        project = quote(self._project, safe="")
        return "/".join((f"/projects/{project}/merge_requests", *map(str, parts)))

    @property
    def _project(self) -> str:
        """Return the project's path, without the path of a server below a subpath."""
        below = urlsplit(self.calls.api_url).path.removesuffix("/api/v4").strip("/")
        return repository_of(self.remote).removeprefix(f"{below}/" if below else "")


def _problem(name: str, user_id: int | None) -> str:
    known = "GitLab has no such user" if user_id is None else "GitLab did not add this reviewer"
    return f"{name}: {known}"


def _titled(title: str, *, draft: bool) -> str:
    plain = _DRAFT_MARK.sub("", title)
    return clipped(f"{_DRAFT}{plain}" if draft else plain, _TITLE_CHARACTERS)


def change_of(merge: Mapping[str, Any]) -> ForgeChange:
    """Return a merge request of the API as a change.

    Raises:
        ForgeUnreachable: it does not have GitLab's format.
    """
    with expected("GitLab"):
        return ForgeChange(
            url=merge["web_url"],
            number=merge["iid"],
            state=_STATES.get(merge["state"], ChangeState.OPEN),
            draft=bool(merge.get("draft")),
            branch=merge["source_branch"],
            reviewers=_reviewers(merge),
        )


def _reviewers(merge: Mapping[str, Any]) -> tuple[str, ...]:
    merged_by = merge.get("merge_user") or merge.get("merged_by")  # the second before GitLab 14.7
    users = [merged_by] if merged_by else merge.get("reviewers") or ()
    return tuple(user["username"] for user in users if "username" in user)
