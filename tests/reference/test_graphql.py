"""GraphQL schemas as entries, and diagnostics of invalid schemas."""

from __future__ import annotations

import json
import pickle
import resource

import pytest
from graphql import build_schema, parse, validate

from docstead.base.units import MIB
from docstead.content.reference_entries import (
    GraphqlEntry,
    GraphqlOperation,
    GraphqlType,
    entry_key,
)
from docstead.reference.graphql.spec import cached_schema, linked, read_schema
from docstead.reference.outline import outline_of
from docstead.reference.view import reference_html
from docstead.repository.parse_cache import ParseCache
from docstead.repository.positions import Diagnostics

SCHEMA = '''
directive @auth(role: Role = ADMIN) on FIELD_DEFINITION
"A moment."
scalar DateTime
enum Role { "Everything." ADMIN MEMBER GUEST @deprecated(reason: "Nobody is.") }
interface Node { id: ID! }
"""
Somebody.

<script>alert(1)</script>
"""
type User implements Node @key(fields: "id") {
  id: ID!
  role: Role! @auth
  friends(first: Int = 10, order: Order = {by: NAME}): [User!]!
  groups: GroupConnection!
  nick: String @deprecated
  avatar(size: Int!): String
}
type Group implements Node { id: ID! made: DateTime! owner: User! }
type GroupEdge { node: Group! cursor: String! }
type GroupConnection { edges: [GroupEdge!]! totalCount: Int! }
enum Field { NAME AGE }
input Order { by: Field! = AGE descending: Boolean }
input UserInput { name: String! role: Role = MEMBER order: Order tags: [[String!]] }
union Found = User | Group
type Query {
  "One user."
  user(id: ID!): User
  find(term: String!, roles: [Role!], limit: Int = 5, old: Int @deprecated): [Found!]!
  version: String!
  before: User @deprecated(reason: "Use `user`.")
}
type Mutation { createUser(input: UserInput!): User! }
type Subscription { joined(group: ID): Group! }
extend type Query { node(id: ID!): Node }
'''


Parts = dict[str, GraphqlEntry]


def read(text: str) -> tuple[list[GraphqlEntry], list[str]]:
    diagnostics = Diagnostics()
    found = read_schema(text, "api/schema.graphql", diagnostics)
    entries = found.entries if found else ()
    return [e for e in entries if isinstance(e, GraphqlEntry)], list(map(str, diagnostics.sorted()))


def operation(entry: GraphqlEntry) -> GraphqlOperation:
    assert isinstance(entry, GraphqlOperation)
    return entry


def type_(entry: GraphqlEntry) -> GraphqlType:
    assert isinstance(entry, GraphqlType)
    return entry


def names(entries: list[GraphqlEntry]) -> list[tuple[str, str]]:
    return [entry_key(each)[1:] for each in entries]


@pytest.fixture
def parts() -> Parts:
    entries, diagnostics = read(SCHEMA)
    assert diagnostics == []
    return {entry_key(each)[2]: each for each in entries}


def test_root_fields_and_types_are_listed_in_the_order_of_the_file(
    parts: Parts,
) -> None:
    outlines = {name: outline_of(each) for name, each in parts.items()}
    listed = [(each.tag, each.method, name) for name, each in outlines.items()]
    assert listed == [
        *(("Queries", "QUERY", name) for name in ("user", "find", "version", "before", "node")),
        ("Mutations", "MUTATION", "createUser"),
        ("Subscriptions", "SUBSCRIPTION", "joined"),
        *(
            ("Types", "", name)
            for name in (
                "DateTime", "Role", "Node", "User", "Group", "GroupEdge", "GroupConnection",
                "Field", "Order", "UserInput", "Found",
            )
        ),
    ]  # fmt: skip
    assert outlines["before"].is_deprecated is True
    assert pickle.loads(pickle.dumps(parts)) == parts


