"""Code groups: variants of an example by language, of which a quote shows one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*(?P<info>[^\n`]*)")
_LANGUAGES_TEXT = """
bash bun c c# c++ cargo conda csharp cli curl dart deno elixir go golang java javascript js kotlin
node node.js npm php pip pipenv pnpm poetry powershell py python react ruby rust shell svelte swift
ts typescript uv vue yarn
"""
_LANGUAGES = frozenset(_LANGUAGES_TEXT.split())


def one_of_each_group(blocks: Iterable[str], weight: Callable[[str], float]) -> Iterator[str]:
    """Yield the blocks; of each group only the variant that fits the question best."""
    for _, run in groupby(blocks, key=_is_named_example):
        together = list(run)
        if len(together) > 1 and _is_named_example(together[0]):
            yield max(together, key=lambda block: weight(_info(block)))
        else:
            yield from together


def _is_named_example(block: str) -> bool:
    """Report whether a code block is titled with a language or a tool."""
    title = _info(block).split()[1:]
    return bool(title) and title[0].lower() in _LANGUAGES


def _info(block: str) -> str:
    fence = _FENCE.match(block)
    return fence["info"] if fence else ""
