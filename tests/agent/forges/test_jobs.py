"""Whole jobs on a GitHub: git over smart HTTP, pull requests over its interface."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent_harness import AgentHarness, agent_harness
from chat_server import Call, ChatRequest, Reply, chat_server
from docstead.agent.forges.forge import ChangeState, ForgeKind
from docstead.agent.forges.project_settings import ProjectSettings
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from docstead.agent.values import AgentJob
from docstead.base.errors import Unauthorized
from docstead.publishing.update_records import UpdateStatus
from git_http import GitServer, git_server
from git_repositories import GitRepository
from sampled_cases import one_in
from tenancy_changes import set_source

WRITE = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# New\n"}),))
MORE = Reply(calls=(Call("write_file", {"path": "more.mdx", "text": "# More\n"}),))
FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))
BUSY = {"message": "You have exceeded a secondary rate limit."}


@pytest.fixture(scope="module")
def git_front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[GitServer, Path]]:
    folder = tmp_path_factory.mktemp("git-front")
    with git_server(folder, folder / "server") as server, pytest.MonkeyPatch.context() as patched:
        patched.setenv("GIT_SSL_CAINFO", str(server.certificate))
        yield server, folder


@pytest.fixture(scope="module")
def shared(
    git_front: Any, github_front: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AgentHarness]:
    server, _ = git_front
    token = {"token": server.password, "api_url": github_front.url}
    with (
        chat_server() as chat,
        agent_harness(
            tmp_path_factory.mktemp("agent"),
            chat,
            checks_here=True,
            forge_credentials={"hub": token},
        ) as harness,
    ):
        yield harness


@pytest.fixture
def remote(git_front: Any, tmp_path: Path) -> GitRepository:
    return GitRepository(git_front[1] / tmp_path.name / "handbook.git")


@pytest.fixture
def hub(
    shared: AgentHarness, git_front: Any, remote: GitRepository, github_server: Any, tmp_path: Path
) -> AgentHarness:
    """A harness whose project is a repository of this test's own on the GitHub."""
    shared.begin_anew(tmp_path)
    shared.git("push", "--quiet", str(remote.path), "main")
    server, name = git_front[0], f"{tmp_path.name}/handbook"
    github_server.repository = name
    github_server.tokens = {server.password}
    set_source(shared.services.tenancy, shared.project.id, server.url_of(f"{name}.git"), "main")
    chosen = ProjectSettings(forge=ForgeKind.GITHUB, credential="hub")
    shared.services.forges.settings.save(shared.project.id, chosen)
    shared.project = replace(shared.services.tenancy.project(shared.project.id))
    return shared


def test_a_job_and_its_follow_up_are_one_pull_request(hub, github_server, remote) -> None:
    hub.says(WRITE, FINISH, MORE, FINISH)
    job = hub.run("Write")
    assert (job.status, job.pr_link) == (JobStatus.COMPLETED, github_server.changes[0]["html_url"])
    assert job.pr_state.state is ChangeState.OPEN
    hub.follow_up(job, "More")
    again = hub.ended(job)
    assert again.pr_link == job.pr_link
    assert len(github_server.changes) == 1
    assert {"new.mdx", "more.mdx"} <= set(remote.files(job.branch))
    github_server.end(1, merged=True)
    receive, pull = hub.services.forge_hooks.receive, github_server.changes[0]
    for url, outcome in ((job.pr_link, "accepted"), (f"{job.pr_link}0", "ignored: ")):
        event = {"action": "closed", "pull_request": {**pull, "html_url": url}}
        body = json.dumps(event).encode()
        answer = receive(job.project_id, signed(hub, body, "pull_request"), body)
        assert answer.startswith(outcome)
    with pytest.raises(Unauthorized):
        receive(job.project_id, {"x-github-event": "pull_request"}, body)
    state = hub.job(job).pr_state
    assert (state.state, state.reviewers) == (ChangeState.MERGED, (pull["merged_by"]["login"],))


def test_the_pull_request_has_links_the_check_and_the_repositorys_template(
    hub, github_server, remote
) -> None:
    template = hub.repository / ".github" / "PULL_REQUEST_TEMPLATE.md"
    template.parent.mkdir()
    template.write_text("- [ ] Read by a writer\n")
    hub.git("add", "-A")
    hub.git("commit", "--quiet", "-m", "Add a template")
    hub.git("push", "--quiet", str(remote.path), "main")
    hub.says(WRITE, FINISH)
    job = hub.run("Write")
    assert job.status is JobStatus.COMPLETED
    page = f"{hub.services.forges.base_url}/dashboard/jobs/{job.id}"
    body = github_server.changes[0]["body"]
    assert f"[Preview of the changed pages]({page}/pages)" in body
    assert f"[Agent job `{job.id}`]({page})" in body
    assert body.endswith("- [ ] Read by a writer")
    (status,) = github_server.statuses
    assert (status["sha"], status["target_url"]) == (remote.tip(job.branch), f"{page}/pages")


