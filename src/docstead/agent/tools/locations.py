"""Locations that tools read and write: the documentation, or another repository by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from docstead.agent.workspace.files import PathRefused, WorkspaceFiles
from docstead.repository.modules import is_snippet

_WRITABLE = (
    ".mdx", ".md", ".json", ".yaml", ".yml", ".txt", ".css", ".js", ".jsx", ".ts", ".tsx",
    ".svg", ".xml", ".csv", ".vtt", ".docsignore", ".mintignore",
)  # fmt: skip
REPOSITORY = "repository"  # name of the argument for another repository
_PACKAGES = "node_modules"  # third-party code that builds of a repository run
_DOT_NAMES = frozenset({".docs", ".docsignore", ".mintignore", ".well-known"})
_EXAMPLE_SECRETS = ".docs/example-secrets.txt"
_OWN_RULES = re.compile(r"\.docs/(?:.+/)?agents\.md", re.IGNORECASE)
# These files are executed by machines; documentation does not need them.
_RUN_BY_MACHINES = frozenset(
    {
        "package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml",
        "pnpm-workspace.yaml", "tsconfig.json", "deno.json", "lerna.json", "nx.json", "turbo.json",
        "vercel.json", "netlify.toml", "action.yml", "action.yaml", "azure-pipelines.yml",
        "bitbucket-pipelines.yml", "cloudbuild.yaml", "cloudbuild.json", "appveyor.yml",
        "buildspec.yml", "docker-compose.yml", "docker-compose.yaml", "compose.yml",
        "compose.yaml", "renovate.json", "composer.json", "gulpfile.js", "gruntfile.js",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToolLocations:
    """`own` is the documentation; `others` are read-only."""

    own: WorkspaceFiles
    others: Mapping[str, WorkspaceFiles] = field(default_factory=dict)

    def to_read(self, repository: str | None) -> WorkspaceFiles:
        if repository is None:
            return self.own
        if repository not in self.others:
            known = ", ".join(sorted(self.others)) or "only the documentation"
            raise PathRefused(f"there is no repository {repository!r}; there is {known}")
        return self.others[repository]


def check_writable(path: str) -> str:
    """Return the path after verifying that it may be written.

    Raises:
        PathRefused: it may not.
    """
    names = path.split("/")
    name = names[-1].lower()
    hidden = next((n for n in names if n.startswith(".") and n not in _DOT_NAMES), None)
    if hidden is not None:
        raise PathRefused(f"{hidden!r} is not part of the documentation and cannot be changed")
    if path.lower() == _EXAMPLE_SECRETS or _OWN_RULES.fullmatch(path):
        raise PathRefused(f"{path!r} has rules for the agent itself; a person has to change it")
    if _PACKAGES in map(str.lower, names):
        raise PathRefused(
            f"{_PACKAGES!r} contains third-party programs and is not part of the documentation"
        )
    if name.endswith(".js") and not is_snippet(path):
        raise PathRefused(
            f"{name!r} would run in every reader's browser; a person has to change it"
        )
    if name in _RUN_BY_MACHINES or ".config." in name:
        raise PathRefused(f"{name!r} is executed by machines and is not part of the documentation")
    if not name.endswith(_WRITABLE):
        raise PathRefused(f"{name!r} is not a type of documentation file")
    return path
