"""A sidebar that pages have in part, completed from a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import group, make_site, page, rendered

pytestmark = pytest.mark.browser


@pytest.fixture
def site(tmp_path: Path) -> Path:
    pages = {n: [page(f"g{n}/p{m}", label=f"Page {m}") for m in range(40)] for n in range(5)}
    shell = PageShell(make_site(*(group(f"Group {n}", *own) for n, own in pages.items())),
                  ShellMode.bundle())  # fmt: skip
    files = {shell.file_of(slug): shell.page(rendered(slug)).encode() for slug in ("g1/p3",)}
    for path, data in {**files, **shell.assets()}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def test_a_group_is_completed_and_the_keyboard_continues_in_it(browser, site: Path) -> None:
    browser.open((site / "g1" / "p3.html").as_uri())
    count = "return document.querySelectorAll('[data-group=\"3\"] > ul > li').length"
    assert browser.run(count) == 31
    browser.driver.find_element("css selector", '[data-group="3"] a[data-more]').click()
    browser.expect(40, count)
    first = browser.run("return document.querySelector('[data-group=\"3\"] a').href")
    assert first == (site / "g2" / "p0.html").as_uri()
    next_page = (site / "g2" / "p30.html").as_uri()
    browser.expect(next_page, "return document.activeElement.href")
    assert browser.complaints() == []
