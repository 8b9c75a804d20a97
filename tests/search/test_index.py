"""Passages found for queries."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docstead.base.errors import Unavailable
from docstead.search.documents import SearchDocument
from docstead.search.index import Index
from docstead.search.index_writer import build
from docstead.search.ranking import Preference

Page = Callable[..., SearchDocument]
IndexOf = Callable[..., Index]


@pytest.fixture
def index(index_of: IndexOf, page: Page) -> Index:
    return index_of(
        page(
            "guides/keys",
            "API keys",
            {
                "": "Keys let programs in.",
                "Create a key": "Open the dashboard and press the button. Copy the token at once.",
                "Revoke a key": "A revoked token stops working within five seconds.",
            },
        ),
        page("guides/deploy", "Deployment", {"Kubernetes": "Write a manifest for the cluster."}),
        page("reference/cli", "Commands", {"publish": "`docstead publish SOURCE --domain NAME`"}),
        page("zh/keys", "密钥", {"创建": "在控制台中创建密钥,然后复制。"}, language="zh"),
    )


def found(index: Index, query: str, **options: object) -> list[str]:
    passages = index.search(query, limit=5, **options)
    return [f"{each.slug}#{each.anchor}" for each in passages]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("how do I revoke a token", "guides/keys#revoke-a-key"),
        ("creating keys", "guides/keys#create-a-key"),
        ("kubernets manifest", "guides/deploy#kubernetes"),
        ("docstead publish --domain", "reference/cli#publish"),
        ("创建密钥", "zh/keys#创建"),
        ("manif", "guides/deploy#kubernetes"),
    ],
)
def test_the_section_that_answers_comes_first(index: Index, query: str, best: str) -> None:
    assert found(index, query)[0] == best


def test_misspelled_words_are_corrected_for_terms_and_passages(index: Index) -> None:
    assert index.repaired("hwo to rveoke a tokne?") == "how to revoke a token?"
    assert index.terms("hwo to rveoke a tokne?") == index.terms("how to revoke a token?")
    assert found(index, "hwo to rveoke a tokne?") == found(index, "how to revoke a token?")


def test_words_of_pages_for_groups_are_never_shown_as_corrections(
    index_of: IndexOf, page: Page
) -> None:
    index = index_of(
        page("keys", "Keys", {"": "Kubernetes has keys."}),
        page("plans", "Plans", {"": "The zorbulator is next."}, groups=("staff",)),
    )
    assert index.repaired("when is zorbluator?") == "when is zorbluator?"
    assert index.repaired("where is kubernteses?") == "where is kubernetes?"


@pytest.mark.parametrize("query", ["", "   ", "the of and", "xylophone", '"', "a:b AND (", "\x00"])
def test_a_query_never_fails(index: Index, query: str) -> None:
    assert found(index, query) == []


def test_scores_fall_and_are_shares(index: Index) -> None:
    scores = [each.score for each in index.search("revoke key token", limit=5)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_a_passage_knows_its_location(index: Index) -> None:
    passage = index.search("revoke", limit=1)[0]
    assert (passage.title, passage.heading_path) == ("API keys", ("Revoke a key",))
    assert passage.markdown == "A revoked token stops working within five seconds."


def test_it_knows_its_pages(index: Index) -> None:
    assert index.knows("guides/keys")
    assert not index.knows("guides")


def test_no_more_than_the_limit(index: Index) -> None:
    assert len(index.search("key token", limit=2)) == 2


def test_description_and_keywords_are_found(index_of: IndexOf, page: Page) -> None:
    index = index_of(
        page("a", "Start", {"": "Text."}, description="An overview", keywords=("onboarding",)),
        page("b", "Other", {"": "More text."}),
    )
    assert found(index, "onboarding") == found(index, "overview") == ["a#"]


def test_a_page_without_text_is_found_by_its_title(index_of: IndexOf, page: Page) -> None:
    index = index_of(page("a", "Changelog", {}), page("b", "Other", {"": "Text."}))
    assert found(index, "changelog") == ["a#"]


class TestIndexFilters:
    @pytest.fixture
    def index(self, index_of: IndexOf, page: Page) -> Index:
        text = {"": "Install the package."}
        return index_of(
            page("v1/start", "Start one", text, version="v1", language="en"),
            page("v2/start", "Start two", text, version="v2", language="en"),
            page("fr/start", "Start fr", text, version="v2", language="fr"),
            page("legal", "Legal", {"": "Install at your own risk."}, tag="Beta"),
        )

    def test_unversioned_pages_count_for_every_version(self, index: Index) -> None:
        assert set(found(index, "install", version="v1")) == {"v1/start#", "legal#"}

    def test_filters_add_up(self, index: Index) -> None:
        both = found(index, "install", version="v2", language="fr")
        assert set(both) == {"fr/start#", "legal#"}

    def test_pages_without_a_language_are_english(self, index_of: IndexOf, page: Page) -> None:
        index = index_of(
            page("a", "One", {"": "Install the package."}),
            page("fr/a", "Un", {"": "Install, en français."}, language="fr"),
        )
        assert found(index, "install", language="en") == ["a#"]
        assert set(found(index, "install", language="fr")) == {"a#", "fr/a#"}
        assert found(index, "install", language="de") == []
        assert index.has_pages(language="en", version=None)

    def test_tag(self, index: Index) -> None:
        assert found(index, "install", tag="Beta") == ["legal#"]

    @pytest.mark.parametrize("field", ["version", "language", "tag"])
    @pytest.mark.parametrize("value", ["unknown", ""])
    def test_an_unknown_value_finds_nothing(self, index: Index, field: str, value: str) -> None:
        assert found(index, "install", **{field: value}) == []

    def test_the_preferred_version_comes_first(self, index: Index) -> None:
        for version in ("v1", "v2"):
            preference = Preference(language="en", version=version)
            assert found(index, "install package", prefer=preference)[0] == f"{version}/start#"


def test_a_word_that_the_documentation_writes_as_two(index_of: IndexOf, page: Page) -> None:
    index = index_of(
        page("editor", "Editor", {"": "Install the extension for VS Code."}),
        page("other", "Other", {"": "The code of a versus b."}),
    )
    assert found(index, "vscode")[0] == "editor#"


class TestRanking:
    def test_a_boosted_page_moves_up_and_a_lowered_one_down(
        self, index_of: IndexOf, page: Page
    ) -> None:
        index = index_of(
            page("low", "Webhooks", {"": "Retry a webhook."}, boost=0.5),
            page("plain", "Webhooks here", {"": "Retry a webhook once."}),
            page("high", "Webhooks too", {"": "Retry a webhook twice or more."}, boost=3.0),
        )
        assert found(index, "retry webhook") == ["high#", "plain#", "low#"]
        for_answers = Preference(most_boost=1.0)
        assert found(index, "retry webhook", prefer=for_answers) == ["plain#", "high#", "low#"]

    def test_the_page_that_the_reader_looks_at_comes_first_among_equals(
        self, index_of: IndexOf, page: Page
    ) -> None:
        index = index_of(
            page("a/x", "Limits one", {"": "Limits are counted by the hour."}),
            page("b/y", "Limits two", {"": "Limits are counted by the day."}),
        )
        assert found(index, "limits", near="b/y")[0] == "b/y#"
        assert found(index, "limits", near="a/z")[0] == "a/x#"

    def test_a_long_section_is_found_once(self, index_of: IndexOf, page: Page) -> None:
        long = "\n\n".join(f"Webhook number {n} is retried. {'word ' * 90}" for n in range(9))
        index = index_of(page("a", "A", {"Retries": long}), page("b", "B", {"": "A webhook."}))
        assert found(index, "webhook retried") == ["a#retries", "b#"]

    def test_a_text_that_versions_repeat_is_found_once(self, index_of: IndexOf, page: Page) -> None:
        same = {"": "Retry a webhook."}
        index = index_of(page("v1/a", "A", same), page("v2/a", "A", same))
        assert len(found(index, "webhook")) == 1


@pytest.mark.parametrize("query", ["k8s config", "kubernetes settings", "k8s"])
def test_words_that_mean_the_same_are_found(index_of: IndexOf, page: Page, query: str) -> None:
    index = index_of(
        page("a", "Cluster", {"": "The configuration of Kubernetes."}),
        page("b", "Other", {"": "Something else."}),
    )
    assert found(index, query) == ["a#"]


def test_words_in_a_script_that_the_documentation_lacks_are_left_out(
    index_of: IndexOf, page: Page
) -> None:
    index = index_of(page("a", "Ollama", {"": "Set the address of the Ollama server."}))
    assert [term.word for term in index.terms("喜欢Ollama的猫")] == ["ollama"]


def test_an_unreadable_folder_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        Index(tmp_path)


def test_an_empty_documentation_has_an_index(tmp_path: Path) -> None:
    build([], tmp_path / "index")
    assert Index(tmp_path / "index").search("anything", limit=5) == []


def test_many_threads_may_search_at_once(index: Index) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: found(index, "revoke a tokn"), range(200)))
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0] == "guides/keys#revoke-a-key"
