"""A small documentation repository, and the tools on a clone of it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

import pytest

from builds import shared_checker
from docstead.agent.tools import PublishedPassage, Toolbox, ToolResult, WorkspaceChecker
from docstead.agent.workspace import Workspace, WorkspaceManager
from docstead.agent.workspace.files import WorkspaceFiles
from docstead.publishing.git_network import NAMED_BY_OPERATOR
from docstead.publishing.sources import DocumentationSource
from git_repositories import GitRepository

SETTINGS = """\
{
    "name": "Site",
    "theme": "mint",
    "navigation": {
        "tabs": [
            {
                "tab": "Guides",
                "groups": [
                    {"group": "First steps", "pages": ["index", "guides/start", "guides/next"]},
                    {
                        "group": "More",
                        "root": "more/index",
                        "pages": [
                            "more/one",
                            {"group": "Deep", "pages": ["more/deep/two"]}
                        ]
                    }
                ]
            },
            {"tab": "API", "pages": {"$ref": "config/api.json"}}
        ],
        "global": {"anchors": [{"anchor": "Start", "href": "/guides/start"}]}
    },
    "redirects": [{"source": "/old", "destination": "/guides/start"}]
}
"""
FILES = {
    "docs.json": SETTINGS,
    "config/api.json": '[\n  "api/intro"\n]\n',
    "index.mdx": "---\ntitle: Home\n---\n[Start](/guides/start#install) and [next](guides/next)\n",
    "guides/start.mdx": "---\ntitle: Start\n---\n## Install\n\n[up](../index) ![](/images/a.svg)\n",
    "guides/next.mdx": "---\ntitle: Next\n---\nimport Note from '/snippets/note.mdx'\n\n<Note />\n",
    "more/index.mdx": "---\ntitle: More\n---\nMore.\n",
    "more/one.mdx": '---\ntitle: One\n---\n<Card title="x" href="/guides/start" />\n',
    "more/deep/two.mdx": "---\ntitle: Two\n---\n[one](../one) [start](/guides/start.mdx)\n",
    "api/intro.mdx": "---\ntitle: API\n---\nGo.\n",
    "snippets/note.mdx": "See [start](/guides/start).\n",
    "images/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n",
    "openapi.yaml": (
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /users:\n    get:\n"
        "      summary: List users\n      responses:\n        '200':\n          description: ok\n"
        "          content:\n            application/json:\n"
        "              schema: {$ref: '#/components/schemas/User'}\n"
        "components:\n  schemas:\n    User: {type: object, properties: {name: {type: string}}}\n"
    ),
    ".gitignore": "ignored/\n*.log\n!kept.log\n",
    "ignored/x.mdx": "needle\n",
    "a.log": "needle\n",
    "kept.log": "needle\n",
}  # fmt: skip

Run = Callable[..., ToolResult]


@pytest.fixture(scope="session")
def remote(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    """A repository that no test changes."""
    repository = GitRepository(tmp_path_factory.mktemp("remote") / "remote.git")
    repository.commit(FILES)
    return repository


@pytest.fixture(scope="session")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceManager:
    return WorkspaceManager(tmp_path_factory.mktemp("cache"), network=NAMED_BY_OPERATOR)


@pytest.fixture(scope="session")
def code(workspaces: WorkspaceManager, tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFiles:
    """A clone of another repository, which tools only read."""
    other = GitRepository(tmp_path_factory.mktemp("code") / "code.git")
    other.commit({"src/api.py": "def call(): ...\n"})
    return workspaces.reference("aj_0", "code", DocumentationSource(other.url), project="p1")


@pytest.fixture
def workspace(workspaces: WorkspaceManager, remote: GitRepository) -> Workspace:
    """A new clone of the repository."""
    job_id = f"aj_{secrets.token_hex(8)}"
    return workspaces.open(job_id, DocumentationSource(remote.url), "docstead/x-1", project="p1")


@pytest.fixture(scope="session")
def checker() -> WorkspaceChecker:
    return shared_checker()


@pytest.fixture
def toolbox(workspace: Workspace, checker: WorkspaceChecker, code: WorkspaceFiles) -> Toolbox:
    def search(query: str, limit: int) -> list[PublishedPassage]:
        return [PublishedPassage("/guides/start#install", f"{query} {limit}", "How to install.")]

    return Toolbox(workspace, checker, search_published=search, repositories={"code": code})


@pytest.fixture
def run(toolbox: Toolbox) -> Run:
    def run_one(name: str, **arguments: Any) -> ToolResult:
        return toolbox.run(name, json.dumps(arguments))

    return run_one
