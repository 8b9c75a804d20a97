"""The body of a page about a root field or a type of a GraphQL schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from docstead.content.graphql import (
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
from docstead.content.pages import Operation
from docstead.site.api_address import address_bar
from docstead.site.api_text import code, code_group, field_box, markdown, pill, section
from docstead.site.rendered import LINK_MARK


def graphql_html(operation: Operation) -> str:
    """What is asked for and answered, or what a type holds, with examples."""
    page = _SchemaPage(operation)
    return f'<div class="ds-operation">{"".join(page.parts())}</div>'


class _SchemaPage:
    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self._definition = operation.definition
        self._links: Mapping[str, str] = operation.definition.get(LINKS, {})

    def parts(self) -> Iterator[str]:
        definition, returns = self._definition, self._definition[RETURNS]
        yield address_bar(self._operation) if returns else self._kind()
        yield code_group(self._examples("request"), "request", "Request example")
        yield code_group(self._examples("response"), "response", "Response example")
        if returns:
            yield _reason(returns)
            arguments = self._fields(definition[ARGUMENTS], "argument", given=True)
            yield section("Arguments", arguments)
            answered = self._answered(returns) + self._fields(definition[FIELDS], "field")
            yield section("Returns", answered + self._others(returns))
            return
        is_input = definition[KIND] == "input"
        yield section("Fields", self._fields(definition[FIELDS], "field", given=is_input))
        yield section("Values", self._fields(definition[VALUES], "value"))
        yield section("Implements", self._list(definition[IMPLEMENTS]))
        yield section("Possible types", self._list(definition[POSSIBLE]))

    def _kind(self) -> str:
        kind = self._definition[KIND]
        return f'<div class="ds-field-head">{pill("type", escape(kind))}</div>'

    def _examples(self, kind: str) -> Iterator[str]:
        for of, title, language, text in self._definition[EXAMPLES]:
            if of == kind:
                yield code(text, language, title)

    def _answered(self, returns: Mapping[str, Any]) -> str:
        head = f'<div class="ds-field-head">{pill("type", self._type(returns))}</div>'
        return f'<div class="ds-field field">{head}</div>'

    def _others(self, returns: Mapping[str, Any]) -> str:
        more = self._definition[MORE]
        return f"<p>{more:,} more: {self._link(returns['named'])}</p>" if more else ""

    def _fields(
        self, fields: Iterable[Mapping[str, Any]], parent: str, *, given: bool = False
    ) -> str:
        """Those that are `given` by readers say whether they have to be."""
        return "".join(
            self._field(each, f"{parent}-{each['name']}", given=given) for each in fields
        )

    def _field(self, field: Mapping[str, Any], anchor: str, *, given: bool) -> str:
        body = markdown(field["description"]) + _reason(field)
        if arguments := self._fields(field.get("arguments", ()), anchor, given=True):
            body += (
                '<details class="ds-expandable expandable">'
                '<summary class="ds-expandable-summary">Arguments</summary>'
                f'<div class="ds-expandable-body">{arguments}</div></details>'
            )
        return field_box(field["name"], anchor, "".join(self._pills(field, given=given)), body)

    def _pills(self, field: Mapping[str, Any], *, given: bool) -> Iterator[str]:
        if "type" in field:  # which the values of an enum have not
            yield pill("type", self._type(field))
            if field["default"] is not None:
                yield pill("default", f"default: <code>{escape(field['default'])}</code>")
            elif given and field["type"].endswith("!"):
                yield pill("required", "required")
        if field["deprecated"] is not None:
            yield pill("deprecated", "deprecated")

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


def _reason(field: Mapping[str, Any]) -> str:
    reason = field["deprecated"]
    return markdown(f"**Deprecated:** {reason}") if reason else ""
