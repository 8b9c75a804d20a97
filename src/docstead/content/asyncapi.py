"""AsyncAPI 2 and 3 files: their channels, as operations whose messages are at hand.

Messages are told from where the reader stands: what the described application receives, the
reader sends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from docstead.content.pages import CHANNEL, Operation

#: The keys of `Operation.definition` that only channels have.
NAME, SENT, RECEIVED = "x-channel", "x-sent", "x-received"
QUERY = "x-query"  # schemas by name: what the WebSocket binding wants in the address

_SIDES = {"receive": SENT, "publish": SENT, "send": RECEIVED, "subscribe": RECEIVED}
_REF_LIMIT = 20  # a longer chain of references is a circle


def channels(file: str, document: Mapping[str, Any]) -> Iterator[Operation]:
    """The channels of a file in their order."""
    found = _Document(document)
    for name, channel in _objects(document.get("channels")):
        yield found.channel(file, name, found.follow(channel))


class _Document:
    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def channel(self, file: str, name: str, channel: Mapping[str, Any]) -> Operation:
        messages = self._messages(name, channel)
        servers = self._servers(channel)
        definition = {
            "summary": channel.get("title") or channel.get("summary") or name,
            "description": channel.get("description"),
            "tags": [tag["name"] for tag in _list(channel.get("tags")) if tag.get("name")],
            "parameters": dict(self._parameters(channel)),
            NAME: name,
            QUERY: self._query(channel),
            **messages,
        }
        path = channel.get("address") if "address" in channel else name
        return Operation(
            spec=file,
            method=next((kind for kind, _, _ in servers if kind), "ws").upper(),
            path=str(path or name),
            definition=definition,
            servers=tuple(dict.fromkeys(address for _, address, _ in servers)),
            components=_mapping(self._document.get("components")),
            security=tuple({name: []} for _, _, names in servers for name in names),
            kind=CHANNEL,
        )

    def follow(self, value: Any) -> Mapping[str, Any]:
        """What a value, or the reference that it is, stands for; {} where that is nothing."""
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

    def _messages(self, name: str, channel: Mapping[str, Any]) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {SENT: [], RECEIVED: []}
        for action, operation in self._operations(name, channel):
            given = operation.get("messages") or operation.get("message")
            if given is None:
                given = list(_mapping(channel.get("messages")).values())
            for message in self._each(given):
                if message not in found[_SIDES[action]]:
                    found[_SIDES[action]].append(message)
        return found

    def _operations(
        self, name: str, channel: Mapping[str, Any]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for action in ("publish", "subscribe"):  # version 2
            if operation := self.follow(channel.get(action)):
                yield action, operation
        own = {f"#/channels/{name}", f"#/channels/{name.replace('~', '~0').replace('/', '~1')}"}
        for _, given in _objects(self._document.get("operations")):  # version 3
            operation = self.follow(given)
            action = str(operation.get("action"))
            if action in _SIDES and _mapping(operation.get("channel")).get("$ref") in own:
                yield action, operation

    def _each(self, given: Any) -> Iterator[Mapping[str, Any]]:
        if isinstance(given, list):
            for each in given:
                yield from self._each(each)
            return
        message = self.follow(given)
        if isinstance(message.get("oneOf"), list):
            yield from self._each(message["oneOf"])
        elif message:
            traits = [self.follow(each) for each in message.get("traits") or ()]
            whole = {key: value for trait in traits for key, value in trait.items()}
            whole |= {key: value for key, value in message.items() if key != "traits"}
            name = str(_mapping(given).get("$ref", "")).rpartition("/")[2]
            yield {**({"name": name} if name else {}), **whole}

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
        """Protocol, address and security schemes of each server of a channel."""
        known = _mapping(self._document.get("servers"))
        wanted = [
            each
            if isinstance(each, str)
            else str(_mapping(each).get("$ref", "")).rpartition("/")[2]
            for each in channel.get("servers") or ()
        ]
        found = ((name, self.follow(server)) for name, server in known.items())
        return [self._server(server) for name, server in found if not wanted or name in wanted]

    def _server(self, server: Mapping[str, Any]) -> tuple[str, str, list[str]]:
        protocol = str(server.get("protocol") or "")
        address = str(server.get("url") or f"{server.get('host', '')}{server.get('pathname', '')}")
        for name, given in _objects(server.get("variables")):
            variable = self.follow(given)
            address = address.replace(f"{{{name}}}", str(variable.get("default", "")))
        if protocol and "://" not in address:
            address = f"{protocol}://{address}"
        return protocol, address, list(self._security(server))

    def _security(self, server: Mapping[str, Any]) -> Iterator[str]:
        for way in _list(server.get("security")):
            ref = way.get("$ref")
            yield from [str(ref).rpartition("/")[2]] if ref else map(str, way)


def _objects(value: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, dict):
            yield str(key), item


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[dict[str, Any]]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]
