"""Body of a page about a root field or a type of a GraphQL schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from docstead.content.reference_entries import (
    GraphqlEntry,
    GraphqlEnumValue,
    GraphqlField,
    GraphqlOperation,
    GraphqlType,
)
from docstead.markup.content_words import ContentTexts
from docstead.markup.rendered import LINK_MARK
from docstead.reference.common.endpoint import endpoint_bar
from docstead.reference.common.text import (
    code,
    code_group,
    expandable,
    field_box,
    markdown,
    pill,
    section,
)


def graphql_html(entry: GraphqlEntry, words: ContentTexts) -> str:
    """Return HTML of an operation or a type of a GraphQL schema, with examples."""
    page = _SchemaPage(entry, words)
    match entry:
        case GraphqlOperation():
            parts = page.operation(entry)
        case GraphqlType():
            parts = page.type(entry)
    return f'<div class="ds-operation">{"".join(parts)}</div>'


class _SchemaPage:
    def __init__(self, entry: GraphqlEntry, words: ContentTexts) -> None:
        self._entry = entry
        self._words = words

    def operation(self, entry: GraphqlOperation) -> Iterator[str]:
        words, root = self._words, entry.root
        yield endpoint_bar(entry.method, entry.path, words)
        yield from self._example_groups()
        yield self._reason(root)
        yield section("arguments", words.arguments, self._fields(root.arguments, "argument"))
        answered = self._answered(root) + self._fields(entry.fields, "field", given=False)
        yield section("returns", words.returns, answered + self._others(entry))

    def type(self, entry: GraphqlType) -> Iterator[str]:
        words = self._words
        yield f'<div class="ds-field-head">{pill("type", escape(entry.kind))}</div>'
        yield from self._example_groups()
        fields = self._fields(entry.fields, "field", given=entry.kind == "input")
        yield section("fields", words.fields, fields)
        yield section("values", words.values, "".join(map(self._value, entry.values)))
        yield section("implements", words.implements, self._list(entry.implements))
        yield section("possible-types", words.possible_types, self._list(entry.possible))

    def _example_groups(self) -> Iterator[str]:
        words = self._words
        yield code_group(self._examples("request"), "request", words.request_example)
        yield code_group(self._examples("response"), "response", words.response_example)

    def _examples(self, kind: str) -> Iterator[str]:
        for each in self._entry.examples:
            if each.kind == kind:
                yield code(each.text, each.language, self._title(kind, each.title, each.language))

    def _title(self, of: str, title: str, language: str) -> str:
        """Return the title of an example: Query or Mutation, "Variables" or "Response"."""
        if of == "response":
            return self._words.response
        return self._words.variables if language == "json" else title

    def _answered(self, returned: GraphqlField) -> str:
        head = f'<div class="ds-field-head">{pill("type", self._type(returned))}</div>'
        return f'<div class="ds-field field">{head}</div>'

    def _others(self, entry: GraphqlOperation) -> str:
        if not entry.more:
            return ""
        counted = self._words.more.format(count=f"{entry.more:,}")
        return f"<p>{counted}{self._words.colon}{self._link(entry.root.named)}</p>"

    def _fields(self, fields: Iterable[GraphqlField], parent: str, *, given: bool = True) -> str:
        """Return HTML of fields; `given` marks arguments, which show whether they are required."""
        return "".join(self._field(each, f"{parent}-{each.name}", given=given) for each in fields)

    def _field(self, field: GraphqlField, anchor: str, *, given: bool) -> str:
        body = markdown(field.description) + self._reason(field)
        if arguments := self._fields(field.arguments, anchor):
            body += expandable(self._words.arguments, arguments)
        return field_box(field.name, anchor, "".join(self._pills(field, given=given)), body)

    def _value(self, value: GraphqlEnumValue) -> str:
        body = markdown(value.description) + self._reason(value)
        return field_box(value.name, f"value-{value.name}", self._deprecated(value), body)

    def _pills(self, field: GraphqlField, *, given: bool) -> Iterator[str]:
        words = self._words
        yield pill("type", self._type(field))
        if field.default is not None:
            preset = f"<code>{escape(field.default)}</code>"
            yield pill("default", f"{words.default}{words.colon}{preset}")
        elif given and field.type.endswith("!"):
            yield pill("required", words.required)
        yield self._deprecated(field)

    def _deprecated(self, field: GraphqlField | GraphqlEnumValue) -> str:
        return "" if field.deprecated is None else pill("deprecated", self._words.deprecated)

    def _type(self, field: GraphqlField) -> str:
        before, named, after = escape(field.type).partition(field.named)
        return f"{before}{self._link(named)}{after}"

    def _link(self, name: str) -> str:
        path = self._entry.links.get(name)
        shown = escape(name)
        return f'<a href="{LINK_MARK}{escape(path)}">{shown}</a>' if path else shown

    def _list(self, names: Iterable[str]) -> str:
        items = "".join(f"<li>{self._link(name)}</li>" for name in names)
        return f"<ul>{items}</ul>" if items else ""

    def _reason(self, field: GraphqlField | GraphqlEnumValue) -> str:
        if not (reason := field.deprecated):
            return ""
        said, colon = self._words.deprecated, self._words.colon.rstrip()
        return markdown(f"**{said[0].upper()}{said[1:]}{colon}** {reason}")