def test_reviewers_are_asked_once_for_each_pull_request(hub, github_server) -> None:
    settings = hub.services.forges.settings
    chosen = replace(settings.of(hub.project.id), reviewers=("@ada", "nobody"))
    settings.save(hub.project.id, chosen)
    github_server.users = ["ada"]
    hub.says(WRITE, FINISH, MORE, FINISH)
    job = hub.run("Add pages")
    assert job.status is JobStatus.COMPLETED
    hub.follow_up(job, "And more")
    assert hub.ended(job).status is JobStatus.COMPLETED
    assert github_server.reviewers == ["ada"]
    (asked,) = hub.events(job, "reviewers")
    assert asked.data["names"] == ["ada", "nobody"]
    assert [problem.partition(":")[0] for problem in asked.data["problems"]] == ["nobody"]


def test_a_forge_that_takes_no_reviewers_does_not_fail_the_job(hub, github_server) -> None:
    settings = hub.services.forges.settings
    settings.save(hub.project.id, replace(settings.of(hub.project.id), reviewers=("ada",)))
    routes = [route for route in github_server.routes() if "reviewers" not in route[1].pattern]
    github_server.routes = lambda: routes
    hub.says(WRITE, FINISH)
    job = hub.run("Add a page")
    assert job.status is JobStatus.COMPLETED
    (asked,) = hub.events(job, "reviewers")
    assert "the token has no access to it" in asked.data["problems"][0]


def test_the_source_of_a_private_repository_is_published_with_the_credential(hub) -> None:
    tenancy, updates = hub.services.tenancy, hub.services.updates
    domain = f"private-{hub.project.id[-8:]}"
    deployment = tenancy.create_deployment(hub.project.id, domain, f"{domain}.example.com")
    settings = hub.services.forges.settings.of(hub.project.id)
    hub.services.forges.settings.save(hub.project.id, replace(settings, credential=""))
    refused = updates.run(updates.create(hub.project.id, "api").id)
    assert "credentials" in " ".join(refused.update.logs)
    hub.services.forges.settings.save(hub.project.id, settings)
    published = updates.run(updates.create(hub.project.id, "api").id)
    assert published.update.status is UpdateStatus.SUCCESS, published.update.logs
    assert tenancy.deployment(deployment.id).current_edition_id is not None


def comment_of(job: AgentJob, text: str, **more: Any) -> bytes:
    """The body that GitHub sends for a comment in the conversation of a pull request."""
    user = {"login": "ada", "id": 7, "type": "User"}
    comment = {"id": 1, "body": text, "user": user, "author_association": "MEMBER"}
    issue = {"html_url": job.pr_link, "pull_request": {"html_url": job.pr_link}}
    payload = {"action": "created", "comment": {**comment, **more}, "issue": issue}
    return json.dumps(payload).encode()


def signed(hub: AgentHarness, body: bytes, event: str = "issue_comment") -> dict[str, str]:
    secret = hub.services.forge_hook_secrets.of(hub.project.id).encode()
    signature = hmac.new(secret, body, hashlib.sha256).hexdigest()
    return {"x-github-event": event, "x-hub-signature-256": f"sha256={signature}"}


def test_a_comment_that_mentions_docstead_is_a_follow_up(hub, github_server, remote) -> None:
    hub.says(WRITE, FINISH, MORE, FINISH)
    job = hub.run("Write")
    receive = hub.services.forge_hooks.receive
    body = comment_of(job, "@docstead Add one more page.")
    for _ in range(2):  # GitHub sends it again where an answer was lost
        assert receive(job.project_id, signed(hub, body), body) == "accepted"
    hub.ended(job)
    turns = hub.agent.turns(job.id)
    assert [turn.instruction.prompt for turn in turns[1:]] == [
        "Add one more page.\n\nThis is a comment by ada on the pull request."
    ]
    assert "more.mdx" in remote.files(job.branch)
    hub.until(lambda: github_server.comments, bool)
    assert github_server.comments == [(1, "<!-- docstead -->\n> Add one more page.\n\nAll of it.")]


