"""GitLab's merge requests. Every call passes a proxy that checks it by the recorded shapes."""

from __future__ import annotations

import re
from typing import Any

import pytest

import patient_http
from docstead.agent.forges import ChangeState, ForgeChange, ForgeKind
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.forge import CommitStatus

SOURCE = "https://gitlab.com/acme/handbook.git"
BRANCH = "docstead/webhooks-0f3c"
TEXT = {"base": "main", "title": "Describe webhooks", "body": "What changed, and why."}
PROJECT = "/api/v4/projects/acme%2Fhandbook/merge_requests"


@pytest.fixture
def gitlab(harness: Any, gitlab_server: Any, gitlab_proxy: str) -> Any:
    return harness.forge(SOURCE, ForgeAccess("bot", "the-token", api_url=f"{gitlab_proxy}/api/v4"))


def test_a_change_is_opened_once(gitlab: Any, gitlab_server: Any) -> None:
    opened = gitlab.open(BRANCH, **TEXT)
    url = "https://gitlab.com/acme/handbook/-/merge_requests/1"
    assert opened == ForgeChange(url, 1, ChangeState.OPEN, draft=False, branch=BRANCH)
    assert gitlab.open(BRANCH, **TEXT) == opened
    (made,) = gitlab_server.changes
    assert (made["title"], made["description"]) == ("Describe webhooks", "What changed, and why.")
    assert (made["source_branch"], made["target_branch"]) == (BRANCH, "main")


@pytest.mark.parametrize("merged", [True, False])
def test_what_was_merged_or_closed_is_followed_by_a_new_one(
    gitlab: Any, gitlab_server: Any, merged: bool
) -> None:
    first = gitlab.open(BRANCH, **TEXT)
    gitlab_server.end(1, merged=merged)
    state = ChangeState.MERGED if merged else ChangeState.CLOSED
    assert gitlab.report(first.number).change.state is state
    second = gitlab.open(BRANCH, **TEXT)
    assert (second.number, second.follows) == (2, first.url)
    assert f"which was {state.value}" in gitlab_server.changes[1]["description"]


def test_an_unchanged_one_is_not_sent_again(gitlab: Any, gitlab_server: Any) -> None:
    opened = gitlab.open(BRANCH, **TEXT)
    found = gitlab.report(1)
    assert found.change == opened
    assert gitlab.report(1, found.etag) is None
    gitlab_server.end(1, merged=True)
    merged = gitlab.report(1, found.etag).change
    assert (merged.state, merged.reviewers) == (ChangeState.MERGED, ("ada",))


def test_one_that_is_being_merged_is_still_open(gitlab: Any, gitlab_server: Any) -> None:
    opened = gitlab.open(BRANCH, **TEXT)
    gitlab_server.changes[0]["state"] = "locked"
    assert gitlab.report(opened.number).change.state is ChangeState.OPEN


def test_a_draft_is_one_by_its_title(gitlab: Any, gitlab_server: Any) -> None:
    draft = gitlab.open(BRANCH, **TEXT, draft=True)
    assert draft.draft
    assert gitlab_server.changes[0]["title"] == "Draft: Describe webhooks"
    again = gitlab.update(draft, title="Draft: Describe webhooks", body="B", draft=True)
    assert gitlab_server.changes[0]["title"] == "Draft: Describe webhooks"
    assert not gitlab.update(again, title="draft: Describe", body="B", draft=False).draft
    assert gitlab_server.changes[0]["title"] == "Describe"


def test_branches_of_forks_are_not_ours(gitlab: Any, gitlab_server: Any) -> None:
    gitlab.open(BRANCH, **TEXT)
    gitlab_server.changes[0]["source_project_id"] = 77
    assert gitlab.find(BRANCH) is None


def test_comments_are_left(gitlab: Any, gitlab_server: Any) -> None:
    gitlab.comment(gitlab.open(BRANCH, **TEXT), "Pushed two more commits.")
    assert gitlab_server.comments == [(1, "<!-- docstead -->\nPushed two more commits.")]


