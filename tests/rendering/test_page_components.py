"""Components and modules that pages use, and pages that fail."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from docstead.content.diagnostics import Severity
from docstead.markup.rendered import LINK_MARK, RenderedPage

BODIES = {
    "gone": 'import A from "./gone.jsx"\n\n<A>kept</A>',
    "undefined": (
        "import { Gone } from '/snippets/note.mdx'\n\n<CodeBlock>{Gone}let a = 1</CodeBlock>"
    ),
    "unknown": "Before.\n\n<Unheard of='it'>\n**kept**\n</Unheard>\n\nAfter.",
    "throws": (
        "export const Broken = () => { throw new Error('on purpose') }\n\n"
        "Before.\n\n<Broken />\n\nAfter."
    ),
    "snippets": (
        "import Note1 from '/snippets/note.mdx'\nimport { Box, LIMIT } from './lib/box.jsx'\n"
        "import { Counter } from '../snippets/counter.tsx'\n\n"
        "<Note1 word='hello' />\n\n<Box>inside {LIMIT}</Box>\n\n<Counter start={3} />\n\n"
        "<Snippet file='old.mdx' />"
    ),
    "packages": "import { useState } from 'react'\nimport lodash from 'lodash'\n\nText <lodash />.",
    "open": "Fine.\n\n<Card title='open'>\n\nnever closed",
    "esm": "export const x = ;\n\ntext",
    "runtime": "A page.\n\n{undefined.length}",
}
MODULES = {
    "/snippets/note.mdx": (
        "## From a snippet\n\nSay {word}, see [it](./other).\n\n```sh\necho {word}\n```"
    ),
    "/snippets/counter.tsx": (
        "export const Counter = ({ start }: { start: number }) => {\n"
        "  const [n] = useState<number>(start);\n  return <Badge>{n}</Badge>;\n};"
    ),
    "/_snippets/old.mdx": "An old one.",
    "/lib/box.jsx": (
        "export const LIMIT = 7\n"
        "export const Box = ({ children }) => <div className='box' data-x={LIMIT}>{children}</div>"
    ),
}


@pytest.fixture(scope="module")
def pages(render_pages) -> Mapping[str, RenderedPage]:
    return render_pages(BODIES, MODULES)


def positions(page: RenderedPage) -> list[tuple[str, int, int]]:
    return [(each.code, each.line, each.column) for each in page.diagnostics]


def test_a_file_that_is_missing_is_reported_where_it_is_imported_and_nowhere_else(pages):
    assert "kept" in pages["gone"].html
    assert not pages["gone"].diagnostics


def test_code_does_not_contain_a_value_that_nobody_defined(pages):
    page = pages["undefined"]
    assert ">let a = 1<" in re.sub(r"</?span[^>]*>", "", page.html)
    assert "function" not in page.html
    assert [each.code for each in page.diagnostics] == ["unknown-component"]


def test_an_unknown_component_leaves_its_name_and_children(pages):
    page = pages["unknown"]
    assert not page.failed
    assert '<div data-component="Unheard" class="ds-missing">' in page.html
    assert "<strong>kept</strong>" in page.html
    assert "After." in page.html
    assert positions(page) == [("unknown-component", 7, 1)]
    assert "Import it" in page.diagnostics[0].hint


def test_a_component_that_throws_does_not_take_the_page_along(pages):
    page = pages["throws"]
    assert not page.failed
    assert "Before." in page.html
    assert "After." in page.html
    assert positions(page) == [("component-error", 9, 1)]
    assert "on purpose" in page.diagnostics[0].message


def test_snippets_of_every_kind(pages):
    page = pages["snippets"]
    assert not page.failed
    assert "Say hello, see" in page.html
    assert "echo hello" in page.html.replace("</span>", "").replace('<span class="b">', "")
    assert f'href="{LINK_MARK}/snippets/other"' in page.html
    assert '<div data-x="7" class="box">inside 7</div>' in page.html
    assert ">3<" in page.html
    assert "An old one." in page.html
    assert [heading.anchor for heading in page.headings] == ["from-a-snippet"]
    assert not page.diagnostics


def test_packages_other_than_react_are_named(pages):
    page = pages["packages"]
    assert positions(page)[0] == ("unknown-import", 6, 20)
    assert "lodash" in page.diagnostics[0].message


def test_a_component_that_is_not_closed_is_shown_as_text(pages):
    page = pages["open"]
    assert not page.failed
    assert "&lt;Card title='open'>" in page.html
    assert positions(page) == [("unclosed-tag", 7, 1)]


def test_a_page_that_cannot_be_repaired_names_its_error(pages):
    page = pages["esm"]
    assert page.failed
    assert positions(page) == [("mdx-syntax", 5, 18)]
    assert page.diagnostics[0].severity is Severity.ERROR
    assert "esm.mdx" not in page.html
    assert page.markdown == "text"


def test_a_page_that_throws_says_why(pages):
    page = pages["runtime"]
    assert page.failed
    assert "Cannot read properties of undefined" in page.diagnostics[0].message
    assert "A page." in page.html
