"""Readers' questions and titles of pages, asked of the browser's search of exported sites.

    docstead export /path/to/docs -o site
    python evals/runners/bundle_search.py OWNER/NAME=site [OWNER/NAME=other-site ...] [--show]

The questions are those of `datasets/readers/questions.jsonl` that the documentation covers, in the
language of the site. Chromium asks from the folder. Prints JSON lines: how many questions have a
right page first, among the first five, and among all results, and how many titles that only one
page has find it first. Compare two versions by exporting with both; the sets say nothing about one.

`--seed-defect` tries this evaluation: results in reverse order are compared with the page's. The
figures that are worse are named, and the status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accessibility import chromium
from seeded_defects import finish, has_noticed
from sets import DATASETS

QUESTIONS = DATASETS / "readers/questions.jsonl"
AT = 5
MOST_TITLES = 200
_ASK = """
const [query, done] = arguments;
document.querySelector("[data-search]").click();
const wait = () => {
  const dialog = document.querySelector(".ds-search-dialog");
  const input = dialog?.querySelector("input");
  if (input && input.value !== query) {
    input.value = query;
    input.dispatchEvent(new Event("input"));
  }
  if (dialog?.dataset.answered !== query) return setTimeout(wait, 20);
  done([...dialog.querySelectorAll("a[role=option]")].map((each) => each.href.split("#")[0]));
};
wait();
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", nargs="+", help="OWNER/NAME=FOLDER")
    parser.add_argument("--show", action="store_true", help="list questions without a right page")
    parser.add_argument("--seed-defect", action="store_true", help="try this evaluation")
    arguments = parser.parse_args()
    total = _total(arguments, is_reversed=arguments.seed_defect)
    if arguments.seed_defect:
        sound = _total(arguments, is_reversed=False)
        finish(not has_noticed(sound, total), "reversed")


def _total(arguments: argparse.Namespace, *, is_reversed: bool) -> Counter[str]:
    """Print the counts of each site and of all."""
    total: Counter[str] = Counter()
    for each in arguments.sites:
        name, _, folder = each.partition("=")
        found = _measured(name, Path(folder).resolve(), is_reversed, shows=arguments.show)
        print(json.dumps({"documentation": name, **found}), flush=True)
        total.update(found)
    print(json.dumps({"documentation": "all", **total}))
    return total


def _measured(name: str, site: Path, is_reversed: bool, *, shows: bool) -> Counter[str]:
    counts: Counter[str] = Counter()
    titles, order = _titles(site), -1 if is_reversed else 1
    with chromium(1440) as driver:
        driver.set_script_timeout(120)
        driver.get((site / f"{titles[0][1]}.html").as_uri())
        for question, right in _questions(name):
            found = _pages(driver, site, question)[::order]
            position = next((at for at, page in enumerate(found) if page in right), None)
            counts["questions"] += 1
            counts["first"] += position == 0
            counts[f"among {AT}"] += position is not None and position < AT
            counts["found"] += position is not None
            if shows and (position is None or position >= AT):
                print(f"{position}: {question} -> {right[0]}; {found[:AT]}", file=sys.stderr)
        for title, page in titles:
            counts["titles"] += 1
            counts["titles first"] += _pages(driver, site, title)[::order][:1] == [page]
    return counts


def _pages(driver: Any, site: Path, query: str) -> list[str]:
    """Return the pages that a query finds, best first."""
    urls = driver.execute_async_script(_ASK, query)
    paths = (url.removeprefix(f"{site.as_uri()}/").removesuffix(".html") for url in urls)
    return list(dict.fromkeys(paths))


def _questions(name: str) -> Iterator[tuple[str, list[str]]]:
    for line in QUESTIONS.read_text().splitlines():
        row = json.loads(line)
        if row["documentation"] == name and row["covered"] and row["language"] == "en":
            yield row["question"], row["pages"]


def _titles(site: Path) -> list[tuple[str, str]]:
    """Return titles that only one page has, with its path, evenly taken."""
    named = [
        (line.removeprefix("# ").strip(), str(path.relative_to(site).with_suffix("")))
        for path in sorted(site.rglob("*.md"))
        if path.with_suffix(".html").is_file()
        for line in path.read_text().splitlines()[:1]
        if line.startswith("# ")
    ]
    often = Counter(title.lower() for title, _ in named)
    single = [each for each in named if often[each[0].lower()] == 1]
    return single[:: max(1, len(single) // MOST_TITLES)][:MOST_TITLES]


if __name__ == "__main__":
    main()
