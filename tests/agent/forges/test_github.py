"""GitHub's pull requests. Every call passes a proxy that checks it by GitHub's description."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

import patient_http
from docstead.agent.forges import ChangeState, ForgeChange, ForgeKind
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.errors import ForgeUnreachable
from docstead.agent.forges.forge import CommitStatus
from docstead.agent.forges.github import DRAFT, READY, headers_with
from github_description import FOLDER, query_parameters

SOURCE = "https://github.com/acme/handbook.git"
BRANCH = "docstead/webhooks-0f3c"
TEXT = {"base": "main", "title": "Describe webhooks", "body": "What changed, and why."}


@pytest.fixture
def github(harness: Any, github_server: Any, github_proxy: str) -> Any:
    return harness.forge(SOURCE, ForgeAccess("bot", "the-token", api_url=github_proxy))


def test_a_change_is_opened_once(github: Any, github_server: Any) -> None:
    opened = github.open(BRANCH, **TEXT)
    url = "https://github.com/acme/handbook/pull/1"
    assert opened == ForgeChange(url, 1, ChangeState.OPEN, draft=False, branch=BRANCH)
    assert github.open(BRANCH, **TEXT) == opened
    assert len(github_server.changes) == 1
    made = github_server.changes[0]
    assert (made["title"], made["body"]) == ("Describe webhooks", "What changed, and why.")
    assert (made["head"]["ref"], made["base"]["ref"]) == (BRANCH, "main")


def test_an_unchanged_one_is_not_sent_again(github: Any, github_server: Any) -> None:
    opened = github.open(BRANCH, **TEXT)
    found = github.report(1)
    assert found.change == opened
    assert github.report(1, found.etag) is None
    github_server.end(1, merged=True)
    merged = github.report(1, found.etag).change
    assert (merged.state, len(merged.reviewers)) == (ChangeState.MERGED, 1)


def test_a_branch_without_a_change_has_none(github: Any) -> None:
    assert github.find(BRANCH) is None
    github.open("another", **TEXT)
    assert github.find(BRANCH) is None


@pytest.mark.parametrize(
    ("user", "may"), [("ada", True), ("root", True), ("eve", False), ("a/../../b", False)]
)
def test_it_is_asked_who_may_push(github: Any, github_server: Any, user: str, may: bool) -> None:
    github_server.permissions["root"] = "admin"
    assert github.may_push(user) is may


@pytest.mark.parametrize("merged", [True, False])
def test_what_was_merged_or_closed_is_followed_by_a_new_one(
    github: Any, github_server: Any, merged: bool
) -> None:
    first = github.open(BRANCH, **TEXT)
    github_server.end(1, merged=merged)
    state = ChangeState.MERGED if merged else ChangeState.CLOSED
    assert github.report(first.number).change.state is state
    assert github.find(BRANCH).state is state
    second = github.open(BRANCH, **TEXT)
    assert (second.number, second.follows) == (2, first.url)
    said = f"Follows {first.url}, which was {state.value}."
    assert github_server.changes[1]["body"] == f"{said}\n\n{TEXT['body']}"
    assert github.find(BRANCH).number == 2


def test_texts_are_updated_and_drafts_switched(github: Any, github_server: Any) -> None:
    draft = github.open(BRANCH, **TEXT, draft=True)
    assert draft.draft
    ready = github.update(draft, title="Better", body="More", draft=False)
    assert not ready.draft
    made = github_server.changes[0]
    assert (made["title"], made["body"], made["draft"]) == ("Better", "More", False)
    assert github.update(ready, title="Better", body="More", draft=True).draft
    assert github_server.changes[0]["draft"]


def test_a_repository_without_drafts_gets_an_ordinary_one(github: Any, github_server: Any) -> None:
    github_server.has_drafts = False
    opened = github.open(BRANCH, **TEXT, draft=True)
    assert not opened.draft
    assert not github.update(opened, title="T", body="B", draft=True).draft
    assert len(github_server.changes) == 1


def test_comments_are_left(github: Any, github_server: Any) -> None:
    opened = github.open(BRANCH, **TEXT)
    github.comment(opened, "Pushed two more commits.")
    assert github_server.comments == [(1, "<!-- docstead -->\nPushed two more commits.")]


def test_long_texts_are_cut_to_what_github_takes(github: Any, github_server: Any) -> None:
    github.open(BRANCH, base="main", title="t" * 1000, body="b" * 100_000)
    made = github_server.changes[0]
    assert (len(made["title"]), len(made["body"])) == (256, 65_536)
    assert made["body"].endswith("(cut: the text was too long)")


def test_an_opening_whose_answer_is_lost_opens_no_second_one(
    github: Any, harness: Any, github_front: Any, github_server: Any
) -> None:
    unchecked = harness.forge(SOURCE, ForgeAccess("bot", "the-token", api_url=github_front.url))
    github_server.breaks = ["POST"]
    opened = unchecked.open(BRANCH, **TEXT)
    assert (opened.number, len(github_server.changes)) == (1, 1)


def test_one_that_somebody_opens_at_the_same_moment_is_taken(
    github: Any, github_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_yet = [None]
    find = type(github).find
    github.open(BRANCH, **TEXT)
    monkeypatch.setattr(
        type(github), "find", lambda self, b: nothing_yet.pop() if nothing_yet else find(self, b)
    )
    assert github.open(BRANCH, **TEXT).number == 1
    assert len(github_server.made()) == 2


def test_enterprise_server_is_asked_in_the_same_way(
    harness: Any, github_server: Any, enterprise_proxy: str
) -> None:
    source = "https://code.example.com/acme/handbook.git"
    project = harness.project(source, credential="bot", forge=ForgeKind.GITHUB)
    github = harness.forges(ForgeAccess("bot", "the-token", api_url=enterprise_proxy)).of(project)
    opened = github.open(BRANCH, **TEXT, draft=True)
    assert not github.update(opened, title="T", body="B", draft=False).draft
    github.comment(opened, "Done.")
    github_server.end(1, merged=True)
    assert github.report(opened.number).change.state is ChangeState.MERGED


def test_who_pushes_is_passed_only_to_git(github: Any) -> None:
    credentials = github.credentials()
    assert (credentials.username, credentials.password) == ("x-access-token", "the-token")
    assert github.kind is ForgeKind.GITHUB
    assert "the-token" not in repr(credentials) + repr(github.remote) + repr(github.calls)


def test_calls_say_which_version_they_mean(github: Any, github_server: Any) -> None:
    github.find(BRANCH)
    headers = github_server.calls[0].headers
    assert headers["x-github-api-version"] == "2022-11-28"
    assert headers["accept"] == "application/vnd.github+json"


def test_queries_have_only_parameters_that_github_knows(
    github: Any, github_server: Any, github_description: dict[str, Any]
) -> None:
    github.find(BRANCH)
    known = query_parameters(github_description, "/repos/{owner}/{repo}/pulls", "get")
    assert set(github_server.calls[0].query) <= known


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "pulls", {"title": "T", "head": "b"}),  # no base
        ("POST", "pulls", {"title": "T", "head": "b", "base": "main", "is_draft": True}),
        ("POST", "pulls", {"title": 1, "head": "b", "base": "main"}),
        ("PATCH", "pulls/1", {"draft": True}),  # what GraphQL is needed for
        ("PATCH", "pulls/1", {"state": "merged"}),
        ("POST", "issues/1/comments", {"text": "Hello"}),
        ("GET", "pulls?state=merged", None),
        ("GET", "pulls/one", None),
        ("POST", "merges", {}),
    ],
)
def test_a_wrong_call_does_not_pass_the_proxy(
    github_proxy: str, github_server: Any, method: str, path: str, body: Any
) -> None:
    answer = patient_http.request(
        method,
        f"{github_proxy}/repos/acme/handbook/{path}",
        json=body,
        headers=dict(headers_with("the-token")),
    )
    assert answer.status_code == (404 if path == "merges" else 422), answer.text
    assert "stoplight.io/prism/errors" in answer.json()["type"]
    assert github_server.calls == []


def test_a_wrong_answer_does_not_pass_it_either(github: Any, github_server: Any) -> None:
    github.open(BRANCH, **TEXT)
    del github_server.changes[0]["html_url"]
    with pytest.raises(Exception, match="500"):
        github.report(1)


def test_drafts_are_switched_by_queries_that_github_understands() -> None:
    wrong = READY.replace("pullRequestId", "pullRequest")
    answer = subprocess.run(
        ["node", "queries.mjs"],
        cwd=FOLDER,
        input=json.dumps([READY, DRAFT, wrong]),
        capture_output=True,
        text=True,
        check=True,
    )
    ready, draft, refused = json.loads(answer.stdout)
    assert (ready, draft) == ([], [])
    assert refused


def test_the_checks_are_shown_at_the_commit(github: Any, github_server: Any) -> None:
    commit = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
    url = "https://docs.test/dashboard/jobs/aj_1/pages"
    github.report_check(CommitStatus(commit, True, "No new problems", url))
    github.report_check(CommitStatus(commit, False, "x" * 200, url))
    passed, failed = github_server.statuses
    assert passed == {
        "sha": commit,
        "state": "success",
        "target_url": url,
        "description": "No new problems",
        "context": "docstead",
    }
    assert (failed["state"], len(failed["description"])) == ("failure", 140)


def test_an_answer_of_another_form_is_named(
    harness: Any, github_front: Any, github_server: Any
) -> None:
    unchecked = harness.forge(SOURCE, ForgeAccess("bot", "the-token", api_url=github_front.url))
    for body in ("created", [], {"number": 1}):
        github_server.failures = [(200, [], {}), (201, body, {})] + [(200, [], {})] * 5
        with pytest.raises(ForgeUnreachable, match="GitHub sent an unexpected response"):
            unchecked.open(BRANCH, **TEXT)


def test_reviewers_are_asked_and_unknown_ones_named(github: Any, github_server: Any) -> None:
    github_server.users = ["ada", "writers"]
    opened = github.open(BRANCH, **TEXT)
    assert not github.request_reviews(opened, ["ada", "acme/writers"])
    assert github_server.reviewers == ["ada", "writers"]
    (problem,) = github.request_reviews(opened, ["ada", "nobody", "acme/writers"])
    assert problem.startswith("nobody: ")
    assert "not a collaborator" in problem
    assert github_server.reviewers == ["ada", "writers"] * 2
