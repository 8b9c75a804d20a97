from __future__ import annotations

from typing import Any

import pytest

from docstead.content.config import SiteConfig
from docstead.site.shell.code_look import code_look_css


@pytest.mark.parametrize(
    ("codeblocks", "scheme"),
    [
        (None, ""),
        ("system", ""),
        ("dark", "dark"),
        ("light", "light"),
        ("dracula", "dark"),
        ("github-light", "light"),
        ({"theme": "catppuccin-latte"}, "light"),
        ({"theme": {"light": "github-light", "dark": "dracula"}}, ""),
        ({"theme": {"light": "min-dark", "dark": "dracula"}}, "dark"),
        ({"light": "nord", "dark": "nord"}, "dark"),
        ({"languages": {"custom": ["/a.json"]}}, ""),
        (["dark"], ""),
    ],
)
def test_code_keeps_to_the_look_of_its_theme(codeblocks: Any, scheme: str) -> None:
    css = code_look_css(SiteConfig("Acme", styling={"codeblocks": codeblocks}))
    assert bool(css) is bool(scheme)
    assert not scheme or f"color-scheme:{scheme};" in css
    assert not css or "--ds-code-bg:" in css
    assert not css or "--ds-code-k:" in css


def test_colors_of_code_are_variables_that_the_site_sets() -> None:
    css = code_look_css(SiteConfig("Acme", styling={"codeblocks": {"theme": "css-variables"}}))
    keyword = "var(--shiki-token-keyword,var(--mint-token-keyword,var(--ds-code-k)))"
    assert f".ds-code .k{{color:{keyword}}}" in css
    assert (
        "background:var(--shiki-background,var(--mint-color-background,var(--ds-code-bg)))" in css
    )
