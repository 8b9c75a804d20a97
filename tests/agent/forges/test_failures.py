"""Refusals of forges, and retries. The messages are those that a maintainer reads."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.errors import (
    ForgeError,
    ForgeNotFound,
    ForgeRateLimited,
    ForgeRefused,
    ForgeUnauthorized,
    ForgeUnreachable,
)
from docstead.agent.forges.forge import ChangeState, ForgeChange
from free_ports import free_port

GITHUB = "https://github.com/acme/handbook.git"
GITLAB = "https://gitlab.com/acme/handbook.git"
BRANCH = "docstead/webhooks-0f3c"
TEXT = {"base": "main", "title": "T", "body": "B"}


@pytest.fixture
def github(harness: Any, github_front: Any, github_server: Any) -> Any:
    return harness.forge(GITHUB, ForgeAccess("bot", "the-token", api_url=github_front.url))


@pytest.fixture
def gitlab(harness: Any, gitlab_front: Any, gitlab_server: Any) -> Any:
    return harness.forge(
        GITLAB, ForgeAccess("bot", "the-token", api_url=f"{gitlab_front.url}/api/v4")
    )


def test_a_wrong_token(github: Any, github_server: Any) -> None:
    github_server.tokens = {"another"}
    with pytest.raises(ForgeUnauthorized, match=r"does not accept the token.*Bad credentials"):
        github.find(BRANCH)
    assert len(github_server.calls) == 1


def test_a_token_that_may_not(github: Any, github_server: Any) -> None:
    said = {"message": "Resource not accessible by personal access token"}
    github_server.failures = [(200, [], {}), (403, said, {})]
    with pytest.raises(
        ForgeUnauthorized, match=r"does not permit this with the token: Resource not"
    ):
        github.open(BRANCH, **TEXT)


def test_an_unknown_repository(github: Any, gitlab: Any, github_server: Any) -> None:
    github_server.repository = "acme/renamed"
    with pytest.raises(ForgeNotFound, match="GitHub has no acme/handbook, or the token has no"):
        github.find(BRANCH)


def test_an_unknown_gitlab_project(gitlab: Any, gitlab_server: Any) -> None:
    gitlab_server.repository = "acme/renamed"
    with pytest.raises(ForgeNotFound, match="404 Project Not Found"):
        gitlab.find(BRANCH)


def test_a_refusal_in_the_forges_own_words(github: Any, github_server: Any) -> None:
    detail = {"resource": "PullRequest", "field": "base", "code": "invalid"}
    said = {"message": "Validation Failed", "errors": [detail]}
    github_server.failures = [(200, [], {}), (422, said, {})]
    with pytest.raises(ForgeRefused, match="Validation Failed; PullRequest base invalid"):
        github.open(BRANCH, **TEXT)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"message": {"base": ["is too long"]}}, "base is too long"),
        ({"message": ["one", "two"]}, "one; two"),
        ({"error": "target_branch is missing"}, "target_branch is missing"),
        (b"<html>", "Bad Request"),
    ],
)
def test_gitlabs_many_shapes_of_messages(
    gitlab: Any, gitlab_server: Any, said: Any, words: str
) -> None:
    gitlab_server.failures = [(200, [], {}), (400, said, {})]
    with pytest.raises(ForgeRefused, match=words):
        gitlab.open(BRANCH, **TEXT)


def test_reads_are_tried_again_after_a_server_error(
    github: Any, github_server: Any, harness: Any
) -> None:
    github_server.failures = [(502, b"", {}), (503, {"message": "busy"}, {})]
    assert github.find(BRANCH) is None
    assert harness.pauses == [1.0, 2.0]


def test_a_server_that_stays_broken_is_unreachable(github: Any, github_server: Any) -> None:
    github_server.failures = [(502, b"", {})] * 3
    with pytest.raises(ForgeUnreachable, match="GitHub answered 502"):
        github.find(BRANCH)


def test_a_write_is_repeated_only_after_looking_whether_it_was_done(
    github: Any, github_server: Any, harness: Any
) -> None:
    github_server.failures = [(200, [], {}), (502, b"", {})]
    assert github.open(BRANCH, **TEXT).number == 1
    assert [call.method for call in github_server.calls] == ["GET", "POST", "GET", "POST"]
    assert harness.pauses == [2.0]


def test_a_server_that_takes_no_writes_is_unreachable(github: Any, github_server: Any) -> None:
    nothing, broken = (200, [], {}), (503, b"", {})
    github_server.failures = [nothing, broken, nothing, broken, nothing, broken, nothing]
    with pytest.raises(ForgeUnreachable, match="GitHub answered 503"):
        github.open(BRANCH, **TEXT)


def test_a_forge_that_is_not_there(harness: Any) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(ForgeUnreachable, match=f"cannot be reached at {url}"):
        harness.forge(GITHUB, ForgeAccess("bot", "the-token", api_url=url)).open(BRANCH, **TEXT)
    assert harness.pauses == [1.0, 2.0]


def test_a_forge_that_is_something_else(github: Any, github_server: Any) -> None:
    github_server.failures = [(200, b"<html>", {})] * 3
    with pytest.raises(ForgeUnreachable, match="did not answer with JSON"):
        github.find(BRANCH)


@pytest.mark.parametrize("body", [None, "text", {}, ["text"]])
def test_answers_of_an_unknown_form_are_errors_of_the_forge(
    github: Any, gitlab: Any, github_server: Any, gitlab_server: Any, body: Any
) -> None:
    """Such an answer is a refusal of the forge, or harmless, but no error of ours."""
    github_server.failures = gitlab_server.failures = _Always((201, body, {}))
    change = ForgeChange("https://forge.test/1", 1, ChangeState.OPEN, draft=False, branch=BRANCH)
    for forge in (github, gitlab):
        for call in (
            lambda forge=forge: forge.find(BRANCH),
            lambda forge=forge: forge.open(BRANCH, **TEXT),
            lambda forge=forge: forge.update(change, title="T", body="B", draft=True),
            lambda forge=forge: forge.report(change.number),
            lambda forge=forge: forge.request_reviews(change, ["ada"]),
            lambda forge=forge: forge.may_push("ada"),
            lambda forge=forge: forge.comment(change, "Text"),
        ):
            with suppress(ForgeError):
                call()


class _Always(list[Any]):
    """A queue that never ends, of equal entries."""

    def __init__(self, failure: Any) -> None:
        super().__init__([failure])

    def pop(self, _index: Any = -1) -> Any:
        return self[0]


def test_a_short_wait_is_sat_out(github: Any, github_server: Any, harness: Any) -> None:
    github_server.failures = [(429, {"message": "slow down"}, {"retry-after": "3"})]
    assert github.find(BRANCH) is None
    assert harness.pauses == [3.0]


@pytest.mark.parametrize(
    "answer",
    [
        (429, {"retry-after": "90"}, 90),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "{in 600}"}, 600),
        (429, {"ratelimit-remaining": "0", "ratelimit-reset": "{in 45}"}, 45),
        (403, {}, 60),  # a secondary limit says it only in words
    ],
)
def test_a_longer_one_is_the_callers(
    github: Any, github_server: Any, harness: Any, answer: tuple[int, dict[str, str], int]
) -> None:
    status, headers, wait = answer
    now = harness.clock.now().timestamp()
    given = {
        name: str(now + int(value[4:-1])) if "{" in value else value
        for name, value in headers.items()
    }
    said = {"message": "You have exceeded a secondary rate limit."}
    github_server.failures = [(status, said, given)]
    with pytest.raises(ForgeRateLimited, match="secondary rate limit") as caught:
        github.find(BRANCH)
    assert caught.value.retry_after_seconds == wait
    assert caught.value.headers == {"Retry-After": str(wait)}
    assert harness.pauses == []


def test_no_message_holds_the_token(github: Any, github_server: Any) -> None:
    for status in (401, 403, 404, 409, 422, 429, 500):
        github_server.failures = [(status, {"message": "no"}, {})] * 3
        with pytest.raises(ForgeError) as caught:
            github.find(BRANCH)
        assert "the-token" not in caught.value.message


def test_a_redirect_to_another_host_is_not_followed(
    github: Any, github_server: Any, gitlab_front: Any, gitlab_server: Any
) -> None:
    elsewhere = gitlab_front.url.replace("127.0.0.1", "localhost")
    github_server.failures = [(307, b"", {"location": f"{elsewhere}/stolen"})] * 3
    with pytest.raises(ForgeUnreachable, match="another host"):
        github.find(BRANCH)
    assert gitlab_server.calls == []
