"""Properties that operations share are rendered once, and look as if each had rendered its own."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.content.reference_entries import ComponentSchema, HttpOperation
from docstead.markup.sections import PageBody
from docstead.reference.common.shared import SharedProperties
from docstead.reference.view import reference_html


def reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def one(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


TEXT = {"type": "string"}
WIDE = one(**{f"field_{number}": TEXT for number in range(240)})
SCHEMAS: dict[str, Any] = {
    "Price": one(amount={"type": "integer"}, currency={**TEXT, "description": "Its *code*."}),
    "Product": one(
        name=TEXT,
        price=reference("Price"),
        variants={"type": "array", "items": reference("Variant")},
        related={"type": "array", "items": reference("Product")},
    ),
    "Variant": one(price=reference("Price"), options=one(size=TEXT), unseen=TEXT),
    "Kinds": {"oneOf": [reference("Price"), reference("Variant"), TEXT]},
    "Long": one(text={**TEXT, "description": "# Heading\n\nWords with `code`.\n\n```sh\nls\n```"}),
    "Wide": WIDE,
    "Wider": one(first=reference("Wide"), second=reference("Wide"), third=reference("Wide")),
    "Odd": one(**{"a b": TEXT, "A-B": TEXT, "-": TEXT, "": TEXT, "<@>": TEXT}),
    "Map": {"type": "object", "additionalProperties": reference("Product")},
    "Empty": {"type": "object"},
    "Beside": one(price={**reference("Price"), "description": "Of one piece."}),
    "Merged": {"allOf": [reference("Product"), one(price=reference("Price"), more=TEXT)]},
}


def operation(*names: str, spec: str = "api.json", schemas: Any = None) -> HttpOperation:
    content = {"application/json": {"schema": one(**{name: reference(name) for name in names})}}
    definition = {
        "requestBody": {"content": content},
        "responses": {"200": {"content": content}, "201": {"content": content}},
    }
    return HttpOperation(spec, "POST", "/x", definition, components={"schemas": schemas or SCHEMAS})


def markdown(body: PageBody, *shared: SharedProperties) -> list[tuple[str, tuple[str, ...], str]]:
    found = body.sections((), *shared)
    return [(each.anchor, each.heading_path, each.markdown) for each in found]


@pytest.mark.parametrize("name", SCHEMAS)
def test_they_look_as_if_rendered_separately(name):
    shared = SharedProperties()
    kinds = ComponentSchema("api.json", name, {"schemas": SCHEMAS})
    for each in (operation(name), operation("Price", name, "Price"), kinds, operation(name)):
        separate, marked = reference_html(each), reference_html(each, shared=shared)
        assert shared.whole(marked) == separate
        assert markdown(PageBody(marked), shared) == markdown(PageBody(separate))


def test_they_are_marks_until_they_are_put_in():
    shared = SharedProperties()
    marked = reference_html(operation("Product"), shared=shared)
    assert "<ds-shared " in marked
    assert "<em>code</em>" not in marked
    assert 'id="response-product-variants-price-currency"' in shared.whole(marked)
    assert "`currency` (string)\n\nIts *code*." in markdown(PageBody(marked), shared)[-1][2]


def test_specifications_share_nothing_with_each_other():
    shared = SharedProperties()
    reference_html(operation("Price"), shared=shared)
    other = operation("Price", spec="other.json", schemas={"Price": one(sum=TEXT)})
    html = shared.whole(reference_html(other, shared=shared))
    assert "sum" in html
    assert "currency" not in html


def test_a_page_has_as_many_fields_as_it_would_have_without():
    shared = SharedProperties()
    whole = shared.whole(reference_html(operation("Wide", "Wider"), shared=shared))
    assert 500 <= whole.count('class="ds-field field"') < 1_200


def test_what_json_cannot_say_is_rendered_separately():
    endless: dict[str, Any] = {"type": "object", "properties": {"name": TEXT}}
    endless["x-itself"] = endless
    found = operation("Endless", schemas={"Endless": endless})
    shared = SharedProperties()
    assert reference_html(found, shared=shared) == reference_html(found)


def test_what_is_too_much_is_forgotten_between_pages():
    shared = SharedProperties()
    for number in range(5_000):
        shared.part((number,), lambda: ("<p>a</p>", 1, frozenset()))
    shared.clear_if_full()
    part = shared.part((4_999,), lambda: ("<p>b</p>", 1, frozenset()))
    assert part is not None
    assert shared.whole(part.mark("a")) == "<p>b</p>"
