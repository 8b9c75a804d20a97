"""Modules with a single importer, by the reason for which they are not merged with it.

    python checks/modules.py [--show]

A short module is merged with its only importer, if both are one idea. The command fails if a
module of fewer than 40 lines has a single importer in its own package, the two together have at
most 300 lines, and `OWN_IDEAS` has no reason for the division. `--show` prints the modules.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
SHORT, TOGETHER = 40, 300  # lines
_FAMILY = 4  # modules of the same importer
OWN_IDEAS = {
    "docstead.agent.loop_detection": "compares calls, and knows nothing of turns",
    "docstead.agent.reviews.viewed_files": "rows of a table of its own",
    "docstead.agent.rules": "read from the project, not a part of a turn's state",
    "docstead.api.deprecation": "middleware",
    "docstead.assistant.expected_answers.statements": "evals/runners/answers.py reads it, too",
    "docstead.hosting.page_services": "a failure rule of its own, without editions",
    "docstead.search.little_words": "knows nothing of an index",
    "docstead.search.near_words": "a table, which evals/runners/near_words.py writes",
}


@dataclass(frozen=True)
class SingleImport:
    """A module and the only module that imports it."""

    module: str
    importer: str

    @property
    def lines(self) -> int:
        return len(_file_of(self.module).read_text().splitlines())

    @property
    def together(self) -> int:
        return self.lines + len(_file_of(self.importer).read_text().splitlines())

    @property
    def is_in_package(self) -> bool:
        return self.module.rpartition(".")[0] == self.importer.rpartition(".")[0]

    @property
    def is_on_demand(self) -> bool:
        """Whether functions import it when they need it, or only the type checker does."""
        tree = ast.parse(_file_of(self.importer).read_text())
        return not any(self.module in _imported(node) for node in tree.body)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print the modules of each reason")
    options = parser.parse_args()
    graph = grimp.build_graph("docstead", cache_dir=str(ROOT / ".import_linter_cache"))
    found = list(single_imports(graph))
    families = Counter(each.importer for each in found if each.is_in_package)
    reasons = {each: reason_of(each, families) for each in found}
    print(f"{len(found)} of {len(graph.modules)} modules have a single importer")
    for reason, count in Counter(reasons.values()).most_common():
        print(f"{count:5}  {reason or 'NO REASON: merge it, or add it to OWN_IDEAS'}")
        for each in found if options.show else ():
            if reasons[each] == reason:
                print(f"       {each.module} ({each.lines}) <- {each.importer}")
    wrong = [each for each in found if not reasons[each]]
    stale = OWN_IDEAS.keys() - {each.module for each in found}
    for each in wrong:
        print(f"{each.module}: merge it with {each.importer}", file=sys.stderr)
    for name in stale:
        print(f"{name}: no module with a single importer any more", file=sys.stderr)
    return int(bool(wrong or stale))


def single_imports(graph: grimp.ImportGraph) -> Iterator[SingleImport]:
    for module in sorted(graph.modules):
        importers = graph.find_modules_that_directly_import(module)
        if len(importers) == 1 and _file_of(module).name != "__init__.py":
            yield SingleImport(module, importers.pop())


def reason_of(each: SingleImport, families: Counter[str]) -> str:
    """Return the first reason that applies; "" if there is none."""
    if not each.is_in_package:
        return "the importer is in another package"
    if each.is_on_demand:
        return "imported on demand, such as commands and clients of libraries"
    if each.together > TOGETHER:
        return f"more than {TOGETHER} lines together"
    if families[each.importer] >= _FAMILY:
        return f"one of at least {_FAMILY} of the same kind: tools, pages, settings, rules"
    if each.lines >= SHORT:
        return f"at least {SHORT} lines with one idea"
    return "short, with an idea of its own (OWN_IDEAS)" if each.module in OWN_IDEAS else ""


def _imported(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return set()


def _file_of(module: str) -> Path:
    base = SOURCE / module.replace(".", "/")
    file = base.with_suffix(".py")
    return file if file.exists() else base / "__init__.py"


if __name__ == "__main__":
    sys.exit(main())
