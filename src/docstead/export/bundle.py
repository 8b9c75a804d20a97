"""Reproducible archives of an export.

Names are sorted by code point, with the manifest last; owner, mode and time of members are
constant; the gzip header contains no name and time.
"""

from __future__ import annotations

import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from docstead.export.manifest import MANIFEST, ManifestWriter
from docstead.export.segments import ArchiveIndex, SegmentArchive, SegmentWriter, segmented
from docstead.export.static_file import StaticFile

Progress = Callable[[int, int], None]
Member = tuple[str, int, Iterator[bytes]]  # path, size in bytes, contents

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that zip supports
_LEVEL = 6
_MODE = 0o644
_REGULAR_FILE = 0o100000
_UNIX = 3
_TEXTS = (".html", ".md", ".txt", ".xml", ".js", ".css", ".json", ".svg", ".yaml", ".yml", ".csv")


def write_bundle(
    files: Iterable[StaticFile],
    target: Path,
    progress: Progress | None = None,
    previous: SegmentArchive | None = None,
) -> ArchiveIndex:
    """Write `files` with their manifest as tar.gz; return its index.

    `progress` is called with the bytes written and the total. Parts that have not changed are
    copied from the `previous` archive.
    """
    ordered = sorted(files, key=lambda file: file.path)
    total, done = sum(file.size_bytes for file in ordered), 0
    manifest = ManifestWriter()
    with target.open("wb") as out:
        archive = SegmentWriter(out)
        for group in segmented(ordered):
            segment = previous.same_segment(group) if previous else None
            if previous is None or segment is None:
                archive.pack(group, manifest)
            else:
                archive.copy(segment, previous.packed(segment))
                manifest.files |= {path: previous.index.files[path] for path in segment.paths}
            done += sum(file.size_bytes for file in group)
            if progress is not None:
                progress(done, total)
        listed = dict(manifest.files)
        archive.pack([StaticFile.of(MANIFEST, manifest.json())], manifest)
        return archive.finish(listed)


def write_zip(
    files: Iterable[StaticFile], target: Path, folder: str, additional: Iterable[StaticFile]
) -> int:
    """Write `files` below `folder`, a manifest and `additional` files as zip; return its size."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for file in additional:
            _add_to_zip(archive, file.path, file.size_bytes, file.blocks())
        for path, size, blocks in _members(files):
            _add_to_zip(archive, f"{folder}/{path}", size, blocks)
    return target.stat().st_size


def _members(files: Iterable[StaticFile]) -> Iterator[Member]:
    """Yield the files in order, then the manifest. Each must be read before the next."""
    manifest = ManifestWriter()
    for file in sorted(files, key=lambda file: file.path):
        blocks = manifest.recording(file.path, file.blocks())
        yield file.path, file.size_bytes, blocks
        deque(blocks, maxlen=0)  # recorded after its last block, which may not have been read yet
    listed = manifest.json()
    yield MANIFEST, len(listed), iter((listed,))


def _add_to_zip(archive: zipfile.ZipFile, path: str, size: int, blocks: Iterator[bytes]) -> None:
    member = zipfile.ZipInfo(path, _ZIP_TIME)
    member.compress_type = zipfile.ZIP_DEFLATED if path.endswith(_TEXTS) else zipfile.ZIP_STORED
    member.create_system = _UNIX
    member.external_attr = (_REGULAR_FILE | _MODE) << 16
    member.file_size = size
    with archive.open(member, "w") as out:
        for block in blocks:
            out.write(block)
