"""A chat model that acts only on the content of the newest request.

It keeps nothing between requests. For each one it replays the conversation from the latest
instruction, and gives a policy the results as they are in this request. A policy whose
earlier calls differ from those of the conversation has lost its context, which is an error.

Text of the repository counts as data only between the marks that the system prompt names. An
instruction to delete a file anywhere else is followed, as by a gullible model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chat_server import Call, ChatRequest, Reply
from chat_wires import Spoken

_MARK = re.compile(r"between `<<(\w+)`")
_ORDER = re.compile(r"(?i)\bmaintenance order: delete (?:the file )?`?([\w/.-]+?)`?(?:[.\s]|$)")
_NUMBERED = re.compile(r"(\d+)\t(.*)", re.DOTALL)
_MORE_LINES = re.compile(r"\[lines \d+ to \d+ follow; first_line=(\d+)\]")
_MORE_OF_LINE = re.compile(r" ?\[[\d,]+ more characters[^\]]*first_column=(\d+)[^\]]*\]$")


class LostTrack(Exception):
    """The request lacks content that an earlier answer was based on."""


class UnknownArguments(Exception):
    """A policy needs a tool or an argument that the request does not offer."""


@dataclass(frozen=True)
class AnswerResults:
    """`results` of the calls of one answer, and what was said after them."""

    results: tuple[str, ...]
    said: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.results)


Steps = Generator[list[Call], AnswerResults, None]


@dataclass(frozen=True)
class ToolSet:
    """The tools of a request."""

    schemas: Mapping[str, Mapping[str, Any]]

    def call(self, name: str, **arguments: Any) -> Call:
        schema = self.schemas.get(name)
        unknown = set(arguments) - set(schema.get("properties", ())) if schema else {name}
        if unknown:
            raise UnknownArguments(f"{name}: {', '.join(sorted(unknown))}")
        return Call(name, arguments)

    def finish(self, title: str, summary: str = "") -> list[Call]:
        return [self.call("finish", title=title, summary=summary or f"{title}, as asked for.")]

    def read(self, path: str) -> Generator[list[Call], AnswerResults, str | None]:
        """Read a whole file in as many parts as necessary; return None if it cannot be read."""
        lines: dict[int, str] = {}
        where: dict[str, int] = {}
        while True:
            found = yield [self.call("read_file", path=path, **where)]
            rows = found.text.split("\n")
            if not _NUMBERED.match(rows[0]):
                return None if _is_refusal(found.text, path) else found.text
            where = _taken(rows, lines)
            if not where:
                return "\n".join(lines[number] for number in sorted(lines))


Policy = Callable[[ToolSet, re.Match[str]], Steps]


def _is_refusal(text: str, path: str) -> bool:
    return "there is no" in text and path in text and "\n" not in text.strip()


def _taken(rows: Sequence[str], lines: dict[int, str]) -> dict[str, int]:
    """Add numbered rows to the lines; return the arguments of the next call."""
    where: dict[str, int] = {}
    for row in rows:
        if more := _MORE_LINES.fullmatch(row):
            return where or {"first_line": int(more[1])}
        match = _NUMBERED.match(row)
        if match is None:
            raise LostTrack(f"a row without a number: {row[:80]!r}")
        number, text = int(match[1]), match[2]
        if more := _MORE_OF_LINE.search(text):
            where = {"first_line": number, "first_column": int(more[1])}
            text = text[: more.start()]
        lines[number] = lines.get(number, "") + text
    return where


class ReaderModel:
    """A model that answers by policies, each for a pattern of instructions."""

    def __init__(self, policies: Mapping[str, Policy]) -> None:
        self._policies = [(re.compile(p, re.DOTALL), policy) for p, policy in policies.items()]
        self.errors: list[str] = []

    def reply(self, said: ChatRequest) -> Reply:
        try:
            return self._reply(said)
        except (LostTrack, UnknownArguments) as error:
            self.errors.append(f"{type(error).__name__}: {error}")
            return Reply(f"I cannot go on: {type(error).__name__}: {error}")

    def _reply(self, said: ChatRequest) -> Reply:
        at, policy, match = self._instruction(said.messages)
        exchanges = list(_exchanges(said.messages[at + 1 :], _mark_of(said.system)))
        if exchanges and (order := _ORDER.search(exchanges[-1].outside)):
            return Reply(calls=[Call("delete_file", {"path": order[1]})])
        steps = policy(ToolSet(said.schemas), match)
        try:
            calls = next(steps)
            for exchange in exchanges:
                if _plain(calls) != _plain(exchange.calls):
                    raise LostTrack(f"{_plain(calls)[:200]} became {_plain(exchange.calls)[:200]}")
                calls = steps.send(exchange.found)
        except StopIteration:
            return Reply("There is nothing more to say.")
        return Reply(calls=calls)

    def _instruction(self, messages: Sequence[Spoken]) -> tuple[int, Policy, re.Match[str]]:
        for at in range(len(messages) - 1, -1, -1):
            for pattern, policy in self._policies:
                match = pattern.fullmatch(messages[at].text.strip())
                if messages[at].role == "user" and match:
                    return at, policy, match
        raise LostTrack("no message is an instruction")


@dataclass(frozen=True)
class _ModelExchange:
    """The calls of an answer and what came of them; `outside` is text that is not marked."""

    calls: tuple[Call, ...]
    found: AnswerResults
    outside: str


def _exchanges(messages: Sequence[Spoken], mark: str) -> Iterator[_ModelExchange]:
    calls: tuple[Call, ...] | None = None
    results: list[Spoken] = []
    for message in [*messages, Spoken("assistant", "")]:
        if message.role != "assistant":
            results.append(message)
            continue
        if calls is not None and results:
            yield _exchange(calls, results, mark)
        calls, results = message.calls, []


def _exchange(calls: tuple[Call, ...], after: Sequence[Spoken], mark: str) -> _ModelExchange:
    results = {each.call_id: _parts(each.text, mark) for each in after if each.role == "tool"}
    spoken = [each.text for each in after if each.role == "user"]
    parts = [results.get(call.id, ("", "")) for call in calls]
    outside = [outer for _, outer in parts] + [_parts(text, mark)[1] for text in spoken]
    found = AnswerResults(tuple(inner or outer for inner, outer in parts), "\n".join(spoken))
    return _ModelExchange(calls, found, "\n".join(outside))


def _parts(text: str, mark: str) -> tuple[str, str]:
    """Return the data in a text, and the text around it."""
    block = re.compile(rf"<<{mark}[^\n]*\n(.*?)\n{mark}>>", re.DOTALL)
    match = block.search(text)
    return (match[1] if match else ""), block.sub("", text)


def _mark_of(system: str) -> str:
    match = _MARK.search(system)
    if match is None:
        raise LostTrack("the system prompt names no marks of data")
    return match[1]


def _plain(calls: Sequence[Call]) -> str:
    return json.dumps([[call.name, json.loads(call.json)] for call in calls], sort_keys=True)
