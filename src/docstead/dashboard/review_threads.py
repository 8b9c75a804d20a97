"""Comment threads of a change, with the agent's answers and their positions in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from docstead.agent.reviews.comments import Comment, CommentAnchor
from docstead.agent.reviews.revisions import ChangeCommit
from docstead.agent.turn_ends import TurnFinished
from docstead.agent.values import Turn
from docstead.dashboard.diffs import DiffLine, ShownFile
from docstead.dashboard.prose import prose
from docstead.dashboard.turn_log import reason_of


@dataclass(frozen=True, slots=True)
class AgentAnswer:
    """The agent's answer to a comment; `html` is empty until its turn has ended."""

    is_pending: bool
    html: Markup
    trouble: str
    commit: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class ShownComment:
    """A comment as displayed."""

    comment: Comment
    html: Markup
    answer: AgentAnswer | None


@dataclass(frozen=True, slots=True)
class ReviewThread:
    """A comment and its replies."""

    comments: tuple[ShownComment, ...]

    @property
    def id(self) -> str:
        return self.comments[0].comment.id

    @property
    def about(self) -> CommentAnchor | None:
        return self.comments[0].comment.about

    @property
    def at(self) -> datetime:
        return self.comments[0].comment.created_at


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A thread or a commit, on the timeline of a change."""

    at: datetime
    thread: ReviewThread | None = None
    commit: ChangeCommit | None = None


def review_threads(comments: Sequence[Comment], turns: Sequence[Turn]) -> list[ReviewThread]:
    """Group comments into threads, in order of their first comments."""
    answers = {turn.id: turn for turn in turns}
    threads: dict[str, list[ShownComment]] = {}
    for comment in comments:
        turn = answers.get(comment.turn_id or "")
        shown = ShownComment(comment, prose(comment.text), _answer(turn) if turn else None)
        threads.setdefault(comment.thread_id or comment.id, []).append(shown)
    return [ReviewThread(tuple(thread)) for thread in threads.values()]


def timeline(
    threads: Sequence[ReviewThread], commits: Sequence[ChangeCommit]
) -> list[TimelineEntry]:
    """Merge threads and commits, oldest first.

    Commit times have a resolution of one second: comments in the same second come first.
    """
    entries = [TimelineEntry(thread.at, thread=thread) for thread in threads]
    entries += [TimelineEntry(commit.created_at, commit=commit) for commit in reversed(commits)]
    return sorted(entries, key=lambda each: (each.at.replace(microsecond=0), bool(each.commit)))


def _answer(turn: Turn) -> AgentAnswer:
    end = turn.end
    has_failed = end is not None and not isinstance(end, TurnFinished)
    error = end.error if end else None
    trouble = ": ".join(filter(None, (reason_of(turn), error))) if has_failed else ""
    return AgentAnswer(
        is_pending=not turn.status.is_final,
        html=prose((end and end.reply) or ""),
        trouble=trouble,
        commit=turn.commit,
        at=turn.ended_at or turn.created_at,
    )


@dataclass(frozen=True, slots=True)
class FileThreads:
    """Threads of one file: by side and line if the line is displayed, and the others."""

    by_line: Mapping[tuple[str, int | None], Sequence[ReviewThread]]
    others: Sequence[ReviewThread]

    def at(self, line: DiffLine | None) -> Sequence[ReviewThread]:
        if line is None or line.number is None:
            return ()
        return self.by_line.get((line.side, line.number), ())


def threads_of(file: ShownFile, threads: Sequence[ReviewThread]) -> FileThreads:
    """Assign threads to the displayed lines of a file, following lines that have moved."""
    by_line: dict[tuple[str, int | None], list[ReviewThread]] = {}
    others: list[ReviewThread] = []
    for thread in threads:
        about = thread.about
        if about is None or about.path not in (file.path, file.old_path):
            continue
        line = _line_of(about, file.lines)
        threads_here = others if line is None else by_line.setdefault((line.side, line.number), [])
        threads_here.append(thread)
    return FileThreads(by_line, others)


def _line_of(about: CommentAnchor, lines: Sequence[DiffLine]) -> DiffLine | None:
    """Return the line with the same text that is nearest to the original position."""
    if about.line is None:
        return None
    requested = about.line
    found = (
        line
        for line in lines
        if line.number is not None
        and line.side == about.side
        and (line.text == about.quote or (not about.quote and line.number == requested))
    )
    return min(found, key=lambda line: abs((line.number or 0) - requested), default=None)
