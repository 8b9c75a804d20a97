"""Settings of a repository that make the tools of agent jobs run without end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docstead.agent.tools.json_spans import read, remove_items, replace_texts
from docstead.agent.tools.navigation_tools import NavigationTools
from docstead.agent.tools.redirect_edits import straighten
from docstead.agent.tools.settings_text import VALUE_LIMIT, SettingsText
from docstead.agent.tools.tool import AgentTool
from docstead.agent.workspace.files import PathRefused, WorkspaceFiles
from growth import assert_linear


def tools(root: Path) -> dict[str, AgentTool]:
    return {tool.name: tool for tool in NavigationTools(WorkspaceFiles(root)).tools()}


def write(root: Path, **files: object) -> None:
    for name, value in files.items():
        (root / f"{name}.json").write_text(json.dumps(value))


CIRCLE = {"group": "A", "pages": [{"$ref": "a.json"}, {"$ref": "a.json"}]}
ASKED = {
    "read": {"action": "read"},
    "remove": {"action": "remove", "page": "index"},
}


@pytest.mark.parametrize("action", ASKED)
def test_files_that_name_each_other_are_refused(tmp_path: Path, action: str) -> None:
    write(tmp_path, docs={"name": "x", "navigation": {"groups": [CIRCLE]}}, a=CIRCLE)
    tool = tools(tmp_path)["navigation"]
    with pytest.raises(PathRefused, match=r"nested too deeply|over 200,000 entries"):
        tool.run(tool.read(ASKED[action]))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000 + "]" * 5_000])
def test_deep_settings_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "docs.json").write_text(text)
    tool = tools(tmp_path)["navigation"]
    with pytest.raises(PathRefused, match=r"docs\.json"):
        tool.run(tool.read({"action": "read"}))


def test_settings_of_many_values_are_refused(tmp_path: Path) -> None:
    (tmp_path / "docs.json").write_text(f"[{'[],' * (VALUE_LIMIT // 2)}[]]")
    tool = tools(tmp_path)["navigation"]
    with pytest.raises(PathRefused, match="over 500,000 values"):
        tool.run(tool.read({"action": "read"}))


def straighten_all(root: Path, count: int) -> None:
    """Remove and shorten as many redirects of a page that moved."""
    away = [{"source": "/new", "destination": f"/{n}"} for n in range(count)]
    onward = [{"source": f"/{n}", "destination": "/old"} for n in range(count)]
    kept = [{"source": "/other", "destination": "/else"}]
    write(root, docs={"name": "x", "redirects": [*away, *onward, *kept]})
    settings = SettingsText(WorkspaceFiles(root))
    straighten(settings, {"/old": "/new"})
    settings.save()
    found = json.loads((root / "docs.json").read_text())["redirects"]
    moved = [{"source": f"/{n}", "destination": "/new"} for n in range(count)]
    assert found == [*moved, *kept]


def test_redirects_are_straightened_in_linear_time(tmp_path: Path) -> None:
    assert_linear(lambda count: straighten_all(tmp_path, count), 1_000)


@pytest.mark.parametrize(
    ("indexes", "left"),
    [((0,), [1, 2, 3]), ((3,), [0, 1, 2]), ((1, 2), [0, 3]), ((0, 2, 3), [1]), ((0, 1, 2, 3), [])],
)
@pytest.mark.parametrize("text", ["[0, 1, 2, 3]", "[\n  0,\n  1,\n  2,\n  3\n]"])
def test_items_are_removed_at_once(text: str, indexes: tuple[int, ...], left: list[int]) -> None:
    assert json.loads(remove_items(text, read(text, "x"), indexes)) == left


def test_strings_are_replaced_at_once() -> None:
    text = '{"a": ["x", "y"], "b": "z"}'
    span = read(text, "x")
    first, last = (span.get("a") or span).items or (span, span)
    assert replace_texts(text, [(last, "Y"), (first, "é")]) == '{"a": ["é", "Y"], "b": "z"}'