def test_a_type_is_described_with_all_that_it_holds(parts: Parts) -> None:
    user = type_(parts["User"])
    by_name = {each.name: each for each in user.fields}
    assert (user.kind, user.implements) == ("object", ("Node",))
    assert (by_name["role"].type, by_name["role"].named) == ("Role!", "Role")
    assert by_name["nick"].deprecated == ""
    assert [(a.name, a.type, a.default) for a in by_name["friends"].arguments] == [
        ("first", "Int", "10"), ("order", "Order", "{ by: NAME }")
    ]  # fmt: skip
    assert [each.deprecated for each in type_(parts["Role"]).values] == [
        None, None, "Nobody is."
    ]  # fmt: skip
    assert type_(parts["Node"]).possible == ("User", "Group")
    assert type_(parts["Found"]).possible == ("User", "Group")


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("user", {"id": "1"}),
        ("find", {"term": "string", "roles": ["ADMIN"], "limit": 5}),
        ("version", None),
        ("node", {"id": "1"}),
        (
            "createUser",
            {
                "input": {
                    "name": "string",
                    "role": "MEMBER",
                    "order": {"by": "AGE", "descending": True},
                    "tags": [["string"]],
                }
            },
        ),
        ("joined", {"group": "1"}),
    ],
)
def test_an_example_is_valid_and_its_answer_is_what_it_asks_for(
    parts: Parts, name: str, variables: object
) -> None:
    examples = {each.title: each.text for each in parts[name].examples}
    (title,) = examples.keys() - {"Variables", "Response"}
    document = parse(examples[title])
    schema = build_schema(SCHEMA.replace(' @key(fields: "id")', ""))
    assert validate(schema, document) == []
    assert (json.loads(examples["Variables"]) if variables else None) == variables
    answer = json.loads(examples["Response"])["data"]
    assert list(answer) == [name]
    if name == "user":
        assert answer["user"]["groups"]["edges"][0]["node"]["made"] == "2024-01-15T09:30:00Z"
    if name == "find":
        assert answer["find"][0]["__typename"] == "User"


def test_a_page_names_the_pages_of_its_types_only(parts: Parts) -> None:
    paths = {name: f"/r/{name.lower()}" for name in parts}
    found = linked(parts["user"], paths).links
    assert found == {name: paths[name] for name in ("User", "Role", "GroupConnection")}
    html = reference_html(linked(parts["User"], paths))
    assert '<a href="\ue000/r/role">Role</a>!' in html
    assert '[<a href="\ue000/r/user">User</a>!]!' in html
    assert '<a href="\ue000/r/node">Node</a>' in html


def test_a_schema_names_its_roots_itself() -> None:
    entries, _ = read("schema { query: Q } type Q { a: Int } type Query { b: Int }")
    assert names(entries) == [("QUERY", "a"), ("", "Query")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: not a GraphQL schema: Unexpected <EOF>."),
        ("type A {\n  b: }", "2:6: not a GraphQL schema: Expected Name, found '}'."),
        ("type A { a: Int }\n\ntype A { b: Int }", "3:6: 'A' is defined twice"),
        ("type A {\n a: Int\n a: Int }", "3:2: 'a' is defined twice"),
        ("enum A { B\n B }", "2:2: 'B' is defined twice"),
        ("type A { a(b: Int,\n b: Int): Int }", "2:2: 'b' is defined twice"),
        ("type A {\n a: [Gone!] }", "2:6: there is no type 'Gone'"),
        ("type A implements Gone { a: Int }", "1:19: there is no type 'Gone'"),
        (
            "extend type Gone { a: Int }",
            "1:13: the type 'Gone' is extended but not defined in the file",
        ),
        (
            "enum A { B } extend union A = A",
            "1:27: 'A' is a type of kind enum but extended as union",
        ),
        ("type A { a: Int } query { a }", "1:19: operations and fragments are not part"),
        ("directive @a on FIELD", "1:1: the file defines no types"),
        (f"type {'A' * 200} {{ a: Int }}", "1:6: a name is too long for a path"),
    ],
)
def test_what_is_wrong_is_reported_with_its_position(text: str, expected: str) -> None:
    diagnostics = Diagnostics()
    read_schema(text, "schema.graphql", diagnostics)
    found = [f"{each.line}:{each.column}: {each.message}" for each in diagnostics.sorted()]
    assert [each for each in found if each.startswith(expected)]
    assert all(each.hint and each.file == "schema.graphql" for each in diagnostics.sorted())


