"""The project's rules for the agent, read from the base so that a job cannot change them.

`.docs/AGENTS.md` applies to all pages, `.docs/guides/AGENTS.md` to those in `guides/`.
"""

from __future__ import annotations

import re
from contextlib import suppress

from docstead.agent.workspace import Workspace
from docstead.agent.workspace.bare_repository import LINK
from docstead.publishing.git import GitFailed

_FOLDER = ".docs"
_FILE = re.compile(rf"{re.escape(_FOLDER)}/(?:(?P<folder>.+)/)?(?:AGENTS|Agents)\.md")
_SHOWN_FILES = 50


def rules_of(workspace: Workspace) -> str | None:
    """Return the rules of the project and its folders, or None if there are none."""
    store, found = workspace.store, dict[str, str]()
    with suppress(GitFailed):
        listing = store.git.text("ls-tree", "-r", "-z", workspace.base_tree, "--", f"{_FOLDER}/")
        for record in listing.split("\0")[:-1]:
            about, _, path = record.partition("\t")
            mode, _, object_id = about.split()
            file = _FILE.fullmatch(path)
            folder = file["folder"] or "" if file else None
            if folder is not None and mode != LINK and len(found) < _SHOWN_FILES:
                found.setdefault(folder, store.blob(object_id).decode(errors="replace").strip())
    parts = [_introduced(folder, text) for folder, text in sorted(found.items()) if text]
    return "\n\n".join(parts) or None


def _introduced(folder: str, text: str) -> str:
    return f"For files in `{folder}/`:\n\n{text}" if folder else text
