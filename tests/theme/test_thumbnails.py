"""The pictures that previews of links show."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from lxml import html
from PIL import Image

from docstead.content.config import Colors, Logo, SiteConfig, ThemedValue
from docstead.content.pages import Site
from docstead.content.written_settings import WrittenSettings
from docstead.markup.assets import BuiltAssets
from docstead.theme.document import PageShell
from docstead.theme.logos import logo_image
from docstead.theme.mode import ShellMode
from docstead.theme.thumbnails import SIZE, ThumbnailRenderer, ThumbnailText, fitted
from site_builders import BASE_URL, group, make_site, meta, page, rendered

Make = Callable[..., PageShell]
CONFIG = SiteConfig("Acme", colors=Colors("#0D9373", light="#55D799"))
SAID = ThumbnailText("Send a request", "Start", "With one command.")


def icon(
    config: SiteConfig = CONFIG, said: ThumbnailText = SAID, background: bytes | None = None
) -> bytes:
    given = None if background is None else fitted(background)
    return ThumbnailRenderer(config, BuiltAssets(), given).render(said)


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def with_settings(**settings: Any) -> SiteConfig:
    return replace(CONFIG, extra=WrittenSettings(thumbnails=settings))


def corner(data: bytes) -> int:
    """Return the lightness of the background, from 0 to 255."""
    value = picture(data).convert("L").getpixel((SIZE[0] - 10, 10))
    assert isinstance(value, int)
    return value


def image_of(shell: PageShell, slug: str) -> str | None:
    found = html.document_fromstring(shell.page(rendered(slug)))
    metas = found.cssselect("meta[property='og:image']")
    return metas[0].get("content") if metas else None


def test_a_picture_says_what_the_page_is_about_in_the_same_bytes() -> None:
    first = icon()
    assert picture(first).size == SIZE
    assert icon() == first
    assert icon(said=replace(SAID, title="Another")) != first
    assert icon(said=replace(SAID, part="")) != first
    assert icon(said=replace(SAID, note="")) != first


def test_it_is_light_or_dark_as_the_settings_say() -> None:
    assert corner(icon()) > 240
    assert corner(icon(with_settings(appearance="dark"))) < 30


def test_its_family_is_one_that_is_shipped() -> None:
    assert icon(with_settings(fonts={"family": "JetBrains Mono"})) != icon()
    assert icon(with_settings(fonts={"family": "Poppins"})) != icon()
    assert icon(with_settings(fonts={"family": "Roboto"})) != icon()
    assert icon(with_settings(fonts={"family": "Nowhere Sans"})) == icon()


def test_words_of_any_length_stay_within_it() -> None:
    long = ThumbnailText("word " * 200, "part " * 50, "note" * 500)
    edge = picture(icon(said=long)).crop((SIZE[0] - 80, 0, SIZE[0], SIZE[1] - 40))
    assert [low for low, _ in edge.getextrema()] > [230, 230, 230]


def test_letters_that_no_font_has_give_way_to_the_name_of_the_site() -> None:
    assert icon(said=ThumbnailText("\u6982\u8981")) == icon(said=ThumbnailText(""))
    assert icon(said=ThumbnailText("\u0414\u043e\u043c")) != icon(said=ThumbnailText(""))


@pytest.mark.parametrize("data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n broken", b"<svg/>"])
def test_a_background_that_is_no_picture_is_left_out(data: bytes) -> None:
    assert icon(background=data) == icon()


def test_a_background_is_behind_the_words() -> None:
    data = io.BytesIO()
    Image.new("RGB", (40, 40), "#000000").save(data, "PNG")
    assert 150 < corner(icon(background=data.getvalue())) < 240


def test_the_background_of_a_site_is_decoded_once(shell_of: Make) -> None:
    """Every page has a preview, and decoding takes most of its time."""
    slugs = [f"page-{number}" for number in range(5)]
    made = make_site(*map(page, slugs), metas={slug: meta(slug) for slug in slugs})
    config = replace(made.config, extra=WrittenSettings(thumbnails={"background": "/back.png"}))
    shell = shell_of(replace(made, config=config), ShellMode.hosted("", BASE_URL))
    data = io.BytesIO()
    Image.new("RGB", (4_000, 4_000), "#000000").save(data, "PNG")

    def seconds(slug: str) -> float:
        before = time.thread_time()
        preview = shell.preview(f"_docs/preview/{slug}.jpg", lambda _: data.getvalue())
        assert preview is not None
        assert corner(preview) < 240
        return time.thread_time() - before

    first, *others = map(seconds, slugs)
    assert min(others) < first / 2


LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"{}>{}</svg>'
RED = '<rect width="90" height="30" fill="#f00"/>'


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_logo_replaces_the_name(site: Site, shell_of: Make, kind: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (90, 30), "#f00").save(data, "PNG")
    files = {"logo.png": data.getvalue(), "logo.svg": LOGO.format("", RED).encode()}
    logo = Logo(ThemedValue(f"/logo.{kind}", "/dark.svg"))
    shell = shell_of(
        replace(site, config=replace(site.config, logo=logo)), ShellMode.hosted("", BASE_URL)
    )
    preview = shell.preview("_docs/preview/index.jpg", files.get)
    assert preview is not None
    assert shows_logo(preview)
    assert shell.preview("_docs/preview/index.jpg", lambda _: None) != preview


def shows_logo(data: bytes) -> bool:
    """Report whether an image has a red logo of 90 by 30."""
    pixels = [picture(data).getpixel((at, 114)) for at in (90, 260)]
    return all(isinstance(p, tuple) and p[0] > 230 and max(p[1:]) < 40 for p in pixels)


NESTED = "".join(
    f'<g id="g{n}">{"".join([f"""<use href="#g{n + 1}"/>"""] * 10)}</g>' for n in range(9)
)


@pytest.mark.parametrize(
    "drawing",
    [
        LOGO.format("", '<image href="file:///etc/hostname"/>'),
        LOGO.format("", "<style>rect{fill:red}</style>" + RED),
        LOGO.format("", f'{NESTED}<g id="g9">{RED}</g>'),
        LOGO.format("", '<g id="a"><use href="#a"/></g>'),
        LOGO.format("", 201 * RED),
        LOGO.format("", '<path d="M0 0H9" stroke="red" stroke-dasharray=".0001"/>'),
        LOGO.format("", f'<filter id="f"><feGaussianBlur stdDeviation="90"/></filter>{RED}'),
        LOGO.format("", f'<pattern id="p">{RED}</pattern>{RED}'),
        "<!DOCTYPE svg [<!ENTITY a 'b'>]>" + LOGO.format("", RED),
        LOGO.format("", ""),
        LOGO.replace("90 30", "90000 3").format("", RED),
        "<svg",
        "no picture",
    ],
)
def test_a_logo_that_may_cost_much_or_is_none_is_left_out(drawing: str) -> None:
    assert logo_image(drawing.encode(), 100, 60) is None


def test_a_logo_that_ends_early_is_left_out() -> None:
    data = io.BytesIO()
    Image.effect_noise((90, 30), 50).save(data, "PNG")
    assert logo_image(data.getvalue(), 100, 60) is not None
    assert logo_image(data.getvalue()[:900], 100, 60) is None


@pytest.fixture
def site() -> Site:
    return make_site(group("Start", page("index"), page("a/b")), metas={"a/b": meta("a/b")})


def test_each_page_of_a_hosted_site_has_its_own(site: Site, shell_of: Make) -> None:
    shell = shell_of(site, ShellMode.hosted("", BASE_URL))
    assert image_of(shell, "a/b") == f"{BASE_URL}/_docs/preview/a/b.jpg"
    made = shell.preview("_docs/preview/a/b.jpg", lambda _: None)
    assert made is not None
    assert made != shell.preview("_docs/preview/index.jpg", lambda _: None)
    assert shell.preview("_docs/preview/nothing.jpg", lambda _: None) is None
    assert [path for path in shell.assets() if "preview" in path] == []


def test_the_pages_of_a_bundle_share_one(site: Site, shell_of: Make) -> None:
    shell = shell_of(site)
    (path,) = (path for path in shell.assets() if "preview" in path)
    assert image_of(shell, "index") == image_of(shell, "a/b") == f"{BASE_URL}/{path}"
    assert picture(shell.assets()[path]).size == SIZE
    logo = LOGO.format("", RED).encode()
    (other, image) = next(
        each for each in shell_of(site, logo=logo).assets().items() if "preview" in each[0]
    )
    assert other != path
    assert shows_logo(image)


def test_a_site_without_a_base_url_has_none(site: Site, shell_of: Make) -> None:
    shell = shell_of(site, ShellMode.bundle())
    assert image_of(shell, "index") is None
    assert [path for path in shell.assets() if "preview" in path] == []


def test_pictures_that_authors_name_win(site: Site, shell_of: Make) -> None:
    own = replace(site.pages["a/b"], metatags={"og:image": "/own.png"})
    settings = replace(site.config, extra=WrittenSettings(thumbnails={"background": "/all.png"}))
    site = replace(site, config=settings, pages={**site.pages, "a/b": own})
    shell = shell_of(site)
    assert image_of(shell, "a/b") == f"{BASE_URL}/own.png"
    assert image_of(shell, "index") == f"{BASE_URL}/all.png"
    hosted = shell_of(site, ShellMode.hosted("", BASE_URL))
    assert image_of(hosted, "index") == f"{BASE_URL}/_docs/preview/index.jpg"
