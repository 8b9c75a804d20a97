"""Diagnostics of invalid diagrams, with their position in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from docstead.content.diagnostics import Diagnostic, Severity
from docstead.markup.diagrams import DiagramProblem
from docstead.rendering.protocol import PageSource

_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(?P<mark>`{3,}|~{3,})[ \t]*mermaid\b")


def diagram_diagnostic(
    problem: DiagramProblem, page: PageSource, snippets: Mapping[str, tuple[str, int]]
) -> Diagnostic:
    """Return a warning about a diagram of a page, or of a snippet that it imports."""
    files = {page.file: (page.body, page.first_line)}
    files |= {path.lstrip("/"): snippet for path, snippet in snippets.items()}
    file, line, column = page.file, page.first_line, 1
    for name, (text, first_line) in files.items():
        if found := _position(problem, text):
            file, line, column = name, first_line + found[0], found[1]
            break
    return Diagnostic(
        file,
        line,
        column,
        Severity.WARNING,
        "diagram-failed",
        f"the diagram cannot be rendered: {problem.message}",
        "correct the source of the diagram; until then it is shown as code",
    )


def _position(problem: DiagramProblem, text: str) -> tuple[int, int] | None:
    """Return the number of lines before the problem and its column; None if it is elsewhere."""
    lines = text.split("\n")
    source = _stripped(problem.source.split("\n"))
    for start, indent in _diagrams(lines):
        if _stripped(lines[start : start + len(source)]) != source:
            continue
        if not problem.line:
            return start - 1, indent + 1
        shown = problem.source.split("\n")[problem.line - 1]
        line = start + problem.line - 1
        return line, len(lines[line]) - len(shown) + problem.column
    return None


def _diagrams(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the first line of each diagram, from 0, and the indentation of its fence."""
    for number, line in enumerate(lines):
        if fence := _FENCE.match(line):
            yield number + 1, fence.start("mark")


def _stripped(lines: list[str]) -> list[str]:
    return [line.lstrip(" \t>").rstrip() for line in lines]
