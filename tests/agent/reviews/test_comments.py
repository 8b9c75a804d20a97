"""Threads of comments."""

from __future__ import annotations

from typing import Any


def test_replies_of_the_same_instant_come_after_their_comment(harness: Any) -> None:
    comments = harness.reviews.comments
    change_id = harness.opened().id
    first = [comments.add(change_id, "Why?", author="Ada") for _ in range(8)]
    for comment in first:
        comments.add(change_id, "Because.", author="Ben", thread_id=comment.id)
    listed = comments.of(change_id)
    assert {comment.id for comment in listed[:8]} == {comment.id for comment in first}
    assert {comment.thread_id for comment in listed[8:]} == {comment.id for comment in first}
