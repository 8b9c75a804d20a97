"""Mermaid diagrams, rendered when a site is published.

The library runs in its own V8 context, which is created for the first diagram. It contains the
common kinds only, until a page has another one. Kinds that `engine/src/diagrams` does not list, and
sources that exceed a limit, are rendered by the reader's browser. Invalid sources are shown as
code.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from html import escape, unescape
from typing import Any, Self

import msgspec
from py_mini_racer import JSEvalException, JSOOMException, JSTimeoutException, MiniRacer

from docstead.base.decoders import json_decoder
from docstead.base.lru_cache import LruCache
from docstead.base.units import MIB
from docstead.markup.assets import BuiltAssets

_FAILURES = (JSEvalException, JSOOMException, JSTimeoutException)
_HEAP_BYTES = 96 * MIB
_COLLECT_FROM_BYTES = 40 * MIB
_PATIENCE_SECONDS = 20.0  # for the diagrams of a batch, within the host's timeout
_SECONDS = 8.0  # for one diagram; if exceeded, later ones of the batch are skipped
_LEAST_SECONDS = 0.25  # with less time left, no diagram is started
_MOST_DIAGRAMS = 40  # diagrams per page
_MOST_CHARACTERS = 2_000_000  # bytes of a page's drawings
_REMEMBERED_CHARACTERS = 4_000_000  # of drawings; versions of a site have the same ones
_DIAGRAM = re.compile(
    r'<div(?P<options>[^>]*) class="ds-mermaid mermaid">'
    r'(?P<controls>(?:<div[^>]* class="ds-mermaid-actions"></div>)?)'
    r'(?P<stage><div[^>]* class="ds-mermaid-stage">)</div>'
    r'(?P<named><pre[^>]* class="mermaid-source">)(?P<source>[^<]*)</pre></div>'
)
_LONGEST_SETTINGS = 6_000  # characters; the engine leaves longer sources to the browser
_SETTINGS = re.compile(
    r"\A\s*---[^\S\n]*\n(?:.*\n)*?[^\S\n]*---[^\S\n]*\n"
    r"|%%\{[^}]*(?:\}(?!%%)[^}]*)*\}%%|%%.*"
)
_COMMON_KIND = re.compile(
    r"\s*(?:graph|flowchart(?!-elk)|sequenceDiagram|stateDiagram|classDiagram|erDiagram"
    r"|gantt|gitGraph|pie)\b"
)
_LABEL = re.compile(r'aria-label="[^"]*"')


class DiagramProblem(msgspec.Struct, frozen=True):
    """An author's error in a diagram, as reported by the library."""

    message: str
    line: int  # line of the source, from 1; 0 if unknown
    column: int  # from 1
    source: str = ""


class _RenderedDiagram(msgspec.Struct, frozen=True):
    svg: str = ""
    title: str = ""
    problem: DiagramProblem | None = None


_DRAWING = json_decoder(_RenderedDiagram)


class DiagramRenderer:
    """Renders the diagrams of one site."""

    def __init__(self, font: str = "", built: BuiltAssets | None = None) -> None:
        """Create the renderer; `font` is the family of the site's text, or "" to check only."""
        self._font = font
        self._built = built or BuiltAssets()
        self._left = _PATIENCE_SECONDS
        self._racer: MiniRacer | None = None
        self._has_failed = False
        self._has_all_kinds = False
        self._render: Any = None
        self._result: Any = None
        self._known = LruCache[tuple[str, str], _RenderedDiagram](
            _REMEMBERED_CHARACTERS, lambda drawing: len(drawing.svg)
        )

    def begin_batch(self) -> None:
        """Reset the time limit for the next batch."""
        self._left = _PATIENCE_SECONDS
        self._has_failed = False

    def fill(
        self, html: str, show_code: Callable[[str], str]
    ) -> tuple[str, tuple[DiagramProblem, ...]]:
        """Render the diagrams in the HTML of a page, as far as possible.

        Invalid ones are replaced by the result of `show_code` and returned as problems.
        """
        if 'class="ds-mermaid ' not in html:
            return html, ()
        number = 0
        characters = 0
        problems: list[DiagramProblem] = []

        def filled(match: re.Match[str]) -> str:
            nonlocal number, characters
            number += 1
            if number > _MOST_DIAGRAMS or characters > _MOST_CHARACTERS:
                return match[0]
            source = unescape(match["source"])
            drawing = self._rendered(source, f"ds-diagram-{number}")
            if drawing.problem:
                problems.append(msgspec.structs.replace(drawing.problem, source=source))
                return show_code(source)
            characters += len(drawing.svg)
            return _filled(match, drawing) if drawing.svg else match[0]

        return _DIAGRAM.sub(filled, html), tuple(problems)

    def _rendered(self, source: str, name: str) -> _RenderedDiagram:
        if (known := self._known.get((source, name))) is not None:
            return known
        drawing = self._newly_rendered(source, name)
        if drawing.svg:
            self._known.put((source, name), drawing)
        return drawing

    def _newly_rendered(self, source: str, name: str) -> _RenderedDiagram:
        if self._has_failed or self._left < _LEAST_SECONDS:
            return _RenderedDiagram()
        begun = time.process_time()
        try:
            self._prepare(source)
            self._render(source, name, self._font, timeout_sec=min(_SECONDS, self._left))
            drawing = _DRAWING.decode(self._result(timeout_sec=_SECONDS))
            self._collect_garbage()
        except _FAILURES:
            self._restart()
            return _RenderedDiagram()
        finally:
            self._left -= time.process_time() - begun
        return drawing

    def _prepare(self, source: str) -> None:
        """Open the context for the kind of `source`, unless it is open."""
        if not self._has_all_kinds and not _is_common(source):
            self.close()
            self._has_all_kinds = True
        if self._racer is None:
            self._open("diagram-engine-all.js" if self._has_all_kinds else "diagram-engine.js")

    def _open(self, script: str) -> None:
        self._racer = racer = MiniRacer()
        racer.set_hard_memory_limit(_HEAP_BYTES)
        racer.eval(self._built.read(script).decode())
        self._render = racer.eval("diagrams.render")
        self._result = racer.eval("diagrams.result")

    def _collect_garbage(self) -> None:
        racer = self._racer
        if racer and racer.heap_stats()["total_physical_size"] > _COLLECT_FROM_BYTES:
            racer.low_memory_notification()

    def _restart(self) -> None:
        """Replace the context of an aborted diagram, which may be unusable."""
        self._has_failed = True
        self.close()

    def close(self) -> None:
        """Free the context, without which the interpreter could not exit."""
        racer, self._racer = self._racer, None
        if racer is None:
            return
        with suppress(*_FAILURES):  # aborted calls report this a moment later
            racer.eval("0", timeout_sec=_LEAST_SECONDS)
        racer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_common(source: str) -> bool:
    source = _SETTINGS.sub("", source[:_LONGEST_SETTINGS])
    return _COMMON_KIND.match(source) is not None


def _filled(match: re.Match[str], drawing: _RenderedDiagram) -> str:
    """Return the diagram with its drawing, labelled by its author's title."""
    stage = match["stage"]
    if title := drawing.title.strip():
        stage = _LABEL.sub(lambda _: f'aria-label="{escape(title)}"', stage, count=1)
    return (
        f'<div{match["options"]} data-drawn class="ds-mermaid ds-published mermaid">'
        f"{match['controls']}{stage}{drawing.svg}</div>"
        f"{match['named']}{match['source']}</pre></div>"
    )
