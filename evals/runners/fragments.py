"""Check in a browser that links of quotes lead to the quoted words.

    python evals/runners/fragments.py --repository NAME=FOLDER [--repository …] [--sample 50]
        [--seed-defect]

The documentation is exported, its covered questions are asked, and so many of the sources are
opened in Chromium, which must scroll to the words and mark them. The command ends with status
1 where fewer than `--least` of them are found.

`--seed-defect` tries this evaluation: with links that lack the quoted words.
"""

from __future__ import annotations

import argparse
import io
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from PIL import Image
from selenium.webdriver import Chrome

from accessibility import chromium
from corpus import SITE, Corpus, add_options, corpora
from seeded_defects import finish
from sets import SETS, questions

_MARKED = (255, 0, 255)
_MARK = """
const sheet = new CSSStyleSheet();
sheet.replaceSync("::target-text { background: rgb(255, 0, 255) !important }");
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
"""
_SECONDS = 3.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", action="append", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--least", type=float, default=0.95)
    parser.add_argument("--seed-defect", action="store_true", help="try this evaluation")
    add_options(parser)
    options = parser.parse_args()
    known = corpora(options)
    good = True
    for name, folder in (each.split("=", 1) for each in options.repository):
        urls = list(dict.fromkeys(_cited(name, known[name])))
        random.Random(5).shuffle(urls)
        chosen = urls[: options.sample]
        if options.seed_defect:
            chosen = [each.partition(":~:")[0] for each in chosen]
        with tempfile.TemporaryDirectory() as target:
            site = _exported(folder, Path(target) / "site")
            missed = list(_missed(site, chosen))
        print(f"{name}: {len(chosen) - len(missed)} of {len(chosen)} led to the words")
        print(*(f"  {each}" for each in missed), sep="\n")
        good &= len(missed) <= (1 - options.least) * len(chosen)
    finish(good, "no words" if options.seed_defect else None)


def _cited(name: str, corpus: Corpus) -> Iterator[str]:
    for covered, _ in SETS.values():
        for each in questions(covered, [name]):
            yield from corpus.ask(each["question"]).urls


def _exported(folder: str, target: Path) -> Path:
    command = [sys.executable, "-m", "docstead.cli", "export", folder, "-o", target]
    subprocess.run(command, check=True, capture_output=True)
    return target


def _missed(site: Path, urls: list[str]) -> Iterator[str]:
    with chromium(1300) as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _MARK})
        for url in urls:
            slug, _, fragment = url.removeprefix(f"{SITE}/").partition("#")
            page = site / f"{unquote(slug) or 'index'}.html"
            driver.get("about:blank")
            driver.get(f"{page.as_uri()}#{fragment}")
            if not _is_marked(driver):
                yield url


def _is_marked(driver: Chrome) -> bool:
    """Report whether the visible page soon contains highlighted words."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
        if _MARKED in (color for _, color in picture.getcolors(1 << 24) or ()):
            return True
    return False


if __name__ == "__main__":
    main()
