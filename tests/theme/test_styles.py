from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from lxml import html as lxml_html
from py_mini_racer import MiniRacer

from docstead.content.config import SHIPPED_FONTS, SiteConfig
from docstead.content.style_settings import BackgroundSettings, FontSettings, SiteFontSettings
from docstead.markup.assets import BuiltAssets
from docstead.theme.document import PageShell
from docstead.theme.fonts import shipped_faces, site_fonts
from docstead.theme.mode import ShellMode
from docstead.theme.styles import with_page_script
from site_builders import group, make_site, page, rendered

Make = Callable[..., PageShell]


def css_of(shell: PageShell) -> str:
    return next(data for path, data in shell.assets().items() if path.endswith(".css")).decode()


def test_a_font_of_the_repository_is_used_and_comes_after_our_own(shell_of: Make) -> None:
    fonts = SiteFontSettings("Brand", 450, "/fonts/brand.woff2")
    site = make_site(group("All", page("a")), config=SiteConfig("Acme", fonts=fonts))
    css = css_of(shell_of(site, assets=("fonts/brand.woff2",)))
    assert 'src:url("../fonts/brand.woff2") format("woff2")' in css
    assert css.index('--ds-font-sans:"Brand"') > css.index("shell.css")
    assert "--ds-weight-sans:450" in css


def test_decorations_are_loaded_where_they_are_set(shell_of: Make) -> None:
    for decoration in (None, "grid"):
        config = SiteConfig("Acme", background=BackgroundSettings(decoration))
        css = css_of(shell_of(make_site(group("All", page("a")), config=config)))
        assert ("decorations.css" in css) is bool(decoration)


def test_fonts_of_other_hosts_are_never_asked_for(shell_of: Make) -> None:
    fonts = SiteFontSettings("Brand", source="https://fonts.example.com/brand.woff2")
    site = make_site(group("All", page("a")), config=SiteConfig("Acme", fonts=fonts))
    css = css_of(shell_of(site))
    assert "https:" not in css
    assert '--ds-font-sans:"Brand","Inter"' in css


def test_the_shipped_font_is_a_file_of_the_site(shell_of: Make) -> None:
    shell = shell_of(make_site(group("All", page("a"))))
    (font,) = [path for path in shell.assets() if path.endswith(".woff2")]
    assert font.rpartition("/")[2] in css_of(shell)


@pytest.mark.parametrize(
    ("family", "stand_in"),
    [
        ("Fira Code", '"JetBrains Mono",ui-monospace'),
        ("PT Serif", "ui-serif,Charter"),
        ("Lora", '"Lora Fallback",ui-serif,Charter'),
        ("Sans Serif One", '"Inter",'),
        ("Poppins", '"Poppins Fallback","Inter",'),
    ],
)
def test_readers_without_a_font_see_letters_of_its_kind(family: str, stand_in: str) -> None:
    css = site_fonts(SiteFontSettings(family), BuiltAssets(), ()).css
    assert f'--ds-font-sans:"{family}",{stand_in}' in css


def test_a_shipped_family_comes_with_its_files() -> None:
    fonts = site_fonts(SiteFontSettings("geist"), BuiltAssets(), ())
    assert any("geist-latin." in name for name in fonts.files)
    assert "geist-latin." in fonts.first[0]  # which pages then load before they need it
    assert '--ds-font-sans:"geist","Geist Fallback","Inter",' in fonts.css
    assert '@font-face{font-family:"Geist Fallback";font-weight:100 549;src:local(' in fonts.css
    usual = site_fonts(SiteFontSettings(), BuiltAssets(), ())
    assert ["inter-latin." in path for path in usual.first] == [True]
    assert "Geist" not in usual.css
    assert not any(
        "geist" in name for name in site_fonts(SiteFontSettings(), BuiltAssets(), ()).files
    )


def test_every_included_family_has_its_files() -> None:
    files = {face.family for face in shipped_faces(BuiltAssets())}
    assert files == set(SHIPPED_FONTS.values())
    for family in SHIPPED_FONTS.values():
        assert site_fonts(SiteFontSettings(family), BuiltAssets(), ()).first


def test_a_family_with_a_file_for_each_weight() -> None:
    fonts = site_fonts(SiteFontSettings(heading=FontSettings("Poppins")), BuiltAssets(), ())
    assert {"400", "600"} <= set(re.findall(r'"Poppins";[^}]*?font-weight:(\d+);', fonts.css))
    assert '--ds-font-heading:"Poppins",' in fonts.css
    assert [path.rpartition("/")[2][:18] for path in fonts.first[1:]] == ["poppins-latin-600."]


def test_a_late_font_never_moves_what_is_read() -> None:
    brand = FontSettings("Brand", source="/fonts/brand.woff2")
    fonts = site_fonts(SiteFontSettings(heading=brand), BuiltAssets(), ())
    loaded = [rule for rule in fonts.css.split("@font-face") if "url(" in rule]
    assert len(loaded) == len(fonts.files) + 1
    assert all("font-display:optional" in rule for rule in loaded)
    assert fonts.first[1:] == ("fonts/brand.woff2",)


def test_the_format_of_a_font_is_what_the_settings_say() -> None:
    font = SiteFontSettings("Brand", source="/fonts/brand", format="woff")
    assert 'url("../fonts/brand") format("woff")' in site_fonts(font, BuiltAssets(), ()).css


def test_a_script_that_fails_leaves_the_others_of_a_page_running() -> None:
    files = {"components.js": b"missing();", "readers.js": b"ran.push(1);", "site.css": b"a{}"}
    made = with_page_script(files)
    assert set(made) == {"page.js", "site.css"}
    with MiniRacer() as browser:
        browser.eval("const ran = [], reportError = error => ran.push(error.name)")
        browser.eval(made["page.js"].decode())
        ran = browser.eval("ran.join()")
    assert ran == "ReferenceError,1"


def test_printed_pages_have_the_style_sheets_of_pages_with_everything() -> None:
    kinds = ("math", "diagrams")
    site = make_site(page("index"))
    shell = PageShell(site, ShellMode.bundle(), ("own.css",), page_features=kinds)
    body = '<div class="ds-mermaid">Drawing</div>'
    document = lxml_html.document_fromstring(shell.page(rendered("index", body, features=kinds)))
    linked = [each.get("href") for each in document.cssselect("link[rel=stylesheet]")]
    assert len(linked) == 5
    assert list(shell.style_sheets) == linked
