"""Sources of documentation: a folder, or a git repository at a URL.

`checkout` writes a source at one commit to disk. All errors are `SourceUnreadable` with the reason;
messages never contain credentials of a URL.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from docstead.base.errors import InvalidRequest, SourceUnreadable
from docstead.base.units import DAY_SECONDS
from docstead.publishing.folders import FileMemory, folder_checkout
from docstead.publishing.git import (
    FETCH_SECONDS,
    LOCAL_SECONDS,
    Git,
    GitFailed,
    without_credentials,
    write_attributes,
)
from docstead.publishing.git_network import (
    NAMED_BY_OPERATOR,
    GitNetwork,
    GitTransport,
    HostCredentials,
    without_user,
)
from docstead.publishing.source_limits import SourceLimits, check_size, pack_too_large
from docstead.publishing.values import GitCheckout, Revision
from docstead.repository.tree_limits import SourceTooLarge

_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)(://|::)")
_SHORT_SSH = re.compile(r"[A-Za-z0-9._-]+@[A-Za-z0-9][A-Za-z0-9.-]*:(?!//)[^\s-]\S*\Z")
_REF = re.compile(r"(?!-)[^\s:^~?*\[\\\0]+")
_REFUSED = ("Permission denied", "could not read Username", "Authentication failed", "403")
_AWAY = ("Connection refused", "not resolve host", "no such host", "timed out", "not found")
_CHECKED_FILES = 200_000  # of a local repository; git's time limit covers others
_COMMIT = re.compile(r"[0-9a-f]{4,64}\Z")
_NO_TREE = ("not a valid object name", "not a tree")
_SCHEMES = ("https", "ssh", "file")


@dataclass(frozen=True, slots=True)
class DocumentationSource:
    """A folder or a git URL (https, ssh, file, or `user@host:path`) in `location`.

    `ref` is a branch, tag or commit of a git repository; None is its default branch. `root` is the
    subfolder that contains `docs.json`.
    """

    location: str
    ref: str | None = None
    root: str = ""

    @property
    def protocol(self) -> str | None:
        """Git transport of the URL; None for a folder."""
        if scheme := _SCHEME.match(self.location):
            return scheme["scheme"].lower()
        return "ssh" if _SHORT_SSH.match(self.location) else None

    @property
    def shown(self) -> str:
        """Location without credentials."""
        return without_credentials(self.location)


def named_source(location: str, ref: str | None, root: str) -> DocumentationSource:
    """Return the source that a command specifies.

    Raises:
        InvalidRequest: a folder was given with a ref, which would be ignored.
    """
    source = DocumentationSource(location, ref, root)
    if ref is not None and source.protocol is None:
        raise InvalidRequest(
            f"--ref: {location} is a folder, whose files are read as they are; leave out --ref, or "
            "name its repository by a file:// URL"
        )
    return source


@dataclass(frozen=True, slots=True)
class SourceCredentials:
    """Credentials of a source: a user with a password or token, or an SSH key."""

    username: str = ""
    password: str = field(default="", repr=False)
    ssh_key_file: Path | None = None


def checkout(
    source: DocumentationSource,
    workspace: Path,
    memory: FileMemory | None = None,
    network: GitNetwork = NAMED_BY_OPERATOR,
    limits: SourceLimits | None = None,
    *,
    credentials: SourceCredentials | None = None,
) -> GitCheckout:
    """Check out a source: folders stay in place, git commits are written to `workspace`.

    `network` is what git may contact, by default the repositories of the operator. A commit that
    unpacks to more than `limits` raises `SourceUnreadable` before anything is written; files of a
    folder are counted when they are listed.

    `workspace` keeps a bare mirror per URL, so that later calls fetch only new objects; with
    `memory` only changed files of a folder are read. The caller removes a `GitCheckout` with
    `discard`.
    """
    root, limits = inner_folder(source.root), limits or SourceLimits()
    protocol = checked_protocol(source)
    if protocol is None:
        folder = Path(source.location).expanduser()
        return folder_checkout(folder, root, memory or FileMemory(), limits.tree)
    if protocol == "file":
        _refuse_pipes(source)
    transport = _transport(source, protocol, network, credentials)
    return _git_checkout(source, transport, root, workspace, limits)


def checked_protocol(source: DocumentationSource) -> str | None:
    """Return the git transport of a source, or None for a folder.

    Raises:
        SourceUnreadable: the transport is not allowed, or the URL or ref could be taken for an
            option.
    """
    protocol = source.protocol
    if protocol is None:
        return None
    if protocol not in _SCHEMES or source.location.startswith(f"{protocol}::"):
        raise SourceUnreadable(f"{source.shown}: a source is a folder or an https, ssh or file URL")
    _refuse_options(source)
    return protocol


def inner_folder(root: str) -> str:
    """Return `DocumentationSource.root` without leading and trailing slashes.

    Raises:
        SourceUnreadable: it leads out of the source.
    """
    path = PurePosixPath(root.strip("/"))
    if ".." in path.parts or "\\" in root or "\0" in root:
        raise SourceUnreadable(f"{root!r} is not a subfolder of the source")
    return "" if str(path) == "." else str(path)


def _transport(
    source: DocumentationSource,
    protocol: str,
    network: GitNetwork,
    credentials: SourceCredentials | None,
) -> GitTransport:
    location, pair = without_user(source.location)
    key = credentials.ssh_key_file if credentials and protocol == "ssh" else None
    if credentials and credentials.password and protocol == "https":
        pair = (credentials.username, credentials.password)
    found = HostCredentials.at(location, *pair) if pair else None
    return GitTransport(location, protocol, network, found, key)


def _git_checkout(
    source: DocumentationSource,
    transport: GitTransport,
    root: str,
    workspace: Path,
    limits: SourceLimits,
) -> GitCheckout:
    workspace.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(source.location.encode()).hexdigest()[:24]
    mirror, trees = workspace / f"{name}.git", workspace / "trees"
    with locked(workspace / f"{name}.lock"):
        try:
            return _written_checkout(mirror, transport, source, root, trees, limits=limits)
        except SourceTooLarge:
            raise
        except SourceUnreadable:
            if Git(mirror).is_sound():
                raise
        # Files of the mirror are damaged: clone again.
        shutil.rmtree(mirror)
        return _written_checkout(mirror, transport, source, root, trees, limits=limits)


def _written_checkout(
    mirror: Path,
    transport: GitTransport,
    source: DocumentationSource,
    root: str,
    trees: Path,
    *,
    limits: SourceLimits,
) -> GitCheckout:
    git, commit, ref = _fetched(mirror, transport, source, limits)
    target = _fresh_directory(trees, commit)
    try:
        _write_tree(git, source, commit, root, target, limits=limits)
        found = Revision.of_commit(git, commit, ref)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return GitCheckout(target, lambda: found, temporary=True, limits=limits.tree)


def _refuse_options(source: DocumentationSource) -> None:
    host = re.sub(r"\A[a-z]+://([^/@]*@)?", "", source.location)
    if host.startswith("-") or "\0" in source.location or "\n" in source.location:
        raise SourceUnreadable(f"{source.shown!r} is not a git URL")
    if source.ref is not None and not _REF.fullmatch(source.ref):
        raise SourceUnreadable(f"{source.ref!r} is not a branch, a tag or a commit")


def _refuse_pipes(source: DocumentationSource) -> None:
    """Reject a local repository that contains pipes or devices, which git would wait for.

    A waiting git process uses no processor time, so it would outlive the service.
    """
    waiting = [str(_local_repository(source))]
    seen = 0
    while waiting and seen < _CHECKED_FILES:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                seen += 1
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_file() and _is_pipe_or_device(entry):
                    raise SourceUnreadable(
                        f"{source.shown}: {entry.path} is a pipe or a device; remove it"
                    )


def _local_repository(source: DocumentationSource) -> Path:
    path = Path(unquote(source.location.removeprefix("file://")))
    return path / ".git" if (path / ".git").is_dir() else path


def _is_pipe_or_device(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):  # a dangling link
        mode = entry.stat().st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode)
    return False


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock between processes."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _mirror(directory: Path) -> Path:
    if not (directory / "HEAD").exists():
        directory.mkdir(parents=True, exist_ok=True)
        Git(directory).run("init", "--quiet", "--bare", "--template=", ".")
    write_attributes(directory)
    return directory


def _fetched(
    mirror: Path, transport: GitTransport, source: DocumentationSource, limits: SourceLimits
) -> tuple[Git, str, str | None]:
    try:
        git = Git(_mirror(mirror), transport, file_limit_bytes=limits.pack_bytes)
        try:
            return git, *_fetch(git, transport.location, source.ref)
        except GitFailed as error:
            if ".lock'" not in error.message:
                raise
        # A killed git leaves lock files behind; as nobody else holds the lock, clone again.
        shutil.rmtree(mirror)
        git = Git(_mirror(mirror), transport, file_limit_bytes=limits.pack_bytes)
        return git, *_fetch(git, transport.location, source.ref)
    except GitFailed as error:
        if error.met_file_limit:
            _remove_partial_files(mirror)
            raise pack_too_large(limits) from error
        advice = _advice(source, error.message)
        raise SourceUnreadable(f"{source.shown}: {error.message}{advice}") from error


def _advice(source: DocumentationSource, message: str) -> str:
    """Return advice for errors that git's message does not explain."""
    if "not appear to be a git repository" in message:
        is_file = source.location.startswith("file://")
        step = "for a folder, give its path" if is_file else "correct the URL"
        return f"; this is not a git repository; {step}"
    if "find remote ref HEAD" in message:
        return "; the repository has no commit yet: push one"
    if any(said in message for said in _REFUSED):
        return "; configure a credential with read access, or correct the URL"
    if any(said in message for said in _AWAY):
        return "; correct the URL, or try again when the server is available"
    return ""


