"""Inputs that double take twice the time, not four times."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from docstead.assistant.extractive.evidence import prose_and_code
from docstead.assistant.heading_questions import question_of
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import PageMeta, Section, Site
from docstead.loading.loader import load_repository
from docstead.markup.highlight import highlight
from docstead.markup.icons import IconSet
from docstead.markup.rendered import RenderedPage
from docstead.models.minilm import MiniLM
from docstead.outputs.feeds import feed_xml
from docstead.outputs.generated_texts import GeneratedTexts
from docstead.publishing.link_graph import LinkGraph
from docstead.publishing.page_notes import PageNotes
from docstead.reference.openapi.spec import (
    OperationRef,
    SpecificationCatalog,
    parse_reference,
    read_specification,
)
from docstead.reference.pages import _segment
from docstead.reference.sdk.model import placed_text
from docstead.repository.image_sizes import image_sizes
from docstead.repository.parse_cache import no_parse_cache
from docstead.repository.positions import Diagnostics
from docstead.search.documents import SearchDocument
from docstead.search.entries import split_entries
from docstead.search.index import Index
from docstead.search.index_writer import build
from docstead.theme.document import PageShell
from docstead.theme.logos import logo_image
from docstead.theme.markup import inline_markdown
from docstead.theme.mode import ShellMode
from docstead.theme.summaries import summary
from growth import assert_linear

_UPDATE = '<div class="ds-update"><div class="ds-update-side"><h2 class="ds-update-label" id="a">'


@pytest.mark.parametrize("piece", ["<svg ", "<svg width='1' ", "<svg><svg"])
def test_the_size_of_a_drawing(tmp_path, piece):
    def run(size: int) -> None:
        (tmp_path / "a.svg").write_text(piece * size)
        image_sizes(tmp_path, ["a.svg"], no_parse_cache())

    assert_linear(run, 2_000)


def test_blanks_in_the_size_of_a_drawing(tmp_path):
    def run(size: int) -> None:
        (tmp_path / "a.svg").write_text(f"<svg width='1{' ' * size}>")
        image_sizes(tmp_path, ["a.svg"], no_parse_cache())

    assert_linear(run, 8_000)


def test_the_digits_of_the_size_of_a_logo():
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='{}x' height='1'/>"
    assert_linear(lambda size: logo_image(svg.format("1" * size).encode(), 10, 10), 8_000)


@pytest.mark.parametrize("text", ["a{}x", "a {} get"])
def test_blanks_in_a_reference_to_an_operation(text):
    assert_linear(lambda size: parse_reference(text.format(" " * size)), 2_000)


@pytest.mark.parametrize("line", ["{}x[!code", "# [!code{}x", "# [!code hl]{}x"])
def test_blanks_in_a_line_of_code(line):
    assert_linear(lambda size: highlight(line.format(" " * size), ""), 4_000)


def test_blanks_in_a_heading():
    def run(size: int) -> None:
        question_of(f"a{' ' * size}{time.monotonic_ns()}", is_english_text=True)

    assert_linear(run, 4_000)


@pytest.mark.parametrize("mark", ["~", "`"])
def test_a_long_mark_of_a_fence(mark):
    assert_linear(lambda size: prose_and_code(mark * size), 8_000)


@pytest.mark.parametrize("line", ["~~~a\n", "````\n```a\n"])
def test_many_lines_that_open_a_fence(line):
    assert_linear(lambda size: prose_and_code(line * size), 1_000)


def test_sections_without_text(tmp_path):
    def run(size: int) -> None:
        sections = tuple(Section(f"a{n}", (f"H{n}",), "") for n in range(size))
        folder = tmp_path / f"{size} {time.monotonic_ns()}"
        build([SearchDocument("a", "A", sections)], folder)

    assert_linear(run, 1_000)


def test_an_outline_has_the_headings_below_one(tmp_path):
    sections = (
        Section("a", ("A",), ""), Section("b", ("A", "B"), ""), Section("c", ("A", "B", "C"), "x"),
        Section("d", ("A", "D"), "y"), Section("e", ("E",), "z"),
    )  # fmt: skip
    build([SearchDocument("p", "P", sections)], tmp_path / "index")
    found = {each.anchor: each.markdown for each in Index(tmp_path / "index").passages()}
    assert found["a"] == "- B\n- D"
    assert found["b"] == "- C"


def asyncapi(**parts: object) -> Callable[[], object]:
    document = {"asyncapi": "3.0.0", "info": {"title": "x", "version": "1"}, **parts}
    text = json.dumps(document)

    def run() -> object:
        found = read_specification(text, "a.json", Diagnostics())
        assert found is not None
        return [*found.entries]

    return run


def test_channels_of_asyncapi():
    def run(size: int) -> object:
        link = "#/channels/c"
        return asyncapi(
            channels={f"c{n}": {"address": f"a{n}"} for n in range(size)},
            operations={
                f"o{n}": {"action": "send", "channel": {"$ref": f"{link}{n}"}, "messages": []}
                for n in range(size)
            },
        )()

    assert_linear(run, 500)


def test_messages_of_asyncapi():
    def run(size: int) -> object:
        messages = {f"m{n}": {"payload": {"title": f"t{n}"}} for n in range(size)}
        operation = {"action": "send", "channel": {"$ref": "#/channels/c"}}
        return asyncapi(channels={"c": {"messages": messages}}, operations={"o": operation})()

    assert_linear(run, 1_000)


def test_alternatives_of_asyncapi_are_followed_once():
    link = "#/components/messages/m"
    messages: dict[str, object] = {
        f"m{n}": {"oneOf": [{"$ref": f"{link}{n + 1}"}] * 2} for n in range(40)
    }
    messages["m40"] = {"payload": {"type": "string"}}
    (found,) = asyncapi(
        channels={"c": {"messages": {"m": {"$ref": f"{link}0"}}}},
        operations={"o": {"action": "send", "channel": {"$ref": "#/channels/c"}}},
        components={"messages": messages},
    )()
    assert [each["name"] for each in found.received] == ["m40"]


def test_operations_are_found_by_look_up():
    def run(size: int) -> None:
        paths = {f"/a{n}": {"get": {}} for n in range(size)}
        text = json.dumps({"openapi": "3.1.0", "info": {"title": "x", "version": "1"},
                           "paths": paths})  # fmt: skip
        found = read_specification(text, "a.json", Diagnostics())
        assert found is not None
        assert all(found.find("GET", f"/a{n}/") for n in range(size))

    assert_linear(run, 1_000)


def test_json_files_are_looked_through_once_for_operations():
    read: list[str] = []

    def content(file: str) -> str:
        read.append(file)
        return "{}"

    specifications = SpecificationCatalog([f"f{n}.json" for n in range(10)], content, Diagnostics())
    for number in range(5):
        assert specifications.find(OperationRef(None, "GET", f"/{number}")) is None
    assert len(read) == 10


def test_a_chain_of_snippets(tmp_path):
    def run(size: int) -> None:
        root = tmp_path / str(size)
        (root / "snippets").mkdir(parents=True, exist_ok=True)
        (root / "docs.json").write_text(
            '{"name": "x", "theme": "mint", "colors": {"primary": "#0055ff"},'
            ' "navigation": {"pages": ["index"]}}'
        )
        (root / "index.mdx").write_text("import A from '/snippets/s0.jsx'\n\n<A />")
        for n in range(size):
            text = f"import A from './s{n + 1}.jsx'\nexport default A"
            (root / f"snippets/s{n}.jsx").write_text(text)
        assert len(load_repository(root).modules) == size

    assert_linear(run, 400)


def test_similar_anchors_are_looked_for_within_bounds():
    ids = tuple(f"heading-{n}" for n in range(1_000))
    far = [(f"#{'z' * 60}{n}", 1, n) for n in range(199)]
    links = (*far, ("#heading-1x", 2, 1), ("#heading-2x", 3, 1))
    site = Site(SiteConfig("Test"), Navigation(), {"a": PageMeta("a", "a.mdx", "A", hidden=True)})
    graph = LinkGraph(site)
    notes = PageNotes("a", link_lines=links, anchors=ids)
    graph.add(notes)
    *_, within, beyond = graph.diagnostics(lambda _: notes)
    assert "#heading-1" in str(within.hint)
    assert beyond.hint == "Link to one of its headings."


def test_the_sentence_model_reads_the_beginning_of_a_text_only(tmp_path):
    """Reading a title of megabytes took hundreds of megabytes, in the service."""
    model = MiniLM(tmp_path)
    model.embed(["warm"])
    # A constant time: both texts are longer than what is read of them.
    assert_linear(lambda size: model.embed(["\\" * size]), 1_000_000, most=3.0)
    model.release()


@pytest.mark.parametrize("piece", ["```x\n", "````x\n```\n", "~~~x\n"])
def test_fences_that_are_never_closed(piece):
    def run(size: int) -> None:
        page = RenderedPage("index", _UPDATE, (), (Section("a", ("A",), piece * size),))
        summary(page)
        feed_xml(PageMeta("index", "index.mdx", "A"), page, site="S", url="a", root="b")

    assert_linear(run, 4_000)


@pytest.mark.parametrize("piece", ["<th ", "<img ", "<a ", "<div "])
def test_tags_in_an_attribute_of_a_page(piece):
    """Authors may write HTML as it is, `<` in attributes included."""
    metas = {"index": PageMeta("index", "index.mdx", "A")}
    site = Site(SiteConfig("A"), Navigation(), metas, image_sizes={"a.png": (1, 1)})
    shell = PageShell(site, ShellMode.hosted("", "https://docs.example.com"))

    def run(size: int) -> None:
        html = f'<p title="{piece * size}"></p><th></th><svg class="ds-icon"></svg>{_UPDATE}'
        page = RenderedPage("index", html, (), ())
        shell.page(page)
        GeneratedTexts(shell).feed(page)

    assert_linear(run, 4_000)


@pytest.mark.parametrize("piece", ["[", "[](", "[a](", "**a", "__a", "`"])
def test_marks_of_a_banner_that_are_never_closed(piece):
    assert_linear(lambda size: inline_markdown(piece * size), 4_000)


@pytest.mark.parametrize("piece", ["<i ", "<i a='", "data-ds-icon= ", "<i data-ds-icon='"])
def test_icons_that_are_never_closed(piece):
    icons, icon = IconSet(), '<i data-ds-icon="house"></i>'
    assert_linear(lambda size: icons.inline(f'<p title="{piece * size}"></p>{icon}'), 2_000)


@pytest.mark.parametrize("piece", ["[", "[\\", "[a](symbol:", "\\"])
def test_links_to_symbols_that_are_never_closed(piece):
    assert_linear(lambda size: placed_text(f"[a](symbol:b){piece * size}", {}), 2_000)


def test_parameters_of_a_path_that_are_never_closed():
    assert_linear(lambda size: _segment("/" + "{" * size), 4_000)


def test_blanks_in_an_answer():
    def run(size: int) -> None:
        list(split_entries(f"**Why?**\n\nx{' ' * size}y", ()))

    assert_linear(run, 4_000)


def test_blanks_in_the_first_cell_of_a_table():
    def run(size: int) -> None:
        list(split_entries("| Problem | Fix |\n|---|---|\n|" + " " * size + "a", ()))

    assert_linear(run, 200)
