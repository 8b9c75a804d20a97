"""Request samples in programming languages, with their common HTTP libraries."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from docstead.content.sample_languages import SAMPLE_ALIASES
from docstead.reference.common.samples import as_text, curl


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """A request; `body` is a content type and a value."""

    method: str
    endpoint: str
    query: Sequence[tuple[str, str]] = ()
    headers: Sequence[tuple[str, str]] = ()
    body: tuple[str, Any] | None = None

    @property
    def url(self) -> str:
        pairs = "&".join(f"{quote(k)}={quote(v, safe='<>')}" for k, v in self.query)
        return f"{self.endpoint}?{pairs}" if pairs else self.endpoint

    @property
    def all_headers(self) -> list[tuple[str, str]]:
        kind = [("Content-Type", self.body[0])] if self.body and self.body[0] else []
        return [*self.headers, *kind]

    @property
    def text(self) -> str | None:
        """Body as sent."""
        return as_text(self.body[1]) if self.body else None


def request_sample(language: str, request: SampleRequest) -> tuple[str, str, str] | None:
    """Return title, highlighting language and code, or None for an unknown language."""
    name = language.strip().lower()
    found = _WRITERS.get(SAMPLE_ALIASES.get(name, name))
    return (found[0], found[1], found[2](request)) if found else None


def _quoted(text: str) -> str:
    """Return a string literal with double quotes, which most languages parse like JSON."""
    return json.dumps(text, ensure_ascii=False)


def _curl(request: SampleRequest) -> str:
    return curl(
        request.method,
        request.endpoint,
        query=request.query,
        headers=request.headers,
        body=request.body,
    )


def _python(request: SampleRequest) -> str:
    lines = ["import requests", "", f"url = {_quoted(request.url)}"]
    arguments = ["url"]
    if (body := request.body) and isinstance(body[1], dict | list) and "json" in body[0]:
        lines.append(f"payload = {_literal(body[1])}")
        arguments.append("json=payload")
    elif request.text is not None:
        lines.append(f"payload = {_quoted(request.text)}")
        arguments.append("data=payload")
    headers = request.headers if "json=payload" in arguments else request.all_headers
    if headers:
        lines.append(f"headers = {_literal(dict(headers))}")
        arguments.append("headers=headers")
    call = f"requests.{request.method.lower()}({', '.join(arguments)})"
    return "\n".join([*lines, "", f"response = {call}", "", "print(response.text)"])


def _literal(value: Any, indent: str = "") -> str:
    """Return a Python literal."""
    inner = indent + "    "
    if isinstance(value, Mapping) and value:
        items = ",\n".join(
            f"{inner}{_quoted(str(k))}: {_literal(v, inner)}" for k, v in value.items()
        )
        return f"{{\n{items}\n{indent}}}"
    if isinstance(value, list) and value:
        items = ",\n".join(f"{inner}{_literal(v, inner)}" for v in value)
        return f"[\n{items}\n{indent}]"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _javascript(request: SampleRequest) -> str:
    parts = [f"method: {_quoted(request.method)}"]
    if headers := request.all_headers:
        parts.append(
            f"headers: {_indented(json.dumps(dict(headers), indent=2, ensure_ascii=False))}"
        )
    if body := request.body:
        is_json = "json" in body[0] and not isinstance(body[1], str)
        text = as_text(body[1])
        value = f"JSON.stringify({_indented(text)})" if is_json else _quoted(text)
        parts.append(f"body: {value}")
    options = "{\n  " + ",\n  ".join(parts) + ",\n}"
    return (
        f"const response = await fetch({_quoted(request.url)}, {options});\n\n"
        "console.log(await response.json());"
    )


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


def _php(request: SampleRequest) -> str:
    options = [
        f"CURLOPT_URL => {_single(request.url)}",
        "CURLOPT_RETURNTRANSFER => true",
        f"CURLOPT_CUSTOMREQUEST => {_single(request.method)}",
    ]
    if headers := request.all_headers:
        lines = "".join(f"\n    {_single(f'{k}: {v}')}," for k, v in headers)
        options.append(f"CURLOPT_HTTPHEADER => [{lines}\n  ]")
    if request.text is not None:
        options.append(f"CURLOPT_POSTFIELDS => {_single(request.text)}")
    body = ",\n  ".join(options)
    return (
        f"<?php\n\n$curl = curl_init();\n\ncurl_setopt_array($curl, [\n  {body},\n]);\n\n"
        "$response = curl_exec($curl);\ncurl_close($curl);\n\necho $response;"
    )


def _single(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _go(request: SampleRequest) -> str:
    payload = "nil"
    extra = ""
    if request.text is not None:
        payload, extra = "payload", '\t"strings"\n'
    made = f"\tpayload := strings.NewReader({_raw(request.text)})\n" if request.text else ""
    headers = "".join(
        f"\treq.Header.Add({_quoted(k)}, {_quoted(v)})\n" for k, v in request.all_headers
    )
    return (
        f'package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"net/http"\n{extra})\n\nfunc main() {{\n'
        f"{made}\treq, _ := http.NewRequest({_quoted(request.method)}, {_quoted(request.url)}, "
        f"{payload})\n{headers}\n\tres, _ := http.DefaultClient.Do(req)\n\tdefer res.Body.Close()\n"
        "\tbody, _ := io.ReadAll(res.Body)\n\n\tfmt.Println(string(body))\n}"
    )


def _raw(text: str | None) -> str:
    return f"`{text}`" if text and "`" not in text else _quoted(text or "")


def _java(request: SampleRequest) -> str:
    headers = "".join(f"\n    .header({_quoted(k)}, {_quoted(v)})" for k, v in request.all_headers)
    publisher = "HttpRequest.BodyPublishers." + (
        "noBody()" if request.text is None else f"ofString({_quoted(request.text)})"
    )
    return (
        "HttpRequest request = HttpRequest.newBuilder()\n"
        f"    .uri(URI.create({_quoted(request.url)})){headers}\n"
        f"    .method({_quoted(request.method)}, {publisher})\n    .build();\n"
        "HttpResponse<String> response = HttpClient.newHttpClient()\n"
        "    .send(request, HttpResponse.BodyHandlers.ofString());\n\n"
        "System.out.println(response.body());"
    )


def _kotlin(request: SampleRequest) -> str:
    headers = "".join(f"\n    .header({_quoted(k)}, {_dollars(v)})" for k, v in request.all_headers)
    publisher = "HttpRequest.BodyPublishers." + (
        "noBody()" if request.text is None else f"ofString({_dollars(request.text)})"
    )
    return (
        "val request = HttpRequest.newBuilder()\n"
        f"    .uri(URI.create({_dollars(request.url)})){headers}\n"
        f"    .method({_quoted(request.method)}, {publisher})\n    .build()\n"
        "val response = HttpClient.newHttpClient()\n"
        "    .send(request, HttpResponse.BodyHandlers.ofString())\n\nprintln(response.body())"
    )


def _dollars(text: str) -> str:
    """Escape dollars, which begin variables in strings of these languages."""
    return _quoted(text).replace("$", "\\$")


def _ruby(request: SampleRequest) -> str:
    headers = "".join(f"request[{_single(k)}] = {_single(v)}\n" for k, v in request.all_headers)
    body = f"request.body = {_single(request.text)}\n" if request.text is not None else ""
    return (
        "require 'net/http'\nrequire 'uri'\n\n"
        f"url = URI({_single(request.url)})\n"
        f"request = Net::HTTP::{request.method.title()}.new(url)\n{headers}{body}\n"
        "response = Net::HTTP.start(url.host, url.port, use_ssl: url.scheme == 'https') do |http|\n"
        "  http.request(request)\nend\n\nputs response.read_body"
    )


def _powershell(request: SampleRequest) -> str:
    headers = "".join(f"$headers.Add({_shell(k)}, {_shell(v)})\n" for k, v in request.all_headers)
    given = " -Headers $headers" if headers else ""
    body = f" -Body {_shell(request.text)}" if request.text is not None else ""
    made = f"$headers = @{{}}\n{headers}" if headers else ""
    return (
        f"{made}$response = Invoke-WebRequest -Uri {_shell(request.url)} "
        f"-Method {request.method}{given}{body}\n$response.Content"
    )


def _shell(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _swift(request: SampleRequest) -> str:
    headers = "".join(
        f"request.setValue({_quoted(v)}, forHTTPHeaderField: {_quoted(k)})\n"
        for k, v in request.all_headers
    )
    body = f"request.httpBody = Data({_quoted(request.text)}.utf8)\n" if request.text else ""
    return (
        "import Foundation\n\n"
        f"var request = URLRequest(url: URL(string: {_quoted(request.url)})!)\n"
        f"request.httpMethod = {_quoted(request.method)}\n{headers}{body}\n"
        "let (data, _) = try await URLSession.shared.data(for: request)\n\n"
        "print(String(decoding: data, as: UTF8.self))"
    )


def _csharp(request: SampleRequest) -> str:
    headers = "".join(
        f"request.Headers.TryAddWithoutValidation({_quoted(k)}, {_quoted(v)});\n"
        for k, v in request.headers
    )
    body = ""
    if request.body and request.text is not None:
        kind = _quoted(request.body[0] or "text/plain")
        body = f"request.Content = new StringContent({_quoted(request.text)}, null, {kind});\n"
    return (
        "using var client = new HttpClient();\n"
        f"var request = new HttpRequestMessage(new HttpMethod({_quoted(request.method)}), "
        f"{_quoted(request.url)});\n{headers}{body}\n"
        "var response = await client.SendAsync(request);\n\n"
        "Console.WriteLine(await response.Content.ReadAsStringAsync());"
    )


def _c(request: SampleRequest) -> str:
    headers = "".join(
        f"headers = curl_slist_append(headers, {_quoted(f'{k}: {v}')});\n"
        for k, v in request.all_headers
    )
    lines = "struct curl_slist *headers = NULL;\n" + headers if headers else ""
    sent = "curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);\n" if headers else ""
    if request.text is not None:
        sent += f"curl_easy_setopt(curl, CURLOPT_POSTFIELDS, {_quoted(request.text)});\n"
    return (
        f"CURL *curl = curl_easy_init();\n{lines}"
        f"curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, {_quoted(request.method)});\n"
        f"curl_easy_setopt(curl, CURLOPT_URL, {_quoted(request.url)});\n{sent}\n"
        "CURLcode result = curl_easy_perform(curl);\ncurl_easy_cleanup(curl);"
    )


def _rust(request: SampleRequest) -> str:
    headers = "".join(
        f"\n        .header({_quoted(k)}, {_quoted(v)})" for k, v in request.all_headers
    )
    body = f"\n        .body({_quoted(request.text)})" if request.text is not None else ""
    return (
        "#[tokio::main]\nasync fn main() -> Result<(), reqwest::Error> {\n"
        "    let response = reqwest::Client::new()\n"
        f"        .request(reqwest::Method::{request.method}, {_quoted(request.url)})"
        f"{headers}{body}\n"
        '        .send()\n        .await?;\n\n    println!("{}", response.text().await?);\n'
        "    Ok(())\n}"
    )


def _dart(request: SampleRequest) -> str:
    headers = "".join(
        f"  request.headers[{_dollars(k)}] = {_dollars(v)};\n" for k, v in request.all_headers
    )
    body = f"  request.body = {_dollars(request.text)};\n" if request.text is not None else ""
    return (
        "import 'package:http/http.dart' as http;\n\nFuture<void> main() async {\n"
        f"  final request = http.Request({_quoted(request.method)}, "
        f"Uri.parse({_dollars(request.url)}));\n{headers}{body}\n"
        "  final response = await http.Response.fromStream(await request.send());\n\n"
        "  print(response.body);\n}"
    )


_Writer = Callable[[SampleRequest], str]
_WRITERS: dict[str, tuple[str, str, _Writer]] = {
    "bash": ("cURL", "bash", _curl),
    "python": ("Python", "python", _python),
    "javascript": ("JavaScript", "javascript", _javascript),
    "node": ("Node.js", "javascript", _javascript),
    "typescript": ("TypeScript", "typescript", _javascript),
    "php": ("PHP", "php", _php),
    "go": ("Go", "go", _go),
    "java": ("Java", "java", _java),
    "ruby": ("Ruby", "ruby", _ruby),
    "powershell": ("PowerShell", "powershell", _powershell),
    "swift": ("Swift", "swift", _swift),
    "csharp": ("C#", "csharp", _csharp),
    "dotnet": (".NET", "csharp", _csharp),
    "c": ("C", "c", _c),
    "c++": ("C++", "cpp", _c),
    "kotlin": ("Kotlin", "kotlin", _kotlin),
    "rust": ("Rust", "rust", _rust),
    "dart": ("Dart", "dart", _dart),
}
