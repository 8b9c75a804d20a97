"""A V8 context that contains the built engine.

This is the only use of the V8 library's private API. New versions may change it, so a test checks
the version.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Self

import msgspec
from py_mini_racer import (
    DEFAULT_V8_FLAGS,
    JSEvalException,
    JSOOMException,
    MiniRacer,
    init_mini_racer,
)

from docstead.base.decoders import json_decoder
from docstead.base.units import MIB
from docstead.markup.rendered import LINK_MARK
from docstead.rendering.engine_results import EngineResult
from docstead.rendering.limits import most_seconds
from docstead.rendering.protocol import PageSource, SiteSource
from docstead.rendering.version import EngineOutdated, built_asset

TESTED_VERSION = "0.14.1"  # of the package `mini-racer`

# TurboFan costs more than it saves, and increases the attack surface. Only Maglev optimizes
# JavaScript, and Liftoff compiles WebAssembly without counting calls for functions to inline. Its
# functions are validated when they are compiled, on first use. A larger young generation (MiB) is
# collected less often.
_FLAGS = (
    *DEFAULT_V8_FLAGS,
    "--no-opt",
    "--liftoff-only",
    "--no-wasm-inlining",
    "--wasm-lazy-validation",
    "--min-semi-space-size=8",
)
_COLLECT_FROM_BYTES = 96 * MIB  # smaller heaps are collected so often that pages wait
_TICK_SECONDS = 0.05  # polling interval
# V8 keeps and copies texts of such characters in half of the bytes. Sources do not contain it.
_ENGINE_LINK_MARK = "\x7f"
_RESULTS = json_decoder(list[EngineResult])
# In a block, so that pages do not see the name. The class is that of the host's timers.
_HARDEN = "{ const { harden } = docstead; delete globalThis.docstead; harden(__TimerManager) }"
_NOTHING = EngineResult(
    html="", headings=(), fences=(), diagnostics=(), links=(), script="", failed=False
)


class IsolateAborted(Exception):
    """Code of a page was aborted; the context cannot be used any more."""


class Isolate:
    """Contains one site. Content is not isolated within it: never share it between sites."""

    def __init__(self) -> None:
        init_mini_racer(flags=_FLAGS, ignore_duplicate_init=True)
        self._racer = MiniRacer()
        try:
            self._load()
        except JSEvalException as error:
            self.close()
            raise EngineOutdated from error
        except BaseException:
            self.close()
            raise

    @property
    def _loop(self) -> asyncio.AbstractEventLoop:
        """Event loop for calls, because the library has no processor time limit."""
        context = self._racer._ctx
        assert context is not None  # noqa: S101 - it is open
        return context.event_loop

    def _load(self) -> None:
        compiler = built_asset("satteri.wasm")
        buffer = self._racer.eval(f"globalThis.compilerBytes = new ArrayBuffer({len(compiler)})")
        buffer[:] = compiler  # type: ignore[index]  # a writable view on the buffer
        self._racer.eval(built_asset("engine.js").decode())
        self._describe: Any = self._racer.eval("docstead.describe")
        self._render: Any = self._racer.eval("docstead.render")
        self._results: Any = self._racer.eval("docstead.results")
        # From here on, pages have no access to our objects and cannot affect each other.
        self._racer.eval(_HARDEN)

    def describe(self, site: SiteSource) -> None:
        """Set the data that pages share; call it once, before the first page."""
        self.limit(site.limits.heap_bytes)
        self._describe(json.dumps(_described(site), ensure_ascii=False))

    def limit(self, heap_bytes: int) -> None:
        """Limit the size of JavaScript objects for the following pages."""
        self._racer.set_soft_memory_limit(heap_bytes // 2)
        self._racer.set_hard_memory_limit(heap_bytes)

    def render(self, pages: Sequence[PageSource], seconds: float) -> None:
        """Render pages, whose `results` are fetched afterwards.

        Raises:
            IsolateAborted: a limit of time, memory or depth was exceeded, or the pages are too
                long in total.
            EngineOutdated: the reply does not have the format of this version.
        """
        request = msgspec.json.encode(
            [
                {
                    "file": page.file,
                    "body": _without_marks(page.body),
                    "firstLine": page.first_line,
                    "language": page.language,
                }
                for page in pages
                if _has_words(page)
            ]
        ).decode()
        reason = self._called(self._render, request, seconds=seconds)
        if not isinstance(reason, str):
            raise EngineOutdated
        if reason:
            raise IsolateAborted(reason)

    def results(self, pages: Sequence[PageSource], seconds: float) -> list[EngineResult]:
        """Return the results of the last rendered pages, in order. Runs no code of pages.

        Raises:
            IsolateAborted: a limit of time or memory was reached.
            EngineOutdated: the results are not those of an engine that fits this package.
        """
        try:
            result = iter(_RESULTS.decode(self._called(self._results, seconds=seconds)))
        except msgspec.ValidationError as error:
            raise EngineOutdated from error
        return [_marked(next(result)) if _has_words(page) else _NOTHING for page in pages]

    def _called(self, function: Any, *arguments: str, seconds: float) -> Any:
        call = _within(seconds, function.cancelable(), arguments)
        try:
            return asyncio.run_coroutine_threadsafe(call, self._loop).result()
        except TimeoutError as error:
            raise IsolateAborted(str(error)) from None
        except JSOOMException:
            raise IsolateAborted("it took more memory than a page may have") from None
        except JSEvalException as error:
            raise IsolateAborted(_ending(str(error).strip())) from None

    def collect_garbage(self) -> None:
        """Collect garbage of rendered pages if there is much; V8 would wait longer."""
        if self._racer.heap_stats()["total_physical_size"] > _COLLECT_FROM_BYTES:
            self._racer.low_memory_notification()

    def close(self) -> None:
        """Free the context, without which the interpreter could not exit."""
        self._racer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _within(seconds: float, function: Any, arguments: Sequence[str]) -> Any:
    """Call a JavaScript function; raise `TimeoutError` with the reason if it takes too long.

    Processor time counts, because pages may have to wait on a busy machine.
    """
    begun, worked = time.monotonic(), time.process_time()
    task = asyncio.ensure_future(function(*arguments))
    left = seconds
    while left > 0:
        done, _ = await asyncio.wait({task}, timeout=left)
        if done:
            return task.result()
        waited = time.monotonic() - begun
        left = min(seconds - (time.process_time() - worked), most_seconds(seconds) - waited)
        left = max(left, _TICK_SECONDS) if left > 0 else left
    worked = time.process_time() - worked
    task.cancel()
    with suppress(asyncio.CancelledError, JSEvalException):
        await task
    raise TimeoutError(_exceeded(seconds, worked))


def _exceeded(seconds: float, worked: float) -> str:
    """Name the limit that ended a call after so many seconds of processor time."""
    if worked < seconds:
        waited = f"it did not end within {most_seconds(seconds):g} seconds"
        return f"{waited}, in which it got {worked:.1f} seconds of processor time"
    return f"it took more than {seconds:g} seconds of processor time"


def _without_marks(source: str) -> str:
    return source.replace(_ENGINE_LINK_MARK, "")


def _marked(result: EngineResult) -> EngineResult:
    """Return a result whose links have the mark that links have outside of the engine."""
    html, script = (
        text.replace(_ENGINE_LINK_MARK, LINK_MARK) for text in (result.html, result.script)
    )
    return msgspec.structs.replace(result, html=html, script=script)


def _has_words(page: PageSource) -> bool:
    """Report whether a page has its own text, which pages of operations often lack."""
    return bool(page.body) and not page.body.isspace()


def _described(site: SiteSource) -> dict[str, object]:
    return {
        "modules": {
            path: {"source": _without_marks(source), "firstLine": line}
            for path, (source, line) in site.modules.items()
        },
        "variables": dict(site.variables),
        "paths": site.paths,
        "basePath": site.base_path,
        "math": site.math,
        "words": {name: asdict(words) for name, words in site.words.items()},
    }


def _ending(said: str) -> str:
    """Return the reason why a context ended; exceeding memory gives only `null` or nothing."""
    if said in ("", "null"):
        return "it took more memory than a page may have"
    return f"it stopped the engine: {said}"
