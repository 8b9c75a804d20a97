"""Caches that a builder saves for later ones."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from docstead.publishing.build_tasks import (
    BuildRequest,
    RememberRequest,
    parse_cache_of,
    remember,
)
from docstead.repository.parse_cache import ParseCache
from docstead.repository.positions import Diagnostics


def builder() -> Any:
    return SimpleNamespace(kept={})


def parsed(context: Any, folder: Path, code: str = "one") -> ParseCache:
    request = BuildRequest("root", "target", 1, cache=str(folder), code=code)
    return parse_cache_of(request, context)


def keep(parse_cache: ParseCache, key: str) -> None:
    parse_cache.cached(key, lambda _: key, Diagnostics(), characters=1)


def keys(parse_cache: ParseCache) -> list[object]:
    return [key for key, _ in parse_cache.entries()]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    context = builder()
    keep(parsed(context, tmp_path), "a")
    remember(RememberRequest(str(tmp_path), "one"), context)
    return tmp_path


def test_a_later_builder_has_what_an_earlier_one_parsed(saved: Path) -> None:
    assert keys(parsed(builder(), saved)) == ["a"]


def test_results_of_other_code_are_parsed_again(saved: Path) -> None:
    assert keys(parsed(builder(), saved, code="two")) == []


def test_results_that_the_last_build_did_not_need_can_be_left_out(saved: Path) -> None:
    context = builder()
    keep(parsed(context, saved), "b")
    remember(RememberRequest(str(saved), "one", last_only=True), context)
    assert keys(parsed(builder(), saved)) == ["b"]


@pytest.mark.parametrize("contents", [b"", b"damaged", b"\x80\x05\x8c\x03one\x94."])
def test_damaged_results_are_parsed_again(saved: Path, contents: bytes) -> None:
    next(saved.iterdir()).write_bytes(contents)
    assert keys(parsed(builder(), saved)) == []


def test_files_of_killed_processes_are_removed_after_a_day(saved: Path) -> None:
    killed, writing = saved / "parsed.1.part", saved / "parsed.2.part"
    for path in (killed, writing):
        path.write_bytes(b"half")
    os.utime(killed, (0, 0))
    context = builder()
    keep(parsed(context, saved), "b")
    remember(RememberRequest(str(saved), "one"), context)
    assert not killed.exists()
    assert writing.exists()
    assert keys(parsed(builder(), saved)) == ["a", "b"]
