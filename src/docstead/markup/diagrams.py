"""Diagrams of Mermaid, rendered when a site is published.

The library runs in a V8 context of its own, which is opened by the first diagram and knows
nothing but diagrams. It has common kinds only, until a page has another one. The reader's browser
renders the kinds that `engine/src/diagrams` does not name, and sources that reach a limit. Sources
with an error of their author are shown as code.
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
from docstead.base.units import MIB
from docstead.markup.assets import BuiltAssets

_FAILURES = (JSEvalException, JSOOMException, JSTimeoutException)
_HEAP_BYTES = 96 * MIB
_TIDY_FROM_BYTES = 40 * MIB
_PATIENCE_SECONDS = 20.0  # for the diagrams of one batch; its host waits longer
_SECONDS = 8.0  # for one diagram; the next ones of its batch are not begun then
_LEAST_SECONDS = 0.25  # with less of it left nothing is begun
_MOST_DIAGRAMS = 40  # of a page
_MOST_CHARACTERS = 2_000_000  # of the drawings of a page
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
    """An error of an author in a diagram, as the library reports it."""

    message: str
    line: int  # of the source, from 1; 0 where it is unknown
    column: int  # from 1
    source: str = ""


class _RenderedDiagram(msgspec.Struct, frozen=True):
    svg: str = ""
    title: str = ""
    problem: DiagramProblem | None = None


_DRAWING = json_decoder(_RenderedDiagram)


class DiagramRenderer:
    """Renderer of the diagrams of one site."""

    def __init__(
        self,
        font: str = "",
        built: BuiltAssets | None = None,
        *,
        patience: float = _PATIENCE_SECONDS,
    ) -> None:
        """`font` is the family of the site's text; without a known one, errors are found only.

        `patience` are the seconds that the diagrams of one batch may take.
        """
        self._font = font
        self._built = built or BuiltAssets()
        self._patience = self._left = patience
        self._racer: MiniRacer | None = None
        self._has_failed = False
        self._has_all_kinds = False
        self._draw: Any = None
        self._result: Any = None

    def begin_batch(self) -> None:
        """Give the diagrams of the next pages their time."""
        self._left = self._patience
        self._has_failed = False

    def fill(
        self, html: str, show_code: Callable[[str], str]
    ) -> tuple[str, tuple[DiagramProblem, ...]]:
        """Return the HTML of a page with its diagrams rendered, where that is possible.

        The sources of the problems, returned too, are in it as `show_code` returns them.
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
            drawing = self._drawn(source, f"ds-diagram-{number}")
            if drawing.problem:
                problems.append(msgspec.structs.replace(drawing.problem, source=source))
                return show_code(source)
            characters += len(drawing.svg)
            return _filled(match, drawing) if drawing.svg else match[0]

        return _DIAGRAM.sub(filled, html), tuple(problems)

    def _drawn(self, source: str, name: str) -> _RenderedDiagram:
        if self._has_failed or self._left < _LEAST_SECONDS:
            return _RenderedDiagram()
        begun = time.process_time()
        try:
            self._prepare(source)
            self._draw(source, name, self._font, timeout_sec=min(_SECONDS, self._left))
            drawing = _DRAWING.decode(self._result(timeout_sec=_SECONDS))
            self._tidy()
        except _FAILURES:
            self._restart()
            return _RenderedDiagram()
        finally:
            self._left -= time.process_time() - begun
        return drawing

    def _prepare(self, source: str) -> None:
        """Open the context that can render `source`, unless it is open."""
        if not self._has_all_kinds and not _is_common(source):
            self.close()
            self._has_all_kinds = True
        if self._racer is None:
            self._open("diagram-engine-all.js" if self._has_all_kinds else "diagram-engine.js")

    def _open(self, script: str) -> None:
        self._racer = racer = MiniRacer()
        racer.set_hard_memory_limit(_HEAP_BYTES)
        racer.eval(self._built.read(script).decode())
        self._draw = racer.eval("diagrams.draw")
        self._result = racer.eval("diagrams.result")

    def _tidy(self) -> None:
        racer = self._racer
        if racer and racer.heap_stats()["total_physical_size"] > _TIDY_FROM_BYTES:
            racer.low_memory_notification()

    def _restart(self) -> None:
        """A diagram that was stopped leaves a context that may not draw another."""
        self._has_failed = True
        self.close()

    def close(self) -> None:
        """Free the context; the interpreter could not exit with one open."""
        racer, self._racer = self._racer, None
        if racer is None:
            return
        with suppress(*_FAILURES):  # what was stopped reports so a moment later
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
    """Return the diagram with its drawing, under the name that its author gave it."""
    stage = match["stage"]
    if title := drawing.title.strip():
        stage = _LABEL.sub(lambda _: f'aria-label="{escape(title)}"', stage, count=1)
    return (
        f'<div{match["options"]} data-drawn class="ds-mermaid ds-published mermaid">'
        f"{match['controls']}{stage}{drawing.svg}</div>"
        f"{match['named']}{match['source']}</pre></div>"
    )
