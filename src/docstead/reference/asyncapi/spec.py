"""Channels and messages of AsyncAPI 2 and 3 files.

Messages are described from the reader's perspective: what the application receives, the reader
sends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import unquote

import msgspec

from docstead.content.reference_entries import MessageChannel
from docstead.reference.common.server_urls import with_defaults

_ACTIONS = frozenset({"publish", "subscribe", "receive", "send"})
_SENT_BY_CLIENTS = frozenset({"publish", "receive"})
_CHANNELS = "#/channels/"
_REF_LIMIT = 20  # a longer chain of references is circular
_DEPTH_LIMIT = 50  # nesting depth of alternatives


def channels(file: str, document: Mapping[str, Any]) -> Iterator[MessageChannel]:
    """Yield the channels of a file, in order."""
    found = _Document(document)
    for name, channel in _objects(document.get("channels")):
        yield found.channel(file, name, found.follow(channel))


class _Document:
    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def channel(self, file: str, name: str, channel: Mapping[str, Any]) -> MessageChannel:
        sent, received = self._messages(name, channel)
        servers = self._servers(channel)
        description = channel.get("description")
        path = channel.get("address") if "address" in channel else name
        return MessageChannel(
            spec=file,
            name=name,
            method=next((kind for kind, _, _ in servers if kind), "ws").upper(),
            path=str(path or name),
            summary=str(channel.get("title") or channel.get("summary") or name),
            description=description if isinstance(description, str) else None,
            tags=tuple(str(tag["name"]) for tag in _list(channel.get("tags")) if tag.get("name")),
            parameters=dict(self._parameters(channel)),
            query=self._query(channel),
            sent=sent,
            received=received,
            servers=tuple(dict.fromkeys(url for _, url, _ in servers)),
            components=_mapping(self._document.get("components")),
            security=tuple({name: []} for _, _, names in servers for name in names),
        )

    def follow(self, value: Any) -> Mapping[str, Any]:
        """Resolve references, starting with a value; {} if the target does not exist."""
        for _ in range(_REF_LIMIT):
            if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
                return _mapping(value)
            value = self._pointed(value["$ref"])
        return {}

    def _pointed(self, ref: str) -> Any:
        value: Any = self._document if ref.startswith("#/") else {}
        for part in ref.removeprefix("#/").split("/"):
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def _messages(
        self, name: str, channel: Mapping[str, Any]
    ) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
        """Return the messages that a client sends, and those that it receives."""
        sent, received = _MessageReader(self), _MessageReader(self)
        for action, operation in self._operations(name, channel):
            given = operation.get("messages") or operation.get("message")
            if given is None:
                given = list(_mapping(channel.get("messages")).values())
            (sent if action in _SENT_BY_CLIENTS else received).add(given)
        return tuple(sent.found.values()), tuple(received.found.values())

    def _operations(
        self, name: str, channel: Mapping[str, Any]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for action in ("publish", "subscribe"):  # version 2
            if operation := self.follow(channel.get(action)):
                yield action, operation
        yield from self._operations_of.get(name, ())  # version 3

    @cached_property
    def _operations_of(self) -> dict[str, list[tuple[str, Mapping[str, Any]]]]:
        """Return actions and operations by channel name, with or without a reference's prefix."""
        found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        for _, given in _objects(self._document.get("operations")):
            operation = self.follow(given)
            action = str(operation.get("action"))
            link = str(_mapping(operation.get("channel")).get("$ref"))
            if action in _ACTIONS and link.startswith(_CHANNELS):
                name = link.removeprefix(_CHANNELS)
                for each in {name, name.replace("~1", "/").replace("~0", "~")}:
                    found.setdefault(each, []).append((action, operation))
        return found

    def _parameters(self, channel: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for name, given in _objects(channel.get("parameters")):
            parameter = self.follow(given)
            schema = parameter.get("schema")
            yield name, {"type": "string", **parameter, **(_mapping(schema) if schema else {})}

    def _query(self, channel: Mapping[str, Any]) -> dict[str, Any]:
        binding = self.follow(self.follow(channel.get("bindings")).get("ws"))
        found = self.follow(self.follow(binding.get("query")).get("properties"))
        return {str(name): schema for name, schema in found.items()}

    def _servers(self, channel: Mapping[str, Any]) -> list[tuple[str, str, list[str]]]:
        """Return protocol, URL and security schemes of each server of a channel."""
        known = _mapping(self._document.get("servers"))
        requested = {
            each
            if isinstance(each, str)
            else str(_mapping(each).get("$ref", "")).rpartition("/")[2]
            for each in channel.get("servers") or ()
        }
        found = ((name, self.follow(server)) for name, server in known.items())
        return [
            self._server(server) for name, server in found if not requested or name in requested
        ]

    def _server(self, server: Mapping[str, Any]) -> tuple[str, str, list[str]]:
        protocol = str(server.get("protocol") or "")
        url = str(server.get("url") or f"{server.get('host', '')}{server.get('pathname', '')}")
        variables = _objects(server.get("variables"))
        url = with_defaults(url, ((name, self.follow(each)) for name, each in variables))
        if protocol and "://" not in url:
            url = f"{protocol}://{url}"
        return protocol, url, list(self._security(server))

    def _security(self, server: Mapping[str, Any]) -> Iterator[str]:
        for way in _list(server.get("security")):
            ref = way.get("$ref")
            yield from [str(ref).rpartition("/")[2]] if ref else map(str, way)


class _MessageReader:
    """Distinct messages in order; each reference is resolved once."""

    def __init__(self, document: _Document) -> None:
        self.found: dict[bytes, Mapping[str, Any]] = {}
        self._document = document
        self._seen = set[str]()

    def add(self, given: Any, depth: int = 0) -> None:
        """Add a message, all of a list, or its alternatives."""
        link = str(_mapping(given).get("$ref", ""))
        if depth > _DEPTH_LIMIT or link in self._seen:
            return
        self._seen |= {link} - {""}
        message = self._document.follow(given)
        alternatives = given if isinstance(given, list) else message.get("oneOf")
        if isinstance(alternatives, list):
            for each in alternatives:
                self.add(each, depth + 1)
        elif message:
            self._add_one(message, link.rpartition("/")[2])

    def _add_one(self, message: Mapping[str, Any], name: str) -> None:
        traits = [self._document.follow(each) for each in message.get("traits") or ()]
        whole: dict[str, Any] = {"name": name} if name else {}
        for part in (*traits, message):
            whole |= part
        whole.pop("traits", None)
        self.found.setdefault(msgspec.json.encode(whole, order="deterministic"), whole)


def _objects(value: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, dict):
            yield str(key), item


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[dict[str, Any]]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]
