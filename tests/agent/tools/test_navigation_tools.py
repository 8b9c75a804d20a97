"""Reading and changing the navigation, in each of its forms."""

from __future__ import annotations

import json

import pytest

from docstead.agent.tools import Toolbox, WorkspaceChecker
from docstead.agent.workspace import Workspace, WorkspaceManager
from docstead.publishing.sources import DocumentationSource
from git_repositories import GitRepository


def test_the_outline_shows_what_readers_see(run) -> None:
    assert run("navigation", action="read").text == (
        "[tab] Guides\n  [group] First steps\n    index\n    guides/start\n    guides/next\n"
        "  [group] More\n    (root) more/index\n    more/one\n    [group] Deep\n"
        "      more/deep/two\n[tab] API\n  api/intro"
    )
    assert run("navigation", action="read", group=["More", "Deep"]).text == "more/deep/two"


@pytest.fixture
def edit(run, workspace: Workspace):
    """One edit of the navigation, after a page `new` was written."""
    workspace.files.write("new.mdx", "---\ntitle: New\n---\nNew.\n")

    def edit_one(**arguments: object):
        return run("navigation", **arguments)

    return edit_one


def _added(diff: str) -> list[str]:
    lines = diff.splitlines()
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def test_a_page_is_added_where_it_belongs(edit) -> None:
    done = edit(action="add_page", page="new", into=["More"], after="more/one")
    assert done.changed == ("docs.json",)
    assert _added(done.diff) == ['+                            "new",']


def test_a_page_is_added_to_a_line_that_holds_a_whole_group(edit, workspace: Workspace) -> None:
    edit(action="add_page", page="/new.mdx", before="guides/start")
    assert '"pages": ["index", "new", "guides/start", "guides/next"]' in workspace.files.text(
        "docs.json"
    )
    edit(action="move", page="new", into=["First steps"])
    assert '["index", "guides/start", "guides/next", "new"]' in workspace.files.text("docs.json")
    edit(action="remove", page="new")
    assert workspace.changed_files()[0].path == "new.mdx"
    assert len(workspace.changed_files()) == 1


def test_what_stands_in_another_file_is_changed_there(edit, workspace: Workspace) -> None:
    done = edit(action="add_page", page="new", into=["API"])
    assert done.changed == ("config/api.json",)
    assert workspace.files.text("config/api.json") == '[\n  "api/intro",\n  "new"\n]\n'


def test_a_page_moves_from_one_file_to_another(edit) -> None:
    assert edit(action="move", page="more/one", into=["API"]).changed == (
        "config/api.json", "docs.json",
    )  # fmt: skip


def test_groups_are_added_moved_renamed_and_removed(edit, run, workspace: Workspace) -> None:
    before = workspace.files.text("docs.json")
    edit(action="add_group", label="Fresh", into=["Guides"], before="More")
    edit(action="add_page", page="new", into=["Fresh"])
    edit(action="rename", group=["Fresh"], label="Fresher")
    assert run("navigation", action="read", group=["Guides"]).text.split("\n")[4:6] == [
        "[group] Fresher",
        "  new",
    ]
    edit(action="move", group=["Fresher"], into=["More", "Deep"])
    assert (
        run("navigation", action="read", group=["Deep"]).text
        == "more/deep/two\n[group] Fresher\n  new"
    )
    assert "no longer in the navigation: new" in edit(action="remove", group=["Fresher"]).text
    left = json.loads(workspace.files.text("docs.json"))
    assert "Fresher" not in json.dumps(left)
    assert left["redirects"] == json.loads(before)["redirects"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"action": "add_page", "page": "new"}, "name the target"),
        ({"action": "add_page", "page": "missing", "into": ["More"]}, "no file missing.mdx"),
        ({"action": "add_page", "page": "new", "into": []},
         "has tabs; choose one of them: ['Guides']"),
        ({"action": "add_page", "page": "new", "into": ["Nowhere"]},
         "has no ['Nowhere']; it has ['Guides']"),
        ({"action": "add_page", "page": "more/one", "into": ["More"]},
         "is already in Guides > More"),
        ({"action": "add_page", "page": "new", "after": "zzz"}, "'zzz' is not there"),
        ({"action": "add_page", "page": "new", "into": ["More"], "after": "index"},
         "is not in"),
        ({"action": "add_page", "into": ["More"]}, "needs 'page'"),
        ({"action": "move", "page": "new", "into": ["More"]}, "has no page 'new'"),
        ({"action": "move", "group": ["More"], "into": ["More", "Deep"]}, "into itself"),
        ({"action": "add_group", "label": "More", "into": ["Guides"]}, "has 'More' already"),
        ({"action": "rename", "group": ["More"]}, "needs 'label'"),
        ({"action": "remove"}, "needs 'page'"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_reported_and_changes_nothing(
    edit, workspace, asked, message
) -> None:
    before = workspace.files.text("docs.json")
    result = edit(**asked)
    assert result.is_error
    assert message in result.text
    assert workspace.files.text("docs.json") == before


def test_the_older_settings_are_understood(tmp_path, checker: WorkspaceChecker) -> None:
    remote = GitRepository(tmp_path / "old.git")
    remote.commit(
        {
            "mint.json": '{\n\t"name": "S",\n\t"navigation": [\n\t\t{\n\t\t\t"group": "A",\n'
            '\t\t\t"pages": [\n\t\t\t\t"index"\n\t\t\t]\n\t\t}\n\t]\n}\n',
            "index.mdx": "Hello\n", "new.mdx": "New\n",
        }
    )  # fmt: skip
    source = DocumentationSource(remote.url)
    workspace = WorkspaceManager(tmp_path / "c").open("aj_1", source, "docstead/x-1", project="p")
    box = Toolbox(workspace, checker)
    box.run("navigation", {"action": "add_page", "page": "new", "into": ["A"]})
    box.run("navigation", {"action": "add_group", "label": "B", "into": []})
    assert workspace.files.text("mint.json") == (
        '{\n\t"name": "S",\n\t"navigation": [\n\t\t{\n\t\t\t"group": "A",\n\t\t\t"pages": [\n'
        '\t\t\t\t"index",\n\t\t\t\t"new"\n\t\t\t]\n\t\t},\n\t\t{\n\t\t\t"group": "B",\n'
        '\t\t\t"pages": []\n\t\t}\n\t]\n}\n'
    )


def test_broken_settings_are_reported_with_their_position(edit, workspace: Workspace) -> None:
    workspace.files.write("docs.json", '{"name": "x",\n}')
    assert "docs.json:1:13" in edit(action="add_page", page="new", into=[]).text
