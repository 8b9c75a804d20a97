"""Classification of readers by user agent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache


class Reader(StrEnum):
    HUMAN = "human"
    AI = "ai"  #: A program that reads for a model, or for its user.


_AI = re.compile(
    r"gptbot|chatgpt|oai-searchbot|claude|anthropic|perplexity|mistralai|cohere-|duckassist"
    r"|youbot|bytespider|ccbot|amazonbot|meta-external|google-extended|applebot-extended"
    r"|diffbot|ai2bot|phindbot|timpibot|\bllm",
    re.IGNORECASE,
)
_ROBOT = re.compile(
    r"bot\b|bots\b|crawl|spider|slurp|preview|monitor|uptime|lighthouse|facebookexternalhit"
    r"|feedfetcher|scrapy|wget",
    re.IGNORECASE,
)
_BROWSER = re.compile(r"^Mozilla/")


def asks_not_to_be_tracked(headers: Mapping[str, str]) -> bool:
    """Report whether a browser sends either of the two tracking opt-out headers."""
    return headers.get("dnt") == "1" or headers.get("sec-gpc") == "1"


@lru_cache(1024)  # cached, because it is needed for every page
def is_ai(program: str) -> bool:
    """Report whether a User-Agent belongs to a program that reads for models."""
    return _AI.search(program) is not None


def reader_in_browser(program: str) -> Reader | None:
    """Return the kind of reader for a posted page view; None for crawlers of search engines."""
    if is_ai(program):
        return Reader.AI
    return None if _ROBOT.search(program) or not _BROWSER.match(program) else Reader.HUMAN


def reader_at_server(program: str, *, as_markdown: bool) -> Reader | None:
    """Return the kind of reader for a page that was sent to a program; never people.

    A program that requests Markdown and is neither a browser nor a search engine reads for a model.
    """
    if is_ai(program):
        return Reader.AI
    if not as_markdown or _BROWSER.match(program) or _ROBOT.search(program):
        return None
    return Reader.AI
