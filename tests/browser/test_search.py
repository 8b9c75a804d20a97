"""The search of a bundle, from a folder and without a server."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from exported_folders import export_folder

pytestmark = pytest.mark.browser

_OPTIONS = """
return [...document.querySelectorAll(".ds-search-dialog [role=option]")].map((each) => ({
  title: each.querySelector(".ds-search-title").textContent,
  selected: each.ariaSelected === "true",
  href: each.getAttribute("href"),
}));
"""
_FILLER = "Text that fills the record of a section, as far as it is shown below a result. " * 3
_IS_OPEN = "return document.querySelector('.ds-search-dialog')?.open === true"


class SearchDialog:
    """The dialog, as a reader with a keyboard meets it."""

    def __init__(self, browser, page: Path) -> None:
        self.browser = browser
        self.driver = browser.driver
        browser.open(page.as_uri())

    def open(self, *keys: str) -> None:
        chain = ActionChains(self.driver)
        if len(keys) > 1:
            chain.key_down(keys[0]).send_keys(keys[1]).key_up(keys[0]).perform()
        else:
            chain.send_keys(keys[0]).perform()
        self.browser.wait(_IS_OPEN)

    def ask(self, query: str) -> list[dict]:
        field = self.driver.find_element("css selector", ".ds-search-dialog input")
        field.clear()
        field.send_keys(query)
        dialog = "document.querySelector('.ds-search-dialog')"
        self.browser.expect(query, f"return {dialog}.dataset.answered")
        return self.browser.run(_OPTIONS)

    def press(self, key: str) -> None:
        ActionChains(self.driver).send_keys(key).perform()


@pytest.fixture
def search(browser, bundle: Path) -> SearchDialog:
    found = SearchDialog(browser, bundle / "quickstart.html")
    found.open(Keys.CONTROL, "k")
    return found


def test_an_empty_search_names_each_of_the_first_pages_once(search: SearchDialog, browser) -> None:
    named = """const { parentElement } = document.querySelector('.ds-nav-list a.ds-nav-link[href]');
    const again = parentElement.cloneNode(true);
    again.querySelector('a').href = 'again.html';
    parentElement.after(again);
    document.querySelector('.ds-search-dialog').close()"""
    browser.run(named)
    search.open(Keys.CONTROL, "k")
    options = "return [...document.querySelectorAll('.ds-search-dialog [role=option]')]"
    titles = browser.run(f"{options}.map((each) => each.innerText)")
    assert len(titles) == len(set(titles)) > 2


def test_a_query_finds_titles_first_and_asks_no_other_host(search: SearchDialog, browser) -> None:
    results = search.ask("quickstart")
    assert results[0]["title"] == "Quickstart"
    assert results[0]["selected"]
    assert results[0]["href"].endswith("/quickstart.html")
    assert all(url.startswith(("file://", "data:")) for url in browser.requests())
    assert browser.complaints() == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        pytest.param("quickst", "Quickstart", marks=pytest.mark.deep),  # not typed to its end
        ("qiuckstart", "Quickstart"),  # mistyped
        ("exported bundles", "Export a bundle"),  # in other forms
        pytest.param("bundleUrl", "bundle", marks=pytest.mark.deep),  # an identifier
        pytest.param("model_base_url", "With a model", marks=pytest.mark.deep),
        ("docs-api.example.com", "To a service on another machine"),  # a hostname
    ],
)
def test_readers_find_what_they_do_not_spell_out(
    search: SearchDialog, query: str, found: str
) -> None:
    assert any(found in each["title"] for each in search.ask(query)[:5]), search.ask(query)


def test_the_folder_of_a_bundle_may_have_any_name(browser, bundle: Path, tmp_path) -> None:
    site = shutil.copytree(bundle, tmp_path / "our_docs" / "_docs")
    search = SearchDialog(browser, site / "quickstart.html")
    search.open("/")
    assert search.ask("quickstart")[0]["href"] == (site / "quickstart.html").as_uri()


def hold_back(browser, part: str) -> None:
    """Let scripts with a part of a URL load only when `goOn` is called."""
    browser.run(
        """const append = document.head.append.bind(document.head);
        document.head.append = (each) => each.src?.includes(arguments[0]) && !window.goesOn
          ? (window.held ??= []).push(each) : append(each);
        window.goOn = () => { window.goesOn = true; window.held.forEach(append); };""",
        part,
    )


def test_keys_that_come_before_the_dialog_go_into_its_field(browser, bundle: Path) -> None:
    search = SearchDialog(browser, bundle / "quickstart.html")
    hold_back(browser, "search")
    search.press("/quicks")
    browser.run("window.goOn()")
    browser.wait(_IS_OPEN)
    search.press("tart")
    browser.expect("quickstart", "return document.querySelector('.ds-search-dialog input').value")
    browser.wait("return document.querySelector('.ds-search-dialog [role=option]') !== null")


@pytest.mark.parametrize("width", [600, 1440])
def test_a_search_that_does_not_load_is_said_until_the_next_click(
    browser, bundle: Path, width: int
) -> None:
    browser.resize(width, 900)
    browser.open((bundle / "quickstart.html").as_uri())
    name = "#search-bar-entry-mobile" if width < 768 else "#search-bar-entry"
    button = browser.driver.find_element("css selector", name)
    browser.run(
        "const { dataset } = document.querySelector('[data-search]');"
        "window.script = dataset.search; dataset.search = 'missing.js'"
    )
    button.click()
    said = "return document.querySelector('.ds-failure[role=alert]')?.innerText"
    browser.expect("The search index could not be loaded.", said)
    left, right, below = browser.run(
        """const box = (name) => document.querySelector(name).getBoundingClientRect();
        const said = box(".ds-failure");
        return [said.left, innerWidth - said.right, said.top - box(arguments[0]).bottom]""",
        name,
    )
    assert left >= 8
    assert right >= 8
    assert 0 < below < 10

    browser.run("document.querySelector('[data-search]').dataset.search = window.script")
    button.click()
    browser.wait(_IS_OPEN)
    assert browser.run(said) is None


def test_gray_lines_stand_for_results_that_take_long(browser, bundle: Path) -> None:
    search = SearchDialog(browser, bundle / "quickstart.html")
    hold_back(browser, "/search/")
    search.open("/")
    search.press("quickstart")
    note = "const note = document.querySelector('.ds-search-note'); return !note.hidden && "
    browser.wait(note + "note.children.length === 2 && note.textContent === ''")
    browser.run("window.goOn()")
    browser.wait("return document.querySelector('.ds-search-dialog [role=option]') !== null")
    assert not browser.run(note + "true")


def test_nothing_found_is_said(search: SearchDialog, browser) -> None:
    assert search.ask("zzqxv") == []
    note = browser.run("return document.querySelector('.ds-search-note').textContent")
    assert "zzqxv" in note


def test_one_letter_asks_for_more(search: SearchDialog, browser) -> None:
    assert search.ask("export") != []
    assert search.ask("e") == []
    assert not browser.run("return document.querySelector('.ds-search-note').hidden")
    assert search.ask("ex") != []


def test_arrows_choose_and_enter_opens_a_section(search: SearchDialog, browser) -> None:
    results = search.ask("export")
    assert len(results) > 2
    search.press(Keys.ARROW_DOWN)
    search.press(Keys.ARROW_DOWN)

    def selected() -> list[bool]:
        return [each["selected"] for each in browser.run(_OPTIONS)[:4]]

    browser.until([False, False, True, False], selected)
    search.press(Keys.ARROW_UP)
    browser.until([False, True, False, False], selected)
    href = browser.run(_OPTIONS)[1]["href"]
    search.press(Keys.ENTER)
    browser.expect(href, "return location.href")


@pytest.fixture(scope="module")
def wide_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site on which a word is on ten pages whose records are in different files."""
    source = tmp_path_factory.mktemp("wide")
    names = [f"page-{number:02}" for number in range(60)]
    for number, name in enumerate(names):
        word = "quokka" if number % 6 == 0 else "other"
        sections = [f"## Part {part} of {number}\n\n{_FILLER}\n\n" for part in range(20)]
        (source / f"{name}.md").write_text(f"Of the {word}.\n\n{''.join(sections)}")
    settings = {"name": "W", "theme": "mint", "colors": {"primary": "#335577"}}
    navigation = {"navigation": {"groups": [{"group": "G", "pages": names}]}}
    (source / "docs.json").write_text(json.dumps(settings | navigation))
    return export_folder(source, tmp_path_factory.mktemp("wide-site") / "site")


