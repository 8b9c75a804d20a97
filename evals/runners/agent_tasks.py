"""Scripted tasks on real repositories: the share with exactly the expected result.

    python evals/runners/agent_tasks.py ROOT... [--at-once 4] [--kinds "rename,deletion"]
        [--seed-defect]

Each ROOT is a documentation folder, which is copied; nothing is written to it. A task uses the
HTTP interface of a real server, and a scripted model behind another real server. It is done if
the job is completed, exactly the expected files have changed to the expected contents, no check
found anything new, and exactly one pull request is open for all its turns.

`--seed-defect` tries this evaluation: an edit loses the last character of the new text.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests" / "support"))

import httpx

from agent_harness import git
from agent_kinds import KINDS
from agent_readings import losing_a_character
from agent_repository import PlainTexts
from agent_server import AgentServer, AgentTenant, agent_server
from agent_sweeps import with_broken_links
from agent_task import EvalTask, Script
from chat_server import ChatRequest, Reply, Rule, chat_server
from seeded_defects import finish

_ENDED_SECONDS = 600


@dataclass(frozen=True)
class TaskRepository:
    """A copy of a documentation folder in a repository of its own, below `docs/`."""

    name: str
    folder: Path
    plain: PlainTexts

    def tasks(self) -> list[EvalTask]:
        return [task for kind in KINDS if (task := kind(self.plain))]

    def changed(self, branch: str) -> dict[str, str | None]:
        """Return the files in which a branch differs, with their texts."""
        print_problems = git(
            self.folder, "diff", "--no-renames", "--name-status", "-z", "main", branch
        )
        fields = iter(print_problems.split("\0")[:-1])
        return {
            path.removeprefix("docs/"): None if status == "D" else self._text(branch, path)
            for status, path in zip(fields, fields, strict=True)
        }

    def _text(self, branch: str, path: str) -> str:
        command = ["git", "show", f"{branch}:{path}"]
        return subprocess.run(
            command, cwd=self.folder, check=True, capture_output=True
        ).stdout.decode()


class Player:
    """A scripted model, which recognizes each job by its instruction."""

    def __init__(self) -> None:
        self._scripts: dict[str, Script] = {}

    def learn(self, task: EvalTask, mark: str) -> None:
        for prompt, script in task.turns:
            self._scripts[_marked(mark, prompt)] = script()

    def reply(self, said: ChatRequest) -> Reply:
        script = self._scripts.get(said.question)
        if script is None:
            return Reply("This is something that I was not prepared for.")
        try:
            begun = said.last.role != "user"
            return Reply(calls=script.send(_results(said)) if begun else next(script))
        except StopIteration:
            return Reply("There is nothing more that I know of.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--kinds", default="", help="only these, with commas between them")
    parser.add_argument("--seed-defect", action="store_true", help="try this evaluation")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="docstead-tasks-") as folder,
        losing_a_character() if options.seed_defect else nullcontext(),
    ):
        repositories = [
            copied(root, Path(folder) / f"repository-{n}") for n, root in enumerate(options.roots)
        ]
        kinds = frozenset(filter(None, options.kinds.split(",")))
        if unknown := kinds - {task.kind for each in repositories for task in each.tasks()}:
            parser.error(f"--kinds: no task is of the kind {', '.join(sorted(unknown))}")
        problems = run(repositories, Path(folder) / "data", options.at_once, kinds, print_problems)
    finish(not report(problems), "lost character" if options.seed_defect else None)


def run(
    repositories: Sequence[TaskRepository],
    data: Path,
    at_once: int,
    kinds: Set[str] = frozenset(),
    report: Callable[[str, list[str]], object] = lambda _name, _problems: None,
) -> dict[str, list[str]]:
    """Return the errors of each task; `report` receives them as tasks end."""
    with chat_server() as chat:
        player = Player()
        chat.rules = [Rule(lambda _: True, player.reply)]
        with agent_server(data, chat, agent_jobs_at_once=at_once) as server:
            trials = [
                AgentTrial(
                    server,
                    server.tenant(repository.name, repository.folder, "docs"),
                    repository,
                    task,
                )
                for repository in repositories
                for task in repository.tasks()
                if not kinds or task.kind in kinds
            ]
            for trial in trials:
                player.learn(trial.task, trial.name)
            with ThreadPoolExecutor(at_once) as pool:
                problems = {}
                for trial, found in zip(trials, pool.map(AgentTrial.problems, trials), strict=True):
                    problems[trial.name] = found
                    report(trial.name, found)
                return problems


def print_problems(name: str, found: list[str]) -> None:
    print("\n         ".join([f"{'FAULT' if found else 'done '}  {name}", *found]), flush=True)


def report(problems: dict[str, list[str]]) -> int:
    """Print a table of kinds by repository: 1 is done, 0 is not, - has no such task."""
    repositories, kinds = (
        [*dict.fromkeys(name.split(": ")[part] for name in problems)] for part in (0, 1)
    )
    done = {name: str(int(not found)) for name, found in problems.items()}
    print("".join([f"{'':16}", *(f"{repository:>18}" for repository in repositories)]))
    for kind in kinds:
        row = [done.get(f"{repository}: {kind}", "-") for repository in repositories]
        print("".join([f"{kind:16}", *(f"{each:>18}" for each in row)]))
    whole = sum(not found for found in problems.values())
    print(f"kinds of tasks                {len(kinds)}")
    print(f"tasks that ended as expected  {whole}/{len(problems)}")
    return 0 if whole == len(problems) else 1


@dataclass(frozen=True)
class AgentTrial:
    """A task, over HTTP from its first message to its pull request."""

    server: AgentServer
    tenant: AgentTenant
    repository: TaskRepository
    task: EvalTask

    @property
    def name(self) -> str:
        return f"{self.repository.name}: {self.task.kind}"

    def problems(self) -> list[str]:
        try:
            return self._problems()
        except (AssertionError, httpx.HTTPError, subprocess.CalledProcessError) as error:
            return [f"{type(error).__name__}: {error}"]

    def _problems(self) -> list[str]:
        prompts = [_marked(self.name, prompt) for prompt, _ in self.task.turns]
        job = self.server.created(self.tenant, prompts[0])
        links = []
        for prompt in (None, *prompts[1:]):
            if prompt is not None:
                self.server.followed_up(self.tenant, job["id"], prompt)
            job = self.server.ended(self.tenant, job["id"], _ENDED_SECONDS)
            links.append(job["prLink"])
        events = self.server.events(self.tenant, job["id"])
        found = _troubles(events)
        if job["status"] != "completed":
            return [f"it is {job['status']}", *found]
        if len(set(links)) != 1 or not links[0]:
            found.append(f"the pull requests of its turns are {links}")
        changes = self.server.changes(self.tenant, job["source"]["ref"])
        if len(changes) != 1 or changes[0].draft:
            found.append(f"its pull requests are {changes}")
        return found + self.task.expected.problems(self.repository.changed(job["source"]["ref"]))


def _troubles(events: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    found = [data["result"][:300] for kind, data in events if kind == "tool" and data["isError"]]
    checks = [data for kind, data in events if kind == "check"]
    if not checks or not all(each["ok"] for each in checks):
        found.append(f"the checks are {checks}")
    ends = [data["error"] for kind, data in events if kind == "turn.ended" and data["error"]]
    return found + ends + [str(data) for kind, data in events if kind in ("failure", "nudge")]


def copied(root: Path, folder: Path) -> TaskRepository:
    """Copy the files, and break some links for a task to repair."""
    root = root.resolve()
    shutil.copytree(root, folder / "docs", ignore=shutil.ignore_patterns(".git", "node_modules"))
    for path, text in with_broken_links(PlainTexts.of(folder / "docs")).items():
        (folder / "docs" / path).write_text(text)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", "The documentation")
    return TaskRepository("/".join(root.parts[-2:]), folder, PlainTexts.of(folder / "docs"))


def _marked(name: str, prompt: str) -> str:
    return f"{prompt} ({name})"


def _results(said: ChatRequest) -> list[str]:
    """Return the results of the last tool calls, without the lines that mark them as data."""
    last = max(n for n, message in enumerate(said.messages) if message.role == "assistant")
    texts = [m.text for m in said.messages[last + 1 :] if m.role == "tool"]
    return ["\n".join(text.split("\n")[1:-1]) for text in texts]


if __name__ == "__main__":
    main()
