"""Long answers of models, and a database that is locked: others are served meanwhile."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

import patient_http
from attacked_service import call
from docstead.assistant.checking.checker import Checker
from docstead.assistant.passage_store import PassageStore
from docstead.assistant.writing.answer_writer import AnswerWriter, SentencePolicy
from docstead.assistant.writing.link_policy import LinkPolicy
from docstead.assistant.writing.markdown_units import MarkdownSplitter, MarkdownUnit
from docstead.assistant.writing.sanitizer import MarkdownSanitizer
from docstead.search.analyser import Analyser
from growth import assert_linear
from running_service import Service

POLICY = LinkPolicy("http://site.test", lambda path: None)
QUESTIONS = 60


def writer() -> AnswerWriter:
    analyser = Analyser()
    sanitizer, checker = MarkdownSanitizer(POLICY), Checker(analyser)
    return AnswerWriter(
        checker, sanitizer, PassageStore(analyser), question="Why?", policy=SentencePolicy.OFF
    )


def test_a_long_piece_of_a_model_leaves_the_event_loop_to_others() -> None:
    text = "Elephants sleep for two hours a night and then they walk. " * 1_000

    async def run() -> int:
        turns, writing = 0, writer()

        async def write() -> None:
            async for _ in writing.add(text):
                pass

        task = asyncio.create_task(write())
        while not task.done():
            await asyncio.sleep(0)
            turns += 1
        await task
        return turns

    assert asyncio.run(run()) > 5  # it was 2 while all was done at once


def in_pieces(text: str, size: int = 16) -> list[MarkdownUnit]:
    units = MarkdownSplitter()
    pieces = (text[position : position + size] for position in range(0, len(text), size))
    found = [unit for piece in pieces for unit in units.add(piece)]
    return [*found, *units.rest()]


GROWING = {
    "fence": lambda n: "```python\n" + "elephants = sleep(2)\n" * n + "```\n",
    "table": lambda n: "| a | b |\n|---|---|\n" + "| elephants | two hours |\n" * n,
}
SAFE = {
    "brackets": lambda n: "[" * (8 * n),
    "nested links": lambda n: "[" * n + "a" + "](b)" * n,
    "row": lambda n: "| " + "a" * (20 * n) + " |\n",
}


@pytest.mark.parametrize("kind", GROWING)
def test_blocks_that_arrive_in_pieces_cost_linear_time(kind: str) -> None:
    large = GROWING[kind](4_000)
    assert "".join(unit.markdown for unit in in_pieces(large)) == large
    # Sixteen times the time where each piece is searched for with all before it.
    assert_linear(lambda size: in_pieces(GROWING[kind](size)), 1_000, most=12)


@pytest.mark.parametrize("kind", SAFE)
def test_units_are_made_safe_in_linear_time(kind: str) -> None:
    sanitizer = MarkdownSanitizer(POLICY)

    def make_safe(text: str) -> str:
        return "".join(sanitizer.safe(unit).markdown for unit in in_pieces(text, len(text)))

    assert make_safe(SAFE[kind](2_000))
    assert_linear(lambda size: make_safe(SAFE[kind](size)), 500, most=12)


def test_pages_are_served_while_the_database_is_locked(small_service: Service) -> None:
    small_service.get("/", follow_redirects=True)  # the site has been shown before
    lock = sqlite3.connect(small_service.data / "docstead.sqlite", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")

    def ask(number: int) -> int:
        question = f"How long do elephants sleep? {number}"
        part = {"type": "text", "text": question}
        message = {"id": "1", "role": "user", "content": question, "parts": [part]}
        body = {"fp": "anonymous", "messages": [message]}
        path = "/discovery/v1/assistant/{}/message"
        return call(small_service, "assistant", "POST", path, json=body).status_code

    with ThreadPoolExecutor(QUESTIONS) as threads:
        asked = [threads.submit(ask, number) for number in range(QUESTIONS)]
        base = small_service.facts["baseUrl"]
        try:
            for path in ("/livez", "/", "/index.md", "/llms.txt", "/none", "/livez"):
                answer = patient_http.get(f"{base}{path}", verify=False)
                assert answer.status_code < 500
            assert not any(each.done() and each.result() == 200 for each in asked)
        finally:
            lock.execute("ROLLBACK")
            lock.close()
        assert {each.result() for each in asked} <= {200, 503}
