"""Reasons of failed pushes, as git 2 prints them with `--porcelain`."""

from __future__ import annotations

import pytest

from docstead.agent.workspace.push_rejections import push_rejection
from docstead.agent.workspace.remote import GitRemote
from docstead.publishing.git import GitFailed

REMOTE = GitRemote("https://forge.example/docs.git", "https", None, "")
LINE = "!\tabc:refs/heads/main\t"


@pytest.mark.parametrize(
    "printed",
    [
        f"{LINE}[rejected] (fetch first)",
        f"{LINE}[remote rejected] (cannot lock ref 'refs/heads/main')",
        f"{LINE}[remote rejected] (incorrect old value provided)",
    ],
)
def test_a_branch_with_other_commits_has_moved(printed: str) -> None:
    found = push_rejection(GitFailed("it failed", printed=printed), REMOTE, "main")
    assert (found.is_moved, found.is_refused) == (True, False)


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        (f"{LINE}[remote rejected] (pre-receive hook declined)", "pre-receive hook declined"),
        (
            f"remote: Review is required.\nremote:   Ask for one.\n{LINE}[remote rejected] (hook)",
            "Review is required. Ask for one.",
        ),
    ],
)
def test_rules_of_the_remote_are_quoted(printed: str, reason: str) -> None:
    found = push_rejection(GitFailed("it failed", printed=printed), REMOTE, "main")
    assert (found.is_moved, found.is_refused) == (False, True)
    assert found.message == f"the remote refuses a push to 'main': {reason}"


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ("fatal: unable to access: The requested URL returned error: 403", "the token may not"),
        ("fatal: unexpected disconnect", "it failed"),
    ],
)
def test_other_failures_name_the_remote(printed: str, message: str) -> None:
    found = push_rejection(GitFailed("it failed", printed=printed), REMOTE, "main")
    assert (found.is_moved, found.is_refused) == (False, False)
    assert found.message.startswith(f"{REMOTE.url}: {message}")
