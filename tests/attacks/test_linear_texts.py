"""Texts of readers and repositories that the service itself reads, in linear time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from docstead.agent.refusals import is_refusal
from docstead.agent.reviews.preview_fonts import with_fonts
from docstead.agent.workspace.diffs import FileDiff
from docstead.agent.workspace.secret_scan import kinds_in, masked
from docstead.analytics.similarity import grouped
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.extractive.answer_types import compares
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.replies import quoted_links
from docstead.assistant.retrieval import Retrieval
from docstead.cli.ask import _PrintedAnswer
from docstead.content.config import Redirect, SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import PageMeta, Section, Site
from docstead.dashboard.diffs import shown_files
from docstead.dashboard.word_marks import marked
from docstead.hosting.playground import path_matches
from docstead.markup.assets import BuiltAssets
from docstead.markup.rendered import RenderedPage
from docstead.outputs.feeds import feed_xml
from docstead.repository.redirects import RedirectTable
from docstead.search.analyser import Analyser
from docstead.search.documents import SearchDocument
from docstead.search.index import Index
from docstead.search.index_writer import build
from docstead.search.translation import QueryTranslations
from docstead.theme.markup import inline_markdown, plain_line
from docstead.theme.thumbnails import ThumbnailRenderer, ThumbnailText
from exchanges import exchanges
from growth import assert_linear

CUT = 2.5  # times the time for four times the input, where a part of it is left out


def retrieval_of(folder: Path, text: str) -> Retrieval:
    build([SearchDocument("a", "A", (Section("", (), text),))], folder)
    site = Site(SiteConfig("Site"), Navigation(()), {"a": PageMeta("a", "a.mdx", "A")})
    return Retrieval(Index(folder), site, AbsoluteLinks(""))


def asking(text: str) -> Question:
    return Question((ConversationMessage(Speaker.USER, text),))


def test_adjacent_parameters_of_an_operation() -> None:
    """One request of a reader kept the whole service busy for hours."""

    def run(size: int) -> None:
        assert not path_matches(f"/{'{a}' * 4}x", f"/{'a' * size}")

    assert_linear(run, 200)


@pytest.mark.parametrize("mark", ["", "?"])
def test_sources_with_many_wildcards_are_left_out(mark: str) -> None:
    wildcards = "".join(f"/:w{number}{mark}" for number in range(40))
    redirects = RedirectTable([Redirect(f"{wildcards}/x", "/y")])
    assert redirects.match("/a" * 40 + "/x") is None


def test_redirects_with_wildcards_are_matched_together() -> None:
    """One path cost a second where a site had 1,000 of them."""
    tail = "".join(f"/:w{number}" for number in range(15))
    paths = [f"{'/a' * (900 + number)}/z" for number in range(10)]
    prepared = {
        size: RedirectTable([Redirect(f"/:rest*{tail}/x{n}", "/y") for n in range(size)])
        for size in (100, 400)
    }

    def run(size: int) -> None:
        assert all(prepared[size].match(path) is None for path in paths)

    assert_linear(run, 100, most=CUT)


@pytest.mark.parametrize(
    "piece",
    [" eyJ", "-eyJhbGciOiJI", ".eyJhbGciOiJI", "-sk-ant-a", "-pypi-AgE", "a://b:", "token ",
     "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "sk-a1b2c3d4e5f6g7h8i9j0-"],
)  # fmt: skip
def test_parts_of_secrets_in_a_line_of_a_change(piece: str) -> None:
    """One change of an agent job took hours of the service."""

    def run(size: int) -> None:
        list(kinds_in(piece * size))
        masked(piece * size)

    assert_linear(run, 4_000)


def test_a_query_of_many_words(tmp_path: Path) -> None:
    """One search with a public key took a processor for as long as its body had words."""
    build([SearchDocument("a", "A", (Section("", (), "Elephants sleep."),))], tmp_path / "index")
    index = Index(tmp_path / "index")

    def run(size: int) -> None:
        words = (f"slp{'x' * 25}{size}w{number}" for number in range(size))
        index.search(" ".join(words), limit=5)

    assert_linear(run, 400, most=CUT)


def test_a_question_of_many_questions(tmp_path: Path) -> None:
    """Each of them was searched for, so one message with a public key took hours."""
    retrieval = retrieval_of(tmp_path / "index", "Elephants sleep.")

    def run(size: int) -> None:
        retrieval.find(asking("\n".join(f"how is q{size}w{n}?" for n in range(size))), ())

    assert_linear(run, 800, most=CUT)


@pytest.mark.parametrize("blanks", [" ", "\n", " \n", "\t\v"], ids=ascii)
def test_a_question_with_many_blanks(tmp_path: Path, blanks: str) -> None:
    """20,000 of them in one message with the key of a site stopped the service for 21 seconds."""
    retrieval = retrieval_of(tmp_path / "index", "Elephants sleep.")

    def run(size: int) -> None:
        retrieval.find(asking(f"what is an{blanks * size}elephant"), ())
        retrieval.find(asking("what about it?"), [f"what is an{blanks * size}elephant"])

    assert_linear(run, 2_000, most=CUT)


@pytest.mark.parametrize("piece", ["`", "``a", "` ``"])
def test_an_answer_with_marks_of_code_that_are_never_closed(piece: str) -> None:
    """A conversation with 100,000 of them stopped the whole service for more than a minute."""
    analyser = Analyser()
    assert_linear(lambda size: TextFacts(f"How {piece * size}x", analyser).identifiers, 1_000)


@pytest.mark.parametrize("piece", ["a.", "a-", "a_", "1.", "[", "[a]("])
def test_a_question_with_a_long_name(tmp_path: Path, piece: str) -> None:
    retrieval = retrieval_of(tmp_path / "index", "Elephants sleep.")
    assert_linear(lambda size: retrieval.find(asking(f"how is {piece * size}"), ()), 2_500)


def test_a_passage_with_links_that_are_never_closed(tmp_path: Path) -> None:
    numbers = count()

    def run(size: int) -> None:
        text = f"Elephants sleep two hours. {'[a](' * size}"
        retrieval = retrieval_of(tmp_path / f"index-{next(numbers)}", text)
        retrieval.find(asking("how long do elephants sleep?"), ())

    assert_linear(run, 4_000)


def test_the_preview_image_of_a_long_title() -> None:
    thumbnails = ThumbnailRenderer(SiteConfig("Site"), BuiltAssets())
    assert_linear(lambda size: thumbnails.render(ThumbnailText("a" * size)), 4_000, most=CUT)


@pytest.mark.parametrize("piece", ["[", "[a](", "**a", "_a "])
@pytest.mark.parametrize("written", [plain_line, inline_markdown])
def test_marks_of_a_description(written: Callable[[str], object], piece: str) -> None:
    """One page of a site stopped the service, which renders the page's head."""
    assert_linear(lambda size: written(piece * size), 2_000)


