"""The style sheet of the classes that authors write, by the real compiler."""

from __future__ import annotations

import pytest

from docstead.markup.utilities import class_names, utility_css


def test_classes_of_our_own_components_are_no_authors() -> None:
    html = '<div class="ds-card card"><p class="mt-4 dark:hidden [&amp;>i]:m-0">x</p></div>'
    assert class_names(html) == ("[&>i]:m-0", "card", "dark:hidden", "mt-4")


def test_a_class_never_asks_another_host_for_anything() -> None:
    assert class_names("<i class=\"bg-[url('https://host.test/x.png')] p-1\">") == ("p-1",)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("flex", ".flex {\n  display: flex;"),
        ("px-3.5", r".px-3\.5 {" + "\n  padding-inline: calc(0.25rem * 3.5);"),
        ("w-[calc(100%-2rem)]", "width: calc(100% - 2rem);"),
        ("bg-primary", "background-color: var(--ds-primary);"),
        ("dark:bg-background-dark", "background-color: rgb(var(--background-dark));"),
        ("bg-background-light", "background-color: rgb(var(--background-light));"),
        ("text-zinc-500", "color: oklch("),
        ("hover:underline", r".hover\:underline:hover {"),
        ("group-hover:scale-105", "scale: "),
        ("!m-0", "margin: 0px !important;"),
        ("md:grid-cols-2", "@media (width >= 48rem) {"),
        ("mint-flex", ".mint-flex {\n  display: flex;"),
        ("md:mint-w-1/2", r".md\:mint-w-1\/2"),
        ("dark:!mint-hidden", "display: none !important;"),
    ],
)
def test_a_class_has_its_rule(name: str, rule: str) -> None:
    assert rule in utility_css([name])


def test_rules_reach_the_content_of_a_page_only() -> None:
    selectors = [line for line in utility_css(["flex", "p-4"]).splitlines() if line.endswith("{")]
    assert selectors
    assert all(line.startswith(".ds-content ") for line in selectors)


def test_dark_rules_follow_the_reader_and_without_scripts_the_system() -> None:
    css = utility_css(["block", "dark:hidden"])
    assert css.index(".block {") < css.index(r".dark\:hidden")
    assert 'html[data-theme="dark"] *' in css
    assert "@media (prefers-color-scheme: dark)" in css


def test_gaps_between_children_outdo_the_margins_of_running_text() -> None:
    assert ":is(.ds-content .space-y-4 > " in utility_css(["space-y-4"])


@pytest.mark.parametrize("names", [[], ["card", "text-brand"], ["foo:flex"], ["p-1}</style>"]])
def test_other_classes_have_none(names: list[str]) -> None:
    assert utility_css(names) == ""


def test_the_same_names_give_the_same_text() -> None:
    assert utility_css(["p-4", "m-2"]) == utility_css(["m-2", "p-4", "m-2"])
