"""Pages about root fields and types of GraphQL schemas."""

from __future__ import annotations

import re

import pytest

from docstead.content.reference_entries import GraphqlEntry, entry_key
from docstead.markup.rendered import LINK_MARK
from docstead.markup.sections import PageBody
from docstead.reference.graphql.spec import linked, read_schema
from docstead.reference.view import reference_html
from docstead.repository.positions import Diagnostics

SCHEMA = """
enum Role { "May do **all**, <b>really</b>." ADMIN GUEST @deprecated(reason: "Nobody is.") }
interface Node { id: ID! }
type User implements Node {
  id: ID!
  "See [roles](/roles) and [this](javascript:alert(1))."
  role(of: Role = ADMIN, in: ID!): [Role!]!
}
input Wanted { name: String! role: Role! = GUEST note: String = "a<b" }
type Query { user("Which one." id: ID!, wanted: Wanted): User! }
"""


@pytest.fixture
def html() -> dict[str, str]:
    found = read_schema(SCHEMA, "schema.graphql", Diagnostics())
    assert found is not None
    entries = {entry_key(each)[2]: each for each in found.entries if isinstance(each, GraphqlEntry)}
    paths = {name: f"/types/{name.lower()}" for name in entries}
    return {name: reference_html(linked(each, paths)) for name, each in entries.items()}


def markdown(html: str) -> str:
    return "\n\n".join(each.markdown for each in PageBody(html).sections())


def test_a_root_field_says_what_it_takes_and_answers(html: dict[str, str]) -> None:
    text = markdown(html["user"])
    assert text.startswith(
        "QUERY `user`\n\n```graphql Query\nquery User($id: ID!, $wanted: Wanted)"
    )
    assert "## Arguments\n\n`id` (ID!, required)\n\nWhich one.\n\n" in text
    assert "`wanted` ([Wanted](/types/wanted))" in text
    assert "## Returns\n\n([User](/types/user)!)\n\n`id` (ID!)" in text
    assert "`role` ([[Role](/types/role)!]!)" in text
    assert html["user"].count("<aside") == 2


def test_what_is_required_is_what_readers_give(html: dict[str, str]) -> None:
    assert "`id` (ID!)\n\n`role`" in markdown(html["User"])
    assert "`of` ([Role](/types/role), default: `ADMIN`)" in markdown(html["User"])
    assert "`in` (ID!, required)" in markdown(html["User"])
    rendered = markdown(html["Wanted"])
    assert "`name` (String!, required)" in rendered
    assert "`role` ([Role](/types/role)!, default: `GUEST`)" in rendered
    assert '`note` (String, default: `"a<b"`)' in rendered


def test_types_lead_to_each_other(html: dict[str, str]) -> None:
    assert "## Implements\n\n- [Node](/types/node)" in markdown(html["User"])
    assert "## Possible types\n\n- [User](/types/user)" in markdown(html["Node"])
    assert f'href="{LINK_MARK}/roles"' in html["User"]


def test_values_are_shown_and_no_tag_of_a_description_is_obeyed(html: dict[str, str]) -> None:
    text = markdown(html["Role"])
    assert text.startswith("enum\n\n## Values\n\n`ADMIN`\n\nMay do **all**")
    assert "`GUEST` (deprecated)\n\n**Deprecated:** Nobody is." in text
    assert "<b>" not in html["Role"]
    assert 'href="javascript' not in html["User"]


def test_every_anchor_is_there_once(html: dict[str, str]) -> None:
    assert html
    for page in html.values():
        anchors = re.findall(r' id="([^"]+)"', page)
        assert anchors
        assert len(anchors) == len(set(anchors))
        assert set(re.findall(r'href="#([^"]+)"', page)) <= set(anchors)
