"""Score how well search finds the right pages, without a service.

    python evals/runners/retrieval.py --set SET
    python evals/runners/retrieval.py --questions FILE --repository NAME=FOLDER [--repository …]

A SET is a folder with `pages.jsonl` (url, title, sections) and `queries.jsonl` (question,
relevant urls with anchors). Both halves are printed; both were seen when variants were
compared, so neither is a clean test. Of FILE's questions each names its corpus and
`answer_paths`.

`--seed-defect` tries this evaluation: with the worst of ten results first, or with no results.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from corpus import Corpus, add_options, corpora, opened
from seeded_defects import finish

RECALL_AT, MRR_AT = 5, 10
DEFECTS = ("turned-round", "nothing")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--repository", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--least-recall", type=float, default=0.84)
    parser.add_argument("--least-mrr", type=float, default=0.92)
    parser.add_argument("--least-share", type=float, default=26 / 30)
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    parser.add_argument("--seed-defect", choices=DEFECTS, help="try this evaluation")
    add_options(parser)
    options = parser.parse_args()
    good = True
    if options.set:
        good &= _score_set(options)
    if options.questions:
        good &= _score_questions(options)
    finish(good, options.seed_defect)


def _score_set(options: argparse.Namespace) -> bool:
    queries = _lines(options.set / "queries.jsonl")
    with tempfile.TemporaryDirectory(prefix="docstead-eval-") as folder:
        write_set(options.set, Path(folder))
        corpus = opened(options.set.name, Path(folder), options)
    scores = [_score(corpus, query, options) for query in queries]
    for name, part in (("even half", scores[::2]), ("odd half", scores[1::2]), ("all", scores)):
        print(f"{options.set.name:16} {name:10} n={len(part):<4} {_summary(part)}")
    recall, mrr = _means(scores)
    return bool(recall >= options.least_recall and mrr >= options.least_mrr)


def _score(corpus: Corpus, query: dict[str, Any], options: argparse.Namespace) -> tuple[float, ...]:
    relevant = {_path(url) for url in query["relevant"]}
    hits = corpus.index.search(query["question"], limit=MRR_AT)
    found = _with_defect(hits, options.seed_defect)
    found_paths = list(dict.fromkeys(f"/{each.slug}#{each.anchor}".rstrip("#") for each in found))
    recall = len(relevant.intersection(found_paths[:RECALL_AT])) / len(relevant)
    if options.misses and recall < 1:
        print(query["question"], *sorted(relevant), "->", *found_paths[:RECALL_AT], sep="\n   ")
    rank = next((1 / n for n, path in enumerate(found_paths[:MRR_AT], 1) if path in relevant), 0.0)
    return recall, rank


def _score_questions(options: argparse.Namespace) -> bool:
    known = corpora(options)
    asked = [each for each in _lines(options.questions) if each["corpus"] in known]
    hits = 0
    for each in asked:
        right = {re.sub(r"\.mdx?$", "", path) for path in each["answer_paths"]}
        count = MRR_AT if options.seed_defect else RECALL_AT
        pages = known[each["corpus"]].pages(each["question"], count)
        found = _with_defect(pages, options.seed_defect)[:RECALL_AT]
        hits += bool(right.intersection(found))
        if options.misses and not right.intersection(found):
            print(each["question"], *sorted(right), "->", *found, sep="\n   ")
    print(f"{options.questions.name}: the right page among {RECALL_AT}: {hits} of {len(asked)}")
    return hits >= options.least_share * len(asked)


def _with_defect(found: Sequence[Any], defect: str | None) -> Sequence[Any]:
    """Return the results, the worst first or none of them if a defect is seeded."""
    if defect == "nothing":
        return []
    return found[::-1] if defect else found


def write_set(folder: Path, target: Path) -> None:
    """Write the pages of a set as a repository."""
    slugs = []
    for page in _lines(folder / "pages.jsonl"):
        slug = _path(page["url"]).strip("/")
        slugs.append(slug)
        file = target / f"{slug}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\ntitle: {json.dumps(page['title'])}\n---\n\n{_markdown(page)}")
    config = {
        "name": folder.name,
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"pages": slugs},
    }
    (target / "docs.json").write_text(json.dumps(config))


def _markdown(page: dict[str, Any]) -> str:
    return "\n\n".join(
        f"## {section['heading']} {{#{section['anchor']}}}\n\n"
        + re.sub(r"^" + re.escape(section["heading"]) + r"\s*", "", section["text"])
        for section in page["sections"]
    )


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"#{parts.fragment}" if parts.fragment else "")


def _means(scores: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(sum(column) / len(scores) for column in zip(*scores, strict=True))


def _summary(scores: Sequence[tuple[float, ...]]) -> str:
    recall, mrr = _means(scores)
    return f"recall@{RECALL_AT} {recall:.3f}  MRR@{MRR_AT} {mrr:.3f}"


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]


if __name__ == "__main__":
    main()
