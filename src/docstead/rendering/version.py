"""Version of everything that rendering results depend on."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from docstead.base.errors import DocsteadError
from docstead.base.fingerprint import code_fingerprint

BUILT = Path(__file__).parents[1] / "markup" / "assets" / "built"
_PARTS = ("engine.js", "satteri.wasm", "icons.json")
_ROOT = "docstead.publishing.build"  # code from source to stored pages


class EngineNotBuilt(DocsteadError):
    """The files of the engine are missing; build them with `make engine`."""


class EngineOutdated(DocsteadError):
    """The built engine does not fit this version of Docstead; build it with `make engine`."""


@lru_cache(maxsize=1)
def engine_version() -> str:
    """Return a fingerprint of everything that stored pages depend on.

    Raises:
        EngineNotBuilt: files of the engine are missing.
    """
    require_built()
    return code_fingerprint(_ROOT)[:16]


def require_built() -> None:
    """Raise `EngineNotBuilt` if a file of the engine is missing."""
    for name in _PARTS:
        if not (BUILT / name).is_file():
            raise _not_built(name)


def built_asset(name: str) -> bytes:
    """Return a file of the built engine.

    Raises:
        EngineNotBuilt: it is missing.
    """
    try:
        return (BUILT / name).read_bytes()
    except FileNotFoundError:
        raise _not_built(name) from None


def _not_built(name: str) -> EngineNotBuilt:
    return EngineNotBuilt(f"{BUILT / name} is missing; build it with `make engine`")
