"""The body of a page about one OpenAPI operation: what it takes, what it answers, an example.

Fields look like those that authors write by hand (`ParamField`, `ResponseField`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from typing import Any

from docstead.content.config import ApiSettings
from docstead.content.pages import Operation
from docstead.site.api_fields import Fields
from docstead.site.api_languages import Request, request_sample
from docstead.site.api_playground import Field, field, playground_button
from docstead.site.api_samples import Samples, as_text
from docstead.site.api_schemas import Schemas
from docstead.site.api_text import code, code_group, markdown, pill, tabs

_PLACES = {
    "path": "Path parameters",
    "query": "Query parameters",
    "header": "Headers",
    "cookie": "Cookies",
}
_BRACES = re.compile(r"(\{[^{}]+\})")
_WEBHOOK = "WEBHOOK"


def operation_html(operation: Operation, settings: ApiSettings | None = None) -> str:
    """Everything below a page's title and description, links of the site still marked."""
    return _OperationPage(operation, settings or ApiSettings()).html()


class _OperationPage:
    def __init__(self, operation: Operation, settings: ApiSettings) -> None:
        self._operation = operation
        self._settings = settings
        self._definition = operation.definition
        self._schemas = Schemas(operation)
        self._samples = Samples(self._schemas, only_required=settings.only_required)
        self._fields = Fields(self._schemas, expanded=settings.expanded, pills=settings.pills)

    def html(self) -> str:
        parts = (
            self._address(),
            self._examples(),
            self._security(),
            *(self._parameters_in(place, title) for place, title in _PLACES.items()),
            self._body(),
            self._callbacks(),
            self._responses(),
        )
        return f'<div class="ds-operation">{"".join(parts)}</div>'

    def _address(self) -> str:
        method = self._operation.method
        path = "".join(
            f"<span>{escape(part)}</span>" if part.startswith("{") else escape(part)
            for part in _BRACES.split(self._operation.path)
        )
        servers = self._operation.servers
        base = escape(servers[0].rstrip("/")) if self._settings.full_url and servers else ""
        shown = "".join(f"<li><code>{escape(server)}</code></li>" for server in servers)
        title = "Servers" if len(servers) > 1 else "Server"
        about = f'<div class="ds-servers"><span>{title}</span><ul>{shown}</ul></div>'
        return (
            f'<div class="ds-address" data-method="{escape(method)}">'
            f'<span class="ds-method" data-method="{escape(method)}">{escape(method)}</span>'
            f'<code class="ds-address-path">{base}{path}</code>{self._playground()}</div>'
            f"{about if servers else ''}"
        )

    def _playground(self) -> str:
        operation = self._operation
        if operation.method == _WEBHOOK:
            return ""
        fields = [
            *(_credential(scheme) for scheme in self._schemes),
            *(self._input(parameter) for parameter in self._parameters),
        ]
        bodies = {kind: text for _, kind, text in reversed(list(self._bodies()))}
        found = [{"kind": kind, "text": text} for kind, text in reversed(bodies.items())]
        return playground_button(operation.method, operation.path, operation.servers, fields, found)

    def _input(self, parameter: Mapping[str, Any]) -> Field:
        shape = self._schemas.open(_schema_of(parameter))
        example = self._prefilled(parameter, shape.schema)
        return field(
            str(parameter["name"]),
            str(parameter.get("in")),
            required=parameter.get("required") is True,
            kind=shape.types[0] if shape.types else "string",
            choices=[each for each in shape.enum if isinstance(each, str | int | float)],
            value=as_text(example) if example is not None else "",
        )

    def _prefilled(self, parameter: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
        """What the field begins with: `x-default`, with `api.examples.prefill` an example too."""
        if (given := parameter.get("x-default", schema.get("x-default"))) is not None:
            return given if self._settings.prefill else None
        known = parameter.get("example", schema.get("example")) if self._settings.prefill else None
        return known if known is not None else schema.get("default")

    @cached_property
    def _parameters(self) -> list[Mapping[str, Any]]:
        """The operation's own parameters win over those of its path."""
        found: dict[tuple[str, str], Mapping[str, Any]] = {}
        own = self._definition.get("parameters")
        for each in (*self._operation.parameters, *(own if isinstance(own, list) else ())):
            parameter = self._schemas.follow(each)
            hidden = parameter.get("x-hidden") is True or self._authenticates(parameter)
            if parameter.get("name") and not hidden:
                found[str(parameter.get("in")), str(parameter["name"])] = parameter
        return list(found.values())

    def _authenticates(self, parameter: Mapping[str, Any]) -> bool:
        """Whether a way to authenticate says the same; headers know no upper case."""
        said = {(place, name.lower()) for name, place, _ in map(_scheme_words, self._schemes)}
        return (parameter.get("in"), str(parameter.get("name")).lower()) in said

    def _parameters_in(self, place: str, title: str) -> str:
        fields = "".join(
            self._fields.parameter(parameter, self._schemas.open(_schema_of(parameter)))
            for parameter in self._parameters
            if parameter.get("in") == place
        )
        return _section(title, fields)

    @cached_property
    def _schemes(self) -> list[Mapping[str, Any]]:
        """The security schemes of every way to authenticate, each once."""
        known = self._operation.components.get("securitySchemes")
        schemes = known if isinstance(known, Mapping) else {}
        names = dict.fromkeys(name for way in self._operation.security for name in way)
        return [self._schemas.follow(schemes[name]) for name in names if name in schemes]

    def _security(self) -> str:
        return _section("Authorization", "".join(map(_scheme_html, self._schemes)))

    def _body(self) -> str:
        body = self._schemas.follow(self._definition.get("requestBody"))
        panels = [
            (kind, self._content(media, "body", request=True)) for kind, media in _contents(body)
        ]
        described = markdown(body.get("description"))
        return _section("Body", described + _by_kind(panels), _only_kind(panels))

    def _callbacks(self) -> str:
        callbacks = self._definition.get("callbacks")
        html = "".join(
            f'<details class="ds-expandable expandable"><summary class="ds-expandable-summary">'
            f"{escape(str(name))}</summary>"
            f'<div class="ds-expandable-body">{self._callback(callback, str(name))}</div></details>'
            for name, callback in (callbacks.items() if isinstance(callbacks, Mapping) else ())
        )
        return _section("Callbacks", html)

    def _callback(self, callback: Any, name: str) -> str:
        html = ""
        for address, item in self._schemas.follow(callback).items():
            for method, definition in item.items() if isinstance(item, Mapping) else ():
                if not isinstance(definition, Mapping):
                    continue
                body = self._schemas.follow(definition.get("requestBody"))
                html += (
                    f"<p><code>{escape(method.upper())} {escape(str(address))}</code></p>"
                    f"{markdown(definition.get('description'))}"
                )
                for _, media in _contents(body):
                    html += self._content(media, f"callback-{name}", request=True)
        return html

    def _responses(self) -> str:
        responses = self._definition.get("responses")
        found = responses.items() if isinstance(responses, Mapping) else ()
        panels = [(str(status), self._response(str(status), value)) for status, value in found]
        if len(panels) == 1:
            status, html = panels[0]
            return _section("Response", html, status)
        return _section("Responses", tabs(panels))

    def _response(self, status: str, value: Any) -> str:
        response = self._schemas.follow(value)
        panels = [
            (kind, self._content(media, f"response-{status}", request=False))
            for kind, media in _contents(response)
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

    def _examples(self) -> str:
        return code_group(self._requests(), "request", "Request example") + code_group(
            self._answers(), "response", "Response example"
        )

    def _requests(self) -> Iterator[str]:
        written = self._definition.get("x-codeSamples") or self._definition.get("x-code-samples")
        for sample in written if isinstance(written, list) else ():
            if isinstance(sample, Mapping) and sample.get("source"):
                language = str(sample.get("lang") or "text")
                title = str(sample.get("label") or language)
                yield code(str(sample["source"]).strip(), language.lower(), title)
        if written or not self._settings.autogenerate:
            return
        if self._operation.method == _WEBHOOK:
            for title, _, text in self._bodies():
                yield code(text, "json", title or "Payload")
        else:
            request = self._request()
            for name in self._settings.examples:
                if made := request_sample(name, request):
                    title, language, source = made
                    yield code(source, language, title)

    def _bodies(self) -> Iterator[tuple[str, str, str]]:
        body = self._schemas.follow(self._definition.get("requestBody"))
        for kind, media in _contents(body):
            for title, value in self._samples.of_media(media, request=True):
                yield title, kind, as_text(value)

    def _request(self) -> Request:
        server = next(iter(self._operation.servers), "https://api.example.com").rstrip("/")
        body = self._schemas.follow(self._definition.get("requestBody"))
        kind, media = next(iter(_contents(body)), ("", {}))
        values = [value for _, value in self._samples.of_media(media, request=True)]
        scheme_query, scheme_headers = _credentials(self._schemes)
        return Request(
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
        return _BRACES.sub(lambda m: known.get(m[1][1:-1], m[1]), self._operation.path)

    def _values(self, place: str) -> list[tuple[str, str]]:
        """The required parameters of a place, each with a value that fits."""
        return [
            (str(parameter["name"]), self._example(parameter))
            for parameter in self._parameters
            if parameter.get("in") == place and parameter.get("required") is True
        ]

    def _example(self, parameter: Mapping[str, Any]) -> str:
        if "example" in parameter:
            return as_text(parameter["example"])
        shape = self._schemas.open(_schema_of(parameter))
        value = self._samples.value(shape, request=True)
        return f"<{parameter['name']}>" if value in (None, "string") else as_text(value)

    def _answers(self) -> Iterator[str]:
        responses = self._definition.get("responses")
        for status, value in responses.items() if isinstance(responses, Mapping) else ():
            response = self._schemas.follow(value)
            for kind, media in list(_contents(response))[:1]:
                for title, sample in self._samples.of_media(media, request=False):
                    language = "json" if "json" in kind else "text"
                    name = f"{status} {title}".strip()
                    yield code(as_text(sample), language, name)


def _schema_of(parameter: Mapping[str, Any]) -> Any:
    if "schema" in parameter:
        return parameter["schema"]
    return next((media.get("schema") for _, media in _contents(parameter)), {})


def _contents(value: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Content types and what is said of each."""
    content = value.get("content")
    for kind, media in content.items() if isinstance(content, Mapping) else ():
        if isinstance(media, Mapping):
            yield str(kind), media


def _by_kind(panels: list[tuple[str, str]]) -> str:
    return panels[0][1] if len(panels) == 1 else tabs(panels)


def _only_kind(panels: list[tuple[str, str]]) -> str:
    return panels[0][0] if len(panels) == 1 else ""


def _section(title: str, html: str, note: str = "") -> str:
    if not html and not note:
        return ""
    anchor = title.lower().replace(" ", "-")
    shown = f'<code class="ds-section-note">{escape(note)}</code>' if note else ""
    head = f'<div class="ds-section-head"><h2 id="{anchor}">{title}</h2>{shown}</div>'
    return f"<section>{head}{html}</section>"


def _scheme_html(scheme: Mapping[str, Any]) -> str:
    name, place, about = _scheme_words(scheme)
    body = markdown(scheme.get("description")) or markdown(about)
    return (
        f'<div class="ds-field field"><div class="ds-field-head"><span class="ds-field-name">'
        f"<code>{escape(name)}</code></span>{pill('type', 'string')}{pill('place', escape(place))}"
        f'{pill("required", "required")}</div><div class="ds-field-body">{body}</div></div>'
    )


def _scheme_words(scheme: Mapping[str, Any]) -> tuple[str, str, str]:
    """Name, place and explanation of a way to authenticate."""
    kind = str(scheme.get("type", "")).lower()
    if kind == "apikey":
        return str(scheme.get("name", "key")), str(scheme.get("in", "header")), "Your API key."
    if str(scheme.get("scheme", "")).lower() == "basic":
        about = "`Basic` and the Base64 of `username:password`."
        return "Authorization", "header", about
    return "Authorization", "header", "`Bearer <token>`, where `<token>` is your access token."


def _credential(scheme: Mapping[str, Any]) -> Field:
    name, place, _ = _scheme_words(scheme)
    is_key = str(scheme.get("type", "")).lower() == "apikey"
    is_basic = str(scheme.get("scheme", "")).lower() == "basic"
    kind = "key" if is_key else "basic" if is_basic else "bearer"
    return field(name, place, required=True, scheme=kind)


def _credentials(
    schemes: list[Mapping[str, Any]],
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Query parameters and headers that authenticate, by the first scheme."""
    if not schemes:
        return [], []
    scheme = schemes[0]
    name, place, _ = _scheme_words(scheme)
    if place == "query":
        return [(name, "<api-key>")], []
    if place == "cookie":
        return [], [("Cookie", f"{name}=<api-key>")]
    if str(scheme.get("type", "")).lower() == "apikey":
        return [], [(name, "<api-key>")]
    basic = str(scheme.get("scheme", "")).lower() == "basic"
    return [], [(name, "Basic <credentials>" if basic else "Bearer <token>")]
