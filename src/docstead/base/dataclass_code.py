"""Methods of dataclasses, compiled once and stored like compiled modules.

`dataclasses` writes the source of each method and compiles it each time the module of its class is
imported. That takes a quarter of the time of an export's imports. This is the only use of how it
compiles them; a test checks that it does.
"""

from __future__ import annotations

import dataclasses
import marshal
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any

from docstead import __version__


class CompiledMethods:
    """Code of methods by source, from a file that other processes read, too."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._code = self._stored()
        self._known = len(self._code)

    def use(self) -> None:
        """Use the code for the classes that this process and its children make from now on."""
        dataclasses.exec = self._run  # type: ignore[attr-defined]

    def store(self) -> None:
        """Store the code if some is new, where the installation allows it."""
        if len(self._code) == self._known or sys.dont_write_bytecode:
            return
        fresh = self._path.with_suffix(f".{os.getpid()}")  # others may write at the same time
        with suppress(OSError):
            fresh.write_bytes(MAGIC_NUMBER + marshal.dumps(self._code))
            fresh.replace(self._path)

    def _run(
        self,
        source: str,
        names: dict[str, Any] | None = None,
        made: Mapping[str, object] | None = None,
    ) -> None:
        """Do what `exec` does."""
        code = self._code.get(source)
        if code is None:
            code = compile(source, "<string>", "exec", dont_inherit=True)
            self._code[source] = code
        exec(code, names, made)  # noqa: S102 - `dataclasses` wrote the source

    def _stored(self) -> dict[str, CodeType]:
        with suppress(OSError, EOFError, TypeError, ValueError):
            data = self._path.read_bytes()
            if data.startswith(MAGIC_NUMBER):
                # As trusted as compiled modules, among which it is.
                return dict(marshal.loads(data[len(MAGIC_NUMBER) :]))  # noqa: S302
        return {}


@cache
def compiled_methods() -> CompiledMethods:
    """Return the code that is stored with the compiled modules of this version."""
    return CompiledMethods(Path(cache_from_source(__file__)).with_suffix(f".{__version__}.methods"))
