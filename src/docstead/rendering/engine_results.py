"""Results of the engine for a page."""

from __future__ import annotations

from typing import Any

import msgspec

from docstead.content.diagnostics import Severity


class EngineDiagnostic(msgspec.Struct, frozen=True):
    file: str
    line: int
    column: int
    severity: Severity
    code: str
    message: str
    hint: str = ""


class HeadingParts(msgspec.Struct, frozen=True):
    level: int
    text: str
    anchor: str


class FenceParts(msgspec.Struct, frozen=True):
    code: str
    language: str
    meta: str
    options: dict[str, Any]


class EngineResult(msgspec.Struct, frozen=True):
    """A page as rendered by the engine: code blocks and icons are placeholders in its HTML."""

    html: str
    headings: tuple[HeadingParts, ...]
    fences: tuple[FenceParts, ...]
    diagnostics: tuple[EngineDiagnostic, ...]
    links: tuple[tuple[str, int, int], ...]
    script: str
    failed: bool
