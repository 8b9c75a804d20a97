"""The surface of V8 that pages reach, and the end of a worker at its memory limit."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Page, PageMeta, PageModule, Repository, Site
from docstead.markup.rendered import RenderedPage
from docstead.rendering import RenderingEngine
from docstead.rendering.host import site_source
from docstead.rendering.languages import PageLanguages
from docstead.rendering.limits import EngineLimits
from docstead.rendering.process import Worker, WorkerLost
from docstead.rendering.protocol import PageSource
from sampled_cases import one_in

WITHHELD = ("WebAssembly", "SharedArrayBuffer", "Atomics", "__timer_manager", "harden", "docstead")


def repository_of(body: str, modules: dict[str, str] | None = None) -> Repository:
    meta = PageMeta("page", "page.mdx", "page")
    site = Site(SiteConfig("Test"), Navigation(), {"page": meta})
    files = {path: PageModule(path, source) for path, source in (modules or {}).items()}
    return Repository(Path("/nowhere"), site, {"page": Page(meta, body, 1)}, files, (), ())


def rendered(body: str, modules: dict[str, str] | None = None) -> RenderedPage:
    with RenderingEngine(1) as engine:
        (page,) = engine.render(repository_of(body, modules), ["page"])
    return page


@pytest.mark.parametrize("look", ["typeof {}", "typeof new Function('return this')().{}"])
def test_neither_machine_code_nor_shared_memory_is_there(look: str) -> None:
    page = rendered("\n\n".join(f"{{{look.format(name)}}}" for name in WITHHELD))
    assert page.html.split() == ["undefined"] * len(WITHHELD)


def test_a_buffer_of_shared_memory_cannot_be_made_by_other_ways() -> None:
    attempt = (
        "try { return new __TimerManager().setTimeout(() => 0, 1) } catch (e) { return e.name }"
    )
    assert rendered(f"{{String((() => {{ {attempt} }})())}}").html == "ReferenceError"


def render_in_worker(*bodies: str) -> tuple[str, int | None]:
    """The reason that a worker gives for a batch without pages, and its exit status.

    An empty reason, and no status, where it has rendered the pages.
    """
    limits = EngineLimits()
    repository = repository_of(bodies[0])
    ours, theirs = socket.socketpair()
    with theirs:
        program = ("-P", "-m", "docstead.rendering.worker", str(theirs.fileno()), "auto")
        process = subprocess.Popen(
            [sys.executable, *program],
            pass_fds=[theirs.fileno()],
            stderr=subprocess.DEVNULL,
        )
    worker = Worker.connected(limits, ours, process)
    try:
        worker.begin(site_source(repository, PageLanguages(repository.site), limits))
        worker.render([PageSource("page", "page.mdx", body, 1, None) for body in bodies])
    except WorkerLost as lost:
        return str(lost), process.wait(120)
    else:
        return "", process.poll()
    finally:
        worker.close()


@pytest.mark.parametrize(
    "bodies",
    [('{"x".repeat(33_000_000)}',), ('{"\u20ac".repeat(17_000_000)}',),
     ('{"x".repeat(11_000_000)}',) * 3],
    ids=["letters", "wide letters", "many pages"],
)  # fmt: skip
def test_a_page_that_is_too_long_ends_its_worker_with_a_reason(bodies: tuple[str, ...]) -> None:
    expected = ("its HTML, code blocks and scripts are too long", 1)
    assert render_in_worker(*bodies) == expected


@pytest.mark.parametrize(
    "body", one_in(2, ['{"\u20ac".repeat(15_500_000)}', '{"x".repeat(31_000_000)}'])
)
def test_the_longest_pages_are_rendered(body: str) -> None:
    assert render_in_worker(body) == ("", None)
