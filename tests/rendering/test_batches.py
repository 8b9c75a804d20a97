"""Distribution of pages to workers."""

from __future__ import annotations

from weakref import WeakSet

from docstead.rendering.batches import WaitingBatches
from docstead.rendering.limits import LARGE_CHARACTERS

DIAGRAM = "```mermaid\ngraph TD\n  A-->B\n```"


def waiting(bodies: str, most: int = 1) -> WaitingBatches:
    """Return pages `a`, `b` and so on: with a diagram (`d`), large (`l`) or plain (`p`)."""
    texts = {"d": DIAGRAM, "l": "x" * (LARGE_CHARACTERS + 1), "p": "Text."}
    pages = {chr(ord("a") + number): texts[kind] for number, kind in enumerate(bodies)}
    return WaitingBatches(tuple(pages), pages.__getitem__, most, most)


def taken(batches: WaitingBatches, *workers: int) -> list[str]:
    return ["".join(batches.take(worker)) for worker in workers]


def test_pages_with_diagrams_are_those_of_one_worker() -> None:
    assert taken(waiting("ddpppd"), 0, 1, 1, 0, 1, 0) == ["a", "c", "d", "b", "e", "f"]


def test_others_render_diagrams_when_nothing_else_is_left() -> None:
    assert taken(waiting("dpdd"), 0, 1, 1, 0, 1) == ["a", "b", "c", "d", ""]


def test_a_batch_has_pages_with_or_without_diagrams_or_one_large_page() -> None:
    batches = waiting("pdplpd" + "p" * 18, most=6)
    assert taken(batches, 0, 0, 0) == ["d", "ace", "bf"]


def test_a_batch_that_is_added_is_the_last() -> None:
    batches = waiting("pd")
    batches.add(("a",))
    assert taken(batches, 0, 0, 0, 0) == ["a", "b", "a", ""]


def test_bodies_are_not_kept() -> None:
    """Pages are held compressed, and the bodies of a large site take much memory."""
    read: WeakSet[_Body] = WeakSet()

    def body_of(slug: str) -> str:
        body = _Body(f"Text of {slug}.")
        read.add(body)
        return body

    batches = WaitingBatches(("a", "b"), body_of, 1, 1)
    assert not read
    assert taken(batches, 0, 0) == ["a", "b"]


class _Body(str):
    """Text with weak references, which `str` does not have."""
