"""Random answers, cut at random bytes, read by the published chat clients: what they misread.

    python evals/runners/cut_streams.py [--streams 1000] [--seed 7] [--seed-defect]

Version 4 reads the first protocol; 5.0.0, 6.0.0, 7.0.0 and the last releases of each read the
second. A stream counts as misread where a client throws, or sees another text.

`--seed-defect` tries this evaluation: the last piece of each stream is lost.
"""

from __future__ import annotations

import argparse
import base64
import itertools
import json
import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from docstead.api.assistant.protocols.v1 import DataStream
from docstead.api.assistant.protocols.v2 import UiMessageStream
from docstead.assistant.conversation import AnswerSource
from docstead.assistant.events import (
    AnswerData,
    AnswerFinished,
    AnswerStarted,
    Event,
    ReasoningDelta,
    SourceFound,
    TextDelta,
    TokenUsage,
    ToolAnswered,
    ToolCalled,
)
from seeded_defects import finish

CLIENT = Path(__file__).parent.parent.parent / "tests" / "api" / "assistant" / "client"
RELEASES = ("chat-5.0.0", "chat-5", "chat-6.0.0", "chat-6", "chat-7.0.0", "chat-7")
TEXTS = ("a", " ", "\n", "\r\n", "\\", '"', "é", "語", "😀", "\u2028", "0:", "data: [DONE]", "\x7f")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--seed-defect", action="store_true", help="try this evaluation")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    misread: Counter[str] = Counter()
    with StreamClients(loses_last=options.seed_defect) as client:
        for number in range(options.streams):
            answer = random_answer(chance)
            misread["version 4"] += not read_by_v4(client, answer, chance)
            release = RELEASES[number % len(RELEASES)]
            misread[release] += not read_by_later(client, release, answer, chance)
    for name, wrong in misread.items():
        of = options.streams if name == "version 4" else options.streams // len(RELEASES)
        print(f"{name:12} {wrong} of about {of} streams misread")
    finish(not misread.total(), "lost piece" if options.seed_defect else None)


def random_answer(chance: random.Random) -> list[Event]:
    events: list[Event] = [AnswerStarted("msg_1", "T1", None)]
    for number in range(chance.randint(0, 12)):
        kind = chance.randrange(6)
        if kind == 0:
            events.append(
                SourceFound(AnswerSource(str(number), f"https://a.b/{number}", words(chance)))
            )
        elif kind == 1:
            events.append(ReasoningDelta(words(chance)))
        elif kind == 2:
            events.append(ToolCalled(f"c{number}", "search", {"query": words(chance)}))
            events.append(ToolAnswered(f"c{number}", "search", [{"url": words(chance)}]))
        elif kind == 3:
            events.append(AnswerData("suggestions", [words(chance)]))
        else:
            events.append(TextDelta(words(chance)))
    return [*events, AnswerFinished("T1", chance.random() < 0.5, TokenUsage(1, 2))]


def words(chance: random.Random) -> str:
    return "".join(chance.choices(TEXTS, k=chance.randint(1, 30)))


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def read_by_v4(client: StreamClients, events: list[Event], chance: random.Random) -> bool:
    raw = b"".join(map(DataStream().encode, events))
    seen = client(do="read", chunks=cut(raw, chance))
    said = "".join(value for kind, value in seen["seen"] if kind == "text")
    return seen["error"] is None and said == text_of(events)


def read_by_later(
    client: StreamClients, release: str, events: list[Event], chance: random.Random
) -> bool:
    raw = b"".join(map(UiMessageStream().encode, events))
    seen = client(do="uiRead", client=release, chunks=cut(raw, chance))
    parts = seen["message"]["parts"] if seen.get("message") else []
    said = "".join(part["text"] for part in parts if part["type"] == "text")
    return seen.get("failures") == [] and said == text_of(events)


def cut(raw: bytes, chance: random.Random) -> list[str]:
    cuts = sorted({0, len(raw), *chance.choices(range(len(raw)), k=chance.randint(0, 20))})
    pieces = (raw[a:b] for a, b in itertools.pairwise(cuts))
    return [base64.b64encode(piece).decode() for piece in pieces]


class StreamClients:
    """The clients, in a process of their own; the last piece may be lost on the way."""

    def __init__(self, *, loses_last: bool = False) -> None:
        self._end = -1 if loses_last else None

    def __enter__(self) -> StreamClients:
        self._process = subprocess.Popen(
            ["node", "client.mjs"],
            cwd=CLIENT,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def __call__(self, **request: Any) -> dict[str, Any]:
        request["chunks"] = request["chunks"][: self._end]
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


if __name__ == "__main__":
    main()
