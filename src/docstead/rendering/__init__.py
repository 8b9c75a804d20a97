"""The MDX engine: pages are compiled and rendered in V8, in processes of their own.

What a page's code does stays there: it has no files, network or environment, and a page
with an endless loop or too much memory fails with a diagnostic; the others render.
"""

from __future__ import annotations

from docstead.rendering.host import Engine
from docstead.rendering.keys import PageKeys
from docstead.rendering.languages import PageLanguages
from docstead.rendering.limits import EngineLimits
from docstead.rendering.process import EngineFailed
from docstead.rendering.standby import StandbyWorker
from docstead.rendering.version import engine_version

__all__ = [
    "ENGINE_VERSION",
    "Engine",
    "EngineFailed",
    "EngineLimits",
    "PageKeys",
    "PageLanguages",
    "StandbyWorker",
    "engine_version",
]

ENGINE_VERSION: str


def __getattr__(name: str) -> str:
    # Reading the built engine takes time, and nothing is read at import.
    if name == "ENGINE_VERSION":
        return engine_version()
    raise AttributeError(name)
