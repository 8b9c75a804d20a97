"""The clone of each job, and delivery of its commits to the remote.

Nothing in a repository is executed, and nothing outside the documentation root is read or written:
the job's files are in one folder, with the git directory next to it, and symbolic links that lead
out of the folder are not created.
"""

from __future__ import annotations

from docstead.agent.workspace.branch_merges import follow
from docstead.agent.workspace.commits import CommitAuthor, CommitMessage, commit
from docstead.agent.workspace.diffs import FileDiff
from docstead.agent.workspace.files import PathRefused, WorkspaceFiles
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.names import branch_name
from docstead.agent.workspace.push import (
    BranchDiverged,
    BranchProtected,
    PushedCommit,
    PushFailed,
    has_unpushed_work,
    push,
)
from docstead.agent.workspace.remote import GitCredentials
from docstead.agent.workspace.secret_scan import SecretFound
from docstead.agent.workspace.signing import SigningFailed, SigningKey
from docstead.agent.workspace.workspace import Workspace
from docstead.agent.workspace.workspaces import WorkspaceManager

__all__ = [
    "BranchDiverged",
    "BranchProtected",
    "CommitAuthor",
    "CommitMessage",
    "FileDiff",
    "GitCredentials",
    "PathRefused",
    "PushFailed",
    "PushedCommit",
    "SecretFound",
    "SigningFailed",
    "SigningKey",
    "Workspace",
    "WorkspaceFiles",
    "WorkspaceLimits",
    "WorkspaceManager",
    "branch_name",
    "commit",
    "follow",
    "has_unpushed_work",
    "push",
]
