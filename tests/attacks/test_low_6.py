"""The surface of V8 that pages reach, and the end of a worker at its memory limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Module, Page, PageMeta, Repository, Site
from docstead.site.engine import Engine
from docstead.site.rendered import RenderedPage

WITHHELD = ("WebAssembly", "SharedArrayBuffer", "Atomics", "__timer_manager", "harden", "docstead")


def rendered(body: str, modules: dict[str, str] | None = None) -> RenderedPage:
    meta = PageMeta("page", "page.mdx", "page")
    site = Site(SiteConfig("Test"), Navigation(), {"page": meta})
    files = {path: Module(path, source) for path, source in (modules or {}).items()}
    repository = Repository(Path("/nowhere"), site, {"page": Page(meta, body, 1)}, files, (), ())
    with Engine(1) as engine:
        (page,) = engine.render(repository, ["page"])
    return page


@pytest.mark.parametrize("look", ["typeof {}", "typeof new Function('return this')().{}"])
def test_neither_machine_code_nor_shared_memory_is_there(look: str) -> None:
    page = rendered("\n\n".join(f"{{{look.format(name)}}}" for name in WITHHELD))
    assert page.html.split() == ["undefined"] * len(WITHHELD)


def test_a_buffer_of_shared_memory_cannot_be_made_by_other_ways() -> None:
    attempt = (
        "try { return new __TimerManager().setTimeout(() => 0, 1) } catch (e) { return e.name }"
    )
    assert rendered(f"{{String((() => {{ {attempt} }})())}}").html in (
        "<p>ReferenceError</p>",
        "ReferenceError",
    )
