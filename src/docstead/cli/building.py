"""Build of a checkout and output of its files, for `check`, `export` and `pdf`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docstead import __version__
from docstead.base.errors import InvalidRequest
from docstead.base.networks import parsed_networks
from docstead.cli.progress import progress_bar
from docstead.cli.source_trees import SourceTree
from docstead.export.options import ExportOptions
from docstead.export.replacing import check_replaceable
from docstead.export.writers import WriterProcesses
from docstead.publishing.assets import FolderContents
from docstead.publishing.build import BuildReport, Progress
from docstead.publishing.build_tasks import BUILD, BuildRequest
from docstead.publishing.builders import Builder, BuilderPool, BuilderTask, HostCall
from docstead.publishing.edition import Edition
from docstead.publishing.edition_builds import build_calls, plain_file, transfer_edition
from docstead.publishing.remote_files import RemoteReaders, no_assets
from docstead.publishing.values import FileDigest

if TYPE_CHECKING:
    from docstead.export.archive import WrittenArchive
    from docstead.export.cache import CachedReading, ExportCache
    from docstead.export.folder import WrittenFolder
    from docstead.publishing.remote_files import RemoteFiles

EDITION = "edition.sqlite"
BuilderOf = Callable[[Path], AbstractContextManager[Builder]]

_OTHER_ARCHIVES = frozenset(
    {".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".zst", ".7z", ".rar", ".jar"}
)
_MOST_FILES = 50_000  # for deadlines; a command shares its builder with nobody


def built(
    builders: BuilderPool,
    source: SourceTree,
    folder: Path,
    previous: Edition | None = None,
    *,
    quiet: bool,
    kept: bool = False,
    task: BuilderTask[BuildRequest, BuildReport] = BUILD,
    meanwhile: Callable[[int], None] | None = None,
    is_air_gapped: bool = False,
    builder_of: BuilderOf | None = None,
    reading: CachedReading | None = None,
) -> tuple[Edition, BuildReport]:
    """Build a checkout into the file `EDITION` of `folder`, which may be `kept`.

    `task` builds it; `meanwhile` is called once with the number of pages while they are rendered.
    An air-gapped edition has no images and fonts of other hosts. `builder_of` yields a builder
    that reads this folder, by default a new one. `reading` is what earlier builders parsed.
    """
    target, path, revision = folder / EDITION, source.tree.path.resolve(), source.revision
    with (builder_of or builders.builder)(path) as builder:
        builder.begin()  # before any threads start
        written = builder.outbox / EDITION
        requested = BuildRequest(
            root=str(path),
            target=str(written),
            workers=builders.workers,
            commit=revision.commit if revision else None,
            files=dict(revision.files) if revision and revision.files else None,
            previous=transfer_edition(builder, previous),
            indexed=False,  # a bundle has its own index
            kept=kept,
            limits=source.tree.limits,
            cache=str(reading.folder.resolve()) if reading else None,
            code=reading.code if reading else __version__,
            engine=reading.engine if reading else None,
        )
        with progress_bar("Rendering", quiet=quiet) as progress:
            calls = _calls(source, progress, meanwhile, is_air_gapped=is_air_gapped)
            report = builder.run(task, requested, calls, files=_MOST_FILES)
        plain_file(written).rename(target)
    return Edition("local", target, FolderContents(source.tree.path), folder), report


def _calls(
    source: SourceTree,
    progress: Progress,
    meanwhile: Callable[[int], None] | None,
    *,
    is_air_gapped: bool,
) -> dict[str, HostCall]:
    remote = RemoteReaders(
        lambda url: _remote_files().read(url),
        lambda url: _remote_files().read_artifact(url),
        no_assets if is_air_gapped else _fetched_asset,
    )
    return {
        **build_calls(progress, remote),
        "commit": HostCall(dict[str, FileDigest], source.commit_of),
        "rendering": HostCall(int, lambda pages: meanwhile and meanwhile(pages)),
    }


def _fetched_asset(url: str) -> bytes:
    from docstead.settings import load_settings

    is_on = load_settings().fetches_assets()
    return _remote_files().read_asset(url) if is_on else no_assets(url)


@cache
def _remote_files() -> RemoteFiles:
    """Return the client for files of other hosts, which few sites need."""
    from docstead.base.outbound import OutboundClient
    from docstead.publishing.remote_files import RemoteFiles
    from docstead.settings import load_settings

    return RemoteFiles(OutboundClient(parsed_networks(load_settings().specification_networks)))


def check_output(output: Path) -> None:
    """Validate the output path before the build starts."""
    if is_archive(output):
        return
    check_replaceable(output)
    if output.suffix.lower() in _OTHER_ARCHIVES:
        raise InvalidRequest(f"--output: {output.name}: an archive must end in .tar.gz or .zip")


def is_archive(output: Path) -> bool:
    """Report whether a path names an archive; other paths are folders."""
    return output.name.endswith((".tar.gz", ".zip"))


def write(
    edition: Edition,
    output: Path,
    options: ExportOptions,
    writers: WriterProcesses,
    cache: ExportCache | None = None,
) -> WrittenFolder | WrittenArchive | None:
    """Write an archive or a folder, atomically; return facts for the next export.

    With a `cache`, only what has changed since the last export is derived and written again.
    """
    with nullcontext() if cache is None else cache.results() as results:
        if is_archive(output):
            from docstead.export.archive import write_archive

            archive = cache.previous_archive() if cache else None
            return write_archive(edition, output, options, previous=archive, results=results)
        from docstead.export.folder import write_folder

        folder, chrome = (cache.previous_folder(), cache.chrome) if cache else (None, None)
        return write_folder(
            edition, output, writers, options, previous=folder, results=results, chrome=chrome
        )
