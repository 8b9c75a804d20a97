"""HTML of pages about AsyncAPI channels and schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from docstead.content.config import ApiSettings
from docstead.content.reference_entries import ComponentSchema, MessageChannel
from docstead.markup.content_words import ContentTexts
from docstead.reference.common.endpoint import endpoint_bar
from docstead.reference.common.fields import FieldRenderer
from docstead.reference.common.playground import Field, field, socket_button
from docstead.reference.common.samples import SampleFactory, as_text
from docstead.reference.common.schemas import SchemaResolver
from docstead.reference.common.security import authorization, credential_fields, schemes_of
from docstead.reference.common.shared import SharedProperties
from docstead.reference.common.text import code, code_group, expandable, markdown, section


def channel_html(
    channel: MessageChannel,
    settings: ApiSettings,
    shared: SharedProperties | None,
    words: ContentTexts,
) -> str:
    """Return HTML of the messages that a channel receives and sends."""
    page = _ChannelPage(channel, settings, shared, words)
    return f'<div class="ds-operation">{"".join(page.parts())}</div>'


def schema_html(
    entry: ComponentSchema,
    settings: ApiSettings,
    shared: SharedProperties | None,
    words: ContentTexts,
) -> str:
    """Return HTML of a shared schema's fields, with an example."""
    schemas = SchemaResolver(entry)
    shape = schemas.open(entry.definition)
    fields = FieldRenderer(schemas, settings, shared, words)
    value = SampleFactory(schemas).value(shape, request=False)
    example = code(as_text(value), "json", entry.name)
    about = fields.content(shape, "schema", request=False)
    aside = code_group([example], "response", words.example)
    properties = section("properties", words.properties, about)
    return f'<div class="ds-operation">{aside}{properties}</div>'


class _ChannelPage:
    def __init__(
        self,
        channel: MessageChannel,
        settings: ApiSettings,
        shared: SharedProperties | None,
        words: ContentTexts,
    ) -> None:
        self._channel = channel
        self._words = words
        self._schemas = SchemaResolver(channel)
        self._samples = SampleFactory(self._schemas)
        self._fields = FieldRenderer(self._schemas, settings, shared, words)
        self._schemes = schemes_of(channel, self._schemas)

    def parts(self) -> Iterator[str]:
        channel, words = self._channel, self._words
        sent, received = channel.sent, channel.received
        button = self._playground(sent)
        yield endpoint_bar(channel.method, channel.path, words, channel.servers, button)
        yield code_group(self._shown(sent), "request", words.messages_to_send)
        yield code_group(self._shown(received), "response", words.messages_to_receive)
        yield authorization(self._schemes, words)
        path = self._parameters("path", channel.parameters)
        yield section("path-parameters", words.path_parameters, path)
        query = self._parameters("query", channel.query)
        yield section("query-parameters", words.query_parameters, query)
        yield section("send", words.send, self._messages(sent, "send"))
        yield section("receive", words.receive, self._messages(received, "receive"))

    def _playground(self, sent: Sequence[Mapping[str, Any]]) -> str:
        channel = self._channel
        fields = credential_fields(self._schemes)
        for position, given in (("path", channel.parameters), ("query", channel.query)):
            fields += [self._input(name, position, schema) for name, schema in given.items()]
        messages = [{"kind": title, "text": text} for title, text in self._examples(sent)]
        return socket_button(
            channel.method,
            channel.path,
            channel.servers,
            fields,
            messages,
            label=self._words.connect,
        )

    def _input(self, name: str, position: str, given: Any) -> Field:
        shape = self._schemas.open(given)
        default = shape.schema.get("default")
        return field(
            name,
            position,
            required=position == "path",
            kind=shape.types[0] if shape.types else "string",
            choices=[each for each in shape.enum if isinstance(each, str | int | float)],
            value="" if default is None else as_text(default),
        )

    def _parameters(self, position: str, parameters: Mapping[str, Any]) -> str:
        return "".join(
            self._fields.parameter(
                {"name": name, "in": position, "required": position == "path"},
                self._schemas.open(schema),
            )
            for name, schema in parameters.items()
        )

    def _messages(self, messages: Sequence[Mapping[str, Any]], anchor: str) -> str:
        return "".join(self._message(each, anchor) for each in messages)

    def _message(self, message: Mapping[str, Any], anchor: str) -> str:
        title, part = self._title(message), _name(message) or "message"
        summary = markdown(message.get("description") or message.get("summary"))
        parts = [
            self._fields.content(self._schemas.open(schema), f"{anchor}-{part}", request=True)
            for schema in (message.get("headers"), _payload(message))
            if schema
        ]
        return expandable(escape(title), summary + "".join(parts), is_open=True)

    def _shown(self, messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        for title, text in self._examples(messages):
            yield code(text, "json", title)

    def _examples(self, messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """Yield title and text of an example of each message."""
        for message in messages:
            written = message.get("examples")
            given = [each for each in written or () if isinstance(each, Mapping)]
            if values := [each["payload"] for each in given if "payload" in each]:
                value = values[0]
            else:
                shape = self._schemas.open(_payload(message))
                value = self._samples.value(shape, request=True)
            yield self._title(message), as_text(value)

    def _title(self, message: Mapping[str, Any]) -> str:
        return _name(message) or self._words.message


def _payload(message: Mapping[str, Any]) -> Any:
    """Return the schema of a payload, without its format."""
    payload = message.get("payload")
    is_wrapped = isinstance(payload, Mapping) and isinstance(payload.get("schema"), Mapping)
    return payload["schema"] if isinstance(payload, Mapping) and is_wrapped else payload


def _name(message: Mapping[str, Any]) -> str:
    return str(message.get("title") or message.get("name") or "")
