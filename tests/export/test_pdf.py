"""`docstead pdf`: one file for a site, with contents, bookmarks and links that lead somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from PIL import Image

from printed import PrintedFile, chromium_program, make_pdf

pytestmark = pytest.mark.browser

LINE = "one\n"
PAGES = {
    "index": """title: Welcome
description: Read this first.
---

See [rotation](/guides/keys#rotate-a-key), [the hidden page](/secret) and
[a site](https://example.com/x).

![Chart](/images/chart.png)
""",
    "guides/keys": """title: Keys
---

## Make a key

FILLER

## Rotate a key

### In a hurry

```bash
docstead keys rotate
```
""".replace("FILLER", "Filler.\n\n" * 60),
    "guides/names": """title: Имена
---

## Ключи & <keys>

<Tabs>
  <Tab title="One">First panel.</Tab>
  <Tab title="Two">Second panel.</Tab>
</Tabs>

<Expandable title="properties">Third panel.</Expandable>

Back to [the top](#ключи-%26-<keys>).
""",
    "guides/drawn": """title: Drawn
---

```mermaid
flowchart LR
  Alpha --> Omega
```
""",
    "guides/steps": "title: Steps\n---\n\n"
    + "".join(f"Run {n} of them:\n\n```bash\n{LINE * (n % 9 + 1)}```\n\n" for n in range(90)),
    "broken": """title: Broken
---

export const Fails = () => { throw new Error("on purpose") }

## Still here

Kept words. <Fails />
""",
    "secret": "title: Secret\nhidden: true\n---\n\nNobody reads this.\n",
    "staff": "title: Staff\ngroups: [staff]\n---\n\nOnly staff reads this.\n",
}
NAVIGATION = {
    "groups": [
        {"group": "Start", "pages": ["index"]},
        {
            "group": "Guides",
            "pages": ["guides/keys", "guides/names", "guides/drawn", "guides/steps"],
        },
        {"group": "Rest", "pages": ["broken", "secret", "staff"]},
    ]
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chromium_program()
    root = tmp_path_factory.mktemp("repository") / "docs"
    settings = {"name": "Handbook", "theme": "mint", "colors": {"primary": "#0F766E"}}
    for slug, text in PAGES.items():
        file = root / f"{slug}.mdx"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\n{text}")
    (root / "docs.json").write_text(json.dumps({**settings, "navigation": NAVIGATION}))
    (root / "images").mkdir()
    Image.new("RGB", (320, 200), "#0F766E").save(root / "images" / "chart.png")
    return root


@pytest.fixture(scope="module")
def made(repository: Path) -> tuple[CompletedProcess[str], PrintedFile]:
    output = repository.parent / "handbook.pdf"
    ended = make_pdf(repository, output, "--json", "--version", "Release 7")
    return ended, PrintedFile(output)


@pytest.fixture(scope="module")
def pdf(made: tuple[CompletedProcess[str], PrintedFile]) -> PrintedFile:
    return made[1]


def test_the_title_page_names_site_and_version(pdf: PrintedFile) -> None:
    assert pdf.texts[0] == "Handbook Release 7"


def test_bookmarks_are_groups_pages_and_headings_in_order(pdf: PrintedFile) -> None:
    assert [(depth, title) for depth, title, _ in pdf.bookmarks] == [
        (0, "Start"), (1, "Welcome"),
        (0, "Guides"),
        (1, "Keys"), (2, "Make a key"), (2, "Rotate a key"), (3, "In a hurry"),
        (1, "Имена"), (2, "Ключи & <keys>"),
        (1, "Drawn"), (1, "Steps"),
        (0, "Rest"), (1, "Broken"), (2, "Still here"),
    ]  # fmt: skip
    pages = [page for _, _, page in pdf.bookmarks]
    assert pages == sorted(pages)
    assert all(title in pdf.texts[page - 1] for depth, title, page in pdf.bookmarks if depth)


def test_every_page_says_its_number(pdf: PrintedFile) -> None:
    assert len(pdf.texts) > 2
    for number, text in enumerate(pdf.texts[1:], 2):
        assert re.search(rf"(?<!\d){number}(?!\d)", text), (number, text[:200])


def test_contents_have_the_numbers_of_pages_and_lead_there(pdf: PrintedFile) -> None:
    contents = pdf.texts[1]
    for title in ("Welcome", "Keys", "Drawn", "Broken"):
        found = re.search(rf"{title} (\d+)", contents)
        assert found, contents
        assert int(found[1]) == pdf.page_of(title)
    targets = {link.target for link in pdf.links if link.page == 2}
    assert targets == {page for depth, _, page in pdf.bookmarks if depth == 1}


def test_links_between_pages_lead_to_their_heading(pdf: PrintedFile) -> None:
    welcome = pdf.page_of("Welcome")
    inner = [link.target for link in pdf.links if link.page == welcome and link.target]
    assert pdf.page_of("Rotate a key") > pdf.page_of("Keys")
    assert inner == [pdf.page_of("Rotate a key")]
    assert pdf.page_of("Имена") in [link.target for link in pdf.links if link.page > 2]


def test_other_links_stay_and_nothing_leads_to_the_own_origin(pdf: PrintedFile) -> None:
    assert [link.url for link in pdf.links if link.url] == ["https://example.com/x"]


def test_content_is_printed(pdf: PrintedFile) -> None:
    text = " ".join(pdf.texts)
    assert "docstead keys rotate" in text
    assert "First panel." in text
    assert "Second panel." in text
    assert "properties Third panel." in text
    assert "Show" not in text
    assert "Alpha" in text
    assert "flowchart LR" not in text


def test_a_sentence_stays_with_the_code_that_it_introduces(pdf: PrintedFile) -> None:
    printed = [text for text in pdf.texts if "of them:" in text]
    assert len(printed) > 9
    for text in printed:
        introduced = map(int, re.findall(r"Run (\d+) of them:", text))
        assert len(re.findall(r"\bone\b", text)) == sum(n % 9 + 1 for n in introduced)


def test_content_is_tagged_for_screen_readers(pdf: PrintedFile) -> None:
    titles = [page for depth, _, page in pdf.bookmarks if depth == 1]
    headings = [page for tag, page in pdf.tags if tag == "H1"]
    assert set(titles) <= set(headings)
    assert headings == sorted(headings)
    assert "NonStruct" not in {tag for tag, _ in pdf.tags}
    keys = pdf.tag_of_content(pdf.page_of("Keys"))
    assert {"H1", "H2", "P"} <= set(keys)


def test_pictures_are_printed(repository: Path, pdf: PrintedFile) -> None:
    assert pdf.picture_sizes(pdf.page_of("Welcome")) == [(320, 200)]


def test_diagnostics_are_reported_and_the_rest_of_a_page_is_printed(
    made: tuple[CompletedProcess[str], PrintedFile],
) -> None:
    ended, pdf = made
    report = json.loads(ended.stdout)
    assert (ended.returncode, report["pages"], report["failed"]) == (0, 6, 0)
    assert "broken.mdx" in {each["file"] for each in report["diagnostics"]}
    assert "Kept words." in pdf.texts[pdf.page_of("Broken") - 1]


def test_hidden_pages_and_pages_for_groups_are_left_out(pdf: PrintedFile) -> None:
    text = " ".join(pdf.texts)
    assert "Nobody reads this" not in text
    assert "Only staff" not in text


def test_one_page_has_no_front_and_links_to_the_published_site(repository: Path) -> None:
    output = repository.parent / "page.pdf"
    options = ("--page", "index", "--base-url", "https://docs.example.com", "--paper", "letter")
    ended = make_pdf(repository, output, *options)
    pdf = PrintedFile(output)
    assert ended.returncode == 0, ended.stderr
    assert len(pdf.texts) == 1
    assert pdf.texts[0].count("Handbook – Welcome") == 1  # at the bottom
    assert "Welcome · Welcome" not in pdf.texts[0]
    assert pdf.bookmarks == [(0, "Welcome", 1)]
    assert [link.url for link in pdf.links] == [
        "https://docs.example.com/guides/keys#rotate-a-key",
        "https://docs.example.com/secret",
        "https://example.com/x",
    ]
    assert pdf.paper == (612, 792)
