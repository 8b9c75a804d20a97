"""Time and memory that the agent adds to those of its model.

    uv run python bench/agent.py [--pages 1000]

Three numbers, on a repository of 1,000 pages by default: our own time between an answer of
the model and the next question to it; the time from a new job to its first question, with
a warm mirror; and the memory of one process with 50 active jobs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from agent_harness import AgentHarness, agent_harness
from chat_server import Call, ChatRequest, Reply, Rule, chat_server

STEPS = 60
JOBS = 50
STARTS = 6


@dataclass
class AnswerWatch:
    """Times of requests and of completed replies."""

    asked: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)  # processor seconds by then

    def note(self) -> None:
        self.asked.append(time.perf_counter())
        self.worked.append(processor_seconds())

    def between(self) -> list[float]:
        return [after - before for before, after in itertools.pairwise(self.asked)]

    def work_between(self) -> list[float]:
        return [after - before for before, after in itertools.pairwise(self.worked)]


def files(pages: int) -> dict[str, str]:
    """Return a documentation repository of that many pages."""
    names = [f"part-{number // 50}/page-{number}" for number in range(pages)]
    groups = [
        {"group": f"Part {part}", "pages": names[part * 50 : part * 50 + 50]}
        for part in range(-(-pages // 50))
    ]
    config = {
        "name": "Large",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"groups": groups},
    }
    texts = {f"{name}.mdx": page(number) for number, name in enumerate(names)}
    return {"docs.json": json.dumps(config, indent=2), **texts}


def page(number: int) -> str:
    body = f"Paragraph of page {number} about parcels and webhooks. " * 12
    sections = "\n\n".join(f"## Section {count}\n\n{body}" for count in range(4))
    return f'---\ntitle: "Page {number}"\ndescription: "About {number}."\n---\n\n{sections}\n'


def calls() -> Iterator[Call]:
    """Yield calls that read, search and write in turn."""
    for number in itertools.count():
        path = f"part-{number % 5}/page-{number % 5 * 50 + number % 7}.mdx"
        yield Call("read_file", {"path": path})
        yield Call("search_text", {"pattern": f"page {number}"})
        values = {"path": path, "old": "## Section 0", "new": f"## Section 0\n\nMore {number}."}
        yield Call("replace_text", values)
        yield Call("write_file", {"path": f"new/page-{number}.mdx", "text": page(number)})


@contextmanager
def harness(
    folder: Path, pages: int, **settings: object
) -> Iterator[tuple[AgentHarness, AnswerWatch]]:
    with (
        chat_server() as chat,
        agent_harness(folder, chat, files(pages), polling_seconds=1.0, **settings) as made,
    ):
        yield made, AnswerWatch()


def steps(pages: int) -> None:
    with tempfile.TemporaryDirectory() as folder, harness(Path(folder), pages) as (made, watch):
        made.chat.rules = [Rule(lambda _: True, timed(watch, STEPS))]
        made.run("Work", seconds=600)
        between = watch.between()
        report("own time per step", between)
        for count, call in enumerate(itertools.islice(calls(), 4)):
            report(f"  after {call.name}", between[count::4])
        report("the same in processor time", watch.work_between())


def timed(watch: AnswerWatch, count: int) -> Callable[[ChatRequest], Reply]:
    source = calls()

    def reply(_: ChatRequest) -> Reply:
        watch.note()
        return Reply(calls=(next(source),)) if len(watch.asked) < count else Reply("Done.")

    return reply


def starts(pages: int) -> None:
    with tempfile.TemporaryDirectory() as folder, harness(Path(folder), pages) as (made, watch):
        waited = []
        for number in range(STARTS + 1):
            watch.asked.clear()
            watch.worked.clear()
            made.chat.rules = [Rule(lambda _: True, timed(watch, 1))]
            begun = time.perf_counter()
            made.run(f"Job {number}", seconds=600)
            waited.append(watch.asked[0] - begun)
        report("job to first question, cold", waited[:1])
        report("job to first question, warm", waited[1:])


def memory(pages: int) -> None:
    settings = {"agent_jobs_at_once": JOBS}
    with tempfile.TemporaryDirectory() as folder, harness(Path(folder), pages, **settings) as found:
        made, before = found[0], peak_mib()
        slow = Reply(*["word "] * 40, calls=(Call("list_files"),), pause_seconds=0.5)
        made.chat.rules = [
            Rule(lambda said: not said.used, slow),
            Rule(lambda _: True, Reply("Done.")),
        ]
        jobs = [made.start(f"Job {number}") for number in range(JOBS)]
        made.until(lambda: len(made.chat.conversations), lambda asked: asked >= JOBS, 600)
        print(f"questions under way at once        {JOBS}")
        for job in jobs:
            made.ended(job, 600)
        print(f"memory before, and at its peak     {before:.0f} MiB, {peak_mib():.0f} MiB")


def processor_seconds() -> float:
    """Return processor time of this process and its children, mainly git."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(each.ru_utime + each.ru_stime for each in used)


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(name: str, seconds: Sequence[float]) -> None:
    ordered = sorted(seconds)
    middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    print(f"{name:34} median {middle * 1000:.0f} ms, p95 {late * 1000:.0f} ms ({len(ordered)})")


def main(pages: int) -> None:
    memory(pages)
    starts(pages)
    steps(pages)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1_000, help="of the repository")
    main(parser.parse_args().pages)
