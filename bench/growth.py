"""Whole exports of ever larger sites: time and memory from 1,000 to 20,000 pages.

    python bench/growth.py SOURCE [--sizes 1000,5000,20000] [--to zip|tar.gz|folder]

The larger sites are made of copies of the pages of SOURCE: each copy stands in a folder of its
own, has a title of its own and a paragraph that no other page has, and is in the navigation.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
from pathlib import Path

from measure import DOCSTEAD, MeasuredRun, run

_TITLE = re.compile(r"^title:\s*(.*)$", re.MULTILINE)


def main() -> None:
    options = _options()
    print(f"{'pages':>7}{'seconds':>10}{'pages/s':>10}{'peak MB':>10}{'bundle MB':>11}")
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
            folder = Path(name)
            grown = grow(options.source, folder / "source", size)
            output = folder / ("site" if options.to == "folder" else f"site.{options.to}")
            _print_row(size, _exported(grown, output, folder / "log"), output)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--sizes", default="1000,5000,20000")
    parser.add_argument("--to", choices=("zip", "tar.gz", "folder"), default="tar.gz")
    return parser.parse_args()


def _exported(source: Path, output: Path, log: Path) -> MeasuredRun:
    ended = run([*DOCSTEAD, "export", str(source), "-o", str(output)], log=log)
    if ended.status not in (0, 1):
        raise SystemExit(log.read_text())
    return ended


def _print_row(size: int, ended: MeasuredRun, output: Path) -> None:
    files = [output] if output.is_file() else [each for each in output.rglob("*") if each.is_file()]
    written = sum(file.stat().st_size for file in files) / 1e6
    rate = size / ended.seconds
    peak = ended.peak_bytes / 1e6
    print(f"{size:7}{ended.seconds:10.1f}{rate:10.0f}{peak:10.0f}{written:11.1f}", flush=True)


def grow(source: Path, target: Path, size: int) -> Path:
    """Create a repository of `size` pages from the pages of `source`."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(".git", "docs.json"))
    originals = [
        path for path in sorted(target.rglob("*.mdx"))
        if "snippets" not in path.relative_to(target).parts
    ]  # fmt: skip
    slugs = [_slug(path, target) for path in originals][:size]
    groups = [{"group": "Original", "pages": slugs}]
    number = 0
    while len(slugs) < size:
        number += 1
        copied = [_copied(path, target, number) for path in originals[: size - len(slugs)]]
        groups.append({"group": f"Copy {number}", "pages": copied})
        slugs += copied
    own = json.loads((source / "docs.json").read_text())
    config = {"name": "Grown", "theme": own.get("theme", "mint"), "colors": own["colors"]}
    (target / "docs.json").write_text(json.dumps({**config, "navigation": {"groups": groups}}))
    return target


def _slug(path: Path, root: Path) -> str:
    return path.relative_to(root).with_suffix("").as_posix()


def _copied(path: Path, root: Path, number: int) -> str:
    copy = root / f"copy-{number}" / path.relative_to(root)
    copy.parent.mkdir(parents=True, exist_ok=True)
    text = _TITLE.sub(lambda found: f"title: Copy {number} {found[1].strip(chr(34))}",
                      path.read_text(), count=1)  # fmt: skip
    slug = _slug(copy, root)
    copy.write_text(f"{text}\n\nThis is copy {number}, the page {slug}.\n")
    return slug


if __name__ == "__main__":
    main()
