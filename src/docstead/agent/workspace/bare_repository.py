"""Bare git repositories: objects, trees and references, by plumbing commands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from docstead.agent.workspace.signing import SigningKey, failure
from docstead.base.lru_cache import LruCache
from docstead.base.units import MIB
from docstead.publishing.git import Git, GitFailed, write_attributes
from docstead.publishing.git_process import OUTPUT_BYTES

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
LINK, MODULE, FOLDER = "120000", "160000", "040000"
_KINDS = {FOLDER: "tree", MODULE: "commit"}
_LISTING_BYTES = 64 * MIB
_COMPARED_BYTES = 4 * MIB
_NOBODY = {
    "GIT_AUTHOR_NAME": "docstead", "GIT_AUTHOR_EMAIL": "docstead@localhost",
    "GIT_COMMITTER_NAME": "docstead", "GIT_COMMITTER_EMAIL": "docstead@localhost",
    "GIT_AUTHOR_DATE": "@0 +0000", "GIT_COMMITTER_DATE": "@0 +0000",
}  # fmt: skip
_PERSON = re.compile(r"(?m)^(author|committer) (.*?) ?<([^>]*)> (\d+ [+-]\d+)$")
_OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_TRAILER = re.compile(r"^(Docstead-[A-Za-z]+): (\S+)$", re.MULTILINE)

_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tfilemode = true
\tbare = true
\tautocrlf = false
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tuntrackedCache = false
\tcommitGraph = false
\tuseReplaceRefs = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
[fetch]
\tunpackLimit = 1
\twriteCommitGraph = false
[commit]
\tgpgSign = false
[diff]
\tsubmodule = short
"""
_PARTIAL = """\
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = {url}
\tpromisor = true
\tpartialclonefilter = blob:none
"""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """Entry of a tree with its path."""

    mode: str
    object_id: str
    path: str


@dataclass(frozen=True, slots=True)
class CommitHeader:
    tree: str
    parents: tuple[str, ...]
    message: str

    @property
    def trailers(self) -> dict[str, str]:
        return dict(_TRAILER.findall(self.message))


