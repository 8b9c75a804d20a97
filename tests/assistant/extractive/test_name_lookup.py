"""Entries that documentation lists under a name."""

from __future__ import annotations

import pytest

from docstead.assistant.extractive.name_lookup import (
    AskedNames,
    entries,
    is_listed,
    looked_up,
    repeated_code,
)

LISTED = """\
Some text about `JOB_THREADS` and others.

| Variable | Default | Description |
| --- | --- | --- |
| `JOB_THREADS` | `3` | Threads of a worker |
| `MAX_USERS` / `MAX_GUESTS` | | Who may come in |

`batchId` (string, required)

The ID of the batch.

Available options: `a`, `b`

`status` (enum<string>)

The current status.

**404**

Batch not found

```json
| `notListed` | x |
```

- Arguments

  `name` (str | None)

  Sets the name.

  `tags` (set)

  For filters.

- `keepAlive`: keeps the connection.
  For an hour.
- `retry` once
- **Grace period** - how long it waits
"""
HEAD = "| Variable | Default | Description |\n| --- | --- | --- |\n"
THREADS = HEAD + "| `JOB_THREADS` | `3` | Threads of a worker |"
BATCH = "`batchId` (string, required)\n\nThe ID of the batch.\n\nAvailable options: `a`, `b`"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is the default of JOB_THREADS?", THREADS),
        ("max_guests", HEAD + "| `MAX_USERS` / `MAX_GUESTS` | | Who may come in |"),
        ("What is batchId?", BATCH),
        ("What does the status field mean?", "`status` (enum<string>)\n\nThe current status."),
        ("When do I get error 404?", "**404**\n\nBatch not found"),
        ("Is there a name argument?", "`name` (str | None)\n\nSets the name."),
        ("keepAlive", "- `keepAlive`: keeps the connection.\n  For an hour."),
        ("What type has `tags`?", "`tags` (set)\n\nFor filters."),
    ],
)  # fmt: skip
def test_a_name_is_looked_up(question: str, found: str) -> None:
    assert looked_up(LISTED, AskedNames(question)) == found


@pytest.mark.parametrize(
    "question",
    [
        "How do I check the status of my tags?",  # ordinary words
        "What is notListed?",  # in code
        "What does retry_once do?",
        "",
    ],
)
def test_what_is_no_name_or_not_listed_is_not_found(question: str) -> None:
    assert looked_up(LISTED, AskedNames(question)) == ""


def test_rows_of_one_table_share_its_head() -> None:
    assert looked_up(LISTED, AskedNames("JOB_THREADS or MAX_USERS?")).count("| Variable |") == 1


def test_a_clear_name_stands_before_ordinary_words() -> None:
    assert looked_up(LISTED, AskedNames("Is batchId a required field with a name?")).startswith(
        "`batchId`"
    )


def test_entries_end_where_the_next_begins() -> None:
    names = [name for entry in entries(LISTED) for name in entry.names]
    assert names == [
        "JOB_THREADS", "MAX_USERS", "MAX_GUESTS", "batchId", "status", "404", "name", "tags",
        "keepAlive", "Grace period",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("What does error 404 mean?", True),
        ("JOB_THREADS", True),
        ("What's the default value of the `JOB_THREADS` setting?", True),
        ("Who invented batchId?", False),  # something else of it
        ("What does error 418 mean?", False),
        ("What does it mean?", False),
        ("What is the status?", False),  # an ordinary word
    ],
)
def test_a_name_that_is_the_whole_question(question: str, listed: bool) -> None:
    assert is_listed(["Nothing.", LISTED], AskedNames(question)) == listed


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("All requests return 402  payment required!", {"402 payment required"}),
        ("1402 payment required", set()),
        ("402 payment", set()),
        ("paused until tomorrow", set()),
        ("npm run build", set()),
    ],
)
def test_code_of_several_words_that_a_question_repeats(question: str, found: set[str]) -> None:
    text = "It returns `402 Payment Required` while `paused`.\n\n```sh\nnpm run build\n```"
    assert repeated_code(question, text) == found
