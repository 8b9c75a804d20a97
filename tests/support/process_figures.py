"""Memory, threads, descriptors and files of a service and its child processes."""

from __future__ import annotations

import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_KIB = 1024
# A mapping in memory: its access, offset, device and inode, which identify it, and its sizes.
_MAPPING = re.compile(r"^\w+-\w+ (\S+ \S+ \S+ [1-9]\d*) .*\n((?:\w+: .*\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class Figures:
    """Figures of a service at one moment."""

    memory: int  # bytes
    processes: int
    threads: int
    descriptors: int
    deleted_files: tuple[str, ...]  # that are still open
    files: dict[str, int]  # by folder
    file_bytes: int
    rows: dict[str, int]


def figures(process: int, data: Path) -> Figures:
    """Measure a process, its descendants and its data folder."""
    found = family(process)
    opened = [path for each in found for path in _opened(each)]
    files = list(_files(data))
    return Figures(
        memory=resident_memory(found),
        processes=len(found),
        threads=sum(len(_listed(each, "task")) for each in found),
        descriptors=len(opened),
        deleted_files=tuple(filter(_is_deleted_file, opened)),
        files=Counter(_folder(path.relative_to(data)) for path in files),
        file_bytes=sum(map(_size, files)),
        rows=_rows(data),
    )


def family(process: int) -> list[int]:
    """Return the process and its descendants."""
    parents: dict[int, list[int]] = {}
    for folder in _PROC.glob("[0-9]*"):
        with suppress(OSError, IndexError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(folder.name))
    found = [process]
    for each in found:
        found += parents.get(each, [])
    return found


def resident_memory(processes: Iterable[int]) -> int:
    """Return the bytes in memory of these processes together.

    Only their own forks share anonymous memory, so each counts proportionally. But any
    program may map the same libraries, which reduces the proportion of each: a file therefore
    counts once, with the pages of the process that has most of it.
    """
    own, files = 0, dict[str, int]()
    for process in processes:
        own += _kib(_read(process, "smaps_rollup"), "Pss_Anon")
        for name, sizes in _MAPPING.findall(_read(process, "smaps")):
            pages = _kib(sizes, "Rss") - _kib(sizes, "Anonymous")
            files[name] = max(files.get(name, 0), pages)
    return (own + sum(files.values())) * _KIB


def _read(process: int, name: str) -> str:
    with suppress(OSError):  # it has ended
        return (_PROC / str(process) / name).read_text()
    return ""


def _kib(text: str, name: str) -> int:
    found = re.search(rf"^{name}: +(\d+) kB", text, re.MULTILINE)
    return int(found[1]) if found else 0


def _listed(process: int, name: str) -> list[Path]:
    with suppress(OSError):
        return list((_PROC / str(process) / name).iterdir())
    return []


def _opened(process: int) -> list[str]:
    found = []
    for link in _listed(process, "fd"):
        with suppress(OSError):
            found.append(str(link.readlink()))
    return found


def _is_deleted_file(name: str) -> bool:
    return name.endswith(" (deleted)") and not name.startswith(("/memfd:", "/dev/shm/", "/SYSV"))


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that may change meanwhile."""
    for parent, _, names in os.walk(folder):  # skips what has been removed
        yield from (Path(parent, name) for name in names)


def _folder(path: Path) -> str:
    """Return the first two folders of a path, or one."""
    return "/".join(path.parts[:-1][:2])


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _rows(data: Path) -> dict[str, int]:
    """Return the number of rows in each table of the service and of its jobs."""
    found = {}
    for path in (data / "docstead.sqlite", data / "docstead-jobs.sqlite"):
        if not path.exists():
            continue
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=120)) as database:
            query = "SELECT name FROM sqlite_master WHERE type = 'table'"
            for (name,) in database.execute(query).fetchall():
                counted = database.execute(f'SELECT count(*) FROM "{name}"').fetchone()
                found[f"{path.stem.removeprefix('docstead')} {name}".strip()] = counted[0]
    return found