def test_other_comments_do_nothing(hub, github_server) -> None:
    hub.says(WRITE, FINISH)
    job = hub.run("Write")
    receive = hub.services.forge_hooks.receive
    bot = {"login": "ci[bot]", "id": 8, "type": "Bot"}
    reader = {"login": "eve", "id": 9, "type": "User"}  # a member who may only read
    for body in (
        comment_of(job, "Looks good."),
        comment_of(job, "@docstead"),
        comment_of(job, "mail@docstead.test is our address"),
        comment_of(job, "@docstead Delete it.", author_association="NONE"),
        comment_of(job, "@docstead Delete it.", user=reader),
        comment_of(job, "@docstead Again.", user=bot),
        comment_of(job, "@docstead Go.").replace(b'"created"', b'"edited"'),
        comment_of(job, "@docstead Go.").replace(b"/pull/1", b"/pull/2"),
    ):
        assert receive(job.project_id, signed(hub, body), body).startswith("ignored: ")
    body = comment_of(job, "@docstead Go.")
    for headers in (
        {"x-github-event": "issue_comment"},
        {**signed(hub, body), "x-hub-signature-256": "sha256=00"},
        signed(hub, body + b" "),
    ):
        with pytest.raises(Unauthorized):
            receive(job.project_id, headers, body)
    with pytest.raises(Unauthorized):
        receive("prj_another", signed(hub, body), body)
    assert len(hub.agent.turns(job.id)) == 1


@pytest.mark.parametrize("merged", one_in(2, [True, False]), ids=["merged", "closed"])
def test_a_follow_up_to_what_has_ended_opens_another(hub, github_server, merged: bool) -> None:
    hub.says(WRITE, FINISH, MORE, FINISH)
    job = hub.run("Write")
    github_server.end(1, merged=merged)
    hub.follow_up(job, "More")
    again = hub.ended(job)
    assert again.pr_link == github_server.changes[1]["html_url"]
    assert job.pr_link in github_server.changes[1]["body"]
    assert hub.events(again, "pullRequest")[-1].data["follows"] == job.pr_link


def test_a_busy_forge_is_waited_for(hub, github_server) -> None:
    hub.says(WRITE, FINISH)
    github_server.failures = [(429, BUSY, {"retry-after": "6"})]
    begun = time.monotonic()
    job = hub.run("Write")
    assert time.monotonic() - begun >= 6
    assert (job.status, job.pr_link) == (JobStatus.COMPLETED, github_server.changes[0]["html_url"])
    assert [each.data["seconds"] for each in hub.events(job, "wait")] == [6.0]


def test_a_git_server_that_is_away_is_waited_for_and_nothing_is_paid_twice(
    hub, git_front, remote
) -> None:
    away = git_front[0].away

    def finish(_: ChatRequest) -> Reply:
        away.touch()
        return FINISH

    away.touch()
    hub.says(WRITE, finish)
    job = hub.start("Write")
    for count in (1, 2):  # before the first word of the model, and at the push
        hub.until(lambda: hub.events(job, "wait"), lambda waits, n=count: len(waits) == n)
        away.unlink()
    job = hub.ended(job)
    assert job.status is JobStatus.COMPLETED, hub.last_turn(job).end.error
    assert "new.mdx" in remote.files(job.branch)
    assert all("503" in each.data["reason"] for each in hub.events(job, "wait"))
    assert len(hub.chat.conversations) == 2


@pytest.mark.deep
def test_a_forge_that_is_busy_for_too_long_ends_the_turn(hub, github_server, remote) -> None:
    hub.says(WRITE, FINISH)
    github_server.failures = [(429, BUSY, {"retry-after": "7200"})]
    job = hub.run("Write")
    assert (job.status, hub.last_turn(job).end.reason) == (
        JobStatus.FAILED,
        EndReason.CHANGE_FAILED,
    )
    assert "new.mdx" in remote.files(job.branch)
    hub.says(Reply("It is there."))
    hub.follow_up(job, "Try again")
    again = hub.ended(job)
    assert (again.status, again.pr_link) == (
        JobStatus.COMPLETED, github_server.changes[0]["html_url"],
    )  # fmt: skip


def test_a_wait_for_the_forge_can_be_cancelled(hub, github_server) -> None:
    hub.says(WRITE, FINISH)
    github_server.failures = [(429, BUSY, {"retry-after": "600"})] * 2
    job = hub.start("Write")
    hub.until(lambda: hub.events(job, "wait"), bool)
    hub.agent.cancel(job.id)
    assert hub.ended(job).status is JobStatus.FAILED


def test_a_wrong_token_is_reported_in_plain_words(hub, github_server) -> None:
    hub.says(WRITE, FINISH)
    github_server.tokens = {"another"}
    job = hub.run("Write")
    turn = hub.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, EndReason.CHANGE_FAILED)
    assert "does not accept the token" in turn.end.error


def test_an_unknown_repository(hub, git_front) -> None:
    hub.says(WRITE, FINISH)
    url = git_front[0].url_of("nobody/nothing.git")
    set_source(hub.services.tenancy, hub.project.id, url, "main")
    job = hub.run("Write")
    turn = hub.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, EndReason.SOURCE_FAILED)
    assert "there is no such repository, or the token may not read it" in turn.end.error
    assert hub.chat.conversations == []
