"""Sources uploaded as archives: packed by a command, stored as an object, unpacked to build.

An archive contains the files that publishing reads, relative to the folder of `docs.json`, and the
ignore files. A project's source refers to it as `archive://SHA-256`.
"""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Collection
from pathlib import Path
from tempfile import mkdtemp

from docstead.base.archive_names import MemberNames
from docstead.base.archives import ArchiveLimits, unpack
from docstead.base.errors import InvalidRequest, NotFound, SourceUnreadable
from docstead.base.files import sha256_of_file
from docstead.publishing.folders import FileMemory, content_revision, no_folder
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.values import GitCheckout
from docstead.repository.positions import Diagnostics
from docstead.repository.tree import IGNORE_FILES, list_files, read_ignore
from docstead.storage.objects import ObjectStore

SCHEME = "archive"
_PREFIX = f"{SCHEME}://"
_FOLDER = "archives"
_RATIO = 1_100  # gzip packs less: total size is limited, and ordinary files compress well


def pack_folder(folder: Path, target: Path) -> None:
    """Write a reproducible archive of a folder's files to `target`.

    Raises:
        SourceUnreadable: the folder does not exist.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise no_folder(folder)
    diagnostics = Diagnostics()  # the build reports them
    ignores = [name for name in IGNORE_FILES if (folder / name).is_file()]
    with tarfile.open(target, "w:gz", format=tarfile.PAX_FORMAT, compresslevel=6) as archive:
        for path in [*ignores, *list_files(folder, read_ignore(folder, diagnostics), diagnostics)]:
            _add(archive, folder / path, path)


def _add(archive: tarfile.TarFile, file: Path, name: str) -> None:
    member = tarfile.TarInfo(name)
    try:
        with file.open("rb") as data:  # links are followed within the folder
            member.size = file.stat().st_size
            archive.addfile(member, data)
    except PermissionError:  # skipped, as if absent
        return


def archive_location(archive: Path) -> str:
    """Return the source location of an archive."""
    return f"{_PREFIX}{sha256_of_file(archive)}"


def is_archive(location: str) -> bool:
    return location.startswith(_PREFIX)


class ArchiveSources:
    """Uploaded archives of projects. `workspace` is for unpacked ones."""

    def __init__(self, objects: ObjectStore, workspace: Path, limits: SourceLimits) -> None:
        self._objects = objects
        self._workspace = workspace
        self._limits = limits

    def store(self, project_id: str, archive: Path) -> None:
        self._objects.put(archive_key(project_id, archive_location(archive)), archive)

    def checkout(self, project_id: str, location: str, memory: FileMemory) -> GitCheckout:
        """Unpack an archive.

        Raises:
            SourceUnreadable: it no longer exists, contains special files, or is too large.
        """
        self._workspace.mkdir(parents=True, exist_ok=True)
        folder = Path(mkdtemp(prefix="archive-", dir=self._workspace))
        try:
            self._unpack(project_id, location, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        tree = self._limits.tree
        return GitCheckout(
            folder, lambda: content_revision(folder, memory, tree), temporary=True, limits=tree
        )

    def keep_only(self, project_id: str, locations: Collection[str]) -> None:
        """Delete the other archives of a project."""
        kept = {archive_key(project_id, each) for each in locations if is_archive(each)}
        for key in list(self._objects.keys(f"{_FOLDER}/{project_id}")):
            if key not in kept:
                self._objects.delete(key)

    def _unpack(self, project_id: str, location: str, folder: Path) -> None:
        archive, limits = folder.with_suffix(".tar.gz"), self._limits
        most = ArchiveLimits(limits.total_bytes, limits.total_bytes, limits.tree.files, _RATIO)
        try:
            self._objects.download(archive_key(project_id, location), archive)
            unpack(
                archive, folder, most, MemberNames(portable=False, max_depth=limits.tree.depth + 1)
            )
        except NotFound:
            raise SourceUnreadable("the archive is no longer stored; upload it again") from None
        except InvalidRequest as error:
            raise SourceUnreadable(error.message) from error
        finally:
            archive.unlink(missing_ok=True)


def archive_key(project_id: str, location: str) -> str:
    """Return the object key of an archive."""
    return f"{_FOLDER}/{project_id}/{location.removeprefix(_PREFIX)}.tar.gz"
