"""Scripts that take longer than the suite: each can be started by its name, and is documented."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from documented_commands import Example, Note, commands, pages

ROOT = Path(__file__).parent.parent
DEFECTS = ROOT / "tests" / "deep" / "defects" / "defects.toml"
HARMLESS = ROOT / "tests" / "deep" / "conditions" / "harmless.toml"
_HELP = re.compile(r"^([a-z-]+):.* ## \S", re.MULTILINE)


@pytest.mark.parametrize("script", sorted(path.name for path in ROOT.glob("tests/deep/*.py")))
def test_each_script_has_a_row_in_the_guide_with_its_commands(script: str) -> None:
    recipes = re.split(r"\n\n", (ROOT / "Makefile").read_text())
    targets = [found[1] for r in recipes if f"deep/{script}" in r and (found := _HELP.search(r))]
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    commands = [f"| `make {target}` |" for target in targets] or ["| |"]  # needs more than a clone
    assert all(f"{command} `tests/deep/{script}" in guide for command in commands)


def test_notes_of_examples_can_be_read_and_no_page_shows_them() -> None:
    for path in pages(ROOT):
        text = path.read_text()
        noted = text.count("{/* example: ") + text.count("<!-- example: ")
        found = list(commands(path.name, text))
        assert len({_block(text, each) for each in found if each.note != Note()}) == noted


def test_a_line_that_goes_on_is_one_command() -> None:
    text = "{/* example: in docs; expects 202 */}\n```bash\ncurl a \\\n  -d b\n# why\nmake c\n```\n"
    assert list(commands("page", text)) == [
        Example("page", 3, "curl a \\\n  -d b", Note("docs", "202")),
        Example("page", 6, "make c", Note("docs", "202")),
    ]


def test_a_note_with_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValueError, match=r"not \['wants'\]"):
        list(commands("page", "{/* example: wants 202 */}\n```bash\nmake c\n```\n"))


def test_every_component_has_an_input_that_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "deep"))
    from doubling_cases.components import NAMES

    source = (ROOT / "engine/src/components/index.ts").read_text()
    listed = source.partition("components: Record<string, any> = {")[2].partition("};")[0]
    assert {line.strip(" ,").partition(":")[0] for line in listed.split("\n")} - {""} == NAMES


def _block(text: str, example: Example) -> int:
    """Return the line of the note before the example's block."""
    lines = text.splitlines()
    return next(n for n in range(example.line - 1, -1, -1) if "example: " in lines[n])


def test_small_defects_are_one_change_each() -> None:
    mutations = _mutations()
    source = (
        'def f(a):\n    "Words."\n    if not a and a < 3:\n        return [a, 1]\n    return a\n'
    )
    defects = list(mutations.defects_of(source))
    assert [(defect.name, defect.line) for defect in defects] == [
        ("f: return early: first line", 1),
        ("f: invert the condition: not a and a < 3", 3),
        ("f: swap and, or: not a and a < 3", 3),
        ("f: drop the not: not a", 3),
        ("f: swap the comparison: a < 3", 3),
        ("f: change the constant: 3", 3),
        ("f: drop an element: [a, 1]", 4),
        ("f: change the constant: 1", 4),
    ]
    changed = {ast.unparse(defect.tree) for defect in defects}
    assert len(changed) == len(defects)
    assert ast.unparse(ast.parse(source)) not in changed


def test_small_defects_and_their_tests_are_there() -> None:
    mutations = _mutations()
    gone = []
    for row in tomllib.loads(DEFECTS.read_text())["module"]:
        module = ROOT / "src" / row["path"]
        gone += [path for path in (module, *_tests_of(row)) if not path.exists()]
        if module.exists():
            names = {defect.name for defect in mutations.defects_of(module.read_text())}
            gone += sorted(row.get("harmless", {}).keys() - names)
    assert gone == []


def test_harmless_conditions_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "deep"))
    from conditions import rewriting

    names = [row["condition"] for row in tomllib.loads(HARMLESS.read_text())["harmless"]]
    lines: dict[str, int] = {}
    for path in {name.partition("::")[0] for name in names}:
        source = (ROOT / "src" / "docstead" / path).read_text()
        lines |= rewriting.mark(source, path)[1].lines
    assert [name for name in names if re.sub(r"\[\d+\]$", "", name) not in lines] == []


@pytest.mark.parametrize(("leak_mib", "is_kept"), [(0, True), (3, False)])
def test_the_soak_notices_a_leak_of_three_mib_a_minute(leak_mib: int, is_kept: bool) -> None:
    soak = _module("soak", "tests/deep/soak.py")
    samples = []
    for seconds in range(0, 1_800, 5):
        builder_mib = 50 if seconds // 5 % 7 < 5 else 0
        memory = (380 + builder_mib + leak_mib * seconds // 60) * soak.MIB
        figures = soak.Figures(memory, 8, 50, 100, (), {}, 0, {})
        samples.append(soak.Sample(seconds, figures, jobs=0, clones=0, requests=0))
    assert (soak.judge(samples, soak.SoakWork(None, ROOT), warm_up=600) == 0) is is_kept


def _tests_of(row: dict[str, Any]) -> list[Path]:
    return [ROOT / "tests" / name for name in row["tests"]]


def _mutations() -> ModuleType:
    return _module("mutations", "tests/deep/defects/mutations.py")


def _module(name: str, path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its data classes look for their types
    spec.loader.exec_module(module)
    return module
