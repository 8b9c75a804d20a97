"""Names that styles, scripts and components of public repositories expect of pages."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from exported_folders import export_folder

pytestmark = pytest.mark.browser

EVALS = Path(__file__).parent.parent.parent / "evals"
#: Names that pages lack, by repository. The numbers only fall.
LACKING = {"continuedev/continue": 2, "langchain-ai/docs": 1, "mintlify/docs": 3}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sys.path.insert(0, str(EVALS))
    from author_pages import SERVICE, SITE

    return export_folder(SITE, tmp_path_factory.mktemp("authors") / "site", *SERVICE)


def test_pages_have_what_authors_select(browser, site: Path) -> None:  # type: ignore[no-untyped-def]
    from author_pages import missing
    from author_selectors import AT_MOST, BESIDE, STORED, unmatched_share

    found = json.loads(STORED.read_text())
    lacking = missing(found, site, browser.open, browser.driver)
    counts = {
        repository: sum(len(names) for kind, names in each.items() if kind not in BESIDE)
        for repository, each in lacking.items()
    }
    assert {name: count for name, count in counts.items() if count > LACKING.get(name, 0)} == {}
    assert len(found) >= 10
    assert unmatched_share(found, lacking) <= AT_MOST
