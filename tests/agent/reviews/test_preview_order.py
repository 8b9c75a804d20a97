"""The order of work on a preview: the first page is rendered before the rest."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docstead.agent.reviews.preview_task import LISTED, WRITTEN, PreviewRequest, preview
from docstead.markup.rendered import RenderedPage
from docstead.publishing.builders.workers import Lender
from docstead.rendering import EngineLimits, RenderingEngine, StandbyWorker
from docstead.rendering.process import Worker

PAGES = [f"page-{letter}" for letter in "abcdefghijkl"]


class CountingWorker(Worker):
    """A worker that counts the pages of each call."""

    sizes: list[int]

    def render(self, pages: Any) -> tuple[RenderedPage, ...]:
        self.sizes.append(len(pages))
        return super().render(pages)


@dataclass
class PreviewRecorder:
    """A task's context in this process, and what it notes."""

    scratch: Path
    kept: dict[str, Any] = field(default_factory=dict)
    noted: list[str] = field(default_factory=list)
    workers: list[CountingWorker] = field(default_factory=list)

    def ask(self, name: str, argument: object, kind: Any) -> Any:
        raise AssertionError(name)

    def note(self, name: str, argument: object) -> None:
        self.noted.append(name)

    def engine(self, workers: int) -> RenderingEngine:
        return RenderingEngine(workers, start=self._started)

    def _started(self, limits: EngineLimits, *, warms_up: bool) -> Worker:
        worker = CountingWorker(limits, warms_up=warms_up)
        worker.sizes = []
        self.workers.append(worker)
        return worker


def written(folder: Path, text: str) -> str:
    folder.mkdir()
    listed = ", ".join(f'"{name}"' for name in PAGES)
    (folder / "docs.json").write_text(f'{{"name": "A", "navigation": {{"pages": [{listed}]}}}}')
    for name in PAGES:
        (folder / f"{name}.mdx").write_text(f"---\ntitle: {name}\n---\n\n{text}\n")
    return str(folder)


def requested(tmp_path: Path, before: str, *, is_new: bool = False) -> PreviewRequest:
    return PreviewRequest(
        before=before,
        after=written(tmp_path / "after", "New."),
        is_new=is_new,
        is_gone=False,
        files=tuple(f"{name}.mdx" for name in PAGES),
        renames={},
        names={},
        target=str(tmp_path / "made"),
        workers=2,
    )


def test_each_version_begins_with_a_single_page(tmp_path: Path) -> None:
    context = PreviewRecorder(tmp_path)
    made = preview(requested(tmp_path, written(tmp_path / "before", "Old.")), context)
    assert [page.slug for page in made.pages] == PAGES
    assert context.noted == [LISTED, *[WRITTEN] * len(PAGES)]
    for worker in context.workers:
        assert worker.sizes[:3] == [1, 2, 3]
        assert sum(worker.sizes) == len(PAGES)


def test_a_version_without_documentation_starts_no_worker(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    context = PreviewRecorder(tmp_path)
    made = preview(requested(tmp_path, str(tmp_path / "before"), is_new=True), context)
    assert [page.before for page in made.pages] == [False] * len(PAGES)
    assert len(context.workers) == 1


def test_workers_that_are_prepared_are_lent_and_ended() -> None:
    lender = Lender(EngineLimits(), most=4, waiting=StandbyWorker())
    lender.prepare(2)
    prepared = {worker.pid for worker in lender.ready}
    for _ in range(3):
        os.close(lender.lend(warms_up=False)[1])
    assert len(prepared & {worker.pid for worker in lender.lent}) == 2
    lender.prepare(1)
    left = [*lender.ready, *lender.lent]
    lender.close(kindly=False)
    assert (len(left), [worker.is_alive for worker in left]) == (4, [False] * 4)
    assert lender.ready == ()
