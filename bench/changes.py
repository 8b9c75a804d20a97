"""Cost of each kind of change in an export with a cache, next to another work tree.

    python bench/changes.py SOURCE [--base FOLDER] [--runs 3] [--only body,name] [--archive]

SOURCE is a repository whose `docs.json` has a group, or a tab with groups, such as those of
`distinct_pages.py`. Both work on copies of it, get the same changes, and are measured one
after the other. Prints medians of the command's own clock, of the whole command with the start of
Python, and of processor time of all processes. Prints whether the output equals that of an export
from scratch.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from measure import THIS, MeasuredProgram, median, program_of


class ExportTimes(NamedTuple):
    """Seconds of an export: by its own clock, of the whole command, and of all processors."""

    reported: float
    whole: float
    processors: float


@dataclass
class Version:
    """A version of Docstead with its own copy of the source."""

    program: MeasuredProgram
    folder: Path
    archive: bool
    exports: dict[str, list[ExportTimes]] = field(default_factory=dict)

    @property
    def source(self) -> Path:
        return self.folder / "source"

    @property
    def output(self) -> Path:
        return self.folder / ("site.tar.gz" if self.archive else "site")

    def export(self, output: Path, *options: str) -> ExportTimes:
        before = os.times()
        command = [*self.program.command, "export", str(self.source), "-o", str(output), "--json"]
        environment = {**os.environ, **self.program.environment}
        ended = subprocess.run(
            [*command, *options], env=environment, capture_output=True, check=True
        )
        after = os.times()
        processors = sum(after[2:4]) - sum(before[2:4])
        reported = json.loads(ended.stdout)["seconds"]
        return ExportTimes(reported, after.elapsed - before.elapsed, processors)

    def measure(self, name: str) -> None:
        times = self.export(self.output, "--cache", str(self.folder / "cache"))
        self.exports.setdefault(name, []).append(times)

    def is_as_from_scratch(self) -> bool:
        clean = self.folder / f"clean-{self.output.name}"
        self.export(clean)
        if self.archive:
            return clean.read_bytes() == self.output.read_bytes()
        return _are_equal(filecmp.dircmp(clean, self.output, ignore=[]))


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        programs = [THIS]
        if options.base is not None:
            programs.insert(0, program_of(options.base))
        versions = [Version(each, Path(name) / each.name, options.archive) for each in programs]
        for version in versions:
            shutil.copytree(options.source, version.source)
            version.measure("first")
        for number in range(options.runs):
            for kind in options.only:
                for version in versions:
                    CHANGES[kind](version.source, number)
                    version.measure(kind)
        equal = [version.is_as_from_scratch() for version in versions]
        _report(versions, equal)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--base", type=Path, help="work tree to compare with")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(CHANGES))
    parser.add_argument("--archive", action="store_true", help="write a tar.gz")
    return parser.parse_args()


def _report(versions: list[Version], equal: list[bool]) -> None:
    for kind in versions[0].exports:
        for version in versions:
            reported, whole, processors = map(median, zip(*version.exports[kind], strict=True))
            print(f"{kind:<12} {version.program.name} {reported:6.2f} s, whole {whole:6.2f} s, "
                  f"{processors:6.2f} s of processors")  # fmt: skip
    for version, is_equal in zip(versions, equal, strict=True):
        print(f"{version.program.name}: the last one {'equals' if is_equal else 'DIFFERS FROM'} "
              "an export from scratch")  # fmt: skip


def _are_equal(compared: filecmp.dircmp[str]) -> bool:
    _, different, unread = filecmp.cmpfiles(
        compared.left, compared.right, compared.common_files, shallow=False
    )
    lists = (different, unread, compared.left_only, compared.right_only)
    return not any(lists) and all(map(_are_equal, compared.subdirs.values()))


def _pages(source: Path) -> list[Path]:
    return sorted(source.rglob("*.mdx"))


def _body(source: Path, number: int) -> None:
    page = _pages(source)[0]
    page.write_text(f"{page.read_text()}\n\nThis is edit {number}.\n")


def _frontmatter(key: str) -> Callable[[Path, int], None]:
    def change(source: Path, number: int) -> None:
        page = _pages(source)[1]
        text = re.sub(rf"^{key}:.*\n", "", page.read_text(), flags=re.MULTILINE)
        page.write_text(text.replace("---\n", f'---\n{key}: "Changed {number}"\n', 1))

    return change


def _settings(**values: str) -> Callable[[Path, int], None]:
    def change(source: Path, number: int) -> None:
        settings = _read(source)
        for key, value in values.items():
            settings[key] = json.loads(value.replace("NUMBER", str(number)))
        _write(source, settings)

    return change


def _added(source: Path, number: int) -> None:
    (source / f"added-{number}.mdx").write_text("---\ntitle: Added\n---\n\nAn added page.\n")
    settings = _read(source)
    _groups(settings)[0]["pages"].append(f"added-{number}")
    _write(source, settings)


def _moved(source: Path, _: int) -> None:
    settings = _read(source)
    groups = _groups(settings)
    groups[-1]["pages"].append(groups[0]["pages"].pop(0))
    _write(source, settings)


def _groups(settings: dict[str, Any]) -> list[dict[str, Any]]:
    navigation = settings["navigation"]
    groups = navigation["tabs"][0]["groups"] if "tabs" in navigation else navigation["groups"]
    return list(groups)


def _read(source: Path) -> dict[str, Any]:
    return dict(json.loads((source / "docs.json").read_text()))


def _write(source: Path, settings: dict[str, Any]) -> None:
    (source / "docs.json").write_text(json.dumps(settings))


CHANGES = {
    "nothing": lambda *_: None,
    "body": _body,
    "title": _frontmatter("title"),
    "description": _frontmatter("description"),
    "name": _settings(name='"Name NUMBER"'),
    "color": _settings(colors='{"primary": "#12345NUMBER"}'),
    "footer": _settings(footer='{"socials": {"github": "https://github.com/acme/NUMBER"}}'),
    "added": _added,
    "moved": _moved,
}


if __name__ == "__main__":
    main()
