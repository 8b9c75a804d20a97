"""Builds of editions in builders, on the side of the service.

After an edit, the builder is kept alive for a while, because further edits are likely. Before it
ends, its caches are saved to the project's folder for the next builder.
"""

from __future__ import annotations

import logging
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from docstead.base.errors import DocsteadError, SourceUnreadable
from docstead.publishing.build import BuildReport, Progress
from docstead.publishing.build_tasks import (
    BUILD,
    REMEMBER,
    SURVEY,
    BuildRequest,
    RememberRequest,
    SurveyRequest,
)
from docstead.publishing.builders import Builder, BuilderPool, HostCall, IdleBuilders
from docstead.publishing.edition import Edition
from docstead.publishing.file_cache import FileCache
from docstead.publishing.folders import FileMemory
from docstead.publishing.remote_files import RemoteBudget, RemoteReaders, no_assets
from docstead.publishing.values import FileDigest, Revision
from docstead.repository.tree_limits import DEFAULT_TREE_LIMITS, TreeLimits

_KEPT_SECONDS = 300.0
_TARGET, _PREVIOUS = "edition.sqlite", "previous.sqlite"

_log = logging.getLogger(__name__)


@dataclass
class EditionBuild:
    """A build of the checkout at `path`."""

    builder: Builder
    path: Path
    cache: Path
    workers: int
    remote: RemoteReaders
    limits: TreeLimits = DEFAULT_TREE_LIMITS
    report: BuildReport | None = None
    files: int = field(default=0, init=False)

    def survey(self) -> Mapping[str, FileDigest]:
        """Return the digest of every file that publishing reads."""
        found = self.builder.run(
            SURVEY, SurveyRequest(str(self.path), str(self.cache), self.limits)
        )
        self.files = len(found)
        return found

    def build(
        self, revision: Revision, previous: Edition | None, progress: Progress | None = None
    ) -> tuple[Path, BuildReport]:
        """Build an edition; return its file, to be moved before the next build, and the report.

        Raises:
            SourceUnreadable: the configuration is missing or invalid, or the build exceeded its
                time or memory limit.
        """
        if not self.files:
            self.survey()
        target = self.builder.outbox / _TARGET
        requested = BuildRequest(
            root=str(self.path),
            target=str(target),
            workers=self.workers,
            commit=revision.commit,
            previous=transfer_edition(self.builder, previous),
            cache=str(self.cache),
            limits=self.limits,
        )
        calls = build_calls(progress, self.remote)
        self.report = self.builder.run(BUILD, requested, calls, files=self.files)
        return plain_file(target), self.report


def transfer_edition(builder: Builder, edition: Edition | None) -> str | None:
    """Make the edition's file readable to the builder and return its name there, or None."""
    name = builder.inbox / _PREVIOUS
    name.unlink(missing_ok=True)
    if edition is None:
        return None
    try:
        os.link(edition.path, name)
    except OSError:  # on a different file system
        shutil.copyfile(edition.path, name)
    return str(name)


class BuildFiles(FileMemory):
    """Files of a checkout, as reported by its build."""

    def __init__(self, blob_ids: FileCache[str]) -> None:
        super().__init__(blob_ids=blob_ids)
        self.build: EditionBuild | None = None

    def files_of(self, root: Path, limits: TreeLimits) -> Mapping[str, FileDigest]:
        return self.build.survey() if self.build else super().files_of(root, limits)


class EditionBuilds:
    """Opens builds of projects; `folder` has a subfolder for each. It must be closed."""

    def __init__(
        self,
        builders: BuilderPool,
        folder: Path,
        remote: RemoteReaders,
        limits: TreeLimits | None = None,
    ) -> None:
        self._limits = limits or DEFAULT_TREE_LIMITS
        self._builders = builders
        self._folder = folder
        self._remote = remote
        self._kept = IdleBuilders()

    def prepare(self) -> None:
        """Start what builds share, which takes a while."""
        self._builders.prepare()

    @contextmanager
    def open(
        self, project_id: str, path: Path, *, lasting: bool, fetches_assets: bool = True
    ) -> Iterator[EditionBuild]:
        """Yield a build of the project at `path`, which later builds use again if `lasting`."""
        path, cache = path.resolve(), self._folder / project_id
        key = f"{project_id} {path} {_folder_id(path)}"
        builder = self._kept.take(key) or self._builders.start(path, write=(cache,))
        workers = self._builders.workers
        build = EditionBuild(
            builder,
            path,
            cache.resolve(),
            workers,
            self._remote if fetches_assets else replace(self._remote, asset=no_assets),
            self._limits,
        )
        try:
            yield build
        except BaseException:
            builder.close()
            raise
        seconds = _KEPT_SECONDS if lasting and _is_edit(build.report) else 0.0
        self._kept.keep(key, builder, seconds, partial(_end, build))

    def close(self) -> None:
        self._kept.close()


def _end(build: EditionBuild) -> None:
    """Save the builder's caches and end it."""
    builder = build.builder
    try:
        if builder.is_alive:
            builder.run(REMEMBER, RememberRequest(str(build.cache)))
    except (DocsteadError, OSError) as error:
        _log.warning("the caches of a build could not be saved: %s", error)
    finally:
        builder.close()


def build_calls(progress: Progress | None, remote: RemoteReaders) -> dict[str, HostCall]:
    """Return the host operations that a build may request."""
    budget = RemoteBudget()
    calls = {
        "progress": HostCall(tuple[int, int], lambda found: progress and progress(*found)),
        "rendering": HostCall(int, lambda _: None),
        "asset": HostCall(str, budget.limited(remote.asset)),
    }
    if remote.specification is not None:
        calls["remote"] = HostCall(str, budget.limited(remote.specification))
    if remote.artifact is not None:
        calls["artifact"] = HostCall(str, budget.limited(remote.artifact))
    return calls


def _folder_id(path: Path) -> str:
    """Identify a folder, so that a kept builder does not read another one at the same path."""
    with suppress(OSError):
        found = path.stat()
        return f"{found.st_dev}:{found.st_ino}"
    return ""


def plain_file(path: Path) -> Path:
    """Return the path if a builder left a regular file there, and not a link."""
    with suppress(OSError):
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
            return path
    raise SourceUnreadable("the build process wrote no edition")


def _is_edit(report: BuildReport | None) -> bool:
    return report is not None and bool(report.rendered and report.reused)
