from __future__ import annotations

import json
import random
from array import array
from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from docstead.content.pages import PageMeta, Section
from docstead.markup.rendered import RenderedPage
from docstead.outputs.search_bundle import FOLDER, BundleState, SearchBundle, sorting
from docstead.outputs.search_bundle.contributions import NUMBERS, PageContribution
from docstead.outputs.search_bundle.excerpts import EXCERPT_LENGTH, excerpt
from docstead.outputs.search_bundle.joining import UnsortedPostings
from docstead.outputs.search_bundle.postings import MOST_POSTINGS, Postings, decoded, heaviest
from docstead.outputs.search_bundle.records import SectionRecords
from docstead.outputs.search_bundle.word_groups import ENDING, word_groups
from docstead.search.analyser import Analyser

ROOT = Path(__file__).parents[2]


def value_of(data: bytes) -> object:
    text = data.decode()
    assert text.startswith('__docsteadSearch("')
    return json.loads(text.partition(",")[2].removesuffix(");\n"))


def page(slug: str, *sections: tuple[str, str], **known: str) -> tuple[PageMeta, RenderedPage]:
    found = tuple(Section(anchor, (anchor,) if anchor else (), text) for anchor, text in sections)
    meta = PageMeta(slug, f"{slug}.mdx", known.pop("title", slug), **known)
    return meta, RenderedPage(slug, "", (), found)


def files_of(*pages: tuple[PageMeta, RenderedPage]) -> dict[str, object]:
    bundle = SearchBundle(Analyser(), lambda slug: (f"{slug}.html", "Part"), ("the", "a"))
    for meta, rendered in pages:
        bundle.add(meta, bundle.contribution(meta, rendered))
    return {path.removeprefix(f"{FOLDER}/"): value_of(data) for path, data in bundle.files()}


def test_postings_come_back_as_they_went_in() -> None:
    chance = random.Random(5)
    expected = [(n, chance.randrange(64)) for n in sorted(chance.sample(range(3_000_000), 500))]
    postings = Postings()
    for section, weight in expected:
        postings.add(section, weight)
    assert list(decoded(heaviest(bytes(postings.data), postings.count))) == expected


def test_a_very_common_word_keeps_where_it_weighs_most() -> None:
    postings = Postings()
    for section in range(2 * MOST_POSTINGS):
        postings.add(section, 60 if section % 2 else 3)
    kept = list(decoded(heaviest(bytes(postings.data), postings.count)))
    assert len(kept) == MOST_POSTINGS
    assert {weight for _, weight in kept} == {60}


@pytest.mark.parametrize("sections", [range(3_000_000), range(2 * MOST_POSTINGS)])
def test_the_first_of_equal_postings_of_a_very_common_word_are_kept(sections: range) -> None:
    chance = random.Random(7)
    chosen = sorted(chance.sample(sections, MOST_POSTINGS + 1_000))
    given = [(section, chance.randrange(64)) for section in chosen]
    postings = Postings()
    for section, weight in given:
        postings.add(section, weight)
    kept = decoded(heaviest(bytes(postings.data), postings.count))
    assert list(kept) == sorted(sorted(given, key=lambda each: -each[1])[:MOST_POSTINGS])


def test_a_word_can_be_met_again_on_a_later_page() -> None:
    bundle = SearchBundle(Analyser(), lambda slug: (f"{slug}.html", "Part"))
    for number in range(300):
        text = "rarely" if number in (0, 1, 299) else "else"
        meta, rendered = page(f"p{number}", ("", "intro"), ("a", text), ("b", text))
        bundle.add(meta, bundle.contribution(meta, rendered))
    files = {path: value_of(data) for path, data in bundle.files()}
    words, postings = next(found for path, found in files.items() if path.endswith("/0-t0.js"))
    where = dict(zip(words.split(" "), postings.split(" "), strict=True))
    found = [section for section, _ in decoded(where["rarely"].encode())]
    assert found == [1, 2, 4, 5, 898, 899]


