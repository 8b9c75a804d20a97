"""A clone of its own for every job, and the way of its work to the remote.

Nothing of a repository is ever run, and nothing outside the documentation root is read or
written: the job's files are those of one folder, its git directory is next to them, and
symbolic links that lead out of the folder are never made.
"""

from __future__ import annotations

from docstead.agent.workspace.commits import CommitAuthor, CommitMessage, commit
from docstead.agent.workspace.diffs import FileDiff
from docstead.agent.workspace.files import Files, Refused
from docstead.agent.workspace.following import follow
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.names import branch_name
from docstead.agent.workspace.push import BranchProtected, Disagreed, Pushed, PushFailed, push
from docstead.agent.workspace.remote import Credentials
from docstead.agent.workspace.secret_scan import SecretFound
from docstead.agent.workspace.signing import SigningFailed, SigningKey
from docstead.agent.workspace.workspace import Workspace
from docstead.agent.workspace.workspaces import Workspaces

__all__ = [
    "BranchProtected",
    "CommitAuthor",
    "CommitMessage",
    "Credentials",
    "Disagreed",
    "FileDiff",
    "Files",
    "PushFailed",
    "Pushed",
    "Refused",
    "SecretFound",
    "SigningFailed",
    "SigningKey",
    "Workspace",
    "WorkspaceLimits",
    "Workspaces",
    "branch_name",
    "commit",
    "follow",
    "push",
]
