"""Instructions as pull requests list them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from markdown_it import MarkdownIt

from docstead.agent.pull_request import Findings, JobLinks, answer_to, description_of
from docstead.agent.reviews.comments import CommentAnchor
from docstead.agent.reviews.service import instruction_of
from docstead.agent.states import JobStatus, TurnStatus
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.agent.values import AgentJob, Instruction, Turn
from docstead.agent.workspace.diffs import FileChange

NOW = datetime(2026, 11, 25, tzinfo=UTC)
JOB = AgentJob(
    "aj_1", "prj_1", "org_1", JobStatus.ACTIVE, "Title", "repository", "branch", "model",
    draft=False, started_by="owner", pr_link=None, todos=(), event_count=0,
    created_at=NOW, updated_at=NOW, archived_at=None,
)  # fmt: skip
TURN = Turn(
    "at_1", "aj_1", 1, Instruction.of("Hello"), TurnStatus.RUNNING, None, None, None,
    0, 0, 0, 0, 0.0, NOW, NOW, None,
)  # fmt: skip


def listed(prompt: str) -> str:
    """The HTML of an instruction in the list."""
    turn = replace(TURN, instruction=Instruction.of(prompt))
    end = turn_end(EndReason.FINISHED, "Done.")
    found = Findings((), 0)
    body = description_of(JOB, [turn], turn, end, files=(), found=found, links=JobLinks("/j")).body
    return MarkdownIt().render(body.partition("### Instructions")[2].partition("[Agent job")[0])


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Run npm *now*", "Run npm *now*"),
        ("Run `npm i` now", "Run ˋnpm iˋ now"),
        ("`npm`", "ˋnpmˋ"),
        ("x" * 300, "x" * 80),
    ],
)
def test_a_quoted_line_is_code(line: str, shown: str) -> None:
    about = CommentAnchor("index.mdx", 3, quote=line)
    request, where = instruction_of("Say @bob [x](y) less", about, ()).split("\n\n")
    html = listed(where)
    assert f"<code>{shown}" in html
    assert "`" not in html
    assert "<li>Say @bob [x](y) less</li>" in listed(f"{request}\n\n{where}")


def test_files_and_problems_are_listed_in_words() -> None:
    end = turn_end(EndReason.FINISHED, "Done.")
    files = [FileChange("b.mdx", "renamed", "a.mdx"), FileChange("c.mdx", "added")]
    found = Findings(("b.mdx:1:1: no `title`",), 1)
    links = JobLinks("/j", "/j/pages")
    turn = replace(TURN, commit="1f0c")
    body = description_of(
        JOB, [turn], turn, end, files=files, found=found, links=links, template="## Checklist\n"
    ).body
    assert body == (
        "Done.\n\n### Files\n\n- Renamed `b.mdx` (was `a.mdx`)\n- Added `c.mdx`\n\n"
        "### Checks\n\n1 new problem:\n\n- `b.mdx:1:1: no ˋtitleˋ`\n\n"
        "### Instructions\n\n1. Hello\n\n"
        "[Preview of the changed pages](/j/pages) · [Agent job `aj_1`](/j)\n\n## Checklist"
    )


def test_a_comment_is_quoted_in_its_answer() -> None:
    turn = replace(TURN, instruction=Instruction.of("Say @bob less\n\nThis is a comment by ada."))
    quote = r"> Say \@bob less"
    assert answer_to(turn, turn_end(EndReason.FINISHED, "Done.")) == f"{quote}\n\nDone."
    failed = answer_to(turn, turn_end(EndReason.MODEL_FAILED, error="no credit"))
    assert failed == f"{quote}\n\n**Not finished** (`model_failed`): no credit."


def test_other_text_is_shown_as_it_is() -> None:
    assert "<li>A * and a ` and [x](y)</li>" in listed("A * and a ` and [x](y)")


def test_only_the_template_may_have_commands() -> None:
    commands = "Done.\n/merge\n\r/approve"
    found = Findings(("/close",), 1, "/title X")
    body = description_of(
        JOB, [replace(TURN, commit="c")], TURN, turn_end(EndReason.FINISHED, commands),
        files=(), found=found, links=JobLinks("/j"), template="/label ~docs\n",
    ).body  # fmt: skip
    assert body.startswith("Done.\n /merge\n \r/approve\n\n")
    assert re.findall("^/.*", body.replace("\r", ""), re.MULTILINE) == ["/label ~docs"]
    assert body.endswith("\n\n/label ~docs")
