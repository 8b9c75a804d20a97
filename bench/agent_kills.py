"""Kills the process of an agent job at every point of every step, and counts what is lost.

    uv run python bench/agent_kills.py [ROUNDS]

A round is one job with two messages, the second of them sent while the first is at work.
Its process is killed before, inside and after each of its steps; it is started again each
time. Nothing may be lost and nothing be done twice.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from agent_kills import KillableHouse, faults, killable_house
from chat_server import Call, ChatServer, Reply, chat_server

TODOS = Reply(calls=(Call("update_todos", {"todos": [{"content": "Write the page"}]}),))
WRITE = Reply(
    "Now the page.",
    calls=(
        Call("write_file", {"path": "new.mdx", "text": "# New\n"}, "a"),
        Call("read_file", {"path": "new.mdx"}, "b"),
    ),
)
EDIT = Reply(calls=(Call("replace_text", {"path": "new.mdx", "old": "New", "new": "Newer"}),))
MOVE = Reply(
    calls=(Call("move_file", {"source": "guides/start.mdx", "target": "guides/begin.mdx"}),)
)
CHECK = Reply(calls=(Call("check"),))
FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))
FIRST = (TODOS, WRITE, CHECK, FINISH)
SECOND = (EDIT, MOVE, FINISH)


def main(rounds: int) -> None:
    kills, broken, begun = 0, [], time.monotonic()
    slowest = 0.0
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder, chat_server() as chat:
            house_kills, house_slowest, found = one_round(Path(folder), chat)
        kills, slowest = kills + house_kills, max(slowest, house_slowest)
        broken += [f"round {number + 1}: {fault}" for fault in found]
    print(f"kills                         {kills}")
    print(f"faults                        {len(broken)}")
    print(f"slowest resumption            {slowest:.1f} s")
    print(f"in all                        {time.monotonic() - begun:.0f} s")
    for fault in broken:
        print(f"  {fault}")
    sys.exit(1 if broken else 0)


def one_round(folder: Path, chat: ChatServer) -> tuple[int, float, list[str]]:
    with killable_house(folder, chat) as house:
        house.says(*FIRST, *SECOND)
        house.kill_at("*")
        job = house.start("Write a page")
        house.follow_up(job, "Change it, and move the start")
        job = house.ended(job, 3_600)
        found = faults(house, job, (*FIRST, *SECOND)) + misplaced(house, job.branch)
        return len(house.killed_at()), house.slowest_seconds, found


def misplaced(house: KillableHouse, branch: str) -> list[str]:
    """Files that are not as they should be."""
    files = house.git("ls-tree", "-r", "--name-only", branch).split()
    expected = ["docs.json", "guides/begin.mdx", "index.mdx", "new.mdx"]
    if sorted(files) != expected:
        return [f"the files are {files}"]
    text = house.file(branch, "new.mdx")
    return [] if text == "# Newer" else [f"new.mdx is {text!r}"]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
