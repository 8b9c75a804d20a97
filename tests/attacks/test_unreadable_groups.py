"""A page that names groups is read by nobody else, also where its frontmatter is broken."""

from __future__ import annotations

import pytest

from docstead.content.pages import PageMeta
from docstead.repository.frontmatter import split
from docstead.repository.metas import read_meta
from docstead.repository.positions import Diagnostics


def _read(head: str) -> tuple[PageMeta, list[str]]:
    diagnostics = Diagnostics()
    meta = read_meta(split(f"---\n{head}---\nBody\n", "a.mdx", diagnostics), diagnostics)
    return meta, [diagnostic.code for diagnostic in diagnostics.sorted()]


@pytest.mark.parametrize(
    "head",
    [
        "groups: 5\n",
        "groups: true\n",
        "groups: {partners: true}\n",
        "groups: [[partners]]\n",
        "groups: ','\n",
        "groups:\n  -\n",
        'title: "Open\ngroups:\n  - partners\n',
        'title: "Open\n"groups": [partners\n',
        "\ttitle: Tab\ngroups:\n- partners\n",
        "- groups: [partners]\n",
        "groups: [partners]\ngroups: []\n",
        "groups: [partners]\ntitle: A\n'groups': [everybody]\n",
        "{groups: [partners], groups: []}\n",
        'title: "Open\ngroups: [partners]\ngroups: [everybody]\n',
    ],
)
def test_groups_that_cannot_be_read_keep_everybody_out(head: str) -> None:
    meta, codes = _read(head)
    assert meta.groups == ("",)
    assert "frontmatter-groups" in codes


def test_a_block_that_is_never_closed_keeps_its_groups() -> None:
    diagnostics = Diagnostics()
    document = split("---\ntitle: A\ngroups: [partners]\n\nBody\n", "a.mdx", diagnostics)
    assert read_meta(document, diagnostics).groups == ("",)


@pytest.mark.parametrize(
    ("head", "groups"),
    [
        ("title: A\n", ()),
        ("groups:\n", ()),
        ("groups: []\n", ()),
        ("groups: [a, b]\n", ("a", "b")),
        ("groups: a, b\n", ("a", "b")),
        ('title: "Open\ngroups: [a]\n', ("a",)),
        ('title: "Open\ndescription: of groups\n', ()),
        ("description: |\n  groups: [b]\ngroups: [a]\n", ("a",)),
        ("title: groups\nkeywords: [groups]\n", ()),
    ],
)
def test_other_groups_are_as_they_are_written(head: str, groups: tuple[str, ...]) -> None:
    meta, codes = _read(head)
    assert meta.groups == groups
    assert "frontmatter-groups" not in codes