COMMANDS = "/merge\nA page:\n/close\n\r/approve\n```\n/title New\n```\na /path"


def test_comments_execute_no_quick_actions(gitlab: Any, gitlab_server: Any) -> None:
    gitlab.comment(gitlab.open(BRANCH, **TEXT), COMMANDS)
    ((_, text),) = gitlab_server.comments
    # As in GitLab's extractor of commands.
    assert not re.search("^/", text.replace("\r", ""), re.MULTILINE)
    indented = " /merge\nA page:\n /close\n \r/approve\n```\n /title New\n```\na /path"
    assert text.endswith(indented)


def test_an_opening_whose_answer_is_lost_opens_no_second_one(
    harness: Any, gitlab_front: Any, gitlab_server: Any
) -> None:
    access = ForgeAccess("bot", "the-token", api_url=f"{gitlab_front.url}/api/v4")
    gitlab_server.breaks = ["POST"]
    assert harness.forge(SOURCE, access).open(BRANCH, **TEXT).number == 1
    assert len(gitlab_server.changes) == 1


def test_a_server_below_a_path_of_its_host(
    harness: Any, gitlab_front: Any, gitlab_server: Any
) -> None:
    access = ForgeAccess("bot", "the-token", api_url=f"{gitlab_front.url}/gitlab/api/v4")
    gitlab_server.repository = "acme/tools/handbook"
    source = "https://forge.example.com/gitlab/acme/tools/handbook.git"
    project = harness.project(source, credential="bot", forge=ForgeKind.GITLAB)
    assert harness.forges(access).of(project).open(BRANCH, **TEXT).number == 1


def test_who_pushes(gitlab: Any) -> None:
    credentials = gitlab.credentials()
    assert (credentials.username, credentials.password) == ("oauth2", "the-token")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "", {"title": "T", "source_branch": "b"}),  # no target
        ("POST", "", {"title": "T", "source_branch": "b", "target_branch": "m", "draft": True}),
        ("PUT", "/1", {"state_event": "merge"}),
        ("POST", "/1/notes", {"text": "Hello"}),
        ("GET", "?state=open", None),
    ],
)
def test_a_wrong_call_does_not_pass_the_proxy(
    gitlab_proxy: str, gitlab_server: Any, method: str, path: str, body: Any
) -> None:
    headers = {"Authorization": "Bearer the-token"}
    answer = patient_http.request(
        method, f"{gitlab_proxy}{PROJECT}{path}", json=body, headers=headers
    )
    assert answer.status_code == 422, answer.text
    assert gitlab_server.calls == []


def test_a_call_without_a_token_does_not_pass_it(gitlab_proxy: str, gitlab_server: Any) -> None:
    assert patient_http.get(f"{gitlab_proxy}{PROJECT}").status_code == 401
    assert gitlab_server.calls == []


def test_the_checks_are_shown_at_the_commit(gitlab: Any, gitlab_server: Any) -> None:
    commit = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
    url = "https://docs.test/dashboard/jobs/aj_1/pages"
    gitlab.report_check(CommitStatus(commit, False, "2 new problems", url))
    assert gitlab_server.statuses == [
        {
            "sha": commit,
            "state": "failed",
            "target_url": url,
            "description": "2 new problems",
            "name": "docstead",
        }
    ]


def test_reviewers_are_asked_beside_those_that_are_there(gitlab: Any, gitlab_server: Any) -> None:
    gitlab_server.users = ["grace", "ada", "alan"]
    opened = gitlab.open(BRANCH, **TEXT)
    gitlab_server.changes[0]["reviewers"] = [{"id": 0}]
    problems = gitlab.request_reviews(opened, ["ada", "nobody", "alan", "stranger", "acme/docs"])
    assert gitlab_server.reviewers == ["grace", "ada", "alan"]
    assert problems == [
        "nobody: GitLab has no such user",
        "stranger: GitLab did not add this reviewer",
        "acme/docs: GitLab has no such user",
    ]
