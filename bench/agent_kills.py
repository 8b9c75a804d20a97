"""Kills the process of an agent job at every point of every step, and counts losses.

    uv run python bench/agent_kills.py [--rounds 1] [--steps summary] [--moments 100]

A round is one job with two messages, the second sent during the first.
Its process is killed before, inside and after each of its steps, or of those in `--steps`,
and restarted each time. Then it is killed `--moments` times at random moments, also within
steps. Nothing may be lost or done twice.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from agent_kills import READ_LONG_PAGE, KillableHarness, add_long_page, killable_harness, problems
from chat_server import Call, ChatRequest, ChatServer, Reply, Rule, chat_server
from docstead.agent.event_log import EventLog
from docstead.agent.prompt import SUMMARIZE
from docstead.agent.stored_files import FIRST_PICTURE
from docstead.agent.values import AgentJob
from docstead.base.clock import SystemClock

TODOS = Reply(calls=(Call("update_todos", {"todos": [{"content": "Write the page"}]}),))
WRITE = Reply(
    "Now the page.",
    calls=(
        Call("write_file", {"path": "new.mdx", "text": "# New\n"}, "a"),
        Call("read_file", {"path": "new.mdx"}, "b"),
    ),
)
LOOK = Reply(
    calls=(
        Call("list_files", {}, "a"),
        Call("list_files", {"glob": "*.mdx"}, "b"),
        Call("search_text", {"pattern": "New"}, "c"),
        Call("search_text", {"pattern": "parcels", "published": True}, "d"),
        Call("read_file", {"path": "new.mdx", "rendered": True}, "e"),
        Call("navigation", {"action": "read"}, "f"),
        Call("reference", {"topic": "operations"}, "g"),
        Call("read_file", {"path": "new.mdx", "screen": 1}, "h"),
    )
)
EXTRA = Reply(
    calls=(
        Call("write_file", {"path": "extra.mdx", "text": "# Extra\n"}, "a"),
        Call("navigation", {"action": "add_page", "page": "extra", "into": ["Guides"]}, "b"),
        Call("navigation", {"action": "remove", "page": "extra"}, "c"),
        Call("delete_file", {"path": "extra.mdx"}, "d"),
    )
)
EDIT = Reply(calls=(Call("replace_text", {"path": "new.mdx", "old": "New", "new": "Newer"}),))
MOVE = Reply(
    calls=(Call("move_file", {"source": "guides/start.mdx", "target": "guides/begin.mdx"}),)
)
NOTES = Reply("All lines of long.mdx are the same; new.mdx is written.")
CHECK = Reply(calls=(Call("check"),))
FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))
FIRST = (TODOS, WRITE, LOOK, READ_LONG_PAGE, CHECK, FINISH)
SECOND = (EDIT, EXTRA, MOVE, FINISH)
PROMPTS = ("Write a page", "Change it, and move the start")
LONGEST_SECONDS = 1.5  # seconds between two random kills, since the process became active
MOMENTS = ("before", "inside", "after")
PICTURE = 3 * FIRST_PICTURE + 7  # of the eighth call of the third answer
BARS = ("messages", "pull requests", "commits", "calls", "events", "files", "pictures")


@dataclass
class KillCounts:
    """Counts of all rounds."""

    points: Counter[tuple[str, str]] = field(default_factory=Counter)  # step and moment
    anywhere: int = 0
    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, harness: KillableHarness, found: list[str]) -> None:
        self.points.update(_point(line) for line in harness.killed_at())
        self.seconds += harness.resumed_seconds
        self.problems += found

    def report(self) -> None:
        moments = Counter(moment for _, moment in self.points.elements())
        steps = {step for step, _ in self.points}
        ordered = sorted(self.seconds) or [0.0]
        listed = ", ".join(f"{count} {moment}" for moment, count in sorted(moments.items()))
        print(f"kills at steps                {self.points.total()} ({listed})")
        print(f"steps                         {len(steps)}: {', '.join(sorted(steps))}")
        print(f"kills at any moment           {self.anywhere}")
        for bar in BARS:
            count = sum(problem.startswith(bar) for problem in self.problems)
            print(f"problems of {bar:19} {count}")
        middle, late = ordered[len(ordered) // 2], ordered[-1]
        print(f"from a start to going on      median {middle:.1f} s, slowest {late:.1f} s")
        print("\n".join(self.problems))


def main(rounds: int, steps: Sequence[str], moments: int) -> None:
    count, begun = KillCounts(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            with chat_server() as chat:
                at_each_step(Path(folder) / f"round-{number}", chat, steps, count)
        while count.anywhere < moments:
            with chat_server() as chat:
                anywhere(Path(folder) / f"moments-{count.anywhere}", chat, count, moments)
    count.report()
    print(f"in all                        {time.monotonic() - begun:.0f} s")
    sys.exit(1 if count.problems else 0)


def at_each_step(folder: Path, chat: ChatServer, steps: Sequence[str], count: KillCounts) -> None:
    folder.mkdir()
    with killable_harness(folder, chat) as harness:
        add_long_page(harness)
        harness.says(*FIRST, NOTES, *SECOND)
        harness.kill_at(*([f"{step}|{moment}" for step in steps for moment in MOMENTS] or ["*"]))
        job = harness.start(PROMPTS[0])
        harness.follow_up(job, PROMPTS[1])
        job = harness.ended(job, 3_600)
        found = problems(harness, job, (*FIRST, NOTES, *SECOND))
        found += [*misplaced(harness, job.branch), *lost_pictures(harness, job)]
        count.add(harness, found)


def anywhere(folder: Path, chat: ChatServer, count: KillCounts, most: int) -> None:
    folder.mkdir()
    chance = random.Random(count.anywhere)
    with killable_harness(folder, chat) as harness:
        add_long_page(harness)
        chat.rules = [Rule(lambda _: True, next_reply)]
        job = harness.start(PROMPTS[0])
        harness.follow_up(job, PROMPTS[1])
        while harness.job(job).status.value == "active" and count.anywhere < most:
            harness.go_on(job)
            time.sleep(chance.uniform(0, LONGEST_SECONDS))
            harness.kill()
            count.anywhere += 1
        job = harness.ended(job, 3_600)
        found = problems(harness, job, (), in_calls=True)
        found += [*misplaced(harness, job.branch), *lost_pictures(harness, job)]
        count.add(harness, found)


def next_reply(said: ChatRequest) -> Reply:
    """Return the next reply of the conversation, however often it was requested."""
    if said.last.text == SUMMARIZE:
        return NOTES
    questions = [at for at, m in enumerate(said.messages) if m.role == "user"]
    replies = FIRST if said.question == PROMPTS[0] else SECOND
    answered = sum(m.role == "assistant" for m in said.messages[questions[-1] :])
    return replies[min(answered, len(replies) - 1)]


def misplaced(harness: KillableHarness, branch: str) -> list[str]:
    """Return unexpected contents of files."""
    files = harness.git("ls-tree", "-r", "--name-only", branch).split()
    expected = ["docs.json", "guides/begin.mdx", "index.mdx", "long.mdx", "new.mdx"]
    if sorted(files) != expected:
        return [f"files: they are {files}"]
    text = harness.file(branch, "new.mdx")
    return [] if text == "# Newer" else [f"files: new.mdx is {text!r}"]


def lost_pictures(harness: KillableHarness, job: AgentJob) -> list[str]:
    """Return missing screenshots of results."""
    event_log = EventLog(harness.services.database, SystemClock())
    turn = harness.agent.turns(job.id)[0]
    pictures = [m["picture"] for m in event_log.messages_of_turn(turn.id) if "picture" in m]
    if pictures != [[turn.id, PICTURE]]:
        return [f"pictures: results have {pictures}"]
    stored = event_log.picture(turn.id, PICTURE)
    return [] if stored and stored.data.startswith(b"\xff\xd8") else ["pictures: none is stored"]


def _point(line: str) -> tuple[str, str]:
    """Return step and moment of a line `turn|step|moment`; steps without their numbers."""
    _, step, moment = line.split("|")
    words = (word for word in step.split() if not word[0].isdigit() and word != "tool")
    return " ".join(words), moment


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1, help="jobs killed at each of their steps")
    parser.add_argument("--steps", nargs="*", default=[], help="steps to kill at, all by default")
    parser.add_argument("--moments", type=int, default=0, help="further kills, at any moment")
    chosen = parser.parse_args()
    main(chosen.rounds, chosen.steps, chosen.moments)
