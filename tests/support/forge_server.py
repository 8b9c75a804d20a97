"""Forges that keep pull requests in memory, behind real servers of their protocols.

Replies are derived from the examples in the forges' own API descriptions, so that a
validating proxy in front of them accepts the replies as well.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

Answer = tuple[int, Any]  # status and body
Route = tuple[str, re.Pattern[str], Callable[..., Answer]]


@dataclass
class ForgeRequest:
    """A request to a forge."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    headers: Mapping[str, str]


@dataclass
class ForgeServer:
    """Common part of all forges: tokens, calls, and replies that take precedence."""

    tokens: set[str] = field(default_factory=lambda: {"the-token"})
    repository: str = "acme/handbook"
    calls: list[ForgeRequest] = field(default_factory=list)
    failures: list[tuple[int, Any, dict[str, str]]] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)  # methods whose answer is lost, done or not
    changes: list[dict[str, Any]] = field(default_factory=list)  # newest last
    comments: list[tuple[int, str]] = field(default_factory=list)
    statuses: list[dict[str, Any]] = field(default_factory=list)
    users: list[str] = field(default_factory=list)  # users who may be asked for reviews
    reviewers: list[str] = field(default_factory=list)  # users who were asked

    def routes(self) -> list[Route]:
        raise NotImplementedError

    def answer(self, call: ForgeRequest) -> Answer:
        for method, pattern, handle in self.routes():
            match = pattern.fullmatch(call.path)
            if match and method == call.method:
                return handle(call, **match.groupdict())
        return 404, {"message": "Not Found"}

    def is_known(self, call: ForgeRequest) -> bool:
        return call.headers.get("authorization", "").removeprefix("Bearer ") in self.tokens

    def made(self, method: str = "POST") -> list[ForgeRequest]:
        """Return the requests with a method."""
        return [call for call in self.calls if call.method == method]


class Front:
    """A server that dispatches to one forge after another, so that it can be reused."""

    def __init__(self) -> None:
        self.forge = ForgeServer()
        self.url = ""


