"""Comments on a change: to the agent, among people, and anchored to lines."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from markupsafe import Markup

from docstead.agent.records import AgentRecords
from docstead.agent.reviews.comments import Comment
from docstead.agent.reviews.revisions import ChangeCommit
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.agent.values import Instruction
from docstead.base.errors import InvalidRequest
from docstead.dashboard.review_threads import ReviewThread, ShownComment, timeline
from review_repository import BRANCH


def test_a_comment_goes_to_the_agent(owner: Any, harness: Any, change_url: str) -> None:
    owner.get(change_url)
    answer = owner.post(f"{change_url}/comment", text="Shorter.", file="guides/keys.mdx", line="5")
    (comment,) = harness.reviews.comments(harness.forges.reviews.get(change_url.rpartition("/")[2]))
    assert answer.headers["location"] == f"{change_url}#{comment.id}"
    assert harness.follow_ups.sent == [
        (
            BRANCH,
            "Shorter.\n\nThis comment is about guides/keys.mdx:5 "
            "(`Keys let programs act for you. Keep them secret.`).",
        )
    ]
    page = owner.get(change_url).text
    assert "Shorter." in page
    assert "guides/keys.mdx:5" in page


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": "  "}, "Comment: must not be empty"),
        ({"text": "x" * 10_001}, "Comment: must have at most 10000"),
        ({"text": "x", "file": "a", "line": "many"}, "Line: must be a number"),
    ],
)
def test_a_comment_that_cannot_be_taken_is_kept_in_the_form(
    owner: Any, harness: Any, change_url: str, fields: dict[str, str], words: str
) -> None:
    owner.get(change_url)
    answer = owner.post(f"{change_url}/comment", **fields)
    assert answer.status_code == 400
    assert words in answer.text
    assert harness.follow_ups.sent == []


def test_a_job_that_takes_no_more_messages(owner: Any, harness: Any, change: Any) -> None:
    harness.follow_ups.refusal = InvalidRequest("the job is archived; start a new one")
    change_url = f"/dashboard/changes/{change.id}"
    owner.get(change_url)
    answer = owner.post(f"{change_url}/comment", text="Once more")
    assert answer.status_code == 400
    assert "The job is archived" in answer.text
    assert "Once more</textarea>" in answer.text
    assert harness.reviews.comments(change) == []


def test_people_talk_in_threads_without_the_agent(
    owner: Any, harness: Any, change: Any, change_url: str
) -> None:
    owner.get(change_url)
    fields = {"file": "guides/keys.mdx", "line": "5", "side": "after", "from": "files"}
    answer = owner.post(f"{change_url}/comment", text="Why?", to="people", **fields)
    (first,) = harness.reviews.comments(change)
    assert answer.headers["location"] == f"{change_url}/files#{first.id}"
    assert first.quote == "Keys let programs act for you. Keep them secret."
    assert harness.follow_ups.sent == []
    owner.post(f"{change_url}/comment", text="Because.", to="people", thread=first.id)
    owner.post(f"{change_url}/comment", text="Then say so.", to="agent", thread=first.id)
    assert harness.follow_ups.sent == [
        (
            BRANCH,
            "Then say so.\n\nThis comment is about guides/keys.mdx:5 "
            "(`Keys let programs act for you. Keep them secret.`).\n\n"
            "Earlier comments of the thread:\n\n> owner: Why?\n> owner: Because.",
        )
    ]
    page = owner.get(change_url).text
    assert page.count('class="card thread"') == 1
    refused = owner.post(f"{change_url}/comment", text="x", thread="cmt_none")
    assert refused.status_code == 400


def test_a_thread_stays_at_its_line_when_lines_move(
    owner: Any, harness: Any, change: Any, change_url: str, repository: Any
) -> None:
    owner.get(change_url)
    fields = {"file": "guides/keys.mdx", "line": "5", "side": "after"}
    owner.post(f"{change_url}/comment", text="Why?", to="people", **fields)
    text = repository.git("show", f"{BRANCH}:guides/keys.mdx")
    repository.commit(
        {"guides/keys.mdx": f"{text}\n".replace("---\n\n", "---\n\nNew.\n\n")}, branch=BRANCH
    )
    page = owner.get(f"{change_url}/files").text
    row = page.index('id="file-2-after-7"')
    assert row < page.index("Why?") < page.index('id="file-2-after-9"')
    repository.commit({"guides/keys.mdx": "---\ntitle: Keys\n---\n\nAll new.\n"}, branch=BRANCH)
    page = owner.get(f"{change_url}/files").text
    assert 'class="quoted">Keys let programs act for you. Keep them secret.</pre>' in page
    assert page.index("Why?") < page.index('id="file-2-after-5"')


def test_the_agents_answer_stands_in_the_thread(
    owner: Any, harness: Any, acme: Any, change: Any, change_url: str
) -> None:
    project = harness.tenancy.project(acme.project_id)
    job = harness.agent.create(project, Instruction.of("Explain keys"), branch=BRANCH)
    turn = harness.agent.turns(job.id)[0]
    harness.forges.reviews.comments.add(change.id, "Shorter.", author="owner", turn_id=turn.id)
    assert "The agent is working on it." in owner.get(change_url).text
    records = AgentRecords(harness.database, harness.clock)
    records.begin_next(turn.id)
    records.end_turn(turn.id, turn_end(EndReason.FINISHED, reply="I made it **shorter**."))
    assert "<p>I made it <strong>shorter</strong>.</p>" in owner.get(change_url).text


def test_a_thread_stands_before_the_commit_that_answers_it() -> None:
    """Commits have the second in which their turn began, and no part of it."""
    said = datetime(2026, 11, 25, 12, 0, 0, 400_000, UTC)
    empty = dict.fromkeys(("path", "line", "side", "quote", "thread_id", "turn_id"))
    comment = Comment("cmt_1", "chg_1", "Ada", "Shorter.", created_at=said, **empty)
    thread = ReviewThread((ShownComment(comment, Markup("Shorter."), None),))
    commits = [ChangeCommit(name, "Bo", said.replace(second=at, microsecond=0), name)
               for name, at in (("later", 1), ("answer", 0))]  # fmt: skip
    entries = timeline([thread], commits)
    assert [each.thread or each.commit.subject for each in entries] == [thread, "answer", "later"]