def page_with(postings: list[list[tuple[str, int]]]) -> PageContribution:
    """Return a page whose sections have these words with these weights."""
    words = list(dict.fromkeys(word for section in postings for word, _ in section))
    found = [posting for section in postings for posting in section]
    numbers = array(NUMBERS, [words.index(word) for word, _ in found])
    return PageContribution(
        ("", "", "", ""), (), " ".join(words), tuple(map(len, postings)), numbers.tobytes(),
        bytes(weight for _, weight in found), {},
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_many_postings_are_sorted_as_few_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "_AT_ONCE", 50)
    chance = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(60)]
    sections: list[list[tuple[str, int]]] = []
    few, many = UnsortedPostings(), UnsortedPostings()
    for _ in range(40):
        # Distances of up to four digits.
        page: list[list[tuple[str, int]]] = [[]] * chance.choice((0, 0, 40, 1_100, 33_000))
        for _ in range(3):
            words = chance.sample(vocabulary, chance.randrange(9))
            page = [*page, [(word, chance.randrange(1, 64)) for word in words]]
        few.add(page_with(page))
        many.add(page_with(page))
        sections += page
    expected: dict[str, list[tuple[int, int]]] = {}
    for number, section in enumerate(sections):
        for word, weight in section:
            expected.setdefault(word, []).append((number, weight))
    together = many.sorted(few=0)
    assert few.sorted(few=10**6) == together
    assert together[0] == sorted(expected)
    assert [list(decoded(each)) for each in together[1]] == [expected[w] for w in together[0]]
    assert together[2] == [len(expected[word]) for word in together[0]]


def test_long_numbers_are_not_searched_and_do_not_move_other_words() -> None:
    text = "first 12345678901234 a1b2c3d4e5f6g7h8i9j0 next"
    bundle = SearchBundle(Analyser(), lambda slug: (f"{slug}.html", "Part"))
    made = bundle.contribution(*page("p", ("", text), ("b", "next again")))
    where = made.by_word()
    assert {"first", "next", "again"} <= where.keys()
    assert not {"12345678901234", "a1b2c3d4e5f6g7h8i9j0"} & where.keys()
    assert [section for section, _ in where["next"]] == [0, 1]
    assert [section for section, _ in where["again"]] == [1]


def test_each_language_and_version_has_its_own_index() -> None:
    files = files_of(
        page("a", ("", "one")),
        page("fr/a", ("", "deux"), language="fr"),
        page("v1/a", ("", "three"), version="v1"),
    )
    index = files["index.js"]
    assert isinstance(index, dict)
    found = [[language, version, manifest["n"]] for language, version, manifest in index["s"]]
    assert found == [["", "", 1], ["", "v1", 1], ["fr", "", 1]]
    assert index["stop"] == "a the"
    words = [files[f"{index['d']}/{number}-t0.js"][0] for number in range(3)]
    assert [word.split()[-1] for word in words] == ["one", "v1", "fr"]


def test_a_section_is_found_by_its_record() -> None:
    files = files_of(page("guide", ("", "Intro."), ("setup", "Run `getUserName` now."), title="G"))
    (folder,) = {path.partition("/")[0] for path in files if "/" in path}
    words, postings = files[f"{folder}/0-t0.js"]
    where = dict(zip(words.split(" "), postings.split(" "), strict=True))
    assert [section for section, _ in decoded(where["getusername"].encode())] == [1]
    assert {"user", "name", "setup", "g"} <= set(where)
    entries = [["", "", "Intro."], ["setup", "setup", "Run getUserName now."]]
    assert files[f"{folder}/0-r0.js"] == [["guide.html", "G", "Part", "", entries]]


def test_a_description_is_shown_without_its_marks() -> None:
    files = files_of(page("drop", ("", "Text."), description="Drop columns from table `id`."))
    (records,) = (value for path, value in files.items() if path.endswith("/0-r0.js"))
    entries = [["", "", "Drop columns from table id."]]
    assert records == [["drop.html", "drop", "Part", "", entries]]


def test_titles_weigh_more_than_headings_and_these_more_than_text() -> None:
    files = files_of(
        page("one", ("", "about cats"), title="One"),
        page("two", ("cats", "x"), title="Two"),
        page("three", ("", "x"), title="Cats"),
    )
    (folder,) = {path.partition("/")[0] for path in files if "/" in path}
    words, postings = files[f"{folder}/0-t0.js"]
    where = dict(zip(words.split(" "), postings.split(" "), strict=True))
    weights = [weight for _, weight in decoded(where["cats"].encode())]
    assert weights == sorted(weights)
    assert len(set(weights)) == 3


