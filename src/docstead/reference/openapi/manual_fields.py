"""`ParamField`s of manually described operations, for samples and playground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from docstead.base.elements import Element
from docstead.content.reference_entries import HttpOperation, ManualOperation

_LOCATIONS = ("path", "query", "header", "cookie", "body")
_TYPES = {"number", "integer", "string", "boolean", "object", "array"}


def described(operation: ManualOperation, html: str) -> HttpOperation:
    """Return the operation with parameters and body from the fields of its page."""
    fields = list(_fields(html))
    parameters = [field for field in fields if field["in"] != "body"]
    body = [field for field in fields if field["in"] == "body"]
    definition: dict[str, Any] = {"parameters": parameters}
    if body:
        schema = {
            "type": "object",
            "properties": {field["name"]: field["schema"] for field in body},
            "required": [field["name"] for field in body if field["required"]],
        }
        definition["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    scheme = operation.scheme
    return HttpOperation(
        spec="",
        method=operation.method,
        path=operation.path,
        definition=definition,
        servers=operation.servers,
        components={"securitySchemes": {"own": scheme}} if scheme else {},
        security=({"own": []},) if scheme else (),
    )


def _fields(html: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost fields; nested ones describe parts of them."""
    if "data-place=" not in html:
        return
    root = etree.fromstring(f"<div>{html}</div>".encode(), etree.HTMLParser(encoding="utf-8"))
    for head in root.iterfind(".//div[@class='ds-field-head']"):
        around = [each.get("data-place") for each in head.iterancestors()]
        if any(around[1:]):
            continue
        position = around[0]
        name = head.findtext(".//code")
        if name and position in _LOCATIONS:
            schema = _schema(_pill(head, "type") or "string")
            if (preset := _pill(head, "default", "/code")) is not None:
                schema["default"] = preset.strip()
            required = _pill(head, "required") is not None
            yield {
                "name": name, "in": position, "required": required, "schema": schema,
                "placeholder": _placeholder(head),
            }  # fmt: skip


def _pill(head: Element, kind: str, within: str = "") -> str | None:
    found = head.find(f".//*[@class='ds-field-pill ds-field-{kind}']{within}")
    return None if found is None else "".join(map(str, found.itertext()))


def _placeholder(head: Element) -> str:
    around = head.getparent()
    return "" if around is None else str(around.get("data-placeholder") or "")


def _schema(written: str) -> dict[str, Any]:
    name = written.strip().lower()
    if name.endswith("[]"):
        return {"type": "array", "items": _schema(name.removesuffix("[]"))}
    return {"type": name if name in _TYPES else "string"}
