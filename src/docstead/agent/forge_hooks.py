"""Webhooks of GitHub and GitLab: comments and states of pull requests.

Comments become follow-ups of the job. The forge signs with a secret or sends a token, per project.
Readers of other forges can be added to `_COMMENTS` and `_CHANGES`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from docstead.accounts.tenancy import Tenancy
from docstead.agent.agent import AgentJobs
from docstead.agent.forge_hook_secrets import ForgeHookSecrets
from docstead.agent.forges.comments import ForgeComment, github_comment, gitlab_comment
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.forge import ForgeChange
from docstead.agent.forges.hook_changes import github_change, gitlab_change
from docstead.agent.pull_request_states import PullRequestStates
from docstead.agent.values import COMMENT_TURN, AgentJob, Instruction
from docstead.base.errors import InvalidRequest, Unauthorized
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits

Headers = Mapping[str, str]
T = TypeVar("T")
Readers = Mapping[str, Callable[[str, Any], T | None]]  # by header, from event and payload


@dataclass(frozen=True)
class ForgeHooks:
    """Receives webhooks of all projects."""

    secrets: ForgeHookSecrets
    agent: AgentJobs
    states: PullRequestStates
    tenancy: Tenancy
    forges: ForgeFactory
    rate_limits: RateLimits

    def receive(self, project_id: str, headers: Headers, body: bytes) -> str:
        """Queue a follow-up for a comment, or store a state; return a description of the result.

        Raises:
            Unauthorized: the signature is missing or wrong.
            InvalidRequest: the body is not JSON.
            RateLimited: the project has too many follow-ups.
        """
        _check_signature(self.secrets.of(project_id), headers, body)
        payload = _payload(body)
        change = _read(_CHANGES, headers, payload)
        if change is not None:
            is_known = self.states.receive(project_id, change)
            return "accepted" if is_known else _UNKNOWN
        comment = _read(_COMMENTS, headers, payload)
        if comment is None:
            return "ignored: not a new comment that mentions @docstead"
        job = self.agent.of_pull_request(project_id, comment.pull_request)
        if job is None:
            return _UNKNOWN
        if not self._is_trusted(job, comment):
            return "ignored: the author may not push to the repository"
        self._follow_up(job, comment)
        return "accepted"

    def _is_trusted(self, job: AgentJob, comment: ForgeComment) -> bool:
        if comment.is_trusted is not None:
            return comment.is_trusted
        return self.forges.of(self.tenancy.project(job.project_id)).may_push(comment.user)

    def _follow_up(self, job: AgentJob, comment: ForgeComment) -> None:
        instruction = Instruction.of(comment.instruction)
        turn_id = _turn_id(job, comment)
        if self.agent.has_turn(turn_id):
            return  # the forge has sent it before
        self.agent.check_follow_up(job, instruction)
        self.rate_limits.spend(policies.agent_message(job.project_id))
        self.agent.follow_up(job, instruction, turn_id=turn_id)


def _check_signature(secret: str, headers: Headers, body: bytes) -> None:
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    signature = headers.get("x-hub-signature-256", "").removeprefix("sha256=")
    token = headers.get("x-gitlab-token", "")
    is_signed = hmac.compare_digest(signature.encode(), expected.encode())
    if not is_signed and not hmac.compare_digest(token.encode(), secret.encode()):
        raise Unauthorized("the signature is missing or wrong; check the secret of the webhook")


def _payload(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest("the body must be JSON (content type application/json)") from error


def _read(readers: Readers[T], headers: Headers, payload: Any) -> T | None:
    return next(
        (read(event, payload) for name, read in readers.items() if (event := headers.get(name))),
        None,
    )


_UNKNOWN = "ignored: no agent job has opened this pull request"
_COMMENTS: Readers[ForgeComment] = {
    "x-github-event": github_comment,
    "x-gitlab-event": lambda _, payload: gitlab_comment(payload),
}
_CHANGES: Readers[ForgeChange] = {
    "x-github-event": github_change,
    "x-gitlab-event": lambda _, payload: gitlab_change(payload),
}


def _turn_id(job: AgentJob, comment: ForgeComment) -> str:
    digest = hashlib.sha256(f"{job.id} {comment.id}".encode()).hexdigest()
    return f"{COMMENT_TURN}{digest[:16]}"
