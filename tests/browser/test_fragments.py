"""URLs that lead to words, in the browser that has to find them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docstead.assistant.writing.fragments import fragment_url
from exported_folders import export_folder

pytestmark = pytest.mark.browser

FILLER = "Nothing of it.\n\n" * 80
PAGE = """
Say **bold** words, [links](/index) & `co-de` - always.

FILLER

<Note>A key is shown only once.</Note>

FILLER

<Accordion title="More of it">What an accordion hides is found.</Accordion>

FILLER

| Code | Means |
| --- | --- |
| `423` | Somebody has locked it |

FILLER

```python title="run.py"
import parcel

for each in parcel.all():
    parcel.send(to=each.home, now=True)
```

FILLER

这个密钥只会显示一次。

FILLER

1. Open the settings, choose the tab named keys, and press the last button to make one.

FILLER
"""
#: As sections of pages have it, with words of it as they are seen.
QUOTES = {
    "> **Note:** A key is shown only once.": "A key is shown",
    "What an accordion hides is found.": "What an accordion",
    "| Code | Means |\n| --- | --- |\n| `423` | Somebody has locked it |": "Somebody has",
    "```python run.py\nimport parcel\n\n  parcel.send(to=each.home, now=True)\n```": "parcel.send",
    "这个密钥只会显示一次。": "这个密钥",
    "1. Open the settings, choose the tab named keys, and press the last button to make one.": (
        "Open the settings"
    ),
}
IN_VIEW = """
const holds = [...document.querySelectorAll(".ds-content *")]
  .filter((each) => each.innerText?.includes(arguments[0]));
const top = holds.pop()?.getBoundingClientRect().top ?? -1;
return scrollY > 0 && top > 0 && top < innerHeight;
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    source, target = (tmp_path_factory.mktemp("words") / name for name in ("docs", "site"))
    source.mkdir()
    config = {"name": "A", "theme": "mint", "colors": {"primary": "#0F766E"}}
    (source / "docs.json").write_text(json.dumps({**config, "navigation": {"pages": ["index"]}}))
    (source / "index.mdx").write_text(PAGE.replace("FILLER", FILLER))
    return (export_folder(source, target) / "index.html").as_uri()


@pytest.mark.parametrize(("quoted", "seen"), QUOTES.items())
def test_the_browser_scrolls_to_what_was_quoted(
    browser: Any, page: str, quoted: str, seen: str
) -> None:
    browser.open(fragment_url(page, quoted))
    browser.expect(True, IN_VIEW, seen)


def test_words_that_are_not_there_lead_nowhere(browser: Any, page: str) -> None:
    """A wrong fragment is noticed, so the test above can fail."""
    browser.open(fragment_url(page, "These words stand on no page."))
    browser.wait("return document.readyState === 'complete'")
    assert browser.run(IN_VIEW, "A key is shown") is False
