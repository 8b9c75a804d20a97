from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.site.shell.utilities import utility_css


def rules(*names: str) -> list[str]:
    return utility_css(f'<div class="{" ".join(names)}">').splitlines()


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("flex", ".flex{display:flex}"),
        ("hidden", ".hidden{display:none}"),
        ("px-3.5", r".px-3\.5{padding-left:0.875rem;padding-right:0.875rem}"),
        ("-mt-2", ".-mt-2{margin-top:calc(0.5rem*-1)}"),
        ("w-1/2", r".w-1\/2{width:50%}"),
        ("w-[400px]", r".w-\[400px\]{width:400px}"),
        ("w-[calc(100%-2rem)]", r".w-\[calc\(100\%-2rem\)\]{width:calc(100% - 2rem)}"),
        ("grid-cols-3", ".grid-cols-3{grid-template-columns:repeat(3,minmax(0,1fr))}"),
        ("text-sm", ".text-sm{font-size:.875rem;line-height:1.25rem}"),
        ("text-zinc-500", ".text-zinc-500{color:#71717a}"),
        ("bg-primary", ".bg-primary{background-color:var(--ds-primary)}"),
        ("rounded-xl", ".rounded-xl{border-radius:.75rem}"),
        ("space-y-4", ".space-y-4>*+*{margin-top:1rem}"),
        ("hover:underline", r".hover\:underline:hover{text-decoration:underline}"),
        ("group-hover:scale-105", r".group:hover .group-hover\:scale-105{scale:1.05}"),
        ("!m-0", r".\!m-0{margin:0!important}"),
    ],
)
def test_a_class_has_its_rule(name: str, rule: str) -> None:
    assert rules(name) == [f".ds-content {rule}"]


def test_rules_follow_each_other_as_they_must() -> None:
    names = ("md:p-8", "pt-1", "dark:p-6", "p-4", "hover:p-2", "px-2")
    order = [rule.split("{")[0].rpartition(".")[2] for rule in rules(*names)]
    assert order[:4] == ["p-4", "px-2", "pt-1", r"hover\:p-2:hover"]
    assert "html[data-theme=dark]" in rules(*names)[4]
    assert rules(*names)[5].startswith("@media (min-width:48rem)")


def test_dark_rules_hold_without_scripts_too() -> None:
    (rule,) = rules("dark:hidden")
    assert rule.startswith(r"html[data-theme=dark] .ds-content .dark\:hidden{display:none}")
    assert "prefers-color-scheme:dark" in rule


@pytest.mark.parametrize(
    "name", ["ds-card", "card", "text-brand", "foo:flex", "w-[url(x)]", "w-[((]", "p-"]
)
def test_other_classes_have_none(name: str) -> None:
    assert rules(name) == []


@given(st.text(alphabet="abdhimprtwx-:[]/!<>{};().#0159 ", max_size=30))
def test_no_class_breaks_out_of_the_style_sheet(name: str) -> None:
    css = utility_css(f'<i class="p-1 {name}">')
    assert "<" not in css
    assert css.count("{") == css.count("}")
