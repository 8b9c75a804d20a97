"""HTML of reference entries, including parameters, responses and examples of operations.

Fields look like manual ones (`ParamField`, `ResponseField`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from typing import Any

from docstead.content.config import ApiSettings
from docstead.content.reference_entries import (
    ComponentSchema,
    GraphqlOperation,
    GraphqlType,
    HttpOperation,
    LibrarySymbol,
    ManualOperation,
    MessageChannel,
    OpenApiOperation,
    ReferenceEntry,
    WebhookOperation,
)
from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.reference.asyncapi.view import channel_html, schema_html
from docstead.reference.common.endpoint import BRACES, endpoint_bar
from docstead.reference.common.fields import FieldRenderer
from docstead.reference.common.languages import SampleRequest, request_sample
from docstead.reference.common.playground import (
    Field,
    body_example,
    field,
    playground_button,
    value_hints,
)
from docstead.reference.common.samples import SampleFactory, as_text
from docstead.reference.common.schemas import SchemaResolver
from docstead.reference.common.security import (
    authorization,
    credential_fields,
    credentials,
    required_scopes,
    scheme_location,
    schemes_of,
)
from docstead.reference.common.shared import SharedProperties
from docstead.reference.common.text import (
    code,
    code_group,
    described_html,
    expandable,
    markdown,
    section,
    tabs,
)
from docstead.reference.graphql.view import graphql_html
from docstead.reference.openapi.definitions import example_of, media_types, schema_of
from docstead.reference.openapi.manual_fields import described
from docstead.reference.sdk.view import symbol_html


def reference_html(
    entry: ReferenceEntry,
    settings: ApiSettings | None = None,
    written: str = "",
    shared: SharedProperties | None = None,
    words: ContentTexts = ENGLISH,
) -> str:
    """Return HTML below a page's title and description; links and code are marked.

    `written` is the HTML of the author's text, `words` are the labels. Properties that are `shared`
    with other entries of the site, in these words, are marked as well.
    """
    settings = settings or ApiSettings()
    match entry:
        case ManualOperation():
            page = _OperationPage(described(entry, written), settings, words)
            return page.manual(written)
        case LibrarySymbol():
            return symbol_html(entry, words)
        case MessageChannel():
            html = channel_html(entry, settings, shared, words)
        case ComponentSchema():
            html = schema_html(entry, settings, shared, words)
        case GraphqlOperation() | GraphqlType():
            html = graphql_html(entry, words)
        case HttpOperation() | WebhookOperation():
            html = _OperationPage(entry, settings, words, shared).html(written)
    return described_html(entry.about) + html


def _has_example(written: str, kind: str) -> bool:
    return f'data-ds-example="{kind}"' in written


class _OperationPage:
    def __init__(
        self,
        operation: OpenApiOperation,
        settings: ApiSettings,
        words: ContentTexts,
        shared: SharedProperties | None = None,
    ) -> None:
        self._operation = operation
        self._words = words
        self._settings = settings
        self._definition = operation.definition
        self._schemas = SchemaResolver(operation)
        self._samples = SampleFactory(self._schemas, only_required=settings.only_required)
        self._fields = FieldRenderer(self._schemas, settings, shared, words)

    def html(self, written: str) -> str:
        parts = (
            self._endpoint_bar(),
            self._examples(written),
            self._security(),
            *self._all_parameters(),
            self._body(),
            self._callbacks(),
            self._responses(),
        )
        return f'<div class="ds-operation">{"".join(parts)}</div>'

    def manual(self, written: str) -> str:
        """Return HTML that precedes an author's own fields."""
        examples = "" if _has_example(written, "request") else self._examples(written)
        fields = self._definition.get("parameters") or ()  # those of the author
        own = {(str(each.get("name")).lower(), each.get("in")) for each in fields}
        unwritten = [
            scheme
            for scheme in self._schemes
            if (scheme_location(scheme)[0].lower(), scheme_location(scheme)[1]) not in own
        ]
        security = authorization(unwritten, self._words)
        return f'<div class="ds-operation">{self._endpoint_bar()}{examples}{security}</div>'

    def _endpoint_bar(self) -> str:
        operation, full, button = self._operation, self._settings.full_url, self._playground()
        return endpoint_bar(
            operation.method, operation.path, self._words, operation.servers, button, full=full
        )

    def _playground(self) -> str:
        operation = self._operation
        if isinstance(operation, WebhookOperation):
            return ""
        fields = [
            *credential_fields(self._schemes, required_scopes(operation)),
            *(self._input(parameter) for parameter in self._parameters),
        ]
        return playground_button(
            operation.method,
            operation.path,
            operation.servers,
            fields,
            list(self._editable_bodies()),
            label=self._words.try_it,
        )

    def _editable_bodies(self) -> Iterator[Field]:
        """Yield each example body with hints from the schema."""
        body = self._schemas.follow(self._definition.get("requestBody"))
        for kind, media in media_types(body):
            shape = self._schemas.open(media.get("schema") or {})
            hints = value_hints(shape, self._schemas)
            for title, value in self._samples.of_media(media, request=True):
                yield body_example(kind, as_text(value), title, hints)
                hints = {}  # hints of the first example apply to others of its kind

    def _input(self, parameter: Mapping[str, Any]) -> Field:
        shape = self._schemas.open(schema_of(parameter))
        example = self._prefilled(parameter, shape.schema)
        return field(
            str(parameter["name"]),
            str(parameter.get("in")),
            required=parameter.get("required") is True,
            kind=shape.types[0] if shape.types else "string",
            choices=[each for each in shape.enum if isinstance(each, str | int | float)],
            value=as_text(example) if example is not None else "",
            placeholder=str(parameter.get("placeholder") or example_of(parameter, shape.schema)),
        )

    def _prefilled(self, parameter: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
        """Return the initial value of a field: `x-default`, or an example with
        `api.examples.prefill`.
        """
        if (given := parameter.get("x-default", schema.get("x-default"))) is not None:
            return given if self._settings.prefill else None
        known = parameter.get("example", schema.get("example")) if self._settings.prefill else None
        return known if known is not None else schema.get("default")

    @cached_property
    def _parameters(self) -> list[Mapping[str, Any]]:
        """Return the parameters; the operation's own override those of its path."""
        found: dict[tuple[str, str], Mapping[str, Any]] = {}
        own = self._definition.get("parameters")
        for each in (*self._operation.parameters, *(own if isinstance(own, list) else ())):
            parameter = self._schemas.follow(each)
            hidden = parameter.get("x-hidden") is True or self._authenticates(parameter)
            if parameter.get("name") and not hidden:
                found[str(parameter.get("in")), str(parameter["name"])] = parameter
        return list(found.values())

    def _authenticates(self, parameter: Mapping[str, Any]) -> bool:
        """Report whether a parameter duplicates a credential; header names ignore case."""
        said = {(position, name.lower()) for name, position in map(scheme_location, self._schemes)}
        return (parameter.get("in"), str(parameter.get("name")).lower()) in said

    def _all_parameters(self) -> Iterator[str]:
        words = self._words
        yield section("path-parameters", words.path_parameters, self._parameters_in("path"))
        yield section("query-parameters", words.query_parameters, self._parameters_in("query"))
        yield section("headers", words.headers, self._parameters_in("header"))
        yield section("cookies", words.cookies, self._parameters_in("cookie"))

    def _parameters_in(self, position: str) -> str:
        return "".join(
            self._fields.parameter(parameter, self._schemas.open(schema_of(parameter)))
            for parameter in self._parameters
            if parameter.get("in") == position
        )

    @cached_property
    def _schemes(self) -> list[Mapping[str, Any]]:
        return schemes_of(self._operation, self._schemas)

    def _security(self) -> str:
        return authorization(self._schemes, self._words)

    def _body(self) -> str:
        body = self._schemas.follow(self._definition.get("requestBody"))
        panels = [
            (kind, self._content(media, "body", request=True)) for kind, media in media_types(body)
        ]
        described = markdown(body.get("description"))
        html, kind = described + _by_kind(panels), _only_kind(panels)
        return section("body", self._words.body, html, kind)

    def _callbacks(self) -> str:
        callbacks = self._definition.get("callbacks")
        html = "".join(
            expandable(escape(str(name)), self._callback(callback, str(name)))
            for name, callback in (callbacks.items() if isinstance(callbacks, Mapping) else ())
        )
        return section("callbacks", self._words.callbacks, html)

    def _callback(self, callback: Any, name: str) -> str:
        html = ""
        for url, item in self._schemas.follow(callback).items():
            for method, definition in item.items() if isinstance(item, Mapping) else ():
                if not isinstance(definition, Mapping):
                    continue
                body = self._schemas.follow(definition.get("requestBody"))
                html += (
                    f"<p><code>{escape(method.upper())} {escape(str(url))}</code></p>"
                    f"{markdown(definition.get('description'))}"
                )
                for _, media in media_types(body):
                    html += self._content(media, f"callback-{name}", request=True)
        return html

    def _responses(self) -> str:
        responses = self._definition.get("responses")
        found = responses if isinstance(responses, Mapping) else {}
        good = next((status for status in found if str(status).startswith("2")), None)
        panels = [
            (
                str(status),
                self._response(value, "response" if status == good else f"response-{status}"),
            )
            for status, value in found.items()
        ]
        if len(panels) == 1:
            status, html = panels[0]
            return section("response", self._words.response, html, status)
        return section("responses", self._words.responses, tabs(panels))

    def _response(self, value: Any, anchor: str) -> str:
        response = self._schemas.follow(value)
        panels = [
            (kind, self._content(media, anchor, request=False))
            for kind, media in media_types(response)
        ]
        kind = _only_kind(panels)
        shown = f'<p class="ds-content-type"><code>{escape(kind)}</code></p>' if kind else ""
        return markdown(response.get("description")) + shown + _by_kind(panels)

    def _content(self, media: Mapping[str, Any], anchor: str, *, request: bool) -> str:
        if "schema" not in media:
            return ""
        shape = self._schemas.open(media["schema"])
        return self._fields.content(shape, anchor, request=request)

    # Examples

    def _examples(self, written: str) -> str:
        """Return the samples that the author has not written."""
        words, groups = self._words, ""
        if not _has_example(written, "request"):
            groups = code_group(
                self._requests(),
                "request",
                words.request_example,
                are_alternatives=self._is_one_request(),
            )
        if not _has_example(written, "response"):
            groups += code_group(self._answers(), "response", words.response_example)
        return groups

    def _is_one_request(self) -> bool:
        """Whether the samples are the same request in different languages."""
        languages = [sample.get("lang") for sample in self._written_samples()]
        is_webhook = isinstance(self._operation, WebhookOperation)
        return not is_webhook and len(set(map(str, languages))) == len(languages)

    def _written_samples(self) -> list[Mapping[str, Any]]:
        written = self._definition.get("x-codeSamples") or self._definition.get("x-code-samples")
        samples = written if isinstance(written, list) else ()
        return [each for each in samples if isinstance(each, Mapping) and each.get("source")]

    def _requests(self) -> Iterator[str]:
        written = self._written_samples()
        for sample in written:
            language = str(sample.get("lang") or "text")
            title = str(sample.get("label") or language)
            yield code(str(sample["source"]).strip(), language.lower(), title)
        if written or not self._settings.autogenerate:
            return
        if isinstance(self._operation, WebhookOperation):
            for title, _, text in self._bodies():
                yield code(text, "json", title or self._words.payload)
        else:
            request = self._request()
            for name in self._settings.examples:
                if made := request_sample(name, request):
                    title, language, source = made
                    yield code(source, language, title)

    def _bodies(self) -> Iterator[tuple[str, str, str]]:
        body = self._schemas.follow(self._definition.get("requestBody"))
        for kind, media in media_types(body):
            for title, value in self._samples.of_media(media, request=True):
                yield title, kind, as_text(value)

    def _request(self) -> SampleRequest:
        server = next(iter(self._operation.servers), "https://api.example.com").rstrip("/")
        body = self._schemas.follow(self._definition.get("requestBody"))
        kind, media = next(iter(media_types(body)), ("", {}))
        values = [value for _, value in self._samples.of_media(media, request=True)]
        scheme_query, scheme_headers = credentials(self._schemes)
        return SampleRequest(
            self._operation.method,
            server + self._path(),
            query=[*self._values("query"), *scheme_query],
            headers=[*scheme_headers, *self._values("header")],
            body=(kind, values[0]) if values else None,
        )

    def _path(self) -> str:
        known = {
            str(parameter["name"]): str(parameter["example"])
            for parameter in self._parameters
            if parameter.get("in") == "path" and isinstance(parameter.get("example"), str | int)
        }
        return BRACES.sub(lambda m: known.get(m[1][1:-1], m[1]), self._operation.path)

    def _values(self, position: str) -> list[tuple[str, str]]:
        """Return the required parameters of a location, each with a valid value."""
        return [
            (str(parameter["name"]), self._example(parameter))
            for parameter in self._parameters
            if parameter.get("in") == position and parameter.get("required") is True
        ]

    def _example(self, parameter: Mapping[str, Any]) -> str:
        if "example" in parameter:
            return as_text(parameter["example"])
        shape = self._schemas.open(schema_of(parameter))
        value = self._samples.value(shape, request=True)
        return f"<{parameter['name']}>" if value in (None, "string") else as_text(value)

    def _answers(self) -> Iterator[str]:
        responses = self._definition.get("responses")
        for status, value in responses.items() if isinstance(responses, Mapping) else ():
            response = self._schemas.follow(value)
            for kind, media in list(media_types(response))[:1]:
                for title, sample in self._samples.of_media(media, request=False):
                    language = "json" if "json" in kind else "text"
                    name = f"{status} {title}".strip()
                    yield code(as_text(sample), language, name)


def _by_kind(panels: list[tuple[str, str]]) -> str:
    return panels[0][1] if len(panels) == 1 else tabs(panels)


def _only_kind(panels: list[tuple[str, str]]) -> str:
    return panels[0][0] if len(panels) == 1 else ""
