"""Compare what two versions of the product make of the same honest repositories.

    python tests/deep/equality.py --base OTHER/.venv/bin/python --work FOLDER SOURCE...

Each source is exported with both versions (exports that are in the work folder already are
used again), and compared file by file: bytes, words of pages, diagnostics. Intended changes are
named in `equality_cases/changes.py`, each with its reason; they are counted. Ends with status 1
where a file, a word or a diagnostic differs for another reason.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from equality_cases.changes import CHANGES, IntendedChange
from lxml import html

_TEXT = {".html", ".json", ".js", ".css", ".txt", ".md", ".svg", ".xml", ".webmanifest", ".htm"}
_UNSEEN = ("script", "style", "template", "noscript")
_SHOWN = 12  # kinds of unexplained differences
_AROUND = 40  # characters before a difference, for its kind


@dataclass
class ExportComparison:
    """Two exports of one source."""

    name: str
    pages: tuple[int, int] = (0, 0)
    files: int = 0
    same: int = 0
    words: int = 0
    changes: Counter[str] = field(default_factory=Counter)  # files for each known change
    unexplained: dict[str, list[str]] = field(default_factory=dict)  # positions by kind

    def add(self, kind: str, position: str) -> None:
        self.unexplained.setdefault(kind, []).append(position)


def main() -> int:
    options = _options()
    total = Counter[str]()
    is_equal = True
    for source in options.sources:
        name = _name(source)
        folders = {
            "base": _exported(options.base, source, options.work / "base" / name),
            "head": _exported(Path(sys.executable), source, options.work / "head" / name),
        }
        compared = compare(name, folders["base"], folders["head"])
        total += compared.changes
        is_equal = is_equal and not compared.unexplained
        _print(compared)
    print("\nintended changes, files of all repositories:")
    for change in CHANGES:
        if total[change.name]:
            print(f"{total[change.name]:6}  {change.name}: {change.reason}")
    return int(not is_equal)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--base", type=Path, required=True, help="interpreter of the other version")
    parser.add_argument("--work", type=Path, required=True, help="folder for the exports")
    return parser.parse_args()


def _name(source: Path) -> str:
    return "+".join(source.resolve().parts[-2:])


def _exported(python: Path, source: Path, folder: Path) -> Path:
    """The folder of an export and, next to it, the report."""
    report = folder.with_suffix(folder.suffix + ".report")
    if report.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [python, "-m", "docstead.cli", "export", source, "-o", folder, "--json"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")}
    ended = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=False, env=environment, cwd="/"
    )
    if not ended.stdout:
        raise SystemExit(f"{source} was not exported by {python}")
    report.write_text(ended.stdout)
    return folder


def compare(name: str, base: Path, head: Path) -> ExportComparison:
    reports = [json.loads(each.with_suffix(each.suffix + ".report").read_text()) for each in
               (base, head)]  # fmt: skip
    compared = ExportComparison(name, pages=(reports[0]["pages"], reports[1]["pages"]))
    for key in ("pages", "rendered", "failed"):
        if reports[0][key] != reports[1][key]:
            compared.add(f"report: {key}", f"{reports[0][key]} and {reports[1][key]}")
    _compare_diagnostics(reports[0]["diagnostics"], reports[1]["diagnostics"], compared)
    _compare_files(base, head, compared)
    return compared


def _compare_diagnostics(base: list[Any], head: list[Any], compared: ExportComparison) -> None:
    counts = [Counter(json.dumps(row, sort_keys=True) for row in rows) for rows in (base, head)]
    for sign, rows in (("only before", counts[0] - counts[1]), ("new", counts[1] - counts[0])):
        for row in rows:
            compared.add(f"diagnostic {sign}: {json.loads(row)['code']}", row[:300])


def _compare_files(base: Path, head: Path, compared: ExportComparison) -> None:
    found = [_files(base, compared.changes), _files(head, Counter())]
    for sign, names in (("only before", found[0].keys() - found[1].keys()),
                        ("new", found[1].keys() - found[0].keys())):  # fmt: skip
        for name in sorted(names):
            compared.add(f"file {sign}: {re.sub(r'[0-9]+', 'N', Path(name).name)}", name)
    for name in sorted(found[0].keys() & found[1].keys()):
        compared.files += 1
        _compare_file(name, found[0][name], found[1][name], compared)


def _files(folder: Path, changes: Counter[str]) -> dict[str, Path]:
    """Files by the names that intended changes give them."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            found[_applied([c for c in CHANGES if c.of_names], name, name, changes)] = path
    return found