@pytest.mark.parametrize("move", ["wheel", "arrow"])
def test_results_of_further_files_are_added_when_the_reader_moves_to_the_list(
    browser, wide_site: Path, move: str
) -> None:
    search = SearchDialog(browser, wide_site / "page-00.html")
    search.open("/")
    first = search.ask("quokka")
    assert 0 < len(first) < 10
    if move == "arrow":
        search.press(Keys.ARROW_DOWN)
    else:
        browser.run(
            "document.querySelector('.ds-search-list').dispatchEvent(new WheelEvent('wheel'))"
        )
    browser.expect(10, f"{_OPTIONS.rstrip().removesuffix(';')}.length")
    shown = browser.run(_OPTIONS)
    assert [each["href"] for each in shown[: len(first)]] == [each["href"] for each in first]
    assert [each["selected"] for each in shown].index(True) == (1 if move == "arrow" else 0)


def test_escape_closes_and_gives_focus_back(browser, bundle: Path) -> None:
    search = SearchDialog(browser, bundle / "index.html")
    button = browser.driver.find_element("id", "search-bar-entry")
    button.send_keys(Keys.ENTER)
    browser.wait(_IS_OPEN)
    search.press(Keys.ESCAPE)
    browser.expect(False, _IS_OPEN)
    browser.until(button, lambda: browser.driver.switch_to.active_element)
    search.open("/")


