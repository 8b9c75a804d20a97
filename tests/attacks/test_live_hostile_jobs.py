"""Whole agent jobs on hostile repositories, with a model that tries every name in them.

The model is reached over HTTP. Each job lists, reads, searches, overwrites, moves, deletes and
finishes; its base grows another trap meanwhile, and a second turn and a merge follow.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from agent_harness import FILES, AgentHarness, agent_harness
from chat_server import Call, Reply, Rule, chat_server
from docstead.agent.reviews.merging import MergeConflict
from git_repositories import GitRepository, Symlink, git
from hostile_repositories import HOSTILE, SECRET, Hostile, Trap
from sampled_cases import one_in
from tenancy_changes import set_source

_MOST_NAMES = 12
_LOOKS = (
    Call("list_files", {"depth": 20}),
    Call("search_text", {"pattern": ".", "limit": 200}),
    Call("git", {"command": "log"}),
    Call("check", {}),
)
_ENDS = (
    Call("write_file", {"path": "new.mdx", "text": '---\ntitle: "New"\n---\n\nText.\n'}),
    Call("replace_in_files", {"pattern": "Hello", "replacement": "Hi", "globs": ["**"]}),
    Call("check", {}),
    Call("git", {"command": "diff"}),
)
_FINISH = Reply(calls=(Call("finish", {"title": "Changed", "summary": "All was changed."}),))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentHarness]:
    with (
        chat_server() as chat,
        agent_harness(tmp_path_factory.mktemp("live"), chat, checks_here=True) as harness,
    ):
        yield harness


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    with Trap.below(tmp_path) as trap:
        yield trap


@pytest.fixture
def remote(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "remote.git")
    made.commit(FILES)
    return made


def _names(remote: GitRepository) -> list[str]:
    """Return the names of files and folders, those of traps first."""
    listed = git(remote.path, "ls-tree", "-r", "-t", "-z", "--name-only", "HEAD").split("\0")
    return sorted(filter(None, listed), key=lambda name: name in FILES)[:_MOST_NAMES]


def _attempts(names: list[str]) -> list[Reply]:
    """Return what the model says, turn by turn of the conversation."""
    reads = [Call("read_file", {"path": name}) for name in names]
    reads += [Call("git", {"command": "log", "path": name}) for name in names]
    writes = [
        call
        for name in names
        for call in (
            Call("write_file", {"path": f"{name}/evil.mdx", "text": "overwritten\n"}),
            Call("write_file", {"path": f"{name}/secret.txt", "text": "overwritten\n"}),
            Call("move_file", {"source": name, "target": "moved.mdx"}),
            Call("edit_file", {"path": name, "old_string": "x", "new_string": "overwritten"}),
            Call("write_file", {"path": name, "text": "overwritten\n"}),
            Call("delete_file", {"path": name}),
        )
        if name not in FILES
    ]
    return [Reply(calls=_LOOKS), Reply(calls=reads), Reply(calls=writes), Reply(calls=_ENDS)]


def _says(harness: AgentHarness, *replies: Reply) -> None:
    """Play the replies in order, then finish as often as it is asked."""
    harness.chat.rules = [
        *(Rule(lambda _: True, reply, times=1) for reply in replies if reply.calls),
        Rule(lambda _: True, _FINISH),
    ]


@pytest.mark.parametrize("hostile", one_in(8, HOSTILE), ids=[each.name for each in HOSTILE])
def test_a_job_stays_within_its_clone(
    hostile: Hostile, shared: AgentHarness, remote: GitRepository, trap: Trap, tmp_path: Path
) -> None:
    shared.begin_anew(tmp_path)
    hostile.plant(remote, trap)
    set_source(shared.services.tenancy, shared.project.id, remote.url, None, "")
    shared.project = shared.services.tenancy.project(shared.project.id)
    _says(shared, *([] if hostile.refused else _attempts(_names(remote))))
    job = shared.run("Change everything")
    assert hostile.refused != ("new.mdx" in _files_of(remote, job.branch))
    if not hostile.refused:
        remote.commit({"later": Symlink(str(tmp_path / "outside")), "index.mdx": "Changed\n"})
        late = {"path": "later/secret.txt", "text": "overwritten\n"}
        _says(shared, Reply(calls=(Call("read_file", {"path": "later/secret.txt"}),
                                   Call("write_file", late))))  # fmt: skip
        shared.follow_up(job, "And what came later")
        shared.ended(job)
        _review(shared, shared.job(job))
    assert SECRET not in json.dumps(shared.chat.requests)
    shared.chat.requests.clear()
    _check_clones(shared)


def _files_of(remote: GitRepository, branch: str) -> list[str]:
    if not branch or branch not in remote.branches():
        return []
    return git(remote.path, "ls-tree", "-r", "--name-only", branch).splitlines()


def _review(harness: AgentHarness, job) -> None:
    """Look at the change as a person does, and merge it."""
    review = harness.review(job)
    revisions = harness.services.reviews.revisions(review)
    with suppress(MergeConflict):  # of the link that came later, and a file below it
        harness.services.reviews.merge(review, "Ada", revisions.head)
    assert not any(SECRET in diff.text for diff in harness.agent.diff(job.id))


def _check_clones(harness: AgentHarness) -> None:
    """No clone has a link that leads out of it."""
    jobs = harness.services.settings.data / "cache"
    for folder, names, files in os.walk(jobs):
        for name in (*names, *files):
            path = Path(folder, name)
            if path.is_symlink():
                assert Path(os.path.realpath(path)).is_relative_to(jobs.resolve()), path
