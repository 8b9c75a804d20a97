"""Whole exports, cold: Docstead on real repositories, and its peers on the same Markdown.

    python bench/render.py SOURCE... [--runs 3] [--zensical COMMAND] [--hugo COMMAND]
        [--docusaurus FOLDER] [--vitepress FOLDER] [--starlight FOLDER]

The peers get the Markdown versions of each source, because none renders its MDX; Docstead
is measured on the source itself and on those versions. Theme, highlighting and search index
are part of every figure but that of Hugo, which has a bare template and no search. A folder is
a copy of the one in `bench/peers` after `npm install` (Starlight's wants Node.js 22);
`--zensical` and `--hugo` are the commands of installations of them. Wall time is printed with
processor time, which other work on the machine hardly changes.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from measure import DOCSTEAD, MeasuredRun, median, run

Build = Callable[[], MeasuredRun]


@dataclass(frozen=True)
class Contender:
    name: str
    pages: int
    build: Build


@dataclass(frozen=True)
class NodePeer:
    """A generator on npm: where its project keeps pages, and what a build leaves behind."""

    command: tuple[str, ...]
    pages: str
    made: tuple[str, ...]
    prepared: Callable[[str], str] = str


def main() -> None:
    options = _options()
    for source in options.sources:
        with tempfile.TemporaryDirectory(prefix="docstead-bench-") as folder:
            _compare(source.resolve(), Path(folder), options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--zensical")
    parser.add_argument("--hugo")
    for peer in _NODE_PEERS:
        parser.add_argument(f"--{peer}", type=Path)
    return parser.parse_args()


def _compare(source: Path, work: Path, options: argparse.Namespace) -> None:
    export = work / "export"
    first = run([*DOCSTEAD, "export", str(source), "-o", str(export)], log=work / "log")
    if first.status not in (0, 1):
        raise SystemExit((work / "log").read_text())
    same = _same_markdown(export, work / "same")
    contenders = list(_contenders(source, same, work, options))
    runs = {contender.name: list[MeasuredRun]() for contender in contenders}
    for _ in range(options.runs):
        for contender in contenders:
            runs[contender.name].append(contender.build())
    print(f"\n{source}: medians of {options.runs} interleaved runs")
    print(f"{'':34}{'pages':>7}{'seconds':>10}{'pages/s':>10}{'CPU s':>10}{'peak MB':>10}")
    for contender in contenders:
        _print_row(contender, runs[contender.name])


def _print_row(contender: Contender, runs: list[MeasuredRun]) -> None:
    seconds = median([each.seconds for each in runs])
    processors = median([each.processor_seconds for each in runs])
    peak = median([each.peak_bytes for each in runs]) / 1e6
    failed = "" if all(each.status in (0, 1) for each in runs) else "  (exit status not 0)"
    rate = contender.pages / seconds
    figures = f"{seconds:10.2f}{rate:10.1f}{processors:10.2f}{peak:10.0f}"
    print(f"{contender.name:34}{contender.pages:7}{figures}{failed}")


def _contenders(
    source: Path, same: Path, work: Path, options: argparse.Namespace
) -> list[Contender]:
    real = same_pages = len(list(same.rglob("*.md")))
    found = [
        Contender("docstead, the repository itself", real, _docstead(source, work)),
        Contender("docstead, same Markdown", same_pages, _docstead(same, work)),
    ]
    if options.zensical:
        found.append(
            Contender("zensical, same Markdown", same_pages, _zensical(same, work, options))
        )
    if options.hugo:
        found.append(Contender("hugo, same Markdown", same_pages, _hugo(same, work, options)))
    for name, peer in _NODE_PEERS.items():
        if project := getattr(options, name):
            build = _node_peer(peer, same, project.resolve(), work)
            found.append(Contender(f"{name}, same Markdown", same_pages, build))
    return found


def _same_markdown(export: Path, target: Path) -> Path:
    """Return the Markdown versions of an export as a repository."""
    pages = []
    for page in sorted(export.rglob("*.md")):
        if page.is_relative_to(export / "_llms"):
            continue
        file = target / page.relative_to(export)
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, file)
        pages.append(file.relative_to(target).with_suffix("").as_posix())
    config = {
        "name": "Same",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"groups": [{"group": "All", "pages": pages}]},
    }
    (target / "docs.json").write_text(json.dumps(config))
    return target


def _put_aside(folder: Path, work: Path) -> None:
    """Move a folder aside before the next run.

    Nothing is removed before the end: ext4 does not reuse an inode that was freed in the last
    seconds, and searches for another longer than it takes to write a small file.
    """
    if folder.exists():
        shutil.move(folder, Path(tempfile.mkdtemp(dir=work)) / folder.name)


def _docstead(source: Path, work: Path) -> Build:
    def build() -> MeasuredRun:
        _put_aside(work / "out", work)
        return run([*DOCSTEAD, "export", str(source), "-o", str(work / "out")], log=work / "log")

    return build


def _zensical(same: Path, work: Path, options: argparse.Namespace) -> Build:
    project = work / "zensical"
    shutil.copytree(same, project / "docs", ignore=shutil.ignore_patterns("docs.json"))
    (project / "zensical.toml").write_text('[project]\nsite_name = "Same"\n')

    def build() -> MeasuredRun:
        for folder in ("site", ".cache"):
            _put_aside(project / folder, work)
        return run([options.zensical, "build"], cwd=project, log=work / "log")

    return build


def _hugo(same: Path, work: Path, options: argparse.Namespace) -> Build:
    project = work / "hugo"
    shutil.copytree(Path(__file__).parent / "peers" / "hugo", project)
    shutil.copytree(same, project / "content", ignore=shutil.ignore_patterns("docs.json"))

    def build() -> MeasuredRun:
        _put_aside(project / "public", work)
        return run([options.hugo], cwd=project, log=work / "log")

    return build


def _node_peer(peer: NodePeer, same: Path, project: Path, work: Path) -> Build:
    pages = project / peer.pages
    shutil.rmtree(pages, ignore_errors=True)
    for source in sorted(same.rglob("*.md")):
        file = pages / source.relative_to(same)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(peer.prepared(source.read_text()))

    def build() -> MeasuredRun:
        for folder in peer.made:
            _put_aside(project / folder, work)
        return run(["npx", *peer.command], cwd=project, log=project / "bench.log")

    return build


def _without_pictures(text: str) -> str:
    """Remove images, which are not copied; two of the peers fail if one is missing."""
    return _PICTURE.sub(r"\1", text)


def _with_title(text: str) -> str:
    """Put the title where Starlight requires it."""
    heading = re.match(r"# (.+)\n", text)
    title = heading[1] if heading else "Untitled"
    body = text[heading.end() :] if heading else text
    return f"---\ntitle: {json.dumps(title)}\n---\n{_without_pictures(body)}"


_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_NODE_PEERS = {
    "docusaurus": NodePeer(
        command=("docusaurus", "build"),
        pages="docs",
        made=("build", ".docusaurus", "node_modules/.cache"),
    ),
    "vitepress": NodePeer(
        command=("vitepress", "build"),
        pages="docs",
        made=(".vitepress/dist", ".vitepress/cache", "node_modules/.vite"),
        prepared=_without_pictures,
    ),
    "starlight": NodePeer(
        command=("astro", "build"),
        pages="src/content/docs",
        made=("dist", ".astro", "node_modules/.astro", "node_modules/.vite"),
        prepared=_with_title,
    ),
}


if __name__ == "__main__":
    main()