@contextmanager
def front() -> Iterator[Front]:
    """Yield a running server."""
    held = Front()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(held))
    server.daemon_threads = True
    held.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield held
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(held: Front) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            call, forge = self._call(), held.forge
            forge.calls.append(call)
            if forge.failures:
                self._send(*forge.failures.pop(0))
                return
            status, body = forge.answer(call) if forge.is_known(call) else (401, _NO_TOKEN)
            if call.method in forge.breaks:
                forge.breaks.remove(call.method)
                self.close_connection = True
                return
            etag = f'"{hashlib.sha256(json.dumps(body).encode()).hexdigest()[:16]}"'
            if call.method == "GET" and call.headers.get("if-none-match") == etag:
                self._send(304, b"", {"etag": etag})
                return
            self._send(status, body, {"etag": etag})

        do_GET = do_POST = do_PATCH = do_PUT = _handle  # noqa: N815 - their names

        def _call(self) -> ForgeRequest:
            length = int(self.headers.get("content-length") or 0)
            parts = urlsplit(self.path)
            text = self.rfile.read(length)
            return ForgeRequest(
                self.command,
                parts.path,
                {key: values[0] for key, values in parse_qs(parts.query).items()},
                json.loads(text) if text else None,
                {key.lower(): value for key, value in self.headers.items()},
            )

        def _send(self, status: int, body: Any, headers: dict[str, str]) -> None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            kind = {} if status == 304 else {"content-type": "application/json"}
            for name, value in {**kind, **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


_PERMISSION = "repository-collaborator-permission-response-if-user-has-admin-permissions"
_NO_TOKEN = {"message": "Bad credentials", "documentation_url": "https://docs.example.com/rest"}


@dataclass
class GitHubServer(ForgeServer):
    """GitHub's pull requests, with the examples of its API description."""

    examples: Mapping[str, Any] = field(default_factory=dict)
    app_tokens: list[dict[str, Any]] = field(default_factory=list)  # request bodies
    expires_at: str = "2026-11-21T13:00:00Z"
    has_drafts: bool = True
    permissions: dict[str, str] = field(default_factory=lambda: {"ada": "write", "eve": "read"})

    def routes(self) -> list[Route]:
        repository = f"/repos/{re.escape(self.repository)}"
        return [
            ("GET", re.compile(f"{repository}/pulls"), self._list),
            ("POST", re.compile(f"{repository}/pulls"), self._create),
            ("GET", re.compile(rf"{repository}/pulls/(?P<number>\d+)"), self._get),
            ("PATCH", re.compile(rf"{repository}/pulls/(?P<number>\d+)"), self._update),
            (
                "POST",
                re.compile(rf"{repository}/pulls/(?P<number>\d+)/requested_reviewers"),
                self._ask,
            ),
            ("POST", re.compile(rf"{repository}/issues/(?P<number>\d+)/comments"), self._comment),
            ("POST", re.compile(f"{repository}/statuses/(?P<sha>[0-9a-f]+)"), self._status),
            (
                "GET",
                re.compile(f"{repository}/collaborators/(?P<user>[^/]+)/permission"),
                self._permission,
            ),
            ("GET", re.compile(f"{repository}/installation"), self._installation),
            ("POST", re.compile(r"/app/installations/\d+/access_tokens"), self._app_token),
            ("POST", re.compile("(/api)?/graphql"), self._graphql),
        ]

    def is_known(self, call: ForgeRequest) -> bool:
        return super().is_known(call) or "/installation" in call.path

    def end(self, number: int, *, merged: bool) -> None:
        """Merge or close a pull request on the forge."""
        change = self._numbered(number)
        change["state"] = "closed"
        change["merged"] = merged
        change["merged_at"] = "2026-11-21T12:00:00Z" if merged else None
        change["merged_by"] = self.examples["pull-request"]["value"]["user"] if merged else None

    def _list(self, call: ForgeRequest) -> Answer:
        owner, _, branch = call.query["head"].partition(":")
        assert owner == self.repository.partition("/")[0]
        found = [each for each in self.changes if each["head"]["ref"] == branch]
        if call.query.get("state", "open") != "all":
            found = [each for each in found if each["state"] == "open"]
        return 200, [_simple(each) for each in reversed(found)]

    def _create(self, call: ForgeRequest) -> Answer:
        branch, body = call.body["head"], call.body
        if any(c["head"]["ref"] == branch and c["state"] == "open" for c in self.changes):
            return 422, _invalid(f"A pull request already exists for acme:{branch}.")
        if body.get("draft") and not self.has_drafts:
            return 422, _invalid("Draft pull requests are not supported in this repository.")
        number = len(self.changes) + 1
        made = json.loads(json.dumps(self.examples["pull-request"]["value"]))
        made |= {
            "number": number, "title": body["title"], "body": body["body"],
            "draft": body.get("draft", False), "state": "open", "merged": False,
            "merged_at": None, "merged_by": None, "node_id": f"PR_{number}",
            "requested_reviewers": [], "requested_teams": [],
            "html_url": f"https://github.com/{self.repository}/pull/{number}",
        }  # fmt: skip
        made["head"]["ref"], made["base"]["ref"] = branch, body["base"]
        self.changes.append(made)
        return 201, made

    def _get(self, call: ForgeRequest, number: str) -> Answer:
        return 200, self._numbered(int(number))

    def _update(self, call: ForgeRequest, number: str) -> Answer:
        change = self._numbered(int(number))
        change |= call.body
        return 200, change

    def _ask(self, call: ForgeRequest, number: str) -> Answer:
        names = [*call.body["reviewers"], *call.body["team_reviewers"]]
        if not set(names) <= set(self.users):
            return 422, _invalid(
                "Reviews may only be requested from collaborators. One or more of the users or "
                f"teams you specified is not a collaborator of the {self.repository} repository."
            )
        self.reviewers += names
        user = self.examples["pull-request"]["value"]["user"]
        asked = [{**user, "login": name} for name in call.body["reviewers"]]
        self._numbered(int(number))["requested_reviewers"] += asked
        return 201, _simple(self._numbered(int(number)))

    def _comment(self, call: ForgeRequest, number: str) -> Answer:
        self.comments.append((int(number), call.body["body"]))
        return 201, {**self.examples["issue-comment"]["value"], "body": call.body["body"]}

    def _status(self, call: ForgeRequest, sha: str) -> Answer:
        self.statuses.append({"sha": sha, **call.body})
        return 201, {**self.examples["status"]["value"], **call.body}

    def _permission(self, call: ForgeRequest, user: str) -> Answer:
        if user not in self.permissions:
            return 404, {"message": f"{user} is not a user"}
        example, level = self.examples[_PERMISSION]["value"], self.permissions[user]
        account = {**example["user"], "role_name": level}  # the example lacks it
        return 200, {**example, "permission": level, "user": account}

    def _graphql(self, call: ForgeRequest) -> Answer:
        number = int(call.body["variables"]["id"].removeprefix("PR_"))
        is_draft = "convertPullRequestToDraft" in call.body["query"]
        if is_draft and not self.has_drafts:
            return 200, {"errors": [{"message": "Draft pull requests are not supported"}]}
        self._numbered(number)["draft"] = is_draft
        return 200, {"data": {}}

    def _installation(self, call: ForgeRequest) -> Answer:
        return 200, self.examples["installation"]["value"]

    def _app_token(self, call: ForgeRequest) -> Answer:
        self.app_tokens.append(call.body)
        token = f"ghs_{len(self.app_tokens)}"
        self.tokens.add(token)
        made = {"token": token, "expires_at": self.expires_at}
        return 201, {**self.examples["installation-token"]["value"], **made}

    def _numbered(self, number: int) -> dict[str, Any]:
        return self.changes[number - 1]


def _simple(change: dict[str, Any]) -> dict[str, Any]:
    only_whole = ("merged", "mergeable", "rebaseable", "mergeable_state", "merged_by", "comments",
                  "review_comments", "maintainer_can_modify", "commits", "additions", "deletions",
                  "changed_files")  # fmt: skip
    return {key: value for key, value in change.items() if key not in only_whole}


def _invalid(message: str) -> dict[str, Any]:
    return {
        "message": "Validation Failed",
        "errors": [{"resource": "PullRequest", "code": "custom", "message": message}],
        "documentation_url": "https://docs.github.com/rest/pulls/pulls#create-a-pull-request",
    }


@dataclass
class GitLabServer(ForgeServer):
    """GitLab's merge requests."""

    def routes(self) -> list[Route]:
        merges = r"(?:/.+)?/api/v4/projects/(?P<project>[^/]+)/merge_requests"
        return [
            ("GET", re.compile("(?:/.+)?/api/v4/users"), self._user),
            ("GET", re.compile(merges), self._list),
            ("POST", re.compile(merges), self._create),
            ("GET", re.compile(rf"{merges}/(?P<number>\d+)"), self._get),
            ("PUT", re.compile(rf"{merges}/(?P<number>\d+)"), self._update),
            ("POST", re.compile(rf"{merges}/(?P<number>\d+)/notes"), self._comment),
            (
                "POST",
                re.compile(
                    r"(?:/.+)?/api/v4/projects/(?P<project>[^/]+)/statuses/(?P<sha>[0-9a-f]+)"
                ),
                self._status,
            ),
        ]

    def answer(self, call: ForgeRequest) -> Answer:
        project = call.path.partition("/projects/")[2].partition("/")[0]
        if project and unquote(project) != self.repository:
            return 404, {"message": "404 Project Not Found"}
        return super().answer(call)

    def end(self, number: int, *, merged: bool) -> None:
        self.changes[number - 1]["state"] = "merged" if merged else "closed"
        self.changes[number - 1]["merge_user"] = {"id": 7, "username": "ada"} if merged else None

    def _list(self, call: ForgeRequest, project: str) -> Answer:
        branch = call.query["source_branch"]
        found = [each for each in self.changes if each["source_branch"] == branch]
        return 200, list(reversed(found))

    def _create(self, call: ForgeRequest, project: str) -> Answer:
        body = call.body
        for each in self.changes:
            if each["source_branch"] == body["source_branch"] and each["state"] == "opened":
                message = "Another open merge request already exists for this source branch"
                return 409, {"message": [f"{message}: !{each['iid']}"]}
        number = len(self.changes) + 1
        made = {
            "id": 1000 + number, "iid": number, "project_id": 3, "source_project_id": 3,
            "target_project_id": 3, "state": "opened", "source_branch": body["source_branch"],
            "target_branch": body["target_branch"], "title": body["title"],
            "description": body["description"], "draft": body["title"].startswith("Draft: "),
            "web_url": f"https://gitlab.com/{self.repository}/-/merge_requests/{number}",
        }  # fmt: skip
        self.changes.append(made)
        return 201, made

    def _get(self, call: ForgeRequest, project: str, number: str) -> Answer:
        return 200, self.changes[int(number) - 1]

    def _update(self, call: ForgeRequest, project: str, number: str) -> Answer:
        change = self.changes[int(number) - 1]
        change |= call.body
        asked = [n for n in call.body.get("reviewer_ids", ()) if n < len(self.users)]
        if asked:
            self.reviewers = [self.users[n] for n in asked]
            change["reviewers"] = [{"id": n, "username": self.users[n]} for n in asked]
        change["draft"] = change["title"].startswith("Draft: ")
        return 200, change

    def _user(self, call: ForgeRequest) -> Answer:
        """Return a user; users after the known ones exist but may not read the project."""
        names = [*self.users, "stranger"]
        name = call.query["username"]
        return 200, [{"id": n, "username": name} for n, each in enumerate(names) if each == name]

    def _comment(self, call: ForgeRequest, project: str, number: str) -> Answer:
        self.comments.append((int(number), call.body["body"]))
        return 201, {"id": 1, "body": call.body["body"]}

    def _status(self, call: ForgeRequest, project: str, sha: str) -> Answer:
        self.statuses.append({"sha": sha, **call.body})
        return 201, {"id": 1, "sha": sha, "status": call.body["state"]}
