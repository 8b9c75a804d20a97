"""Questions that are nothing but the name of a page or section."""

from __future__ import annotations

import pytest

from docstead.assistant.page_names import AskedName, NameFit
from docstead.content.pages import PageMeta
from docstead.search.analyser import Analyser


def stems(text: str) -> frozenset[str]:
    return frozenset(Analyser().terms(text))


def asked(question: str) -> AskedName:
    return AskedName(question, "Acme Docs", stems)


@pytest.mark.parametrize(
    ("question", "slug", "title", "fit"),
    [
        ("rate limits", "limits", "Rate limits", NameFit.EXACT),
        ("What are rate limits?", "limits", "Rate limit guide", NameFit.EXACT),
        ("self-host acme", "self", "Getting started with self-hosting", NameFit.EXACT),
        ("heroku", "deploy/heroku", "Heroku production deployment in detail", NameFit.OF_PATH),
        ("how do I install it with docker", "deploy/docker", "Docker", NameFit.NEARLY),
        ("supported payment methods", "pay", "Accepted payment methods", NameFit.NEARLY),
        ("which storage providers are supported", "s", "Storage providers", NameFit.NEARLY),
        ("rate limits", "webhooks", "Limits of rates in webhooks", NameFit.NONE),
        ("python", "langchain/python", "Configure Langchain", NameFit.NONE),
        ("delete a project", "projects", "Projects", NameFit.NONE),
        ("how many webhooks", "acme", "Acme", NameFit.NONE),
    ],
)
def test_how_questions_fit_pages(question: str, slug: str, title: str, fit: NameFit) -> None:
    assert asked(question).fit_of_page(PageMeta(slug, "", title)) is fit


def test_the_title_in_the_navigation_counts() -> None:
    page = PageMeta("sdks", "", "TypeScript, Python and Go", sidebar_title="SDKs")
    assert asked("sdks").fit_of_page(page) is NameFit.EXACT
    assert asked("sdks").may_fit(page)
    assert not asked("webhooks").may_fit(page)


def test_one_word_of_a_sentence_is_no_heading() -> None:
    assert asked("webhooks").may_be_heading
    assert asked("docker compose").may_be_heading
    assert not asked("how do I log in").may_be_heading


def test_long_questions_are_no_names() -> None:
    assert not asked("rate limits " * 20)
    assert asked("rate limits")


def test_a_name_with_a_verb_of_an_installation_asks_for_all_steps() -> None:
    assert asked("install with docker").walks
    assert not asked("use docker").walks
