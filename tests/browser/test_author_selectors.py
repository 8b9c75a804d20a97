"""Names that styles, scripts and components of public repositories expect of pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from exported_folders import export_folder

pytestmark = pytest.mark.browser

EVALS = Path(__file__).parent.parent.parent / "evals/runners"
#: Names that pages lack, by repository. The numbers only fall.
LACKING = {"continuedev/continue": 2, "langchain-ai/docs": 1, "mintlify/docs": 3}


@pytest.fixture(scope="module")
def evals() -> Iterator[tuple[ModuleType, ModuleType]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EVALS))
        yield import_module("author_selectors"), import_module("author_pages")


def test_pages_have_what_authors_select(
    browser, evals: tuple[ModuleType, ModuleType], tmp_path: Path
) -> None:
    selectors, pages = evals
    site = export_folder(pages.SITE, tmp_path / "site", *pages.SERVICE)
    found = json.loads(selectors.STORED.read_text())
    lacking = pages.missing(found, site, browser.open, browser.driver)
    counts = {
        repository: sum(len(names) for kind, names in each.items() if kind not in selectors.BESIDE)
        for repository, each in lacking.items()
    }
    assert {name: count for name, count in counts.items() if count > LACKING.get(name, 0)} == {}
    assert len(found) >= 10
    assert selectors.unmatched_share(found, lacking) <= selectors.AT_MOST
    narrow = "return document.querySelectorAll('.nav-tabs-item.mobile-nav-tabs-item').length"
    assert browser.run(narrow) == 0
    browser.resize(640, 900)
    browser.wait(f"{narrow} > 0")
