"""Builder task of `check`: a build whose report includes unmet expected answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from docstead.assistant.expected_answers.reader import ExpectedAnswer, read_expected_answers
from docstead.publishing.assets import FolderContents
from docstead.publishing.build import BuildReport
from docstead.publishing.build_tasks import BuildRequest, build
from docstead.publishing.builders import BuilderTask, TaskContext
from docstead.publishing.edition import Edition
from docstead.repository.positions import Diagnostics


def checked_build(request: BuildRequest, context: TaskContext) -> BuildReport:
    """Build an edition, with an index only if there are questions to search."""
    diagnostics = Diagnostics()
    entries = read_expected_answers(Path(request.root), diagnostics)
    report = build(msgspec.structs.replace(request, indexed=bool(entries)), context)
    if entries:
        _check(entries, request, context, diagnostics)
    found = [*report.diagnostics, *diagnostics.sorted()]
    found.sort(key=lambda each: (each.file, each.line, each.column))
    return replace(report, diagnostics=tuple(found))


def _check(
    entries: tuple[ExpectedAnswer, ...],
    request: BuildRequest,
    context: TaskContext,
    diagnostics: Diagnostics,
) -> None:
    # Most repositories have no entries and skip these imports.
    from docstead.assistant.expected_answers.checks import check_expected_answers

    contents = FolderContents(Path(request.root))
    edition = Edition("checked", Path(request.target), contents, context.scratch)
    check_expected_answers(entries, edition, diagnostics)


CHECKED_BUILD = BuilderTask(
    "docstead.assistant.expected_answers.task:CHECKED_BUILD",
    checked_build,
    BuildRequest,
    BuildReport,
)
