"""Time until the changed pages of a review can be seen.

    uv run python bench/previews.py [--pages 105] [--of 400] [--runs 3] [--docs FOLDER]

A change of 105 pages in a repository of 400, by default of generated pages, else of a folder with
documentation. Each run begins with an empty cache of previews, in a service that has rendered
one before. Printed are the medians of the seconds until the list of changed pages, the first
page and all pages are there.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from agent import files
from agent_harness import AgentHarness, agent_harness
from chat_server import chat_server
from docstead.agent.reviews.records import Review


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=105, help="changed pages")
    parser.add_argument("--of", type=int, default=400, help="pages of the repository")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--docs", type=Path, help="documentation instead of generated pages")
    parser.add_argument("--workers", type=int, default=2, help="processes that render pages")
    options = parser.parse_args()
    texts = files(options.of) if options.docs is None else read(options.docs)
    with (
        tempfile.TemporaryDirectory() as folder,
        chat_server() as chat,
        agent_harness(Path(folder), chat, texts, render_workers=options.workers) as harness,
    ):
        measured = [times(harness, options.pages, run) for run in range(options.runs + 1)][1:]
    names = ("list", "first page", "all pages")
    for name, seconds in zip(names, zip(*measured, strict=True), strict=True):
        print(f"{name:10} {statistics.median(seconds):6.2f} s", flush=True)


def read(folder: Path) -> dict[str, str]:
    """Return the text files of a folder."""
    found: dict[str, str] = {}
    for path in folder.rglob("*"):
        if path.suffix in (".mdx", ".md", ".json", ".yaml", ".jsx") and path.is_file():
            found[str(path.relative_to(folder))] = path.read_text(errors="replace")
    return found


def times(harness: AgentHarness, pages: int, run: int) -> tuple[float, float, float]:
    """Return the seconds until the list, the first page and the last page are there."""
    reviews = harness.services.reviews
    revisions = reviews.revisions(change(harness, pages, run))
    begun = time.perf_counter()
    listed = reviews.preview_progress(revisions).listed
    listed_at = time.perf_counter()
    reviews.document(revisions, "after", listed.pages[0].slug)
    shown_at = time.perf_counter()
    found = len(reviews.preview(revisions).pages)
    done_at = time.perf_counter()
    assert found >= pages, f"{found} pages of {pages}"
    return listed_at - begun, shown_at - begun, done_at - begun


def change(harness: AgentHarness, pages: int, run: int) -> Review:
    """Create a change of that many pages on a new branch."""
    branch = f"docstead/run-{run}"
    harness.git("checkout", "--quiet", "-b", branch, "main")
    for path in sorted(harness.repository.rglob("*.md*"))[:pages]:
        path.write_text(f"{path.read_text()}\n\nChanged in run {run}.\n")
    harness.git("commit", "--quiet", "--all", "--message", f"Run {run}")
    harness.git("checkout", "--quiet", "main")
    return harness.services.forges.reviews.open(
        harness.project.id, branch, base="main", title=f"Run {run}", body="", draft=False
    )


if __name__ == "__main__":
    main()
