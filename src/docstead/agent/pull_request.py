"""Body of a pull request: summary, files, checks and remaining tasks.

Possible secrets are masked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docstead.agent.forges.texts import without_commands
from docstead.agent.texts import first_line_of, title_of
from docstead.agent.turn_ends import TurnEnd, TurnFinished
from docstead.agent.values import AgentJob, Turn
from docstead.agent.workspace.diffs import FileChange
from docstead.agent.workspace.secret_scan import masked
from docstead.base.texts import counted

_SHOWN_FILES = 100
_DONE = ("completed", "cancelled")
_LISTS = re.compile(r"^### (?:Files|Checks)$", re.MULTILINE)
# A code span, possibly truncated in a title.
_CODE_SPAN = re.compile(r"(?<!`)(?P<marks>`+)(?!`)(?P<code>.+?)(?:(?<!`)(?P=marks)(?!`)|(?<=…)\Z)")


@dataclass(frozen=True, slots=True)
class Findings:
    """Diagnostics of the latest check, their total number, and a note about the push."""

    diagnostics: Sequence[str]
    count: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class JobLinks:
    """URLs of the job's page and preview; "" if the pull request itself shows them."""

    job: str
    preview: str = ""


@dataclass(frozen=True, slots=True)
class Description:
    title: str
    body: str  # Markdown
    draft: bool


def description_of(
    job: AgentJob,
    turns: Sequence[Turn],
    turn: Turn,
    end: TurnEnd,
    *,
    files: Sequence[FileChange],
    found: Findings,
    links: JobLinks,
    template: str = "",
) -> Description:
    """Return title and body of a job's pull request after this turn."""
    is_whole = isinstance(end, TurnFinished) and not found.diagnostics
    parts = [
        *_summaries(turns, turn, end),
        _state(end, found.note),
        _files(files),
        _checks(found.diagnostics, found.count),
        _todos(job),
        _requests(turns, turn),
        _links(job, links),
    ]
    written = without_commands("\n\n".join(part for part in parts if part))
    body = f"{written}\n\n{template.strip()}".rstrip()  # maintainers may use commands
    return Description(masked(job.title), masked(body), draft=job.draft or not is_whole)


def answer_to(turn: Turn, end: TurnEnd) -> str:
    """Return the answer to the comment that started a turn, which it quotes."""
    parts = [
        f"> {_plain(first_line_of(turn.instruction.prompt))}",
        end.reply or "",
        _state(end, ""),
    ]
    return masked("\n\n".join(part.strip() for part in parts if part.strip()))


def summary_of(body: str) -> str:
    """Return what a body says about the change, without its lists of files, checks and requests."""
    return _LISTS.split(body, maxsplit=1)[0].strip()


def _summaries(turns: Sequence[Turn], turn: Turn, end: TurnEnd) -> list[str]:
    """Return summaries of all commits by turn, oldest first, which describe the change."""
    described = [each for each in turns if each.position <= turn.position and each.commit]
    ends = [end if each.id == turn.id else each.end for each in described]
    return [(each.reply or "").strip() for each in ends if each is not None]


def _state(end: TurnEnd, note: str) -> str:
    lines = []
    if not isinstance(end, TurnFinished):
        lines.append(f"**Not finished** (`{end.reason.value}`): {end.error or 'no reason given'}.")
    if note:
        lines.append(note)
    return "\n\n".join(lines)


def _files(files: Sequence[FileChange]) -> str:
    shown = files[:_SHOWN_FILES]
    rows = [f"- {each.status.capitalize()} {_code(each.path)}{_from(each)}" for each in shown]
    if len(files) > _SHOWN_FILES:
        rows.append(f"- and {len(files) - _SHOWN_FILES} more")
    return "\n".join(["### Files", "", *rows]) if rows else ""


def _from(file: FileChange) -> str:
    return f" (was {_code(file.old_path)})" if file.old_path else ""


def _checks(diagnostics: Sequence[str], count: int) -> str:
    if not diagnostics:
        return "### Checks\n\nNo new problems."
    rows = [f"- {_code(diagnostic)}" for diagnostic in diagnostics]
    if count > len(diagnostics):
        rows.append(f"- and {count - len(diagnostics)} more")
    return "\n".join(["### Checks", "", f"{counted(count, 'new problem')}:", "", *rows])


def _todos(job: AgentJob) -> str:
    left = [todo for todo in job.todos if todo.get("status") not in _DONE]
    rows = [f"- [ ] {_plain(str(todo.get('content', '')))}" for todo in left]
    return "\n".join(["### Remaining tasks", "", *rows]) if rows else ""


def _requests(turns: Sequence[Turn], turn: Turn) -> str:
    asked = [each for each in turns if each.position <= turn.position]
    rows = [f"{each.position}. {_plain(title_of(each.instruction.prompt))}" for each in asked]
    return "\n".join(["### Instructions", "", *rows])


def _links(job: AgentJob, links: JobLinks) -> str:
    parts = [f"[Agent job `{job.id}`]({links.job})"]
    if links.preview:
        parts.insert(0, f"[Preview of the changed pages]({links.preview})")
    return " · ".join(parts)


def _code(text: str) -> str:
    return f"`{text.replace('`', 'ˋ')}`"


def _plain(text: str) -> str:
    """Escape mentions and links in Markdown that a forge renders; code is unchanged."""
    words, at, parts = " ".join(text.split()), 0, []
    for span in _CODE_SPAN.finditer(words):
        parts += [_escaped(words[at : span.start()]), _code(span["code"].strip())]
        at = span.end()
    return "".join((*parts, _escaped(words[at:])))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#@!|])", r"\\\1", text)