def _compare_file(name: str, base: Path, head: Path, compared: ExportComparison) -> None:
    before, after = base.read_bytes(), head.read_bytes()
    if before == after:
        compared.same += 1
        compared.words += _words_of(name, after)
        return
    if Path(name).suffix not in _TEXT:
        change = next((c for c in CHANGES if c.whole and re.search(c.files, name)), None)
        if change is None:
            compared.add(f"bytes of *{Path(name).suffix}", name)
        else:
            compared.changes[change.name] += 1
        return
    texts = [_without_intended(name, each.decode(errors="replace"), compared.changes) for each in
             (before, after)]  # fmt: skip
    if texts[0] is None or texts[0] == texts[1]:
        compared.words += _words_of(name, after)
        return
    for kind, shown in _differences(*texts):
        compared.add(f"*{Path(name).suffix} {kind}", f"{name}: {shown}")
    if name.endswith(".html") and _words(before) != _words(after):
        compared.add("words of a page", name)


def _without_intended(name: str, text: str, changes: Counter[str]) -> str | None:
    """The text without intended differences; None where the whole file may differ."""
    fitting = [c for c in CHANGES if not c.of_names and re.search(c.files, name)]
    if whole := next((c for c in fitting if c.whole), None):
        changes[whole.name] += 1
        return None
    return _applied(fitting, name, text, changes)


def _applied(fitting: Sequence[IntendedChange], name: str, text: str, changes: Counter[str]) -> str:
    for change in fitting:
        text, count = re.subn(change.pattern, change.replacement, text)
        changes[change.name] += bool(count)
    return text


def _differences(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Kind and excerpt of the first differences of two texts."""
    old, new = (re.split(r"(?<=[>;,}\n])", each) for each in (before, after))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False) if (
        len(old) * len(new) < 4_000_000
    ) else None  # fmt: skip
    if matcher is None:
        at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
        yield (
            _kind("".join(old[at : at + 3])),
            f"{''.join(old[at : at + 3])!r:.400} -> {''.join(new[at : at + 3])!r:.400}",
        )
        return
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            gone, come = "".join(old[a:b]), "".join(new[c:d])
            yield f"{tag} {_kind(gone)} -> {_kind(come)}", f"{gone!r:.400} -> {come!r:.400}"


def _kind(text: str) -> str:
    return re.sub(r"[0-9a-f]{6,}|[0-9]+", "N", text)[:_AROUND]


def _words_of(name: str, content: bytes) -> int:
    return len(_words(content)) if name.endswith(".html") else 0


def _words(content: bytes) -> list[str]:
    if not content.strip():
        return []
    tree: html.HtmlElement = html.document_fromstring(content.decode(errors="replace"))
    for element in list(tree.iter(*_UNSEEN)):
        element.drop_tree()
    return str(tree.text_content()).split()


def _print(compared: ExportComparison) -> None:
    c = compared
    changed = sum(map(len, c.unexplained.values()))
    print(
        f"{c.name}: pages {c.pages[0]} and {c.pages[1]}, {c.files} files, {c.same} of the same "
        f"bytes, {c.words} words alike, {changed} unexplained differences",
        flush=True,
    )
    for kind, positions in sorted(c.unexplained.items(), key=lambda each: -len(each[1]))[:_SHOWN]:
        print(f"    UNEXPLAINED {len(positions):5}  {kind}\n        {positions[0]}", flush=True)
    if len(c.unexplained) > _SHOWN:
        print(f"    and {len(c.unexplained) - _SHOWN} kinds more")


if __name__ == "__main__":
    sys.exit(main())
