"""The body of a page about a root field or a type of a GraphQL schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from docstead.content.pages import Operation
from docstead.markup.content_words import ContentWords
from docstead.markup.rendered import LINK_MARK
from docstead.reference.common.address import address_bar
from docstead.reference.common.text import (
    code,
    code_group,
    expandable,
    field_box,
    markdown,
    pill,
    section,
)
from docstead.reference.graphql.spec import (
    ARGUMENTS,
    EXAMPLES,
    FIELDS,
    IMPLEMENTS,
    KIND,
    LINKS,
    MORE,
    POSSIBLE,
    RETURNS,
    VALUES,
)


def graphql_html(operation: Operation, words: ContentWords) -> str:
    """Return HTML of an operation or a type of a GraphQL schema, with examples."""
    page = _SchemaPage(operation, words)
    return f'<div class="ds-operation">{"".join(page.parts())}</div>'


class _SchemaPage:
    def __init__(self, operation: Operation, words: ContentWords) -> None:
        self._operation = operation
        self._words = words
        self._definition = operation.definition
        self._links: Mapping[str, str] = operation.definition.get(LINKS, {})

    def parts(self) -> Iterator[str]:
        definition, returns, words = self._definition, self._definition[RETURNS], self._words
        yield address_bar(self._operation, words) if returns else self._kind()
        yield code_group(self._examples("request"), "request", words.request_example)
        yield code_group(self._examples("response"), "response", words.response_example)
        if returns:
            yield self._reason(returns)
            arguments = self._fields(definition[ARGUMENTS], "argument", given=True)
            yield section("arguments", words.arguments, arguments)
            answered = self._answered(returns) + self._fields(definition[FIELDS], "field")
            yield section("returns", words.returns, answered + self._others(returns))
            return
        is_input = definition[KIND] == "input"
        fields = self._fields(definition[FIELDS], "field", given=is_input)
        yield section("fields", words.fields, fields)
        yield section("values", words.values, self._fields(definition[VALUES], "value"))
        yield section("implements", words.implements, self._list(definition[IMPLEMENTS]))
        yield section("possible-types", words.possible_types, self._list(definition[POSSIBLE]))

    def _kind(self) -> str:
        kind = self._definition[KIND]
        return f'<div class="ds-field-head">{pill("type", escape(kind))}</div>'

    def _examples(self, kind: str) -> Iterator[str]:
        for of, title, language, text in self._definition[EXAMPLES]:
            if of == kind:
                yield code(text, language, self._title(of, title, language))

    def _title(self, of: str, title: str, language: str) -> str:
        """An operation is called as the language of schemas does: Query, Mutation."""
        if of == "response":
            return self._words.response
        return self._words.variables if language == "json" else title

    def _answered(self, returns: Mapping[str, Any]) -> str:
        head = f'<div class="ds-field-head">{pill("type", self._type(returns))}</div>'
        return f'<div class="ds-field field">{head}</div>'

    def _others(self, returns: Mapping[str, Any]) -> str:
        more = self._definition[MORE]
        if not more:
            return ""
        counted = self._words.more.format(count=f"{more:,}")
        return f"<p>{counted}{self._words.colon}{self._link(returns['named'])}</p>"

    def _fields(
        self, fields: Iterable[Mapping[str, Any]], parent: str, *, given: bool = False
    ) -> str:
        """Return HTML of fields; `given` marks arguments, which show whether they are required."""
        return "".join(
            self._field(each, f"{parent}-{each['name']}", given=given) for each in fields
        )

    def _field(self, field: Mapping[str, Any], anchor: str, *, given: bool) -> str:
        body = markdown(field["description"]) + self._reason(field)
        if arguments := self._fields(field.get("arguments", ()), anchor, given=True):
            body += expandable(self._words.arguments, arguments)
        return field_box(field["name"], anchor, "".join(self._pills(field, given=given)), body)

    def _pills(self, field: Mapping[str, Any], *, given: bool) -> Iterator[str]:
        words = self._words
        if "type" in field:  # which the values of an enum have not
            yield pill("type", self._type(field))
            if field["default"] is not None:
                preset = f"<code>{escape(field['default'])}</code>"
                yield pill("default", f"{words.default}{words.colon}{preset}")
            elif given and field["type"].endswith("!"):
                yield pill("required", words.required)
        if field["deprecated"] is not None:
            yield pill("deprecated", words.deprecated)

    def _type(self, field: Mapping[str, Any]) -> str:
        before, named, after = escape(field["type"]).partition(field["named"])
        return f"{before}{self._link(named)}{after}"

    def _link(self, name: str) -> str:
        path = self._links.get(name)
        shown = escape(name)
        return f'<a href="{LINK_MARK}{escape(path)}">{shown}</a>' if path else shown

    def _list(self, names: Iterable[str]) -> str:
        items = "".join(f"<li>{self._link(name)}</li>" for name in names)
        return f"<ul>{items}</ul>" if items else ""

    def _reason(self, field: Mapping[str, Any]) -> str:
        if not (reason := field["deprecated"]):
            return ""
        said, colon = self._words.deprecated, self._words.colon.rstrip()
        return markdown(f"**{said[0].upper()}{said[1:]}{colon}** {reason}")
