"""Readable log of an agent job, for the job's page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from markupsafe import Markup

from docstead.agent.turn_ends import EndReason
from docstead.agent.values import JobEvent, Turn
from docstead.base.texts import counted
from docstead.dashboard.prose import prose

REASONS = {
    EndReason.NO_CHANGES: "No changes were needed",
    EndReason.STEP_LIMIT: "Stopped at the step limit",
    EndReason.TOKEN_LIMIT: "Stopped at the token limit",
    EndReason.COST_LIMIT: "Stopped at the cost limit",
    EndReason.TIME_LIMIT: "Stopped at the time limit",
    EndReason.STUCK: "Stopped because it made no progress",
    EndReason.MALFORMED_CALLS: "Stopped after repeated invalid tool calls",
    EndReason.ANSWER_CUT: "Stopped after truncated model responses",
    EndReason.REFUSED: "The model refused the request",
    EndReason.MODEL_FAILED: "The model request failed",
    EndReason.OUT_OF_CREDIT: "The model provider reports no remaining credit",
    EndReason.SOURCE_FAILED: "The repository could not be read",
    EndReason.SECRET_FOUND: "The change contains a secret",
    EndReason.PUSH_FAILED: "The change could not be delivered",
    EndReason.CHANGE_FAILED: "The pull request could not be opened",
    EndReason.CANCELLED: "Cancelled",
    EndReason.LOST: "Interrupted too many times",
    EndReason.ERROR: "Failed",
}
_HOW = {
    "rebased": ", rebased on newer commits",
    "merged": ", merged with newer commits",
    "unchanged": ": already up to date",
}
_LOCATIONS = ("path", "source", "query", "pattern", "folder", "name", "slug", "page")
_LONG = 160


@dataclass(frozen=True, slots=True)
class LogLine:
    """One log entry. `kind` is said, done, trouble or step."""

    kind: str
    title: str
    at: datetime
    detail: str = ""  # plain text
    link: str = ""


@dataclass(frozen=True, slots=True)
class TurnLog:
    """One turn with its log entries."""

    turn: Turn
    reason: str
    reply: Markup
    lines: tuple[LogLine, ...]
    is_estimated: bool  # whether a part of its tokens and cost is


def turn_logs(turns: Sequence[Turn], events: Sequence[JobEvent]) -> list[TurnLog]:
    """Return turns with their log entries, in order."""
    return [
        TurnLog(
            turn,
            reason_of(turn),
            prose((turn.end and turn.end.reply) or ""),
            tuple(line for e in events if e.turn_id == turn.id and (line := _line_of(e))),
            is_estimated=any(e.turn_id == turn.id and e.data.get("estimated") for e in events),
        )
        for turn in turns
    ]


def reason_of(turn: Turn) -> str:
    """Return the reason why a turn ended as text; "" if it needs none."""
    return REASONS.get(turn.end.reason, "") if turn.end else ""


def _line_of(event: JobEvent) -> LogLine | None:
    line_of = _LINES.get(event.kind)
    return None if line_of is None else line_of(event, event.data)


def _workspace(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    text = f"Working on {data['branch']}, with {data['base']} at {str(data['commit'])[:8]}"
    apart = ", ".join(data.get("conflicts", ()))
    detail = f"{data['base']} has changed the same lines in {apart}" if apart else ""
    return LogLine("step", text, event.created_at, detail=detail)


def _model(event: JobEvent, data: Mapping[str, Any]) -> LogLine | None:
    text = str(data["text"]).strip()
    # Text without a tool call is the turn's reply, which is shown at the end.
    return LogLine("said", text, event.created_at) if text and data["toolCalls"] else None


def _tool(event: JobEvent, data: Mapping[str, Any]) -> LogLine | None:
    if data["name"] in _WITH_EVENTS and not data["isError"]:
        return None
    kind = "trouble" if data["isError"] else "done"
    title = f"{data['name']} {_location(data['arguments'])}".strip()
    return LogLine(kind, title, event.created_at, detail=str(data["result"]))


def _location(arguments: str) -> str:
    """Return the target of a tool call, shortened."""
    try:
        values = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    found = (
        str(values[name]) for name in _LOCATIONS if isinstance(values, dict) and name in values
    )
    text = " ".join(next(found, "").split())
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def _check(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    if data["ok"]:
        return LogLine("step", "Checks passed: no new problems", event.created_at)
    title = f"Checks failed: {counted(data['count'], 'new problem')}"
    return LogLine("trouble", title, event.created_at, detail="\n".join(data["errors"]))


def _commit(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    title = f"Committed {str(data['commit'])[:8]}: {data['subject']}"
    return LogLine("step", title, event.created_at)


def _push(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    how = _HOW.get(str(data["how"]), "")
    title = f"Pushed to {data['branch']}{how}"
    return LogLine("step", title, event.created_at, detail=str(data["note"]))


def _conflict(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    title = f"{data['branch']} has changed the same lines in the meantime; resolving the conflict"
    return LogLine("trouble", title, event.created_at, detail="\n".join(data["files"]))


def _change(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    draft = " (draft)" if data["draft"] else ""
    title = f"Pull request {data['number']}{draft}"
    return LogLine("step", title, event.created_at, link=str(data["url"]))


def _reviewers(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    if data["problems"]:
        title = "Some reviewers could not be requested"
        return LogLine("trouble", title, event.created_at, detail="\n".join(data["problems"]))
    return LogLine("step", f"Requested review from {', '.join(data['names'])}", event.created_at)


def _wait(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    waited_for = "the model" if "step" in data else "the git server"
    title = f"Waiting {data['seconds']:g} s for {waited_for}"
    return LogLine("trouble", title, event.created_at, detail=str(data["reason"]))


def _nudge(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    return LogLine("trouble", str(data["reason"]).capitalize(), event.created_at)


def _question(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    title = "Proposed a plan" if data["kind"] == "plan" else "Asked a question"
    return LogLine("step", title, event.created_at, detail=str(data["text"]))


def _answer(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    return LogLine("step", f"Answered: {data['text']}", event.created_at)


def _unanswered(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    title = f"No answer in time; continuing with: {data['assumption']}"
    return LogLine("trouble", title, event.created_at)


def _summary(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    if not data["text"]:
        return LogLine("trouble", "Earlier turns could not be summarized", event.created_at)
    title = "Summarized earlier turns"
    return LogLine("step", title, event.created_at, detail=str(data["text"]))


def _failure(event: JobEvent, data: Mapping[str, Any]) -> LogLine:
    return LogLine("trouble", str(data["error"]), event.created_at)


_WITH_EVENTS = ("ask_user", "propose_plan")  # tools whose own event says more
_LINES: Mapping[str, Callable[[JobEvent, Mapping[str, Any]], LogLine | None]] = {
    "workspace": _workspace,
    "model": _model,
    "tool": _tool,
    "check": _check,
    "commit": _commit,
    "push": _push,
    "conflict": _conflict,
    "pullRequest": _change,
    "reviewers": _reviewers,
    "wait": _wait,
    "nudge": _nudge,
    "question": _question,
    "answer": _answer,
    "unanswered": _unanswered,
    "failure": _failure,
    "summary": _summary,
}
