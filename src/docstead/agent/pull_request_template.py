"""Pull request templates of repositories on GitHub and GitLab."""

from __future__ import annotations

from docstead.agent.workspace.bare_repository import FOLDER, LINK, BareRepository
from docstead.publishing.git import GitFailed

_FOLDERS = ("", ".github", "docs", ".gitlab/merge_request_templates")
_NAMES = ("pull_request_template.md", "pull_request_template.txt", "default.md")
_MOST_CHARACTERS = 10_000


def template_of(store: BareRepository, commit: str) -> str:
    """Return the template at this commit; "" if there is none or it is unreadable."""
    try:
        found = next((text for folder in _FOLDERS if (text := _in(store, commit, folder))), "")
    except GitFailed:
        return ""
    return found[:_MOST_CHARACTERS]


def _in(store: BareRepository, commit: str, folder: str) -> str:
    tree = store.tree_of(commit, folder)
    if tree is None:
        return ""
    names = _NAMES if folder.startswith(".gitlab") else _NAMES[:2]
    for name, entry in store.children(tree).items():
        if name.lower() in names and entry.mode not in (FOLDER, LINK):
            return store.blob(entry.object_id).decode(errors="replace")
    return ""
