"""Pages that readers ask for by what they are for."""

from __future__ import annotations

import pytest

from docstead.assistant.page_roles import AskedRole, PageRole, RolePages
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Site
from docstead.search.ranking import Preference

TITLES = {
    "guides/introduction": "Introduction",
    "start": "Quick start",
    "cli/overview": "Overview",
    "cli/quickstart": "Quickstart",
    "plans": "Plans and limits",
    "news": "What's new",
    "v1/quickstart": "Quickstart",
}
TEXTS = {"guides/introduction": "Acme Pay lets you charge customers.", "cli/overview": "A tool."}


def group(label: str, *slugs: str) -> NavNode:
    pages = tuple(NavNode(NodeKind.PAGE, TITLES[slug], slug=slug) for slug in slugs)
    return NavNode(NodeKind.GROUP, label, pages)


def roles(texts: dict[str, str] = TEXTS, name: str = "Acme Pay Docs") -> RolePages:
    old = "v1/quickstart"
    metas = {
        slug: PageMeta(slug, "", title, version="v1" if slug == old else "v2")
        for slug, title in TITLES.items()
    }
    listed = [slug for slug in TITLES if not slug.startswith("cli/")]
    roots = (
        group("Old", old),
        group("Guides", *listed),
        group("CLI", "cli/overview", "cli/quickstart"),
    )
    site = Site(SiteConfig(name), Navigation(roots), metas)
    return RolePages(site, lambda slug: texts.get(slug, "Some text."))


@pytest.mark.parametrize(
    ("question", "slug"),
    [
        ("What is Acme Pay?", "guides/introduction"),
        ("what is acmepay used for", "guides/introduction"),
        ("what does Acme Pay do for me?", "guides/introduction"),
        ("why should I use acme pay", "guides/introduction"),
        ("who is it for?", "guides/introduction"),
        ("Acme Pay", "guides/introduction"),
        ("How do I get started?", "start"),
        ("getting started with Acme Pay", "start"),
        ("quickstart", "start"),
        ("first steps", "start"),
        ("where should I begin", "start"),
        ("how do I start building on it?", "start"),
        ("How much does it cost?", "plans"),
        ("acme pay pricing", "plans"),
        ("what's new?", "news"),
        ("release notes", "news"),
        ("what is the CLI?", "cli/overview"),
    ],
)
def test_questions_that_ask_for_a_page(question: str, slug: str) -> None:
    pages = roles()
    asked = pages.asked(question, first=True)
    assert asked is not None
    assert pages.page(asked, Preference(version="v2")) == slug


@pytest.mark.parametrize(
    "question",
    [
        "how do i make my first refund",
        "install it and send a first invoice",
        "Create our first plan",
    ],
)
def test_a_first_result_is_on_the_first_steps_that_search_finds(question: str) -> None:
    pages, prefer = roles(), Preference(version="v2")
    asked = pages.asked(question, first=True)
    assert asked == AskedRole(PageRole.FIRST_RESULT)
    assert pages.page(asked, prefer, ["plans", "plans", "cli/quickstart"]) == "cli/quickstart"
    assert pages.page(asked, prefer, ["plans", "cli/quickstart", "news", "start"]) == "start"
    assert pages.page(asked, prefer, ["cli/quickstart", "start"]) == "cli/quickstart"
    far = ["plans", "news", "guides/introduction", "cli/overview", "v1/quickstart", "start"]
    assert pages.page(asked, prefer, far) is None


@pytest.mark.parametrize(
    "question",
    [
        "How do I start the server?",
        "why does Acme Pay fail",
        "make the first 3 months free",
        "How much does a refund cost?",
        "What is the default port of Acme Pay?",
        "what is a webhook",
        f"what is {'very ' * 40}long",
    ],
)
def test_other_questions_do_not(question: str) -> None:
    pages = roles()
    asked = pages.asked(question, first=True)
    assert asked is None or pages.page(asked, Preference()) is None


def test_it_is_the_product_only_in_a_first_question() -> None:
    assert roles().asked("what is it?", first=True) == AskedRole(PageRole.INTRODUCTION)
    assert roles().asked("what is it?", first=False) is None
    assert roles().asked("what is Acme Pay?", first=False) == AskedRole(PageRole.INTRODUCTION)


def test_pages_without_text_for_the_reader_are_passed_over() -> None:
    pages = roles({"start": "", "cli/quickstart": "", "v1/quickstart": "Text."})
    asked = AskedRole(PageRole.FIRST_STEPS)
    assert pages.page(asked, Preference()) == "v1/quickstart"
    assert pages.page(asked, Preference(version="v2")) == "guides/introduction"


def test_an_introduction_of_something_else_is_not_that_of_the_site() -> None:
    titles = ["start", "plans", "news", "cli/overview"]
    metas = {slug: PageMeta(slug, "", TITLES[slug]) for slug in titles}
    site = Site(SiteConfig("Acme"), Navigation((group("G", *titles),)), metas)
    asked = AskedRole(PageRole.INTRODUCTION)
    assert RolePages(site, lambda _: "A tool.").page(asked, Preference()) is None
    assert RolePages(site, lambda _: "Acme is a tool.").page(asked, Preference()) == "cli/overview"


def test_the_page_that_asks_the_question_comes_before_a_welcome() -> None:
    titles = {"overview": "Introduction", "what-is-acme": "What is Acme?"}
    metas = {slug: PageMeta(slug, "", title) for slug, title in titles.items()}
    listed = tuple(NavNode(NodeKind.PAGE, title, slug=slug) for slug, title in titles.items())
    site = Site(SiteConfig("Acme"), Navigation(listed), metas)
    asked = AskedRole(PageRole.INTRODUCTION)
    assert RolePages(site, lambda _: "Welcome.").page(asked, Preference()) == "what-is-acme"


def test_the_overview_of_a_topic_is_not_that_of_the_site() -> None:
    slug = "customize/overview"
    metas = {slug: PageMeta(slug, "", "Customization overview")}
    page = NavNode(NodeKind.PAGE, "Customization", slug=slug)
    site = Site(SiteConfig("Acme"), Navigation((page,)), metas)
    pages = RolePages(site, lambda _: "Acme can be customized.")
    assert pages.page(AskedRole(PageRole.INTRODUCTION), Preference()) is None
