from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from docstead.content.config import Colors, SiteConfig
from docstead.content.style_settings import BackgroundColors, BackgroundSettings, StylingSettings
from docstead.markup.highlight_css import ADDED, HIGHLIGHTED, REMOVED, TOKENS, token_variables
from docstead.repository.code_themes import code_theme
from docstead.theme.colors.code_look import code_look_css
from docstead.theme.colors.colors import page_colors
from docstead.theme.colors.contrast import contrast, mix, rgb

THEMES = [
    "ayu-dark",
    "catppuccin-frappe",
    "catppuccin-latte",
    "catppuccin-mocha",
    "dark-plus",
    "dracula",
    "everforest-light",
    "github-dark",
    "github-dark-default",
    "github-light",
    "github-light-default",
    "gruvbox-dark-medium",
    "light-plus",
    "material-theme-lighter",
    "min-dark",
    "monokai",
    "night-owl",
    "nord",
    "one-dark-pro",
    "one-light",
    "poimandres",
    "rose-pine-moon",
    "solarized-dark",
    "solarized-light",
    "tokyo-night",
    "vesper",
    "vitesse-dark",
    "vitesse-light",
]
BASE = re.compile(r"--ds-([\w-]+):(#[0-9a-f]{6});")


def code_css(codeblocks: object) -> str:
    """Return the rules for a value as it may be written."""
    styling = msgspec.convert({"codeblocks": codeblocks}, StylingSettings)
    return code_look_css(SiteConfig("Acme", styling=styling))


@pytest.mark.parametrize(
    ("codeblocks", "scheme"),
    [
        (None, ""),
        ("system", ""),
        ("dark", "dark"),
        ("light", "light"),
        ("dracula", "dark"),
        ("github-light", "light"),
        ("aurora-x", "dark"),
        ("some-light-theme", "light"),
        ({"theme": "catppuccin-latte"}, "light"),
        ({"theme": {"light": "light", "dark": "dark"}}, ""),
        ({"theme": {"light": "min-dark", "dark": "dracula"}}, "dark"),
        ({"light": "nord", "dark": "nord"}, "dark"),
        ({"languages": {"custom": ["/a.json"]}}, ""),
    ],
)
def test_code_keeps_to_the_look_of_its_theme(codeblocks: Any, scheme: str) -> None:
    css = code_css(codeblocks)
    assert bool(css) is bool(scheme)
    assert not scheme or f"color-scheme:{scheme};" in css
    assert not css or "--ds-code-bg:" in css
    assert not css or "--ds-code-k:" in css


def test_code_has_the_colors_of_its_theme() -> None:
    css = code_css("dracula")
    assert "--ds-code-bg:#282a36;" in css
    assert "--ds-fg:#f8f8f2;" in css
    assert "--ds-code-f:#50fa7b;" in css
    assert css.count("color-scheme:") == 1


def test_light_and_dark_pages_have_themes_of_their_own() -> None:
    css = code_css({"light": "github-light", "dark": "nord"})
    light, dark = css.index("[data-theme=light]"), css.index("[data-theme=dark]")
    assert "--ds-code-bg:#ffffff;" in css[light:dark]
    assert "--ds-code-bg:#2e3440;" in css[dark:]
    assert css.count("html:not([data-theme])") == len(("light", "dark"))


def test_a_theme_for_one_look_leaves_the_other_as_it_is() -> None:
    css = code_css({"light": "system", "dark": "one-dark-pro"})
    assert "data-theme=dark" in css
    assert "data-theme=light" not in css


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("primary", ["#16A34A", "#ff5cb2", "#101010"])
def test_every_color_can_be_read_on_the_block_and_on_marked_lines(name: str, primary: str) -> None:
    config = SiteConfig("Acme", colors=Colors(primary), styling=StylingSettings(codeblocks=name))
    colors = {key: rgb(value) for key, value in BASE.findall(code_look_css(config))}
    ground = colors["code-bg"]
    marks = [ground, mix(colors["primary"], ground, HIGHLIGHTED[1] / 100)]
    marks += [mix(rgb(color), ground, percent / 100) for color, percent in (ADDED, REMOVED)]
    tokens = [key for key in colors if re.fullmatch(r"code-\w", key)]
    assert len(tokens) == token_variables()[0].count(";")
    for key in ("fg", *tokens):
        assert min(contrast(colors[key], mark) for mark in marks) >= 4.5, key


def test_every_theme_names_a_color_for_each_class_of_tokens() -> None:
    classes = set(re.findall(r"--ds-code-(\w)", token_variables()[0]))
    for name in THEMES:
        theme = code_theme(name)
        assert theme, name
        assert set(theme.tokens) == classes
        assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in theme.tokens.values())


@pytest.mark.parametrize("light", ["#f7f3ee", "#eeeeee", "#d8d0c0"])
def test_tokens_stay_readable_on_marked_lines_of_the_page_background(light: str) -> None:
    background = BackgroundSettings(color=BackgroundColors(light=light))
    config = SiteConfig("Acme", background=background)
    changed = dict(BASE.findall(code_look_css(config)))
    paper = page_colors(config.colors, background)[0]["code-bg"]
    for name, usual in TOKENS[0].items():
        color = rgb(changed.get(f"code-{name}", usual))
        for mark, percent in (ADDED, REMOVED):
            assert contrast(color, mix(rgb(mark), paper, percent / 100)) >= 4.5, name


def test_colors_of_code_are_variables_that_the_site_sets() -> None:
    css = code_css({"theme": "css-variables"})
    assert css.startswith("@media screen{")
    keyword = "var(--shiki-token-keyword,var(--mint-token-keyword,var(--ds-code-k)))"
    assert f".ds-code .k{{color:{keyword}}}" in css
    assert (
        "background:var(--shiki-background,var(--mint-color-background,var(--ds-code-bg)))" in css
    )