def test_the_dialog_is_a_combobox_over_a_listbox(search: SearchDialog, browser) -> None:
    search.ask("export")
    field = browser.driver.find_element("css selector", ".ds-search-dialog [role=combobox]")
    chosen = browser.driver.find_element("id", field.get_attribute("aria-activedescendant"))
    assert chosen.get_attribute("aria-selected") == "true"
    assert field.get_attribute("aria-expanded") == "true"
    listbox = browser.driver.find_element("id", field.get_attribute("aria-controls"))
    assert listbox.get_attribute("role") == "listbox"


def test_the_page_of_unknown_urls_names_near_ones(browser, bundle: Path, tmp_path) -> None:
    site = shutil.copytree(bundle, tmp_path / "site")
    (site / "exporting-bundels.html").write_bytes((site / "404.html").read_bytes())
    browser.open((site / "exporting-bundels.html").as_uri())
    browser.wait("return document.querySelector('[data-near] a') !== null")
    near = browser.run("return [...document.querySelectorAll('[data-near] a')].map((a) => a.href)")
    assert (site / "guides" / "export.html").as_uri() in near


def test_a_page_is_copied_from_a_folder_too(browser, bundle: Path) -> None:
    browser.open((bundle / "quickstart.html").as_uri())
    browser.driver.find_element("css selector", "[data-page-action=copy]").click()
    browser.wait("return document.querySelector('.ds-action').textContent.trim() === 'Copied'")


_ROWS = """
return [...document.querySelectorAll(".ds-search-dialog [role=option]")]
  .map((each) => each.querySelector(".ds-search-text").textContent);
"""


def test_an_empty_search_lists_the_first_pages_and_earlier_searches(
    search: SearchDialog, browser, bundle: Path
) -> None:
    browser.run("localStorage.setItem('ds-searches', JSON.stringify(['bundle']))")
    browser.open((bundle / "quickstart.html").as_uri())
    search.open("/")
    first = browser.run("return document.querySelector('.ds-nav-list .ds-nav-label').textContent")
    assert browser.run(_ROWS)[:2] == ["bundle", first]
    search.press(Keys.ARROW_DOWN)
    search.press(Keys.ENTER)
    browser.expect("bundle", "return document.querySelector('.ds-search-dialog').dataset.answered")
    results = browser.run(_OPTIONS)
    assert search.ask("export") != []
    browser.run("document.querySelector('.ds-search-dialog a[role=option]').click()")
    browser.expect('["export","bundle"]', "return localStorage.getItem('ds-searches')")
    browser.run("localStorage.removeItem('ds-searches')")
    assert results != []


def test_results_name_their_tab_and_group(search: SearchDialog, browser) -> None:
    search.ask("quickstart")
    where = browser.run("return document.querySelector('.ds-search-where').textContent")
    assert where


def test_chips_narrow_results_to_a_part_of_the_site(search: SearchDialog, browser) -> None:
    everything = search.ask("export")
    chips = "return [...document.querySelectorAll('.ds-search-chip')].map((e) => e.textContent)"
    assert sorted(browser.run(chips)) == ["All", "Guides", "Reference"]
    browser.run("document.querySelector('.ds-search-chip[data-part=Reference]').click()")
    where = "[...document.querySelectorAll('.ds-search-where')].map((e) => e.textContent)"
    browser.wait(f"return {where}.every((each) => !each.startsWith('Guides'))")
    assert browser.run(_IS_OPEN)
    pressed = "return document.querySelector('.ds-search-chip[aria-pressed=true]').textContent"
    assert browser.run(pressed) == "Reference"
    assert len(browser.run(_OPTIONS)) > 0
    assert search.ask("exports") != []
    assert browser.run(pressed) == "All"
    assert everything != []


_TYPE = """
const input = document.querySelector(".ds-search-dialog input");
for (const value of arguments[0]) {
  input.value = value;
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
"""


def test_letters_typed_quickly_read_no_files_of_their_own(browser, bundle: Path) -> None:
    def files(values: list[str]) -> list[str]:
        search = SearchDialog(browser, bundle / "quickstart.html")
        search.open(Keys.CONTROL, "k")
        browser.requests()
        search.driver.execute_script(_TYPE, values)
        answered = "return document.querySelector('.ds-search-dialog').dataset.answered"
        browser.expect(values[-1], answered)
        return sorted(
            each for each in browser.requests() if re.search(r"_docs/search/.*-[rtw]", each)
        )

    query = "deploy webhooks"
    typed = [query[:end] for end in range(2, len(query) + 1)]
    assert files(typed) == files([query])
