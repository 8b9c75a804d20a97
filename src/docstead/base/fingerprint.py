"""Fingerprints of the program's code, for persistent caches."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from docstead import __version__
from docstead.base.files import files_below

_PACKAGE = Path(__file__).parents[1]
_ROOT = str(_PACKAGE.parent)
_COMPILED = ("__pycache__",)
# Imports, and strings: workers are started by module name.
_NAME = re.compile(r"docstead(?:\.[A-Za-z_]\w*)+(?: import (?:\([^)]*\)|[^\n]*))?")
_WORD = re.compile(r"\w+")


@lru_cache(maxsize=4)
def code_fingerprint(*roots: str) -> str:
    """Return a digest of the modules reachable from `roots`, their data and the version.

    A root is the full name of a module, or of a package with all its modules.
    """
    digest = hashlib.sha256(__version__.encode())
    reached = reached_modules(*roots)
    for path in sorted({*reached.values(), *_data_beside(reached.values())}):
        digest.update(f"{path.removeprefix(_ROOT)}\0".encode())
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def package_stamp() -> str:
    """Return a digest of paths, sizes and times of all files of the package.

    While it is the same, so are all fingerprints, and it costs a tenth of one.
    """
    facts = sorted(
        (path, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        for path, entry in files_below(_PACKAGE, skip=_COMPILED)
        for found in [entry.stat()]
    )
    return hashlib.sha256(repr((__version__, facts)).encode()).hexdigest()


def reached_modules(*roots: str) -> dict[str, str]:
    """Return the modules that `roots` import or name, transitively, with their files."""
    seen: set[str] = set()
    reached: dict[str, str] = {}
    waiting = [name for root in roots for name in _modules_of(root)]
    while waiting:
        name = waiting.pop()
        if name in seen or not name:
            continue
        seen.add(name)
        waiting.append(name.rpartition(".")[0])  # module or package of a name
        if path := _file_of(name):
            reached[name] = path
            waiting += _named_in(Path(path).read_text())
    return reached


def _modules_of(root: str) -> Iterator[str]:
    """Yield a module, or all modules of a package. Raises ModuleNotFoundError."""
    path = _file_of(root)
    if path is None:
        raise ModuleNotFoundError(f"no module is named {root}", name=root)
    yield root
    if path.endswith("__init__.py"):
        for inner in Path(path).parent.rglob("*.py"):
            yield ".".join(inner.relative_to(_PACKAGE.parent).with_suffix("").parts)


def _named_in(source: str) -> Iterator[str]:
    for found in set(_NAME.findall(source)):
        module, _, names = found.partition(" import ")
        yield module
        for name in _WORD.findall(names):
            yield f"{module}.{name}"


def _file_of(name: str) -> str | None:
    base = f"{_ROOT}/{name.replace('.', '/')}"
    for path in (f"{base}.py", f"{base}/__init__.py"):
        if os.path.isfile(path):  # noqa: PTH113 - called a thousand times
            return path
    return None


def _data_beside(modules: Iterable[str]) -> Iterator[str]:
    """Yield data files in and below the packages of these modules."""
    folders = {Path(path).parent for path in modules} - {_PACKAGE}
    for folder in folders:
        if folder.parent not in folders:
            found = files_below(folder, skip=_COMPILED)
            yield from (f"{folder}/{path}" for path, _ in found if not path.endswith(".py"))
