"""Rendering of a repository's pages in worker processes.

`render` always terminates, for any code of pages. A worker that dies or times out is
replaced, and its pages are retried one by one: only pages that fail individually are given up.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Self

from docstead.base.errors import DocsteadError
from docstead.base.sandbox import require_sandbox
from docstead.content.config import SHIPPED_FONTS, SiteConfig
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.pages import Repository
from docstead.content.reference_entries import SpecifiedEntry
from docstead.content.slugs import base_path, path_of
from docstead.markup.content_words import ContentTexts
from docstead.markup.rendered import RenderedPage
from docstead.rendering.batches import WaitingBatches
from docstead.rendering.finished_pages import FinishedPages
from docstead.rendering.languages import PageLanguages
from docstead.rendering.limits import LARGE_CHARACTERS, EngineLimits
from docstead.rendering.notices import failed_page
from docstead.rendering.process import EngineFailed, StartWorker, Worker, WorkerLost
from docstead.rendering.protocol import PageSource, SiteSource
from docstead.rendering.version import require_built

Progress = Callable[[int], None]
Batch = tuple[PageSource, ...]


_FENCE = re.compile(r"\s*(?:```|~~~)")
_INLINE_CODE = re.compile(r"`[^`]*`")
_CODE = re.compile(r"(?<!\\)\{|^(?:export|import)\b")
_STARTS = 4  # until the first worker is ready


class RenderingEngine:
    """Workers live for one call of `render`: sites never share a process."""

    def __init__(
        self,
        workers: int = 2,
        limits: EngineLimits | None = None,
        start: StartWorker | None = None,
    ) -> None:
        self._workers = max(1, workers)
        self._limits = limits or EngineLimits()
        self._builds: set[_RenderRun] = set()
        self._standby: deque[Worker] = deque()
        self._leaving: list[Worker] = []
        self._start = start or Worker

    def prepare(self, workers: int | None = None) -> None:
        """Start workers for the next `render` ahead of time, because it takes a while.

        By default one less than the limit, because the process that reads pages needs a processor.

        Raises:
            EngineNotBuilt: files of the engine are missing.
            SandboxFailed: the limits require a sandbox that this machine does not support.
        """
        self._check()
        needed = max(1, self._workers - 1) if workers is None else min(workers, self._workers)
        while len(self._standby) < needed:
            self._standby.append(self._start(self._limits, warms_up=True))

    def render(
        self,
        repository: Repository,
        slugs: Sequence[str],
        *,
        progress: Progress | None = None,
        first_batch: int | None = None,
    ) -> Iterator[RenderedPage]:
        """Yield each page once, in any order; `progress` is called with the number of pages done.

        Workers start immediately. With `first_batch`, a worker's first call contains this many
        pages and each later one twice as many, so that the first pages arrive sooner.

        Raises:
            EngineNotBuilt, EngineFailed, SandboxFailed: no page can be rendered.
        """
        if not slugs:
            return iter(())
        self._check()
        most = self._limits.batch_pages
        waiting = WaitingBatches(
            slugs, lambda slug: repository.pages[slug].body, most, first_batch or most
        )
        build = _RenderRun(
            repository,
            waiting,
            self._limits,
            self._standby,
            self._leaving,
            start=self._start,
        )
        self._builds.add(build)
        build.start(self._workers)
        return self._pages(build, progress)

    def _check(self) -> None:
        """Raise an error here rather than in workers if none could start."""
        require_built()
        require_sandbox(self._limits.sandbox)

    def _pages(self, build: _RenderRun, progress: Progress | None) -> Iterator[RenderedPage]:
        try:
            for done, page in enumerate(build.pages(), 1):
                if progress is not None:
                    progress(done)
                yield page
        finally:
            build.stop()
            self._builds.discard(build)

    def close(self) -> None:
        """End rendering and unused workers."""
        for build in tuple(self._builds):
            build.stop()
        while self._standby:
            self._standby.pop().kill()
        while self._leaving:
            self._leaving.pop().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _RenderRun:
    """One call of `render`: pending batches, workers, and finished pages."""

    def __init__(
        self,
        repository: Repository,
        waiting: WaitingBatches,
        limits: EngineLimits,
        standby: deque[Worker],
        leaving: list[Worker],
        *,
        start: StartWorker,
    ) -> None:
        self._limits = limits
        self._start = start
        self._standby = standby
        self._leaving = leaving
        self._languages = PageLanguages(repository.site)
        self._site = site_source(repository, self._languages, limits)
        self._repository = repository
        self._waiting = waiting
        self._count = waiting.pages
        self._large = threading.Lock()  # one large page at a time, because its limits are higher
        self._done = FinishedPages()
        self._stopped = threading.Event()
        self._live: set[Worker] = set()
        self._threads: list[threading.Thread] = []

    def start(self, workers: int) -> None:
        for number in range(min(workers, -(-self._count // self._limits.batch_pages))):
            thread = threading.Thread(
                target=self._work, args=(number,), name=f"engine-{number}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def pages(self) -> Iterator[RenderedPage]:
        for _ in range(self._count):
            yield self._done.take()

    def stop(self) -> None:
        self._stopped.set()
        for worker in tuple(self._live):
            worker.kill()
        for thread in self._threads:
            thread.join()

    def _work(self, number: int) -> None:
        try:
            while not self._stopped.is_set() and (batch := self._next(number)):
                self._render_with_new_worker(number, batch)
        except Exception as error:
            self._done.fail(error)

    def _next(self, number: int) -> Batch:
        """Return the next batch for the worker with this number, empty at the end."""
        return tuple(
            _page_source(self._repository, slug, self._languages.of(slug))
            for slug in self._waiting.take(number)
        )

    def _render_with_new_worker(self, number: int, batch: Batch) -> None:
        """Render batches until none is pending or the worker is lost."""
        worker = self._begun_worker()
        try:
            while batch and not self._stopped.is_set():
                try:
                    for page in self._rendered(worker, batch):
                        self._done.put(page)
                except WorkerLost as loss:
                    worker.kill()
                    self._requeue(batch, str(loss))
                    return
                batch = self._next(number)
        finally:
            self._live.discard(worker)
            worker.disconnect()
            self._leaving.append(worker)  # it ends before the engine is closed

    def _rendered(self, worker: Worker, batch: Batch) -> tuple[RenderedPage, ...]:
        if len(batch[0].body) <= LARGE_CHARACTERS:
            return worker.render(batch)
        with self._large:
            return worker.render(batch)

    def _begun_worker(self) -> Worker:
        """Return a worker that has received the site, skipping those that died while idle."""
        for _ in range(_STARTS):
            worker = self._worker()
            self._live.add(worker)
            try:
                worker.begin(self._site)
            except WorkerLost:
                self._live.discard(worker)
                if self._stopped.is_set():
                    break
            except DocsteadError:
                self._live.discard(worker)
                raise
            else:
                return worker
        raise EngineFailed

    def _worker(self) -> Worker:
        try:
            return self._standby.popleft()
        except IndexError:
            return self._start(self._limits, warms_up=False)

    def _requeue(self, batch: Batch, reason: str) -> None:
        if len(batch) > 1:
            for page in batch:
                self._waiting.add((page.slug,))
        elif not self._stopped.is_set():
            self._done.put(_failed_pages(batch[0], self._languages.words_of(batch[0].slug), reason))


def _failed_pages(page: PageSource, words: ContentTexts, reason: str) -> RenderedPage:
    line, column = _code_of(page.body)
    diagnostic = Diagnostic(
        page.file,
        page.first_line + line - 1,
        column,
        Severity.ERROR,
        "page-stopped",
        f"rendering the page was stopped: {reason}",
        "look for a loop that does not end, data that grows without bound, or deep nesting",
    )
    return failed_page(page.slug, (diagnostic,), words, page.body)


def _code_of(body: str) -> tuple[int, int]:
    """Return line and column of a page's first code outside fences, from 1."""
    in_fence = False
    for number, line in enumerate(body.splitlines(), 1):
        if _FENCE.match(line):
            in_fence = not in_fence
        elif not in_fence and (found := _CODE.search(_INLINE_CODE.sub(_blanked, line))):
            return number, found.start() + 1
    return 1, 1


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match[0])