def _remove_partial_files(mirror: Path) -> None:
    """Remove packs and objects that a killed git was writing."""
    for path in (mirror / "objects").rglob("tmp_*"):
        path.unlink(missing_ok=True)


def _fetch(git: Git, location: str, requested_ref: str | None) -> tuple[str, str | None]:
    """Fetch a ref into the mirror; return its commit and the ref's full name."""
    ref = requested_ref or _default_branch(git, location)
    try:
        _fetch_into(git, location, f"+{ref or 'HEAD'}:refs/docstead/wanted", "--depth=1")
        requested = "refs/docstead/wanted"
    except GitFailed:
        if requested_ref is None or not _COMMIT.match(requested_ref):
            raise
        # An abbreviated commit id, or a server that serves branches only: fetch everything.
        _fetch_into(git, location, "+refs/heads/*:refs/docstead/heads/*", *_whole(git))
        requested = requested_ref
    return git.text("rev-parse", "--verify", f"{requested}^{{commit}}").strip(), ref


def _fetch_into(git: Git, location: str, refspec: str, *options: str) -> None:
    git.run(
        "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
        *options, "--", location, refspec,
        timeout_seconds=FETCH_SECONDS,
    )  # fmt: skip


def _whole(git: Git) -> tuple[str, ...]:
    return ("--unshallow",) if (git.directory / "shallow").exists() else ()


