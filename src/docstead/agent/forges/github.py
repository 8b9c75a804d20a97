"""GitHub and GitHub Enterprise Server, by the REST API.

Drafts are changed by GraphQL, because REST does not support it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import quote

from docstead.agent.forges.client import ForgeClient, expected
from docstead.agent.forges.errors import ForgeNotFound, ForgeRefused
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

API_VERSION = "2022-11-28"
PUBLIC_HOSTS = ("github.com", "ssh.github.com")  # the second serves ssh on port 443
_USERNAME = "x-access-token"
_TITLE_CHARACTERS = 256
_BODY_CHARACTERS = 65_536
_STATUS_CHARACTERS = 140
_PUSHING = ("admin", "write")  # "write" includes the role "maintain"

READY = """mutation Ready($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}"""
DRAFT = """mutation Draft($id: ID!) {
  convertPullRequestToDraft(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}"""


def api_url_of(host: str) -> str:
    """Return the URL of a GitHub host's API."""
    return "https://api.github.com" if host in PUBLIC_HOSTS else f"https://{host}/api/v3"


def headers_with(token: str) -> Mapping[str, str]:
    return {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {token}",
        "User-Agent": "docstead",
        "X-GitHub-Api-Version": API_VERSION,
    }


@dataclass(frozen=True)
class GitHub:
    """Pull requests of one repository."""

    remote: GitRemote
    calls: ForgeClient
    token: TokenSource

    @property
    def kind(self) -> ForgeKind:
        return ForgeKind.GITHUB

    def credentials(self) -> GitCredentials | None:
        return credentials_for(self.remote, _USERNAME, self.token())

    def find(self, branch: str) -> ForgeChange | None:
        owner = repository_of(self.remote).partition("/")[0]
        found = self.calls.get(
            self._path("pulls"),
            head=f"{owner}:{branch}",
            state="all",
            sort="created",
            direction="desc",
            per_page=20,
        )
        with expected("GitHub"):
            changes = [change_of(each) for each in found]
        return next((each for each in changes if each.is_open), next(iter(changes), None))

    def open(
        self, branch: str, *, base: str, title: str, body: str, draft: bool = False
    ) -> ForgeChange:
        def create(before: ForgeChange | None) -> ForgeChange:
            text = {
                "title": clipped(title, _TITLE_CHARACTERS),
                "body": following(before, body, _BODY_CHARACTERS),
                "head": branch,
                "base": base,
            }
            return change_of(self._create(text, draft=draft))

        return open_once(partial(self.find, branch), create, self.calls.sleep)

    def update(self, change: ForgeChange, *, title: str, body: str, draft: bool) -> ForgeChange:
        text = {
            "title": clipped(title, _TITLE_CHARACTERS),
            "body": clipped(body, _BODY_CHARACTERS),
        }
        known = self.calls.send("PATCH", self._path("pulls", change.number), json=text)
        updated = replace(change_of(known), follows=change.follows)
        if updated.draft != draft and updated.is_open:
            with expected("GitHub"):
                node_id = known["node_id"]
            updated = replace(updated, draft=self._switch_draft(node_id, draft=draft))
        return updated

    def report(self, number: int, etag: str = "") -> ChangeReport | None:
        found = self.calls.get_changed(self._path("pulls", number), etag)
        return None if found is None else ChangeReport(change_of(found[0]), found[1])

    def request_reviews(self, change: ForgeChange, names: Sequence[str]) -> Sequence[str]:
        try:
            self._request(change, names)
        except ForgeRefused as error:  # GitHub rejects all of them if one is unknown
            if len(names) == 1:
                return [f"{names[0]}: {error.message}"]
            return [each for name in names for each in self.request_reviews(change, [name])]
        return ()

    def _request(self, change: ForgeChange, names: Sequence[str]) -> None:
        teams = [name.partition("/")[2] for name in names if "/" in name]
        users = [name for name in names if "/" not in name]
        body = {"reviewers": users, "team_reviewers": teams}
        self.calls.post(self._path("pulls", change.number, "requested_reviewers"), body)

    def comment(self, change: ForgeChange, text: str) -> None:
        body = {"body": own_comment(text, _BODY_CHARACTERS)}
        self.calls.post(self._path("issues", change.number, "comments"), body)

    def report_check(self, report: CommitStatus) -> None:
        body = {
            "state": "success" if report.passed else "failure",
            "target_url": report.url,
            "description": clipped(report.summary, _STATUS_CHARACTERS),
            "context": "docstead",
        }
        self.calls.post(self._path("statuses", report.commit), body)

    def may_push(self, user: str) -> bool:
        path = self._path("collaborators", quote(user, safe=""), "permission")
        try:
            found = self.calls.get(path)
        except ForgeNotFound:
            return False
        with expected("GitHub"):
            return found["permission"] in _PUSHING

    def _create(self, text: Mapping[str, str], *, draft: bool) -> Any:
        try:
            return self.calls.post(self._path("pulls"), {**text, "draft": draft})
        except ForgeRefused as error:
            # Some plans do not support drafts in private repositories.
            if not draft or "draft" not in error.message.lower():
                raise
            return self.calls.post(self._path("pulls"), {**text, "draft": False})

    def _switch_draft(self, node_id: str, *, draft: bool) -> bool:
        """Change the draft state and report it; unsupported changes have no effect."""
        query = DRAFT if draft else READY
        answer = self.calls.post(self._graphql, {"query": query, "variables": {"id": node_id}})
        with expected("GitHub"):
            return draft if not answer.get("errors") else not draft

    @property
    def _graphql(self) -> str:
        # On Enterprise Server it is next to `/api/v3`, not below it.
        return f"{self.calls.api_url.removesuffix('/v3')}/graphql"

    def _path(self, *parts: object) -> str:
        repository = "/".join(
            quote(part, safe="") for part in repository_of(self.remote).split("/")
        )
        return "/".join((f"/repos/{repository}", *map(str, parts)))


def change_of(pull: Mapping[str, Any]) -> ForgeChange:
    """Return a pull request of the API or of a webhook as a change.

    Raises:
        ForgeUnreachable: it does not have GitHub's format.
    """
    with expected("GitHub"):
        return ForgeChange(
            url=pull["html_url"],
            number=pull["number"],
            state=_state(pull),
            draft=bool(pull.get("draft")),
            branch=pull["head"]["ref"],
            reviewers=_reviewers(pull),
        )


def _reviewers(pull: Mapping[str, Any]) -> tuple[str, ...]:
    if pull.get("merged_by"):
        return (pull["merged_by"]["login"],)
    users = [user["login"] for user in pull.get("requested_reviewers") or ()]
    return (*users, *(team["slug"] for team in pull.get("requested_teams") or ()))


def _state(pull: Mapping[str, Any]) -> ChangeState:
    with expected("GitHub"):
        if pull.get("merged_at"):
            return ChangeState.MERGED
        return ChangeState.OPEN if pull["state"] == "open" else ChangeState.CLOSED