def site_source(
    repository: Repository, languages: PageLanguages, limits: EngineLimits
) -> SiteSource:
    """Return all site data that workers need."""
    config = repository.site.config
    pages = tuple(path_of(slug) for slug in repository.pages)
    return SiteSource(
        modules={
            path: (module.source, module.source_line) for path, module in repository.modules.items()
        },
        variables=dict(config.variables),
        paths=(*pages, *(f"/{asset.lstrip('/')}" for asset in repository.assets)),
        base_path=base_path(config),
        icon_library=config.icon_library,
        math=math_setting(config),
        api=config.api,
        components={
            page.reference.spec: page.reference.components
            for page in repository.pages.values()
            if isinstance(page.reference, SpecifiedEntry)
        },
        limits=limits,
        grammars=repository.grammars,
        words=languages.words,
        font=text_font(config),
    )


def text_font(config: SiteConfig) -> str:
    """Return the shipped font family of the site's text, or "" for its own fonts."""
    font = config.fonts.text
    if font.source:
        return ""
    return SHIPPED_FONTS.get((font.family or "inter").lower(), "")


def math_setting(config: SiteConfig) -> bool | None:
    """Return the setting `styling.latex` of docs.json."""
    return config.styling.latex


def _page_source(repository: Repository, slug: str, language: str | None) -> PageSource:
    page = repository.pages[slug]
    entry = page.reference
    if isinstance(entry, SpecifiedEntry):
        entry = replace(entry, components={})  # sent once with the site
    return PageSource(slug, page.meta.file, page.body, page.body_line, entry, language)