def test_a_part_of_a_larger_graph_extends_roots_of_others() -> None:
    entries, diagnostics = read("extend type Query { a: Int }")
    assert (names(entries), diagnostics) == ([("QUERY", "a")], [])


HOSTILE = {
    "lists in lists": "type Query { a: " + "[" * 100_000,
    "lists in lists that can be read": f"type Query {{ a: {'[' * 150}Int{']' * 150} }}",
    "values in values": "type Query { a(b: Int = " + "{a: " * 50_000,
    "many types": "type Query { a: T0 }"
    + "".join(f"type T{n} {{ a: Int b: T{(n + 1) % 10_000} }}" for n in range(10_000)),
    "many unknown types": "type Query {" + "".join(f"a{n}: U{n} " for n in range(10_000)) + "}",
    "many fields of one large type": "type Query {"
    + "".join(f"q{n}: T " for n in range(2_000))
    + "} type T {"
    + "".join(f"f{n}(a: Int!): Int " for n in range(10_000))
    + "}",
    "inputs without an end": "type Query { a(b: A!): Int } input A {"
    + "".join(f"a{n}: A! " for n in range(200))
    + "}",
    "objects without an end": "type Query { a: T } type T {"
    + "".join(f"a{n}: T b{n}: U " for n in range(100))
    + "} type U { a: T b: V } type V { a: T b: U }",
    "comments": "type Query { a: Int }" + "#\n" * 200_000,
    "tokens": "type Query { a: Int }" + "scalar A " * 210_000,
    "one long name": "type Query { a: " + "A" * 500_000 + " }",
    "one long string": '"' + "a" * 500_000,
    "circles of interfaces": "type Query { a: A } interface A implements B { a: A } "
    "interface B implements A { a: A } union C = C | A",
    "kinds confused": "type Query { a(b: Query): In } input In { a: Query b: E } enum E { A } "
    "union U = In | E | U type T implements E { u: U }",
}  # fmt: skip
SLOW = ("tokens", "many types")  # read up to the limit of tokens
UNREADABLE = ("lists in lists", "values in values", "comments", "tokens", "one long string")


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[pytest.mark.deep] if each in SLOW else []) for each in HOSTILE],
)
def test_a_hostile_schema_is_read_or_named(name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    entries, diagnostics = read(HOSTILE[name])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500 * MIB // 1024
    assert ("graphql-syntax" in "".join(diagnostics)) == (entries == []) == (name in UNREADABLE)
    assert len(diagnostics) <= 50
    assert all(len(each) < 1_000 for each in diagnostics)
    for each in entries[:20]:
        assert len(reference_html(linked(each, {}))) < 4_000_000


def test_a_large_type_is_outlined_where_it_is_returned() -> None:
    fields = "".join(f'"{"word " * 200}" f{n}: Int ' for n in range(300))
    (entry, *_), _ = read(f"type Query {{ a: T }} type T {{ {fields} }}")
    query = operation(entry)
    assert (len(query.fields), query.more) == (100, 200)
    assert query.fields[0].description is None
    assert "200 more: T" in reference_html(query)


def test_a_schema_that_is_remembered_is_the_same_with_its_diagnostics() -> None:
    text, memory = "type Query { a: Gone }", ParseCache(10_000)
    read_twice = []
    for _ in range(2):
        diagnostics = Diagnostics()
        read_twice.append(
            (cached_schema(memory, text, "a.graphql", diagnostics), diagnostics.sorted())
        )
    assert read_twice[0][0] is read_twice[1][0]
    assert read_twice[0][1] == read_twice[1][1] != ()
