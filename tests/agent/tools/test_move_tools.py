"""Moving files: nothing that led to them leads to nowhere afterwards."""

from __future__ import annotations

import json

from docstead.agent.workspace import Workspace
from docstead.loading.loader import load_repository


def _diagnostics(workspace: Workspace) -> set[str]:
    found = load_repository(workspace.root).diagnostics
    return {str(f) for f in found if f.code in ("broken-link", "broken-image", "missing-page",
                                                "missing-import", "redirect-loop")}  # fmt: skip


def _settings(workspace: Workspace) -> dict:
    return json.loads(workspace.files.text("docs.json"))


def test_a_page_moves_with_all_that_names_it(run, workspace: Workspace) -> None:
    assert _diagnostics(workspace) == set()
    result = run("move_file", source="guides/start.mdx", target="begin/here.mdx")
    text = workspace.files.text
    assert "[Start](/begin/here#install) and [next](guides/next)" in text("index.mdx")
    assert "[up](../index) ![](/images/a.svg)" in text("begin/here.mdx")
    assert 'href="/begin/here"' in text("more/one.mdx")
    assert "[start](/begin/here.mdx)" in text("more/deep/two.mdx")
    assert "[start](/begin/here)" in text("snippets/note.mdx")
    settings = _settings(workspace)
    assert settings["navigation"]["tabs"][0]["groups"][0]["pages"][1] == "begin/here"
    assert settings["navigation"]["global"]["anchors"][0]["href"] == "/begin/here"
    assert settings["redirects"] == [
        {"source": "/old", "destination": "/begin/here"},
        {"source": "/guides/start", "destination": "/begin/here"},
    ]
    assert _diagnostics(workspace) == set()
    assert {"begin/here.mdx", "guides/start.mdx", "docs.json", "index.mdx"} <= set(result.changed)


def test_a_folder_moves_with_one_redirect(run, workspace: Workspace) -> None:
    run("move_file", source="more", target="extra/more")
    assert "[one](../one) [start](/guides/start.mdx)" in workspace.files.text(
        "extra/more/deep/two.mdx"
    )
    assert _settings(workspace)["redirects"][-1] == {
        "source": "/more/:slug*", "destination": "/extra/more/:slug*",
    }  # fmt: skip
    assert _diagnostics(workspace) == set()


def test_a_page_with_many_links_and_its_folder_move_with_short_results(run, workspace) -> None:
    names = [f"guides/page-{number:03}" for number in range(136)]
    for name in names:
        text = f"---\ntitle: {name}\n---\n[a](./start) [b](/guides/start#install) [c](page-000)\n"
        workspace.files.write(f"{name}.mdx", text)
    settings = _settings(workspace)
    settings["navigation"]["tabs"][0]["groups"][0]["pages"] += names
    settings["redirects"].append({"source": "/older", "destination": "/guides/start#install"})
    workspace.files.write("docs.json", json.dumps(settings, indent=2))
    page = run("move_file", source="guides/start.mdx", target="guides/begin.mdx")
    assert len(page.text) < 700
    assert "links changed in 140 files: " in page.text
    assert " and 130 more\n" in page.text
    folder = run("move_file", source="guides", target="handbook")
    assert len(folder.text) < 700
    assert folder.text.startswith("moved 138 files: guides/ -> handbook/\n")
    assert _diagnostics(workspace) == set()
    text = workspace.files.text("handbook/page-135.mdx")
    assert "[a](./begin) [b](/handbook/begin#install) [c](page-000)" in text
    settings = _settings(workspace)
    assert settings["navigation"]["tabs"][0]["groups"][0]["pages"][-1] == "handbook/page-135"
    assert settings["redirects"] == [
        {"source": "/old", "destination": "/handbook/begin"},
        {"source": "/older", "destination": "/handbook/begin#install"},
        {"source": "/guides/start", "destination": "/handbook/begin"},
        {"source": "/guides/:slug*", "destination": "/handbook/:slug*"},
    ]
    run("move_file", source="handbook", target="guides")
    redirects = {each["source"]: each["destination"] for each in _settings(workspace)["redirects"]}
    assert redirects["/old"] == "/guides/begin"
    assert "/guides/:slug*" not in redirects
    assert _diagnostics(workspace) == set()


def test_a_move_there_and_back_leaves_nothing_behind(run, workspace: Workspace) -> None:
    before = {path: workspace.files.text(path) for path in workspace.files.walk()}
    run("move_file", source="guides/start.mdx", target="x/y/begin.mdx")
    run("move_file", source="x/y/begin.mdx", target="guides/start.mdx", redirects=False)
    after = {path: workspace.files.text(path) for path in workspace.files.walk()}
    assert after == before


def test_relative_links_of_the_moved_page_are_set_right(run, workspace: Workspace) -> None:
    run("move_file", source="more/deep/two.mdx", target="two.mdx")
    assert "[one](more/one)" in workspace.files.text("two.mdx")
    assert _diagnostics(workspace) == set()


def test_snippets_and_pictures_move_too(run, workspace: Workspace) -> None:
    run("move_file", source="snippets/note.mdx", target="snippets/shared/hint.mdx")
    run("move_file", source="images/a.svg", target="images/icons/b.svg")
    assert "from '/snippets/shared/hint.mdx'" in workspace.files.text("guides/next.mdx")
    assert "![](/images/icons/b.svg)" in workspace.files.text("guides/start.mdx")
    assert _diagnostics(workspace) == set()
    assert [r["source"] for r in _settings(workspace)["redirects"]] == ["/old"]


def test_a_file_may_be_moved_into_a_folder(run, workspace: Workspace) -> None:
    run("move_file", source="more/one.mdx", target="guides")
    assert workspace.files.kind("guides/one.mdx") == "file"


def test_an_exact_redirect_goes_before_a_pattern_that_would_win(run, workspace) -> None:
    settings = _settings(workspace)
    settings["redirects"].append({"source": "/more/:slug*", "destination": "/guides/start"})
    workspace.files.write("docs.json", json.dumps(settings, indent=2))
    run("move_file", source="more/one.mdx", target="one.mdx")
    assert _settings(workspace)["redirects"][0] == {"source": "/more/one", "destination": "/one"}


def test_what_cannot_be_moved_stays(run, workspace: Workspace) -> None:
    before = workspace.snapshot()
    for source, target in (
        ("nothing.mdx", "x.mdx"), ("index.mdx", "more/one.mdx"), ("more", "more/inner"),
        ("index.mdx", "../x.mdx"), ("images/a.svg", "a.sh"), ("openapi.yaml", ".github/x.yaml"),
        (".gitignore", "x.txt"), ("", "x"), ("index.mdx", "index.mdx"),
    ):  # fmt: skip
        assert run("move_file", source=source, target=target).is_error, (source, target)
    assert workspace.snapshot() == before
