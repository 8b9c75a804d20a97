"""Tasks for a model that reads, in seven modes of three protocols: how many end exactly right.

    python evals/runners/agent_readings.py [--modes anthropic-strict,gemini-strict]
        [--tasks crlf,secret] [--at-once 3] [--seed-defect]

Each file of `evals/datasets/agent_tasks` is a task with its repository, its instructions and what
the remote must hold. A task is right if the job has the expected status, each file of its branch
is byte for byte the expected one (JSON files that the task names are compared as JSON), it has
the expected number of commits, a pull request exactly if there are any, the project's branch has
not moved, and the server of the model has refused nothing.

With `--seed-defect` the tool that edits files loses the last character of each replacement.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests" / "support"))

import httpx

from agent_harness import git
from agent_maintainer_policies import MAINTAINER_POLICIES
from agent_policies import POLICIES
from agent_reader import ReaderModel
from agent_reading_task import ReadingTask, reading_tasks, words_of
from agent_server import AgentServer, agent_server
from chat_server import ChatRequest, ChatServer, Reply, Rule, chat_server
from chat_wires import Call
from docstead.agent.tools import write_tools
from seeded_defects import finish
from strict_providers import signature

MODES = (
    "openai", "openai-strict", "openai-reasoning-strict", "openai-responses-strict",
    "gemini-strict", "anthropic", "anthropic-strict",
)  # fmt: skip
_ENDED_SECONDS = 600


@dataclass(frozen=True)
class TaskOutcome:
    """Problems of one task in one mode, and how many words are lost that had to stay."""

    problems: tuple[str, ...]
    lost: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--tasks", default="", help="only these, with commas between them")
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("--seed-defect", action="store_true", help="an edit loses a character")
    options = parser.parse_args()
    only = frozenset(filter(None, options.tasks.split(",")))
    tasks = [task for task in reading_tasks() if not only or task.name in only]
    with ExitStack() as stack:
        if options.seed_defect:
            stack.enter_context(losing_a_character())
        rows = {
            mode: run(mode, tasks, options.at_once)
            for mode in filter(None, options.modes.split(","))
        }
    wrong = report(rows, len(tasks))
    finish(not wrong, "lost character" if options.seed_defect else None)


def run(mode: str, tasks: Sequence[ReadingTask], at_once: int) -> dict[str, TaskOutcome]:
    """Run all tasks with a service of their own."""
    with tempfile.TemporaryDirectory(prefix="docstead-readings-") as name, chat_server() as chat:
        folder = Path(name)
        reader = ReaderModel({**POLICIES, **MAINTAINER_POLICIES})
        chat.rules = [Rule(lambda _: True, _signed(mode, reader))]
        settings = {
            "models": {"reader": _model(mode, chat)},
            "agent_models": ("reader",),
            "agent_jobs_at_once": at_once,
        }
        with (
            agent_server(folder / "data", chat, **settings) as server,
            ThreadPoolExecutor(at_once) as pool,
        ):
            outcomes = pool.map(lambda task: _outcome(server, folder, task), tasks)
            found = dict(zip([task.name for task in tasks], outcomes, strict=True))
        for refusal in (*chat.refusals, *reader.errors):
            found[f"the model's server: {refusal[:300]}"] = TaskOutcome((refusal[:300],))
        for task, outcome in found.items():
            for problem in outcome.problems:
                print(f"{mode:24} {task:22} {problem}", flush=True)
        return found


def _model(mode: str, chat: ChatServer) -> dict[str, Any]:
    provider, is_strict = mode.removesuffix("-strict"), mode.endswith("-strict")
    is_anthropic = provider == "anthropic"
    plain = chat.anthropic_url if is_anthropic else chat.url
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 4_096}}
    return {
        "provider": provider if provider in ("anthropic", "openai-responses") else "openai",
        "base_url": chat.strict_url(provider) if is_strict else plain,
        "model": "gpt-5" if provider.startswith("openai-re") else "reader",
        "context_tokens": 128_000,
        "options": thinking if mode == "anthropic-strict" else {},
    }


def _signed(mode: str, reader: ReaderModel) -> Any:
    """Return the reader's replies with reasoning, ids and signatures of the provider."""

    def reply(said: ChatRequest) -> Reply:
        answer = reader.reply(said)
        number = sum(message.role == "assistant" for message in said.messages)
        calls = [
            Call(call.name, call.arguments, f"call_{number}_{at}")
            for at, call in enumerate(answer.calls)
        ]
        reasoning = f"Thought {number}." if mode.endswith("strict") else ""
        return Reply(
            *answer.pieces,
            calls=calls,
            reasoning=[reasoning] if reasoning else [],
            signature=signature(reasoning if mode.startswith("anthropic") else f"call_{number}_0"),
        )

    return reply