def test_a_page_with_a_generic_title_is_found_by_its_group() -> None:
    bundle = SearchBundle(Analyser(), lambda slug: (f"{slug}.html", "Guides › Billing plans"))
    pages = [page("a", ("", "x"), title="Overview"), page("b", ("", "x"), title="Invoices")]
    for meta, rendered in pages:
        bundle.add(meta, bundle.contribution(meta, rendered))
    files = {path: value_of(data) for path, data in bundle.files()}
    (words, postings) = next(data for path, data in files.items() if path.endswith("-t0.js"))
    where = dict(zip(words.split(" "), postings.split(" "), strict=True))
    assert [section for section, _ in decoded(where["billing"].encode())] == [0]
    assert "guides" not in where


def test_accents_are_left_out() -> None:
    files = files_of(page("a", ("", "Paramètres généraux")))
    (words,) = [value[0] for path, value in files.items() if path.endswith("-t0.js")]
    assert words == "generaux parametres"


def test_the_same_pages_give_the_same_files() -> None:
    pages = [page(f"p{n}", ("", f"word{n} and more")) for n in range(40)]
    assert files_of(*pages) == files_of(*pages)


def random_page(chance: random.Random, number: int) -> tuple[PageMeta, RenderedPage]:
    sections = [
        (f"s{n}" if n else "", " ".join(chance.choices(["alpha", "beta", "gamma", "delta"], k=5)))
        for n in range(chance.randint(1, 4))
    ]
    own = " ".join(f"w{chance.randrange(60)}" for _ in range(40))
    language = chance.choice(("", "fr"))
    texts = [(anchor, f"{text} {own} " * 9) for anchor, text in sections]
    return page(f"p{number}", *texts, language=language, title=f"Page {own[:3]}")


@pytest.mark.parametrize("seed", range(6))
def test_a_replaced_page_gives_the_same_files_as_a_fresh_index(seed: int) -> None:
    chance = random.Random(seed)
    pages = [random_page(chance, number) for number in range(40)]
    vocabulary = Analyser()
    bundle = SearchBundle(vocabulary, lambda slug: (slug, "Part"))
    for meta, rendered in pages:
        bundle.add(meta, bundle.contribution(meta, rendered))
    state = msgspec.msgpack.decode(msgspec.msgpack.encode(bundle.state), type=BundleState)
    later = SearchBundle(vocabulary, lambda slug: (slug, "Part"), state=state)
    for at in chance.sample(range(40), 3):
        meta, rendered = pages[at]
        first, *rest = rendered.sections
        edited = replace(rendered, sections=(replace(first, markdown=f"new{seed} words"), *rest))
        old, new = (later.contribution(meta, each) for each in (rendered, edited))
        later.replace(meta, old, new)
        pages[at] = meta, edited
    fresh = SearchBundle(vocabulary, lambda slug: (slug, "Part"))
    for meta, rendered in pages:
        fresh.add(meta, fresh.contribution(meta, rendered))
    assert dict(later.files()) == dict(fresh.files())


def records_of(pages: list[list[str]]) -> SectionRecords:
    records = SectionRecords()
    for number, texts in enumerate(pages):
        for text in texts:
            records.add((f"p{number}",), ("", "", text))
    return records


@pytest.mark.parametrize("seed", range(6))
def test_replaced_records_are_in_the_same_files_as_fresh_ones(seed: int) -> None:
    chance = random.Random(seed)
    pages = [["x" * chance.randrange(900) for _ in range(chance.randint(1, 9))] for _ in range(90)]
    records = records_of(pages)
    for at in chance.sample(range(90), 5):
        pages[at] = ["y" * chance.choice((len(old), 0, 9_000)) for old in pages[at]]
        start = sum(map(len, pages[:at]))
        records.replace(start, (f"p{at}",), [("", "", text) for text in pages[at]])
    fresh = records_of(pages)
    assert len(fresh.starts) > 5
    assert (records.starts, records.sections) == (fresh.starts, fresh.sections)
    assert list(records.files()) == list(fresh.files())


