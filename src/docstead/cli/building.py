"""Builds a checkout and writes it as files: what `check` and `export` do when there is work."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.base.errors import InvalidRequest
from docstead.base.heap import give_back
from docstead.base.networks import parsed_networks
from docstead.cli.progress import progress_bar
from docstead.export.options import ExportOptions
from docstead.export.replacing import check_replaceable
from docstead.export.writers import Writers
from docstead.publishing.assets import FolderContents
from docstead.publishing.build import BuildReport, build_edition
from docstead.publishing.edition import Edition
from docstead.publishing.values import Checkout
from docstead.settings import Settings, load_settings
from docstead.site.engine import Engine

if TYPE_CHECKING:
    from docstead.publishing.remote_files import RemoteFiles

EDITION = "edition.sqlite"


def built(
    engine: Engine,
    found: Checkout,
    folder: Path,
    previous: Edition | None = None,
    *,
    quiet: bool,
    kept: bool = False,
    meanwhile: Callable[[], None] | None = None,
) -> tuple[Edition, BuildReport]:
    """The edition of a checkout, in the file `EDITION` of `folder`, which may be `kept`.

    `meanwhile` is called once while its pages are rendered.
    """
    target = folder / EDITION
    remote = _remote_files(load_settings())
    with progress_bar("Rendering", quiet=quiet) as progress:
        report = build_edition(
            found,
            engine,
            previous,
            target,
            progress,
            read_remote=lambda address: remote().read(address),
            read_artifact=lambda address: remote().read_artifact(address),
            indexed=False,  # a bundle has an index of its own
            kept=kept,
            meanwhile=meanwhile,
        )
    give_back()  # what was read is not needed to write files
    return Edition("local", target, FolderContents(found.path), folder), report


def _remote_files(settings: Settings) -> Callable[[], RemoteFiles]:
    """Reads files of other hosts, as the service would; few repositories name any."""

    @cache
    def remote() -> RemoteFiles:
        from docstead.base.outbound import Outbound
        from docstead.publishing.remote_files import RemoteFiles

        return RemoteFiles(Outbound(parsed_networks(settings.specification_networks)))

    return remote


def check_output(output: Path) -> None:
    """Refuse before the work, not after it."""
    if is_archive(output):
        return
    check_replaceable(output)
    if output.suffix in {".tar", ".gz", ".tgz"}:
        raise InvalidRequest(f"--output: {output.name}: an archive ends in .tar.gz or .zip")


def is_archive(output: Path) -> bool:
    """By its name; everything else is a folder."""
    return output.name.endswith((".tar.gz", ".zip"))


def write(edition: Edition, output: Path, options: ExportOptions, writers: Writers) -> None:
    """An archive or a folder, by the name of `output`; it appears whole or not at all."""
    if is_archive(output):
        _write_archive(edition, output, options)
        return
    from docstead.export.folder import write_folder

    write_folder(edition, output, writers, options)


def _write_archive(edition: Edition, output: Path, options: ExportOptions) -> None:
    from docstead.export.bundle import write_bundle
    from docstead.export.files import static_files
    from docstead.export.launcher import write_offline_zip
    from docstead.export.spool import Spool

    write = write_offline_zip if output.suffix == ".zip" else write_bundle
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_name(f".{output.name}.partial")
    try:
        with Spool() as spool:
            write(spool.keep(static_files(edition, options, spool)), partial)
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)
