"""Agent jobs whose process is killed repeatedly."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import agent_worker
from agent_harness import AgentHarness, new_repository
from chat_server import Call, ChatServer, Reply
from docstead.agent.turn_ends import TurnFinished
from docstead.agent.values import AgentJob
from docstead.app.databases import database_url
from docstead.app.services import open_services
from docstead.jobs import Jobs
from ready_processes import ReadyProcess

WORKER = Path(agent_worker.__file__)
_LONG_PAGE = "A line of a page that is too long to be read at once.\n" * 3_500
_LONG_SINCE, _JUST_NOW = -1, -2
#: The next message begins with a summary, because this one was so long.
READ_LONG_PAGE = Reply(
    calls=tuple(
        Call("read_file", {"path": "long.mdx", "first_line": 500 * part + 1}, str(part))
        for part in range(7)
    )
)
Process = subprocess.Popen[str] | ReadyProcess
Start = Callable[[Sequence[object], Mapping[str, str]], Process]


def start_interpreter(command: Sequence[object], environment: Mapping[str, str]) -> Process:
    return subprocess.Popen(
        [sys.executable, *map(str, command)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@dataclass
class KillableHarness(AgentHarness):
    """A service whose job worker can be killed, and is restarted each time."""

    folder: Path = field(kw_only=True)
    begin: Start = field(kw_only=True)
    kills: int = 0
    resumed_seconds: list[float] = field(default_factory=list)  # from a start to the next thing
    _worker: Process | None = None
    _started: float = 0.0
    _moved_at_start: int = _LONG_SINCE  # number of events and kills at its start

    def kill_at(self, *points: str) -> None:
        """Set the kill point `step|moment`, or `*` for all."""
        self._points.write_text("\n".join(points))

    def ended(self, job: AgentJob, seconds: float = 600) -> AgentJob:
        """Restart the worker until the job is no longer active; return the job."""
        deadline = time.monotonic() + seconds
        while (found := self.job(job)).status.value == "active":
            assert time.monotonic() < deadline, (found, self._worker)
            self._keep_alive()
            self._measure(found)
            time.sleep(0.02)
        return found

    def _measure(self, job: AgentJob) -> None:
        """Measure the seconds that a restarted process takes to continue."""
        moved = job.event_count + len(self.killed_at())
        if self._moved_at_start == _LONG_SINCE:
            return
        if self._moved_at_start == _JUST_NOW:
            self._moved_at_start = moved
        if moved > self._moved_at_start:
            self.resumed_seconds.append(time.monotonic() - self._started)
            self._moved_at_start = _LONG_SINCE

    def killed_at(self) -> list[str]:
        done = self._points.with_suffix(".done")
        return done.read_text().splitlines() if done.exists() else []

    def until_killed(self) -> None:
        """Start the worker and wait until it has died at one of its points."""
        self._keep_alive()
        assert self._worker is not None
        self._worker.wait(120)

    def _keep_alive(self) -> None:
        if self._worker is not None and self._worker.poll() is None:
            return
        if self._worker is not None:
            self._worker.communicate()
            self.kills += 1
            self._started = time.monotonic()
            self._moved_at_start = _JUST_NOW
        self._points.touch()
        command = [WORKER, self.folder / "data", self.chat.url, self._points]
        self._worker = self.begin(command, self._environment())

    def _environment(self) -> dict[str, str]:
        """Return an environment with cached bytecode, because start times are measured."""
        kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        return kept | {"PYTHONPYCACHEPREFIX": str(self.folder.parent / "compiled")}

    def kill(self) -> None:
        """Kill the worker at its current step."""
        assert self._worker is not None
        self._worker.kill()
        self._worker.wait()

    def kill_during(self, call: threading.Event) -> None:
        """Start the worker, and kill it during this call of the model."""
        self._keep_alive()
        assert call.wait(120)
        self.kill()

    def go_on(self, job: AgentJob, seconds: float = 120) -> None:
        """Start the worker, and wait for its first event."""
        self._keep_alive()
        deadline = time.monotonic() + seconds
        self._measure(self.job(job))
        while self._moved_at_start != _LONG_SINCE and self.job(job).status.value == "active":
            assert time.monotonic() < deadline, self._worker
            time.sleep(0.02)
            self._measure(self.job(job))

    def stop(self) -> None:
        if self._worker is not None:
            self._worker.communicate()

    @property
    def _points(self) -> Path:
        return self.folder / "points"


@contextmanager
def killable_harness(
    folder: Path, chat: ChatServer, start: Start = start_interpreter
) -> Iterator[KillableHarness]:
    """Yield a service with its own repository; `start` starts its workers."""
    repository = new_repository(folder / "repository")
    settings = agent_worker.settings_of(folder / "data", chat.url)
    with open_services(settings) as services:
        jobs = Jobs(database_url(settings), node_id="node-2")
        services.agent.register(jobs)
        harness = KillableHarness(services, jobs, repository, chat, folder=folder, begin=start)
        try:
            yield harness
        finally:
            harness.stop()
            jobs.close()


def add_long_page(harness: KillableHarness) -> None:
    (harness.repository / "long.mdx").write_text(_LONG_PAGE)
    harness.git("add", "--all")
    harness.git("commit", "--quiet", "--message", "Long page")


def problems(
    harness: KillableHarness, job: AgentJob, replies: Sequence[object], *, in_calls: bool = False
) -> list[str]:
    """Return the damage done by the kills, ideally none. Each line begins with its subject.

    If `in_calls`, kills may have occurred during calls of the model, whose answers were lost.
    """
    found = []
    turns = harness.agent.turns(job.id)
    events = harness.agent.events(job.id)
    if [event.number for event in events] != list(range(1, len(events) + 1)):
        found.append("events: some are missing or double")
    commits = harness.git("log", "--format=%H", f"main..{job.branch}").split()
    expected = [turn.commit for turn in turns if turn.commit]
    if sorted(commits) != sorted(expected):
        found.append(f"commits: {commits} on the branch, {expected} of the turns")
    reviews = harness.services.forges.reviews.of_project(job.project_id)
    if len(reviews) != 1:
        found.append(f"pull requests: there are {len(reviews)}")
    if not in_calls and len(harness.chat.conversations) != len(replies):
        found.append(f"calls: {len(harness.chat.conversations)} of the model for {len(replies)}")
    if not all(isinstance(turn.end, TurnFinished) for turn in turns):
        found.append(f"messages: turns ended as {[turn.end for turn in turns]}")
    return found