def create(directory: Path, *, partial_of: str | None = None) -> Path:
    """Create an empty bare repository; `partial_of` is the URL of its promisor remote."""
    directory.mkdir(parents=True, exist_ok=True)
    Git(directory).run("init", "--quiet", "--bare", "--template=", ".")
    write_attributes(directory)
    partial = _PARTIAL.format(url=_quoted(partial_of)) if partial_of else ""
    (directory / "config").write_text(_CONFIG.format(version=1 if partial else 0) + partial)
    return directory


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class BareRepository:
    """A bare repository; `signing` signs its commits."""

    def __init__(self, git: Git, signing: SigningKey | None = None) -> None:
        self.git = git
        self._signing = signing
        self._trees: dict[tuple[str, str], str] = {}
        self._compared = LruCache[tuple[object, ...], bytes](_COMPARED_BYTES, len)

    def ref(self, name: str) -> str | None:
        """Return the commit of a reference, or None if it does not exist.

        Read from its file (gitrepository-layout(5)), because every step of a job needs it; git is
        called only for packed references.
        """
        directory = self.git.directory
        try:
            value = (directory / name).read_text("ascii", "replace").strip()
        except OSError:
            is_packed = any((directory / each).exists() for each in ("packed-refs", "reftable"))
            return self.commit_of(name) if is_packed else None
        return value if _OBJECT_ID.fullmatch(value) else self.commit_of(name)

    def commit_of(self, ref: str) -> str | None:
        """Return the commit of a reference or id, or None if it is not available."""
        return self._parsed(f"{ref}^{{commit}}")

    def tree_of(self, commit: str, folder: str = "") -> str | None:
        """Return the tree of a commit or of a folder in it, or None if it does not exist."""
        known = self._trees.get((commit, folder))
        tree = known or self._parsed(f"{commit}:{folder}" if folder else f"{commit}^{{tree}}")
        if tree and _OBJECT_ID.fullmatch(commit):  # trees of a commit never change
            self._trees[commit, folder] = tree
        return tree

    def header(self, commit: str) -> CommitHeader:
        head, _, message = self.git.text("cat-file", "commit", commit).partition("\n\n")
        lines = [line.partition(" ") for line in head.splitlines()]
        tree = next(value for key, _, value in lines if key == "tree")
        parents = tuple(value for key, _, value in lines if key == "parent")
        return CommitHeader(tree, parents, message)

    def authorship(self, commit: str) -> dict[str, str]:
        """Return git's environment variables for names and dates of a commit."""
        head = self.git.text("cat-file", "commit", commit).partition("\n\n")[0]
        found: dict[str, str] = {}
        for role, name, email, date in _PERSON.findall(head):
            found |= {
                f"GIT_{role.upper()}_NAME": name, f"GIT_{role.upper()}_EMAIL": email,
                f"GIT_{role.upper()}_DATE": date,
            }  # fmt: skip
        return found

    def entries(self, tree: str) -> list[TreeEntry]:
        """Return all files of a tree.

        Raises:
            SourceUnreadable: there are too many.
        """
        listing = self.git.run(
            "ls-tree", "-r", "-z", "--full-tree", tree, output_limit_bytes=_LISTING_BYTES
        )
        return [_entry(record) for record in listing.split(b"\0")[:-1]]

    def children(self, tree: str) -> dict[str, TreeEntry]:
        """Return the direct entries of a tree by name."""
        listing = self.git.run("ls-tree", "-z", tree, output_limit_bytes=_LISTING_BYTES)
        entries = (_entry(record) for record in listing.split(b"\0")[:-1])
        return {entry.path: entry for entry in entries}

    def bytes_of(self, tree: str) -> int:
        """Return the total size of a tree's files."""
        listing = self.git.run(
            "ls-tree", "-r", "-z", "-l", "--full-tree", tree, output_limit_bytes=_LISTING_BYTES
        )
        sizes = (record.split(b"\t", 1)[0].split()[3] for record in listing.split(b"\0")[:-1])
        return sum(int(size) for size in sizes if size.isdigit())

    def compared(
        self, before: str, after: str, *options: str, limit_bytes: int = OUTPUT_BYTES
    ) -> bytes:
        """Return git's comparison of two trees by their ids. Every step of a turn needs it.

        Raises:
            SourceUnreadable: it is longer than `limit_bytes`.
        """
        key = (before, after, options, limit_bytes)
        output = self._compared.get(key)
        if output is None:
            output = self.git.run(
                "diff-tree", *options, before, after, output_limit_bytes=limit_bytes
            )
            self._compared.put(key, output)
        return output

    def blob(self, object_id: str) -> bytes:
        return self.git.run("cat-file", "blob", object_id)

    def point(self, ref: str, commit: str) -> None:
        self.git.run("update-ref", "--no-deref", ref, commit)

    def grafted(self, tree: str, folder: str, inner: str) -> str:
        """Return the tree with one of its folders replaced by `inner`."""
        if not folder:
            return inner
        first, _, rest = folder.partition("/")
        entries = self.children(tree)
        below = entries.get(first)
        held = below.object_id if below and below.mode == FOLDER else EMPTY_TREE
        entries[first] = TreeEntry(FOLDER, self.grafted(held, rest, inner), first)
        return self._made(entries.values())

    def merged(self, base: str, ours: str, theirs: str) -> tuple[str, tuple[str, ...]]:
        """Merge two trees with their common base; return the tree and the conflicting paths.

        Conflicting files contain git's conflict markers.
        """
        # Temporary commits give the merge its base, independent of the available history.
        root = self._commit(base, (), "base", {})
        commits = [self._commit(tree, (root,), "side", {}) for tree in (ours, theirs)]
        try:
            output = self.git.run(
                "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", *commits
            )
        except GitFailed as error:
            if error.exit_code != 1:
                raise
            tree, *paths = error.printed.split("\0")
            return tree.strip(), tuple(sorted(set(filter(None, paths))))
        return output.split(b"\0")[0].decode().strip(), ()

    def commit_tree(
        self, tree: str, parents: Iterable[str], message: str, author: Mapping[str, str]
    ) -> str:
        """Create a commit, signed if there is a key; `author` has git's variables.

        Raises:
            SigningFailed: the commit cannot be signed.
        """
        if self._signing is None:
            return self._commit(tree, parents, message, author)
        try:
            return self._commit(tree, parents, message, author, self._signing)
        except GitFailed as error:
            raise failure(error.message) from None

    def _commit(
        self,
        tree: str,
        parents: Iterable[str],
        message: str,
        author: Mapping[str, str],
        signing: SigningKey | None = None,
    ) -> str:
        command = [*signing.options, "commit-tree", "-S"] if signing else ["commit-tree"]
        options = [part for parent in parents for part in ("-p", parent)]
        variables = {**_NOBODY, **author}
        output = self.git.run(
            *command, *options, tree, variables=variables, sent=message.encode() or b"\n"
        )
        return output.decode().strip()

    def _made(self, entries: Iterable[TreeEntry]) -> str:
        lines = b"".join(
            f"{e.mode} {_KINDS.get(e.mode, 'blob')} {e.object_id}\t".encode()
            + os.fsencode(e.path)
            + b"\0"
            for e in entries
        )
        return self.git.run("mktree", "-z", "--missing", sent=lines).decode().strip()

    def _parsed(self, text: str) -> str | None:
        try:
            return self.git.text("rev-parse", "--quiet", "--verify", text).strip()
        except GitFailed:
            return None


def _entry(record: bytes) -> TreeEntry:
    about, _, path = record.partition(b"\t")
    mode, _, object_id = about.decode().split(" ")[:3]
    return TreeEntry(mode, object_id, os.fsdecode(path))
