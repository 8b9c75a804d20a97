"""The body of a page about an AsyncAPI channel, and of one about a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from docstead.content.asyncapi import QUERY, RECEIVED, SENT
from docstead.content.config import ApiSettings
from docstead.content.pages import Operation
from docstead.site.api_address import address_bar
from docstead.site.api_fields import Fields
from docstead.site.api_playground import Field, field, socket_button
from docstead.site.api_samples import Samples, as_text
from docstead.site.api_schemas import Schemas
from docstead.site.api_security import credential, scheme_html, schemes_of
from docstead.site.api_shared import SharedProperties
from docstead.site.api_text import code, code_group, markdown, section


def channel_html(
    operation: Operation, settings: ApiSettings, shared: SharedProperties | None
) -> str:
    """What a reader can send to a channel, and what comes from it."""
    page = _ChannelPage(operation, settings, shared)
    return f'<div class="ds-operation">{"".join(page.parts())}</div>'


def schema_html(
    operation: Operation, settings: ApiSettings, shared: SharedProperties | None
) -> str:
    """The fields of a shared schema, with an example."""
    schemas = Schemas(operation)
    shape = schemas.open(operation.definition)
    fields = Fields(schemas, settings, shared)
    value = Samples(schemas).value(shape, request=False)
    example = code(as_text(value), "json", operation.path)
    about = fields.content(shape, "schema", request=False)
    aside = code_group([example], "response", "Example")
    return f'<div class="ds-operation">{aside}{section("Properties", about)}</div>'


class _ChannelPage:
    def __init__(
        self, operation: Operation, settings: ApiSettings, shared: SharedProperties | None
    ) -> None:
        self._operation = operation
        self._schemas = Schemas(operation)
        self._samples = Samples(self._schemas)
        self._fields = Fields(self._schemas, settings, shared)
        self._schemes = schemes_of(operation, self._schemas)

    def parts(self) -> Iterator[str]:
        definition = self._operation.definition
        sent, received = definition[SENT], definition[RECEIVED]
        yield address_bar(self._operation, self._playground(sent))
        yield code_group(self._shown(sent), "request", "Messages to send")
        yield code_group(self._shown(received), "response", "Messages to receive")
        yield section("Authorization", "".join(map(scheme_html, self._schemes)))
        yield section("Path parameters", self._parameters("path", definition["parameters"]))
        yield section("Query parameters", self._parameters("query", definition[QUERY]))
        yield section("Send", "".join(self._message(each, "send") for each in sent))
        yield section("Receive", "".join(self._message(each, "receive") for each in received))

    def _playground(self, sent: list[Mapping[str, Any]]) -> str:
        operation, definition = self._operation, self._operation.definition
        fields = [credential(scheme) for scheme in self._schemes]
        for place, given in (("path", definition["parameters"]), ("query", definition[QUERY])):
            fields += [self._input(name, place, schema) for name, schema in given.items()]
        messages = [{"kind": title, "text": text} for title, text in self._examples(sent)]
        return socket_button(operation.method, operation.path, operation.servers, fields, messages)

    def _input(self, name: str, place: str, given: Any) -> Field:
        shape = self._schemas.open(given)
        default = shape.schema.get("default")
        return field(
            name,
            place,
            required=place == "path",
            kind=shape.types[0] if shape.types else "string",
            choices=[each for each in shape.enum if isinstance(each, str | int | float)],
            value="" if default is None else as_text(default),
        )

    def _parameters(self, place: str, parameters: Mapping[str, Any]) -> str:
        return "".join(
            self._fields.parameter(
                {"name": name, "in": place, "required": place == "path"},
                self._schemas.open(schema),
            )
            for name, schema in parameters.items()
        )

    def _message(self, message: Mapping[str, Any], anchor: str) -> str:
        title = _title(message)
        summary = markdown(message.get("description") or message.get("summary"))
        parts = [
            self._fields.content(self._schemas.open(schema), f"{anchor}-{title}", request=True)
            for schema in (message.get("headers"), _payload(message))
            if schema
        ]
        return (
            '<details class="ds-expandable expandable" open><summary class="ds-expandable-summary">'
            f'{escape(title)}</summary><div class="ds-expandable-body">{summary}'
            f"{''.join(parts)}</div></details>"
        )

    def _shown(self, messages: list[Mapping[str, Any]]) -> Iterator[str]:
        for title, text in self._examples(messages):
            yield code(text, "json", title)

    def _examples(self, messages: list[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """Title and text of an example of each message."""
        for message in messages:
            written = message.get("examples")
            given = [each for each in written or () if isinstance(each, Mapping)]
            if values := [each["payload"] for each in given if "payload" in each]:
                value = values[0]
            else:
                shape = self._schemas.open(_payload(message))
                value = self._samples.value(shape, request=True)
            yield _title(message), as_text(value)


def _payload(message: Mapping[str, Any]) -> Any:
    """A payload may say of which kind its schema is."""
    payload = message.get("payload")
    is_wrapped = isinstance(payload, Mapping) and isinstance(payload.get("schema"), Mapping)
    return payload["schema"] if isinstance(payload, Mapping) and is_wrapped else payload


def _title(message: Mapping[str, Any]) -> str:
    return str(message.get("title") or message.get("name") or "Message")
