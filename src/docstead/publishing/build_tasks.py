"""Builder tasks that read a checkout: digests of its files, and its edition."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from docstead import __version__
from docstead.base.units import DAY_SECONDS
from docstead.publishing.assets import FolderContents
from docstead.publishing.build import BuildReport, build_edition
from docstead.publishing.builders import BuilderTask, TaskContext
from docstead.publishing.edition import Edition
from docstead.publishing.folders import FileMemory
from docstead.publishing.remote_files import RemoteReaders
from docstead.publishing.values import FileDigest, GitCheckout, Revision
from docstead.repository.parse_cache import CACHED_CHARACTERS, ParseCache
from docstead.repository.tree_limits import DEFAULT_TREE_LIMITS, TreeLimits

_MEMORY = "parsed.pickle"
_DIGESTS = "digests.pickle"
_PROGRESS_SECONDS = 0.05


class RememberRequest(msgspec.Struct, frozen=True):
    """Request to save the builder's caches in a folder, for builders of the same `code`.

    `last_only` leaves out what the last repository did not need.
    """

    folder: str
    code: str = __version__
    last_only: bool = False


class SurveyRequest(msgspec.Struct, frozen=True):
    """Request for the digests of all files. `cache` is the folder of cached results."""

    root: str
    cache: str | None = None
    limits: TreeLimits = DEFAULT_TREE_LIMITS


class BuildRequest(msgspec.Struct, frozen=True):
    """Request for an edition, with the serializable arguments of `build_edition`.

    Without a `commit`, the host is asked for it while pages are rendered, and receives the digests
    of all files unless it provided them. `cache` has results of builders of the same `code`.
    `engine` is the version of the engine, if the host knows it.
    """

    root: str
    target: str
    workers: int
    commit: str | None = None
    files: dict[str, FileDigest] | None = None
    previous: str | None = None
    cache: str | None = None
    code: str = __version__
    engine: str | None = None
    indexed: bool = True
    kept: bool = True
    limits: TreeLimits = DEFAULT_TREE_LIMITS


def survey(request: SurveyRequest, context: TaskContext) -> dict[str, FileDigest]:
    files = _files(request.cache, context)
    found = dict(files.files_of(Path(request.root), request.limits))
    context.kept["found"] = found
    return found


def build(request: BuildRequest, context: TaskContext) -> BuildReport:
    tree = GitCheckout(
        Path(request.root), partial(_revision, request, context), limits=request.limits
    )
    with context.engine(request.workers) as engine:
        return build_edition(
            tree,
            engine,
            _previous(request, context),
            Path(request.target),
            _progress(context),
            remote=_remote_readers(context),
            parse_cache=parse_cache_of(request, context) if request.kept else None,
            engine_version=request.engine,
            indexed=request.indexed,
            kept=request.kept,
            meanwhile=lambda pages: context.note("rendering", pages),
        )


def _remote_readers(context: TaskContext) -> RemoteReaders:
    """Return readers of remote files, which the host fetches."""
    return RemoteReaders(
        lambda url: str(context.ask("remote", url, str)),
        lambda url: bytes(context.ask("artifact", url, bytes)),
        lambda url: bytes(context.ask("asset", url, bytes)),
    )


def remember(request: RememberRequest, context: TaskContext) -> None:
    """Save the builder's caches for the next builder of the deployment.

    Only builders of the deployment have access to the folder, in the same sandbox, so pickle is
    safe.
    """
    cache = Path(request.folder)
    memory, files = context.kept.get(_MEMORY), context.kept.get(_DIGESTS)
    if memory is not None:
        entries = memory.used_entries() if request.last_only else memory.entries()
        _write(cache / _MEMORY, request.code, entries)
    if files is not None:
        _write(cache / _DIGESTS, request.code, files.digests.entries())


SURVEY = BuilderTask(
    "docstead.publishing.build_tasks:SURVEY", survey, SurveyRequest, dict[str, FileDigest]
)
BUILD = BuilderTask("docstead.publishing.build_tasks:BUILD", build, BuildRequest, BuildReport)
REMEMBER = BuilderTask("docstead.publishing.build_tasks:REMEMBER", remember, RememberRequest, None)


def _previous(request: BuildRequest, context: TaskContext) -> Edition | None:
    if request.previous is None:
        return None
    contents = FolderContents(Path(request.root))
    return Edition("previous", Path(request.previous), contents, context.scratch)


def _revision(request: BuildRequest, context: TaskContext) -> Revision:
    files = request.files or context.kept.pop("found", None)
    files = files or survey(SurveyRequest(request.root, request.cache, request.limits), context)
    commit = request.commit or str(context.ask("commit", files, str))
    return Revision(commit, files=files)


def _files(cache: str | None, context: TaskContext) -> FileMemory:
    if _DIGESTS not in context.kept:
        files = context.kept[_DIGESTS] = FileMemory()
        files.digests.restore(_read(cache, _DIGESTS, __version__))
    found: FileMemory = context.kept[_DIGESTS]
    return found


def parse_cache_of(request: BuildRequest, context: TaskContext) -> ParseCache:
    """Return the parse cache of this builder, with results of earlier ones of the same code."""
    if _MEMORY not in context.kept:
        memory = context.kept[_MEMORY] = ParseCache(CACHED_CHARACTERS)
        memory.restore(_read(request.cache, _MEMORY, request.code))
    found: ParseCache = context.kept[_MEMORY]
    return found


def _progress(context: TaskContext) -> Callable[[int, int], None]:
    """Return a function that reports progress at intervals, and at the end."""
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done in (0, total) or now - last > _PROGRESS_SECONDS:
            last = now
            context.note("progress", (done, total))

    return progress


def _read(cache: str | None, name: str, code: str) -> Any:
    """Load a cache written by a builder of this code; empty if unreadable."""
    if cache is not None:
        with suppress(Exception), (Path(cache) / name).open("rb") as file:
            if pickle.load(file) == code:  # noqa: S301 - see `remember`
                return pickle.load(file)  # noqa: S301 - see `remember`
    return ()


def _write(path: Path, code: str, entries: object) -> None:
    fresh = path.with_suffix(f".{os.getpid()}.part")  # another command may write at the same time
    _sweep(path.parent)
    with fresh.open("wb") as file:
        pickle.dump(code, file, pickle.HIGHEST_PROTOCOL)
        pickle.dump(entries, file, pickle.HIGHEST_PROTOCOL)
    fresh.replace(path)


def _sweep(folder: Path) -> None:
    """Remove files of killed processes."""
    oldest = time.time() - DAY_SECONDS
    for path in folder.glob("*.part"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