def _default_branch(git: Git, location: str) -> str | None:
    seconds = LOCAL_SECONDS if location.startswith("file:") else FETCH_SECONDS
    answer = git.text("ls-remote", "--symref", "--", location, "HEAD", timeout_seconds=seconds)
    found = re.search(r"^ref: refs/heads/(\S+)\tHEAD$", answer, re.MULTILINE)
    return found[1] if found else None


def _fresh_directory(parent: Path, commit: str) -> Path:
    """Return a new directory, because two runs may check out the same commit."""
    parent.mkdir(parents=True, exist_ok=True)
    _sweep(parent)
    return Path(tempfile.mkdtemp(prefix=f"{commit[:12]}-", dir=parent))


def _sweep(parent: Path) -> None:
    """Remove leftovers of killed runs."""
    for path in parent.iterdir():
        if path.is_dir() and time.time() - path.stat().st_mtime > DAY_SECONDS:
            shutil.rmtree(path, ignore_errors=True)


def _write_tree(
    git: Git,
    source: DocumentationSource,
    commit: str,
    root: str,
    target: Path,
    *,
    limits: SourceLimits,
) -> None:
    index = {"GIT_INDEX_FILE": str(target.with_suffix(".index")), "GIT_DIR": str(git.directory)}
    try:
        check_size(git, f"{commit}:{root}", limits)
        git.run("read-tree", f"{commit}:{root}", variables=index)
        files = {**index, "GIT_WORK_TREE": str(target)}
        git.run(
            "checkout-index", "--all", "--force", variables=files, timeout_seconds=FETCH_SECONDS
        )
    except GitFailed as error:
        if any(said in error.message.lower() for said in _NO_TREE):
            error = GitFailed(f"there is no folder {root!r} at commit {commit[:12]}")
        raise SourceUnreadable(f"{source.shown}: {error.message}") from error
    finally:
        Path(index["GIT_INDEX_FILE"]).unlink(missing_ok=True)
