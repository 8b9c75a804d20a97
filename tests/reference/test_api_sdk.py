"""Pages about symbols of libraries."""

from __future__ import annotations

import pytest

from docstead.content.reference_entries import LibrarySymbol
from docstead.content.symbols import Parameter, Signature, Symbol, SymbolKind
from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.sections import PageBody
from docstead.markup.words import content_texts
from docstead.reference.sdk.model import placed
from docstead.reference.view import reference_html

FIND = Symbol(
    "2",
    SymbolKind.METHOD,
    "find",
    "Client.find",
    description="Finds what [Options](symbol:3) say.\n\n# Loud\n\nMore.",
    signatures=(
        Signature(
            "find(kind: Options): Page",
            parameters=(
                Parameter("kind", (("Options", "3"),), "Which **one**."),
                Parameter("limit", (("int", ""),), default="10", optional=True),
            ),
            returns=(("Page<", ""), ("Options", "3"), (">", "")),
            returned="What fits.",
            raises=(Parameter("", (("Failure", "9"),), "Where it fails."),),
        ),
    ),
    labels=("static",),
    deprecated="Use [search](symbol:404).",
    examples=("```ts\nfind(1)\n```",),
    source=("src/a.ts:3", "https://example.com/a"),
)
CLIENT = Symbol(
    "1",
    SymbolKind.CLASS,
    "Client",
    "Client",
    signatures=(Signature("class Client<T>"),),
    members=(
        FIND,
        Symbol(
            "4",
            SymbolKind.PROPERTY,
            "open",
            type=(("bool", ""),),
            description="Whether.",
            default="1",
        ),
    ),
    relations=(("Extends", ((("Base", "5"), ("<T>", "")),)),),
    inherited=((("close", "6"),),),
    see=("[Options](symbol:3)",),
)
URLS = {
    "1": "/sdk/client",
    "2": "/sdk/client#find",
    "3": "/sdk/options",
    "4": "/sdk/client#open",
    "5": "/sdk/base",
    "6": "/sdk/base#close",
}


def html_of(symbol: Symbol, about: str = "", words: ContentTexts = ENGLISH) -> str:
    entry = LibrarySymbol("t.json", "typescript", placed(symbol, URLS), about)
    return reference_html(entry, words=words)


def markdown(html: str) -> str:
    return "\n\n".join(each.markdown for each in PageBody(html).sections())


def test_a_class_as_text() -> None:
    assert markdown(html_of(CLIENT, "It is told.")) == (
        "class\n\n```typescript\nclass Client<T>\n```\n\n"
        "**Extends** [`Base`](/sdk/base)`<T>`\n\nIt is told.\n\n"
        "## Properties\n\n`open` (bool, default: `1`)\n\nWhether.\n\n"
        "## Methods\n\n### find()\n\nstatic deprecated [a.ts:3](https://example.com/a)\n\n"
        "**Deprecated:** Use search.\n\n```typescript\nfind(kind: Options): Page\n```\n\n"
        "Finds what [Options](/sdk/options) say.\n\nLoud\n\nMore.\n\n"
        "**Parameters**\n\n`kind` ([Options](/sdk/options), required)\n\nWhich **one**.\n\n"
        "`limit` (int, default: `10`)\n\n"
        "**Returns**\n\n(Page<[Options](/sdk/options)>)\n\nWhat fits.\n\n"
        "**Errors**\n\n(Failure)\n\nWhere it fails.\n\n"
        "**Example**\n\n```ts\nfind(1)\n```\n\n"
        "## Inherited\n\n[`close`](/sdk/base#close)\n\n## See also\n\n- [Options](/sdk/options)"
    )


def test_members_are_headings_and_fields_that_links_lead_to() -> None:
    html = html_of(CLIENT)
    body = PageBody(html)
    headings = [(each.level, each.anchor) for each in body.headings("ds-operation")]
    assert headings == [
        (2, "properties"),
        (2, "methods"),
        (3, "find"),
        (2, "inherited"),
        (2, "see-also"),
    ]
    assert 'id="open"' in html
    assert 'id="find--param-kind"' in html


def test_a_page_of_one_method_has_sections() -> None:
    headings = [each.anchor for each in PageBody(html_of(FIND)).headings("ds-operation")]
    assert headings == ["parameters", "returns", "errors", "example"]


def test_a_page_says_its_words_in_its_language() -> None:
    german = html_of(CLIENT, words=content_texts("de"))
    assert markdown(german).startswith(
        "class\n\n```typescript\nclass Client<T>\n```\n\n**Erweitert**"
    )
    assert "### find()" in markdown(german)
    anchors = [each.anchor for each in PageBody(german).headings("ds-operation")]
    assert anchors == [each.anchor for each in PageBody(html_of(CLIENT)).headings("ds-operation")]


def test_a_module_lists_what_it_holds() -> None:
    contents = (
        Symbol("3", SymbolKind.INTERFACE, "Options", description="What it begins with."),
        Symbol("9", SymbolKind.FUNCTION, "gone", deprecated=""),
    )
    text = markdown(html_of(Symbol("7", SymbolKind.MODULE, "tools", members=contents)))
    assert text == (
        "module\n\n## Interfaces\n\n- [`Options`](/sdk/options)\n\n  What it begins with.\n\n"
        "## Functions\n\n- `gone` deprecated"
    )


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](symbol:javascript%3Aalert(1))",
        "![x](data:text/html,<script>alert(1)</script>)",
        '"><svg onload=alert(1)>',
        "</ds-source><script>alert(1)</script>",
    ],
)
def test_texts_of_an_artifact_are_shown_and_not_obeyed(hostile: str) -> None:
    symbol = Symbol(
        hostile,
        SymbolKind.CLASS,
        hostile,
        hostile,
        hostile,
        signatures=(
            Signature(
                hostile,
                hostile,
                parameters=(Parameter(hostile, ((hostile, hostile),), hostile, hostile),),
                returns=((hostile, ""),),
                returned=hostile,
                raises=(Parameter("", ((hostile, ""),), hostile),),
            ),
        ),
        labels=(hostile,),
        deprecated=hostile,
        examples=(hostile,),
        see=(hostile,),
        notes=((hostile, hostile),),
        relations=(("Extends", (((hostile, hostile),),)),),
        members=(Symbol("m", SymbolKind.METHOD, hostile, description=hostile),),
        inherited=(((hostile, hostile),),),
        source=(hostile, "https://example.com/" + hostile),
    )
    html = html_of(symbol, hostile)
    assert "<script" not in html
    assert "<img" not in html
    assert "<svg" not in html
    assert 'href="javascript' not in html
    assert 'href="data' not in html
