"""Pushes of a changed clone to a remote that may have changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.agent.workspace import (
    BranchDiverged,
    BranchProtected,
    PushFailed,
    SecretFound,
    WorkspaceManager,
    follow,
    push,
)
from docstead.publishing.git import Git
from git_repositories import GitRepository

BRANCH = "docstead/a-page-1"
START = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


def test_a_commit_says_what_and_why_and_for_which_job(changed, remote: GitRepository) -> None:
    done = push(changed)
    assert (done.branch, done.how, done.direct) == (BRANCH, "pushed", False)
    assert remote.files(BRANCH)["guides/start.mdx"].startswith("ONE\n")
    assert remote.log(BRANCH)[0] == (
        "Change\n\nBecause it was asked for.\n\nDocstead-Job: aj_1\nDocstead-Turn: turn_1"
    )
    assert len(remote.log(BRANCH)) == 2


def test_nothing_changed_makes_no_commit(open_workspace, commit_all) -> None:
    assert commit_all(open_workspace()) is None


def test_commit_and_push_done_again_do_nothing(changed, commit_all, remote: GitRepository) -> None:
    first, pushed = changed.head, push(changed)
    assert commit_all(changed) == first
    assert push(changed) == replace(pushed, how="unchanged")
    assert len(remote.log(BRANCH)) == 2


def test_a_follow_up_adds_a_commit_to_the_branch(changed, commit_all, remote) -> None:
    push(changed)
    changed.files.write("new.mdx", "more\n")
    commit_all(changed, "turn_2", "More")
    push(changed)
    assert [text.split("\n")[0] for text in remote.log(BRANCH)] == ["More", "Change", "change"]


def test_a_message_cannot_pretend_to_be_another_job(open_workspace, commit_all, remote) -> None:
    workspace = open_workspace()
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace, subject="Title\nDocstead-Job: aj_9\n\x1b[31mred")
    push(workspace)
    assert remote.log(BRANCH)[0].count("Docstead-Job:") == 1
    assert "\x1b" not in remote.log(BRANCH)[0].split("\n", 1)[1]


def test_a_new_branch_goes_on_top_of_a_base_that_moved(changed, remote: GitRepository) -> None:
    base = remote.commit({"other.mdx": "meanwhile\n", "guides/start.mdx": START + "eight\n"})
    done = push(changed)
    assert (done.how, done.conflicts) == ("rebased", ())
    assert remote.files(BRANCH)["guides/start.mdx"] == START.replace("one", "ONE") + "eight\n"
    assert len(remote.log(BRANCH)) == 3
    assert changed.base_commit == base
    assert changed.files.text("other.mdx") == "meanwhile\n"
    assert [change.path for change in changed.changed_files()] == ["guides/start.mdx"]


def test_a_base_that_disagrees_leaves_the_branch_as_it_is(changed, remote: GitRepository) -> None:
    remote.commit({"guides/start.mdx": START.replace("one", "uno")})
    done = push(changed)
    assert done.conflicts == ("guides/start.mdx",)
    assert remote.files(BRANCH)["guides/start.mdx"].startswith("ONE\n")
    assert remote.files()["guides/start.mdx"].startswith("uno\n")


def test_a_branch_that_others_have_seen_is_never_rewritten(changed, commit_all, remote) -> None:
    push(changed)
    published = remote.tip(BRANCH)
    remote.commit({"other.mdx": "meanwhile\n"})
    changed.files.write("new.mdx", "more\n")
    commit_all(changed, "turn_2")
    made = changed.head
    assert changed.store.header(made).parents == (published,)
    assert push(changed).how == "merged"
    assert changed.store.header(remote.tip(BRANCH)).parents == (made, remote.tip())
    assert {"other.mdx", "new.mdx"} <= remote.files(BRANCH).keys()


def test_a_base_that_moved_is_taken_in_by_the_next_turn(changed, commit_all, remote) -> None:
    push(changed)
    base = remote.commit({"guides/start.mdx": START + "eight\n", "other.mdx": "meanwhile\n"})
    follow(changed)
    assert changed.base_commit == base
    assert changed.files.text("guides/start.mdx") == START.replace("one", "ONE") + "eight\n"
    assert [change.path for change in changed.changed_files()] == ["guides/start.mdx"]
    changed.files.write("new.mdx", "more\n")
    made = commit_all(changed, "turn_2", "More")
    assert push(changed).commit == made == remote.tip(BRANCH)


def test_a_base_that_disagrees_is_not_taken_in_by_the_next_turn(changed, remote) -> None:
    push(changed)
    before = (changed.head, changed.base_commit)
    remote.commit({"guides/start.mdx": START.replace("one", "uno")})
    follow(changed)
    assert (changed.head, changed.base_commit) == before


def test_a_base_that_somebody_has_merged_into_the_branch_is_known(changed, remote) -> None:
    push(changed)
    base = remote.commit({"other.mdx": "meanwhile\n"})
    store, tip = changed.store, remote.tip(BRANCH)
    changed.tips()
    tree = store.merged(*(changed.tree_at(each) for each in (changed.base_commit, base, tip)))[0]
    merge = store.commit_tree(tree, (tip, base), "Merge branch 'main'\n", {})
    changed.git().run("push", "--quiet", changed.remote.url, f"{merge}:refs/heads/{BRANCH}")
    follow(changed)
    assert (changed.head, changed.base_commit) == (merge, base)
    assert [change.path for change in changed.changed_files()] == ["guides/start.mdx"]


def test_a_merge_keeps_what_others_changed_beside_the_documentation(
    open_workspace, commit_all, remote
) -> None:
    remote.commit({"docs/index.mdx": "docs\n", "src/a.c": "int a;\n", "src/b.c": "int b;\n"})
    workspace = open_workspace(root="docs")
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    push(workspace)
    remote.commit({"src/a.c": "int aa;\n"}, branch=BRANCH, message="Review")
    remote.commit({"src/b.c": "int bb;\n", "docs/other.mdx": "x\n"})
    follow(workspace)
    push(workspace)
    files = remote.files(BRANCH)
    assert (files["src/a.c"], files["src/b.c"]) == ("int aa;\n", "int bb;\n")
    assert {"docs/new.mdx", "docs/other.mdx"} <= files.keys()


def test_commits_of_others_on_the_branch_are_kept(changed, commit_all, remote) -> None:
    push(changed)
    remote.commit({"theirs.mdx": "by a reviewer\n"}, branch=BRANCH, message="Review")
    changed.files.write("new.mdx", "more\n")
    commit_all(changed, "turn_2", "More")
    done = push(changed)
    assert done.how == "rebased"
    assert [text.split("\n")[0] for text in remote.log(BRANCH)] == [
        "More", "Review", "Change", "change",
    ]  # fmt: skip
    assert {"theirs.mdx", "new.mdx"} <= remote.files(BRANCH).keys()


def test_commits_that_cannot_be_put_one_by_one_are_merged(changed, commit_all, remote) -> None:
    push(changed)
    remote.commit({"guides/start.mdx": START.replace("one", "eins")}, branch=BRANCH)
    changed.files.write("guides/start.mdx", START.replace("one", "hana"))
    commit_all(changed, "turn_2")
    changed.files.write("guides/start.mdx", START.replace("one", "ONE").replace("seven", "SEVEN"))
    commit_all(changed, "turn_3")
    done = push(changed)
    assert done.how == "merged"
    merged = START.replace("one", "eins").replace("seven", "SEVEN")
    assert remote.files(BRANCH)["guides/start.mdx"] == merged


def test_a_branch_that_disagrees_fails_and_keeps_the_work(changed, commit_all, remote) -> None:
    push(changed)
    remote.commit({"guides/start.mdx": START.replace("one", "theirs")}, branch=BRANCH)
    changed.files.write("guides/start.mdx", START.replace("one", "ours"))
    commit_all(changed, "turn_2")
    with pytest.raises(PushFailed, match=r"changed the same lines in guides/start\.mdx") as failed:
        push(changed)
    assert isinstance(failed.value, BranchDiverged)
    kept = failed.value.kept_on
    assert failed.value.conflicts == ("guides/start.mdx",)
    assert remote.files(kept)["guides/start.mdx"].startswith("ours\n")
    assert remote.files(BRANCH)["guides/start.mdx"].startswith("theirs\n")


def test_a_force_pushed_base_is_built_upon(changed, remote: GitRepository) -> None:
    remote.delete("main")
    remote.commit({"docs.json": "{}", "guides/start.mdx": START, "all.mdx": "anew\n"})
    done = push(changed)
    assert done.how == "rebased"
    assert remote.files(BRANCH).keys() == {"docs.json", "guides/start.mdx", "all.mdx"}
    assert remote.files(BRANCH)["guides/start.mdx"].startswith("ONE\n")


def test_a_deleted_branch_is_pushed_again(changed, commit_all, remote: GitRepository) -> None:
    push(changed)
    remote.delete(BRANCH)
    changed.files.write("new.mdx", "more\n")
    commit_all(changed, "turn_2")
    push(changed)
    assert remote.files(BRANCH)["guides/start.mdx"].startswith("ONE\n")
    assert remote.files(BRANCH)["new.mdx"] == "more\n"


def test_a_deleted_base_is_reported(changed, remote: GitRepository) -> None:
    remote.commit({}, branch="other")
    remote.delete("main")
    with pytest.raises(PushFailed, match="'main' no longer exists"):
        push(changed, direct=True)
    assert push(changed).note == "the branch 'main' no longer exists on the remote"
    assert remote.files(BRANCH)["guides/start.mdx"].startswith("ONE\n")


def test_a_direct_push_goes_to_the_base(changed, remote: GitRepository) -> None:
    remote.commit({"other.mdx": "meanwhile\n"})
    done = push(changed, direct=True)
    assert (done.branch, done.direct, done.how) == ("main", True, "rebased")
    assert remote.files()["guides/start.mdx"].startswith("ONE\n")
    assert remote.branches() == ["main"]


def test_a_direct_push_done_again_finds_its_commit(changed, remote: GitRepository) -> None:
    pushed = push(changed, direct=True)
    remote.commit({"other.mdx": "later\n"})
    assert push(changed, direct=True) == replace(pushed, how="unchanged")
    assert len(remote.log()) == 3


def test_a_commit_that_was_put_on_top_and_then_forgotten_is_found(changed, remote) -> None:
    """The process died after the push, before it knew that its commit has a new id."""
    remote.commit({"other.mdx": "meanwhile\n"})
    old = changed.head
    push(changed, direct=True)
    changed.store.point("refs/docstead/head", old)
    changed.store.point("refs/docstead/base", changed.store.header(old).parents[0])
    done = push(changed, direct=True)
    assert (done.how, done.commit) == ("unchanged", remote.tip())
    assert len(remote.log()) == 3


def test_a_protected_base_gets_a_branch_instead(changed, remote: GitRepository) -> None:
    remote.protect()
    done = push(changed, direct=True)
    assert (done.branch, done.direct) == (BRANCH, False)
    assert "GH006: Protected branch update failed" in done.note
    assert remote.files(BRANCH)["guides/start.mdx"].startswith("ONE\n")
    assert len(remote.log()) == 1


def test_a_base_that_disagrees_gets_a_branch_instead(changed, remote: GitRepository) -> None:
    remote.commit({"guides/start.mdx": START.replace("one", "uno")})
    done = push(changed, direct=True)
    assert (done.branch, done.direct) == (BRANCH, False)
    assert done.note == "'main' has changed in guides/start.mdx"
    assert remote.files()["guides/start.mdx"].startswith("uno\n")


def test_a_protected_job_branch_is_a_failure(changed, remote: GitRepository) -> None:
    remote.protect(BRANCH)
    with pytest.raises(BranchProtected, match="GH006"):
        push(changed)


def test_a_base_that_moves_during_the_push_is_followed(changed, remote) -> None:
    before = remote.tip()
    later = remote.commit({"other.mdx": "just now\n"})
    _point(remote, "later", later)
    _point(remote, "main", before)
    remote.hook(
        "pre-receive",
        "[ -e moved ] || { touch moved; "
        f"env -u GIT_QUARANTINE_PATH git update-ref refs/heads/main {later}; }}",
    )
    assert push(changed, direct=True).how == "rebased"
    assert (remote.path / "moved").exists()
    assert remote.files()["other.mdx"] == "just now\n"


def test_only_the_documentations_folder_is_changed(open_workspace, commit_all, remote) -> None:
    remote.commit({"docs/index.mdx": "docs\n", "src/a.c": "int a;\n"})
    workspace = open_workspace(root="docs")
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    remote.commit({"src/a.c": "int b;\n", "docs/other.mdx": "x\n"})
    assert push(workspace).how == "rebased"
    files = remote.files(BRANCH)
    assert files["src/a.c"] == "int b;\n"
    assert files["docs/new.mdx"] == "new\n"
    assert files["docs/other.mdx"] == "x\n"


def test_work_of_others_is_taken_over_at_the_next_turn(changed, remote: GitRepository) -> None:
    push(changed)
    remote.commit({"theirs.mdx": "by a reviewer\n"}, branch=BRANCH)
    follow(changed)
    assert changed.files.text("theirs.mdx") == "by a reviewer\n"
    assert changed.head == remote.tip(BRANCH)


def test_work_in_hand_is_never_overwritten(changed, remote: GitRepository) -> None:
    push(changed)
    remote.commit({"theirs.mdx": "by a reviewer\n"}, branch=BRANCH)
    changed.files.write("half.mdx", "half\n")
    follow(changed)
    assert changed.files.kind("theirs.mdx") is None
    assert changed.files.text("half.mdx") == "half\n"


def test_merged_work_begins_anew_from_the_base(changed, remote: GitRepository) -> None:
    push(changed)
    remote.commit({"later.mdx": "x\n"}, branch=BRANCH, message="on top")
    tip = remote.tip(BRANCH)
    remote.delete(BRANCH)
    remote.commit({}, branch="keep")
    _point(remote, "main", tip)
    follow(changed)
    assert changed.base_commit == changed.head == tip
    assert changed.changed_files() == ()


def _point(remote: GitRepository, branch: str, commit: str) -> None:
    Git(remote.path).run("update-ref", f"refs/heads/{branch}", commit)


def test_a_secret_is_not_committed(open_workspace, commit_all, remote: GitRepository) -> None:
    workspace = open_workspace()
    base = workspace.head
    workspace.files.write("guides/key.mdx", "first\nuse ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2 + "\n")
    with pytest.raises(SecretFound, match=r"guides/key\.mdx:2: GitHub token"):
        commit_all(workspace)
    assert workspace.head == base
    assert remote.branches() == ["main"]


def test_two_jobs_push_to_two_branches(open_workspace, commit_all, remote) -> None:
    for number in ("1", "2"):
        workspace = open_workspace(f"aj_{number}", f"docstead/x-{number}")
        workspace.files.write("new.mdx", f"{number}\n")
        commit_all(workspace)
        push(workspace)
    assert remote.read("new.mdx", "docstead/x-1") == "1\n"
    assert remote.read("new.mdx", "docstead/x-2") == "2\n"


def test_a_lost_clone_knows_the_base_that_was_taken_in(
    changed, remote, open_workspace, workspaces: WorkspaceManager
) -> None:
    push(changed)
    base = remote.commit({"other.mdx": "meanwhile\n"})
    follow(changed)
    push(changed)
    workspaces.remove("aj_1")
    again = open_workspace()
    assert again.base_commit == base
    assert [change.path for change in again.changed_files()] == ["guides/start.mdx"]


def test_a_lost_clone_continues_after_a_merge_commit(
    changed, commit_all, remote, open_workspace, workspaces: WorkspaceManager
) -> None:
    push(changed)
    remote.commit({"theirs.mdx": "x\n"}, branch=BRANCH)
    base = changed.base_commit
    workspaces.remove("aj_1")
    again = open_workspace()
    assert again.base_commit == base
    assert {change.path for change in again.changed_files()} == {"theirs.mdx", "guides/start.mdx"}
