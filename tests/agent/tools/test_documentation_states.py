"""An incremental read equals a fresh one after any change."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from docstead.agent.tools.documentation_states import DocumentationReader
from docstead.loading.loader import load_repository
from docstead.rendering import PageKeys

DOCS = Path(__file__).parents[3] / "docs"
PAGE = "guides/agent.mdx"
SPEC = {
    "openapi": "3.1.0",
    "info": {"title": "API", "version": "1"},
    "paths": {"/parcels": {"get": {"summary": "List", "responses": {"200": {"description": ""}}}}},
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DOCS, tmp_path / "docs"))


def check(states: DocumentationReader, root: Path) -> None:
    state, fresh = states.read(root), load_repository(root)
    assert state.repository == fresh
    assert state.diagnostics == fresh.diagnostics
    assert state.keys == {slug: PageKeys(fresh).of(slug) for slug in fresh.pages}
    assert states.read(root) is state


def in_language(code: str) -> dict[str, object]:
    return {"languages": [{"language": code, "groups": [{"group": "A", "pages": ["index"]}]}]}


def test_every_kind_of_change_is_seen(root: Path) -> None:
    states = DocumentationReader()
    check(states, root)
    page = (root / PAGE).read_text()
    settings = json.loads((root / "docs.json").read_text())
    changes: list[tuple[str, str | None]] = [
        (PAGE, f"{page}\n[nowhere](/nowhere) ![](/x.png)\n\n#### Deep\n"),
        (PAGE, page.replace("title:", "title: [", 1)),
        (PAGE, f"\n{page}"),
        (PAGE, f"{page}\nimport Note from '/snippets/note.mdx'\n\n<Note />\n"),
        ("snippets/note.mdx", "A note with a [link](/nowhere-else).\n"),
        ("snippets/note.mdx", "Another note.\n"),
        ("guides/new.mdx", "---\ntitle: New\n---\n\nSee [it](agent).\n"),
        ("openapi.json", json.dumps(SPEC)),
        ("guides/list.mdx", "---\ntitle: List\nopenapi: GET /parcels\n---\n"),
        ("openapi.json", json.dumps(SPEC).replace("List", "All")),
        ("images/new.png", "not a picture"),
        ("docs.json", json.dumps({**settings, "navigation": in_language("fr")})),
        ("docs.json", json.dumps({**settings, "navigation": in_language("de")})),
        (".docsignore", "guides/new.mdx\n"),
        ("docs.json", json.dumps({**settings, "variables": {"name": "Docstead"}})),
        ("docs.json", json.dumps({**settings, "styling": {"latex": True}})),
        ("docs.json", json.dumps({**settings, "api": {"playground": {"display": "none"}}})),
        ("docs.json", "{"),
        ("docs.json", json.dumps({**settings, "redirects": [{"source": "/a#b"}]})),
        ("guides/list.mdx", None),
        ("snippets/note.mdx", None),
        (PAGE, page),
    ]
    for path, text in changes:
        if text is None:
            (root / path).unlink()
        else:
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text)
        if text == "{":
            assert states.read(root).repository is None
        else:
            check(states, root)


def test_a_file_that_moves_takes_its_diagnostics_along(root: Path) -> None:
    states = DocumentationReader()
    (root / PAGE).write_text((root / PAGE).read_text() + "\n[nowhere](/nowhere)\n")
    check(states, root)
    (root / PAGE).rename(root / "guides" / "moved.mdx")
    check(states, root)
    assert any(
        diagnostic.file == "guides/moved.mdx" for diagnostic in states.read(root).diagnostics
    )


def test_two_clones_of_one_repository_do_not_mix(root: Path, tmp_path: Path) -> None:
    states = DocumentationReader()
    other = Path(shutil.copytree(root, tmp_path / "other"))
    (other / PAGE).write_text("---\ntitle: Other\n---\n\n[nowhere](/nowhere)\n")
    for each in (root, other, root, other):
        check(states, each)