def test_later_records_are_not_read_again() -> None:
    pages = [["x" * 500] * 10 for _ in range(90)]
    records = records_of(pages)
    first, *_, last = records.packed
    records.replace(0, ("p0",), [("", "", "y" * 500)] * 10)
    assert records.packed[0] is not first
    assert records.packed[-1] is last


def test_no_file_grows_with_the_site() -> None:
    pages = [page(f"p{n}", ("", f"alpha beta token{n}"), ("s", "gamma " * 40)) for n in range(3000)]
    bundle = SearchBundle(Analyser(), lambda slug: (slug, ""), ())
    for meta, rendered in pages:
        bundle.add(meta, bundle.contribution(meta, rendered))
    assert max(len(data) for _, data in bundle.files()) < 60_000


def test_the_manifest_says_in_which_file_a_word_or_section_is() -> None:
    chance = random.Random(3)
    words = ["".join(chance.choices("abcd", k=chance.randint(2, 9))) for _ in range(9_000)]
    texts = [" ".join(words[at : at + 90]) for at in range(0, len(words), 30)]
    files = files_of(*(page(f"p{n}", ("", text)) for n, text in enumerate(texts)))
    index: Any = files["index.js"]
    folder, ((_, _, manifest),) = index["d"], index["s"]
    firsts = manifest["t"].split(" ")
    before = ""
    for number, first in enumerate(firsts):
        group: Any = files[f"{folder}/0-t{number}.js"]
        found = group[0].split(" ")
        assert all(bisect_right(firsts, word) - 1 == number for word in found)
        assert found[0].startswith(first)
        assert before < first
        assert not before or first[:-1] <= before  # no shorter beginning would do
        before = found[-1]
    counts = [
        sum(len(record[-1]) for record in cast(Any, files[f"{folder}/0-r{number}.js"]))
        for number in range(len(manifest["r"]))
    ]
    assert manifest["r"] == [0, *counts[:-1]]
    assert sum(counts) == manifest["n"] == len(texts)
    for number, letter in enumerate(manifest["w"]):
        likely = cast(str, files[f"{folder}/0-w{number}.js"]).split(" ")
        firsts_of_words = {max(each for each in manifest["w"] if each <= word) for word in likely}
        assert firsts_of_words == {letter}


def test_forms_of_a_word_are_in_one_file() -> None:
    starts = ("pa", "pagee", "pagel", "pagz")
    filler = [f"{start}{number}" for start in starts for number in range(40)]
    words = sorted({"page", "pages", "paged", "paging", *filler})
    sizes = [2_000 if word.startswith("pag") and word.isalpha() else 150 for word in words]
    groups = list(word_groups(words, list(accumulate(sizes))))
    assert [end for _, end in groups[:-1]] == [start for start, _ in groups[1:]]
    assert (groups[0][0], groups[-1][1]) == (0, len(words))
    held = [words[start:end] for start, end in groups]
    (forms,) = [each for each in held if "page" in each]
    assert {"page", "pages", "paged", "paging"} <= set(forms)


def test_forms_that_are_far_apart_make_no_large_file() -> None:
    words = sorted({"con", "cons", *(f"con{number:04}" for number in range(2_000))})
    groups = list(word_groups(words, list(accumulate([100] * len(words)))))
    assert max(end - start for start, end in groups) == 100


def test_the_browser_knows_the_same_forms() -> None:
    script = (ROOT / "engine/browser/search/words.ts").read_text()
    assert f"const ENDINGS = /{ENDING.pattern}/;" in script


def test_an_excerpt_is_plain_and_short() -> None:
    markdown = (
        "## Setup\n\nSee **the** [guide](/x) for `snake_case`.\n\n```sh\nrun --it\n```\n\n- one\n"
    )
    assert excerpt(markdown) == "See the guide for snake_case. one"
    assert excerpt("```sh\nrun --it\n```") == "sh run --it"
    assert len(excerpt("word " * 400)) <= EXCERPT_LENGTH + 1
