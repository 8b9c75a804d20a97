"""Cost of the sandbox around the processes that render pages.

    python bench/sandbox.py [SOURCE] [--runs 30]

Each run starts an engine, renders the pages of SOURCE in one process and ends it, confined and
not confined in turn. Compared is the processor time of all that a run started: the mean
difference of the pairs as a share of the unconfined runs, with its 95 % interval. Ends with
status 1 where the whole interval is above 2 %.
"""

from __future__ import annotations

import argparse
import math
import resource
import statistics
import sys
from pathlib import Path

from docstead.base.sandbox import SandboxMode, supported
from docstead.content.pages import Repository
from docstead.loading.loader import load_repository
from docstead.rendering import EngineLimits, RenderingEngine

BAR = 0.02
CONFINED, FREE = SandboxMode.REQUIRED, SandboxMode.OFF


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, nargs="?", default=Path("docs"))
    parser.add_argument("--runs", type=int, default=30, help="of each kind")
    options = parser.parse_args()
    repository = load_repository(options.source.resolve())
    pairs = []
    for number in range(options.runs + 1):
        order = (CONFINED, FREE) if number % 2 else (FREE, CONFINED)
        seconds = {mode: _processor_seconds(repository, mode) for mode in order}
        if number:  # the first pair warms the file cache
            pairs.append((seconds[CONFINED], seconds[FREE]))
    sys.exit(_report(len(repository.pages), pairs))


def _processor_seconds(repository: Repository, mode: SandboxMode) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with RenderingEngine(1, EngineLimits(sandbox=mode)) as engine:
        failed = [p.slug for p in engine.render(repository, list(repository.pages)) if p.failed]
    if failed:
        raise SystemExit(f"pages failed: {failed}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _report(pages: int, pairs: list[tuple[float, float]]) -> int:
    free = statistics.mean(unconfined for _, unconfined in pairs)
    costs = [(confined - unconfined) / free for confined, unconfined in pairs]
    cost = statistics.mean(costs)
    error = statistics.stdev(costs) / math.sqrt(len(costs))
    low, high = (cost + sign * _t_value(len(costs) - 1) * error for sign in (-1, 1))
    print(f"{supported()}; {pages} pages, {len(pairs)} pairs of runs")
    print(
        f"processor time: {free:.3f} s unconfined, cost of the sandbox {cost:+.1%} "
        f"(95 % interval {low:+.1%} to {high:+.1%}, bar {BAR:.0%})"
    )
    return int(low > BAR)


def _t_value(freedom: int) -> float:
    """Return the 97.5 % point of Student's distribution, by expansion around the normal one."""
    normal = statistics.NormalDist().inv_cdf(0.975)
    return (
        normal
        + (normal**3 + normal) / (4 * freedom)
        + (5 * normal**5 + 16 * normal**3 + 3 * normal) / (96 * freedom**2)
    )


if __name__ == "__main__":
    main()