@pytest.mark.parametrize("piece", ["<", "\n", "`", "```\n"])
def test_marks_of_an_update_in_a_feed(piece: str) -> None:
    update, inner = Section("v1", ("v1",), "Text."), Section("a", ("v1", "A"), "Text.")
    html = (
        '<section class="ds-update"><div class="ds-update-side">'
        '<h2 class="ds-update-label" id="v1">v1</h2></div></section>'
    )
    meta = PageMeta("changes", "changes.mdx", "Changes")

    def run(size: int) -> None:
        entry = replace(inner, markdown=f"Text. {piece * size} end")
        page = RenderedPage("changes", html, headings=(), sections=(update, entry))
        assert "<item>" in feed_xml(meta, page, site="S", url="a", root="r")

    assert_linear(run, 4_000)


@pytest.mark.parametrize("piece", ["a.", "1."])
def test_long_lines_of_a_change(piece: str) -> None:
    """One page of the dashboard stopped the service: lexers take quadratic time on some code."""

    def run(size: int) -> None:
        diff = FileDiff("a.ts", "added", None, f"@@ -0,0 +1 @@\n+{piece * size}", 1, 0)
        (file,) = shown_files([diff])
        assert len(file.lines) == 1

    assert_linear(run, 2_000)


def test_lines_of_a_change_that_are_hard_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with 3,500 pairs took a minute and a half of the service."""
    monkeypatch.setattr("docstead.dashboard.diffs._SECONDS", 0.05)
    old, new = ";a" * 100, ";a;b" * 50
    text = "\n".join(["@@ -1,700 +1,700 @@", *[f"-{old}"] * 700, *[f"+{new}"] * 700])
    (file,) = shown_files([FileDiff("a.mdx", "modified", None, text, 700, 700)])
    compared = ["<mark>" in line.html for line in file.lines]
    assert (compared[0], compared[699], compared[1399]) == (True, False, False)


def test_a_long_word_beside_many_that_changed() -> None:
    ranges = tuple((at, at + 1) for at in range(0, 160, 2))  # of words of one letter

    def run(size: int) -> None:
        assert marked("w" * size, ranges).count("<mark>") == len(ranges)

    assert_linear(run, 10_000)


def test_blank_lines_of_a_change() -> None:
    """A page with some of them took minutes of the dashboard."""

    def run(size: int) -> None:
        text = "\n".join(["@@ -0,0 +1,300 @@", *[f"+{' ' * size}"] * 300])
        (file,) = shown_files([FileDiff("a.mdx", "added", None, text, 300, 0)])
        assert len(file.lines) == 300

    assert_linear(run, 12)


@pytest.mark.parametrize("start", ["", "sorry"])
def test_an_answer_of_marks_only(start: str) -> None:
    """An answer of the model with 16,000 dashes stopped the whole service for 7 seconds."""

    def run(size: int) -> None:
        assert not is_refusal(f"{start}{'-' * size}x")

    assert_linear(run, 2_000)


@pytest.mark.parametrize("piece", [" ", "url(", "@font-face{", "\n"])
def test_fonts_of_a_preview(piece: str) -> None:
    """A URL with 800 blanks that is not closed took a third of a second."""

    def run(size: int) -> None:
        style = f"@font-face {{src: url({piece * size}}}"
        with_fonts(style, "a.css", frozenset("a"), lambda _: None)

    assert_linear(run, 500)


@pytest.mark.parametrize("piece", ["](", "[", "](a", "**[a](b)"])
def test_an_earlier_answer_with_links_that_are_never_closed(piece: str) -> None:
    """The client sends it back: 80 kB held the service for ten seconds, with a public key."""
    assert_linear(lambda size: list(quoted_links(f"**[{piece * size}x")), 4_000)


def test_escaped_brackets_of_a_printed_answer() -> None:
    assert_linear(lambda size: _PrintedAnswer(quiet=False).add("\\[" * size + "\n"), 1_000)


@pytest.mark.parametrize("piece", ["or ", "which ", "or\n", "vs. "])
def test_a_question_that_may_compare(piece: str) -> None:
    assert_linear(lambda size: compares(piece * size), 1_000)


def test_the_links_that_an_answer_quotes() -> None:
    answer = "**[A](/a#b)**\n\nText [c](/c).\n**[D](/d#:~:text=x)**\n**[E](/e)** and more"
    assert list(quoted_links(answer)) == ["/a#b", "/d"]


def test_a_question_of_ideographs_is_translated() -> None:
    """One such question kept the dashboard's page of gaps busy for a minute."""
    translations = QueryTranslations(lambda _word: False)

    def run(size: int) -> None:
        translations.translated("設" * size)

    assert_linear(run, 2_500)


def test_long_questions_are_grouped_by_their_beginnings() -> None:
    ideographs = "".join(map(chr, range(0x4E00, 0x9FFF)))

    def run(size: int) -> None:
        questions = [ideographs[at * 500 :][:size] for at in range(20)]
        assert len(grouped(exchanges(questions))) == len(questions)

    assert_linear(run, 500, most=CUT)
