"""MDX engine: pages are compiled and rendered in V8, in separate processes.

Code of pages has no access to files, network or environment. A page with an endless loop or
excessive memory fails with a diagnostic; the others are rendered.
"""

from __future__ import annotations

from docstead.rendering.host import RenderingEngine
from docstead.rendering.keys import PageKeys
from docstead.rendering.languages import PageLanguages
from docstead.rendering.limits import EngineLimits
from docstead.rendering.process import EngineFailed
from docstead.rendering.standby import StandbyWorker
from docstead.rendering.version import engine_version

__all__ = [
    "ENGINE_VERSION",
    "EngineFailed",
    "EngineLimits",
    "PageKeys",
    "PageLanguages",
    "RenderingEngine",
    "StandbyWorker",
    "engine_version",
]

ENGINE_VERSION: str


def __getattr__(name: str) -> str:
    # Loading the built engine takes time, so it is not done on import.
    if name == "ENGINE_VERSION":
        return engine_version()
    raise AttributeError(name)
