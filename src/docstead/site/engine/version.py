"""Version of everything that the result of rendering depends on."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from docstead import __version__
from docstead.base.errors import DocsteadError

BUILT = Path(__file__).parents[1] / "assets" / "built"
_PARTS = ("engine.js", "satteri.wasm", "icons.json")


class EngineNotBuilt(DocsteadError):
    """The files of the engine are missing; build them with `make engine`."""


@lru_cache(maxsize=1)
def engine_version() -> str:
    """Digest of the built engine and of the code that finishes its pages."""
    digest = hashlib.sha256(__version__.encode())
    for name in _PARTS:
        digest.update(built_asset(name))
    here = Path(__file__).parent
    for source in sorted((*here.parent.glob("*.py"), *here.glob("*.py"))):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def built_asset(name: str) -> bytes:
    """A file of the built engine. Raises `EngineNotBuilt`."""
    try:
        return (BUILT / name).read_bytes()
    except FileNotFoundError:
        message = f"{BUILT / name} is missing; build it with `make engine`"
        raise EngineNotBuilt(message) from None
