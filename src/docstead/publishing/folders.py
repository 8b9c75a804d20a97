"""Folders as sources, inside or outside of a git repository.

Only plumbing commands of git are used: `git status` would run filters and file monitors that the
repository's settings name.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from docstead.base.errors import SourceUnreadable
from docstead.base.units import MIB
from docstead.publishing.file_cache import CachedFile, FileCache
from docstead.publishing.git import Git, GitFailed
from docstead.publishing.values import CONTENT, FileDigest, GitCheckout, Revision
from docstead.repository.positions import Diagnostics
from docstead.repository.tree import list_files, read_ignore
from docstead.repository.tree_limits import TreeLimits

FileEntries = tuple[tuple[CachedFile[FileDigest], ...], tuple[CachedFile[str], ...]]


@dataclass
class FileMemory:
    """Cache of file digests and blob ids."""

    digests: FileCache[FileDigest] = field(default_factory=lambda: FileCache(digest_of))
    blob_ids: FileCache[str] = field(default_factory=lambda: FileCache(_blob_id))

    def files_of(self, root: Path, limits: TreeLimits) -> Mapping[str, FileDigest]:
        """Return the digest of every file below a folder that publishing reads.

        Raises:
            SourceTooLarge: there are more files, or deeper folders, than `limits` allow.
        """
        return digests_of(root, self, limits)

    def entries(self) -> FileEntries:
        """Return all entries, for `restore` in another process."""
        return self.digests.entries(), self.blob_ids.entries()

    def restore(self, entries: FileEntries) -> None:
        self.digests.restore(entries[0])
        self.blob_ids.restore(entries[1])


def folder_checkout(folder: Path, root: str, memory: FileMemory, limits: TreeLimits) -> GitCheckout:
    """Return a checkout of the folder as it is."""
    path = (folder / root).resolve()
    if not path.is_dir():
        raise no_folder(folder / root)
    if not path.is_relative_to(folder.resolve()):
        raise SourceUnreadable(f"{root!r} leads out of {folder}")
    if _is_bare_repository(path):
        raise SourceUnreadable(
            f"{folder}: this is a bare git repository; name it by its URL, {path.as_uri()}"
        )
    return GitCheckout(path, partial(_revision, path, memory, limits), limits=limits)


def no_folder(path: Path) -> SourceUnreadable:
    """Return the error for a source that is not a folder."""
    if path.is_file():
        return SourceUnreadable(f"{path}: this is a file; name the folder that contains it")
    return SourceUnreadable(f"{path}: there is no such folder; correct the path")


def _is_bare_repository(path: Path) -> bool:
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def content_revision(path: Path, memory: FileMemory, limits: TreeLimits) -> Revision:
    """Return the revision of a folder outside of any git repository."""
    files = memory.files_of(path, limits)
    return Revision(_content_hash(files), files=files)


def _revision(path: Path, memory: FileMemory, limits: TreeLimits) -> Revision:
    """Return the folder's commit if it is clean, or a hash of its contents."""
    files = memory.files_of(path, limits)
    found = _clean_commit(path, memory) or Revision(_content_hash(files))
    return replace(found, files=files)


def files_of(checkout: GitCheckout) -> Mapping[str, FileDigest]:
    """Return the digest of every file that publishing reads."""
    files = checkout.revision.files
    if files is not None:
        return files
    return digests_of(checkout.path, FileMemory(), checkout.limits)


def digest_of(path: Path) -> FileDigest:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(MIB):
            digest.update(block)
            size += len(block)
    return FileDigest(digest.hexdigest(), size)


def digests_of(root: Path, memory: FileMemory, limits: TreeLimits) -> dict[str, FileDigest]:
    """Return file digests; unreadable files are omitted, as if absent."""
    found: dict[str, FileDigest] = {}
    diagnostics = Diagnostics()  # the loader reports those of the walk
    for path in list_files(root, read_ignore(root, diagnostics), diagnostics, limits):
        with contextlib.suppress(OSError):
            found[path] = memory.digests.of(root / path)
    return found


def _content_hash(files: Mapping[str, FileDigest]) -> str:
    digest = hashlib.sha256()
    for path, file in files.items():
        digest.update(f"{path}\0{file.sha256}\n".encode(errors="surrogateescape"))
    return f"{CONTENT}{digest.hexdigest()[:40]}"


def _clean_commit(path: Path, memory: FileMemory) -> Revision | None:
    """Return the commit if every file of the folder matches it."""
    git = Git(path)
    try:
        commit = git.text("rev-parse", "--verify", "HEAD^{commit}").strip()
        tree = _tree(git, git.text("rev-parse", "--show-prefix").strip())
        if git.run("ls-files", "--others", "--exclude-standard", "-z") or not (
            _matches(path, tree, memory)
        ):
            return None
        ref = _branch(git)
    except (GitFailed, FileNotFoundError):
        return None
    return Revision.of_commit(git, commit, ref)


def _tree(git: Git, prefix: str) -> Mapping[str, str]:
    """Return blob ids of the commit's files by path relative to the folder."""
    tree: dict[str, str] = {}
    listing = git.run("ls-tree", "-r", "-z", "--full-tree", f"HEAD:{prefix.rstrip('/')}")
    for entry in listing.split(b"\0")[:-1]:
        about, _, path = entry.partition(b"\t")
        mode, kind, blob = about.decode().split(" ")
        if kind == "blob" and mode != "120000":
            tree[os.fsdecode(path)] = blob
    return tree


def _matches(root: Path, tree: Mapping[str, str], memory: FileMemory) -> bool:
    try:
        return bool(tree) and all(
            memory.blob_ids.of(root / path) == blob for path, blob in tree.items()
        )
    except OSError:
        return False


def _blob_id(path: Path) -> str:
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _branch(git: Git) -> str | None:
    name = git.text("rev-parse", "--abbrev-ref", "HEAD").strip()
    return None if name == "HEAD" else name