def _outcome(server: AgentServer, folder: Path, task: ReadingTask) -> TaskOutcome:
    try:
        return _carried_out(server, folder, task)
    except (AssertionError, httpx.HTTPError) as error:
        return TaskOutcome((f"{type(error).__name__}: {error}",))


def _carried_out(server: AgentServer, folder: Path, task: ReadingTask) -> TaskOutcome:
    repository = task.written(folder / task.name)
    base = git(repository, "rev-parse", "main")
    tenant = server.tenant(task.name, repository, task.root)
    job = server.created(tenant, task.prompts[0])
    for prompt in (None, *task.prompts[1:]):
        if prompt is not None:
            server.followed_up(tenant, job["id"], prompt)
        job = server.ended(tenant, job["id"], _ENDED_SECONDS)
    events = server.events(tenant, job["id"])
    ends = [data for kind, data in events if kind == "turn.ended"]
    branch = job["source"]["ref"]
    has_branch = branch in git(repository, "branch", "--format=%(refname:short)").split()
    after = task.files_of(repository, branch) if has_branch else task.files
    commits = git(repository, "rev-list", f"main..{branch}").split() if has_branch else []
    problems = [*task.differences(after)]
    problems += _different("status", task.status, job["status"])
    problems += _different("commits", task.commits, len(commits))
    problems += _different("a pull request", bool(task.commits), bool(job["prLink"]))
    problems += _different("the project's branch", base, git(repository, "rev-parse", "main"))
    if task.commits:
        drafts = [change.draft for change in server.changes(tenant, branch)]
        problems += _different("drafts of its pull requests", [False], drafts)
    replies = " ".join(str(end.get("reply") or "") for end in ends)
    if task.summary and task.summary not in replies:
        problems.append(f"the answer does not say {task.summary!r}: {replies[:200]}")
    if task.never and any(task.never in git(repository, "show", each) for each in commits):
        problems.append("a commit holds what must not be written down")
    lost = (words_of(task.expected) & words_of(task.files)) - words_of(after)
    return TaskOutcome(tuple(problems), sum(lost.values()))


def _different(what: str, expected: object, found: object) -> list[str]:
    return [] if expected == found else [f"{what}: {found!r}, expected {expected!r}"]


@contextmanager
def losing_a_character() -> Iterator[None]:
    """Make `edit_file` lose the last character of a new text."""
    original = write_tools.TextEdit.__init__

    def losing(self: Any, **values: Any) -> None:
        original(self, **{**values, "new_string": values["new_string"][:-1]})

    write_tools.TextEdit.__init__ = losing  # type: ignore[method-assign]
    try:
        yield
    finally:
        write_tools.TextEdit.__init__ = original  # type: ignore[method-assign]


def report(rows: dict[str, dict[str, TaskOutcome]], tasks: int) -> int:
    """Print a table; return the number of wrong tasks and refusals."""
    print(f"{'mode':26}{'right':>8}{'words lost':>12}")
    wrong = 0
    for mode, outcomes in rows.items():
        faulty = sum(bool(outcome.problems) for outcome in outcomes.values())
        lost = sum(outcome.lost for outcome in outcomes.values())
        print(f"{mode:26}{f'{len(outcomes) - faulty}/{tasks}':>8}{lost:>12}")
        wrong += faulty
    return wrong


if __name__ == "__main__":
    main()
