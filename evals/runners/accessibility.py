"""axe over every page of exports, in light and in dark.

    docstead export /path/to/docs -o site
    python evals/runners/accessibility.py site [other-site ...] [--tabs 2]
        [--width 1440 --width 390] [--distinct] [--sample 200] [--seed 7]
        [--seed-defect image|contrast]

`--distinct` takes one page for each set of components and template, over all folders;
`--sample` takes pages at random, with `--distinct` among the others.

Every page is opened from its folder, and looked at in each width; other hosts cannot be
reached. Lines of standard error say how far it is. A violation is the
author's where it lies in what the page says (a heading that jumps, a picture without a
text, colours that the page or the site's variables give), and ours everywhere else. The command
ends with status 1 where one of ours is found.

`--seed-defect` tries this evaluation: each page gets an image without a name, or pale words.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from seeded_defects import finish

AXE = Path(__file__).parent.parent.parent / "engine/node_modules/axe-core/axe.min.js"
_PART = re.compile(rb'data-component-part="[a-z-]+"|class="ds-mode-[a-z]+|<body class="[^"]*"')
_WIDTH = 1440
_PAGES_OF_A_BROWSER = 60  # browsers run out of memory after some hundreds of pages
_ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
_RUN = """
const done = arguments[arguments.length - 1];
const everything = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
// Elements that scripts of the repository add around the page are no part of it.
const beside = [...document.body.children].filter((each) => !/\\bds-/.test(each.className));
const known = new Set([
  "heading-order", "image-alt", "page-has-heading-one", "empty-heading", "link-name",
  "svg-img-alt", "frame-title", "button-name", "aria-allowed-role", "list", "listitem",
  "empty-table-header", "image-redundant-alt", "input-button-name", "select-name",
  "link-in-text-block",
]);
const painted = new Set(["color-contrast", "target-size", "scrollable-region-focusable"]);
const named = { k: "keyword", s: "string", c: "comment", m: "constant", f: "function",
  v: "parameter", p: "punctuation", a: "link" };
const isNamedColor = (element) => {
  const style = getComputedStyle(document.documentElement);
  const name = named[element?.className];
  return ["shiki", "mint"].some((each) => style.getPropertyValue(`--${each}-token-${name}`));
};
const isTheirs = (rule, element) => {
  if (rule === "color-contrast" && isNamedColor(element)) return true;
  const content = element?.closest(".ds-content");
  if (!content) return false;
  const isOurs = (each) => /\\bds-/.test(each.getAttribute("class") ?? "");
  const isAuthored = !isOurs(element) || element.matches(".ds-step-title"); // levels of steps
  if (known.has(rule)) return isAuthored;
  if (!painted.has(rule) || element.closest(".ds-code")) return false;
  for (let each = element; each !== content; each = each.parentElement) {
    if (each.hasAttribute("style") || (each.hasAttribute("class") && !isOurs(each))) return true;
  }
  return false;
};
const found = [];
const look = async (scheme, options) => {
  document.documentElement.dataset.theme = scheme;
  document.documentElement.classList.toggle("dark", scheme === "dark");
  document.documentElement.classList.toggle("light", scheme === "light");
  const { violations } = await axe.run({ include: [document], exclude: beside }, {
    resultTypes: ["violations"], iframes: false, elementRef: true, ...options,
  });
  for (const { id, impact, nodes } of violations) {
    for (const node of nodes) {
      const theirs = isTheirs(id, node.element);
      found.push([`${impact} ${id}`, theirs, `${scheme}: ${node.html.slice(0, 240)}`]);
    }
  }
};
// Fonts widen tables, and what then scrolls is known a frame later.
const frame = () => new Promise((done) => requestAnimationFrame(done));
const root = document.documentElement;
const [first, ...others] =
  root.hasAttribute("data-theme-fixed") ? [root.dataset.theme] : ["light", "dark"];
const painting = { runOnly: { type: "rule", values: ["color-contrast"] } };
document.fonts.ready.then(frame).then(frame)
  .then(() => look(first, { runOnly: everything }))
  .then(() => Promise.all(others.map((scheme) => look(scheme, painting))))
  .then(() => done(found), (error) => done([[String(error), false, ""]]));
"""


_ADD = 'document.body.insertAdjacentHTML("beforeend", arguments[0]);'
_DEFECTS = {
    "image": '<div class="ds-x"><img src="data:image/gif,"></div>',
    "contrast": '<div class="ds-x" style="color: #888; background: #999">Words</div>',
}


@dataclass(frozen=True)
class Violation:
    rule: str
    is_authors: bool
    example: str
    page: Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--tabs", type=int, default=2, help="browsers at once")
    parser.add_argument("--sample", type=int, default=0, help="so many pages of all folders")
    parser.add_argument("--seed", type=int, default=7, help="of --sample")
    parser.add_argument("--distinct", action="store_true", help="one page for each set of parts")
    parser.add_argument("--width", type=int, action="append", help="1440 by default")
    parser.add_argument("--seed-defect", choices=tuple(_DEFECTS), help="try this evaluation")
    options = parser.parse_args()
    looks, ours = 0, 0
    for folder, pages in _chosen(options).items():
        started = time.perf_counter()
        widths = options.width or [_WIDTH]
        found = list(_over(pages, options.tabs, widths, _DEFECTS.get(options.seed_defect, "")))
        looks += len(pages) * len(widths)
        ours += _report(folder, len(pages), found, time.perf_counter() - started)
    print(f"in all: {looks} looks in light and dark, {ours} violations of ours")
    finish(not ours, options.seed_defect)


def _chosen(options: argparse.Namespace) -> dict[Path, list[Path]]:
    every = {folder: sorted(site_pages(folder)) for folder in options.folders}
    if not options.distinct and not options.sample:
        return every
    seen = set[frozenset[bytes]]()
    distinct = {
        page for pages in every.values() for page in _of_new_parts(pages, seen) if options.distinct
    }
    others = [page for pages in every.values() for page in pages if page not in distinct]
    sample = random.Random(options.seed).sample(others, min(options.sample, len(others)))
    chosen = distinct.union(sample)
    return {folder: [page for page in pages if page in chosen] for folder, pages in every.items()}


def site_pages(folder: Path) -> Iterator[Path]:
    """Yield the documentation's pages; the repository may contain other HTML files."""
    for path in folder.resolve().rglob("*.html"):
        if b'content="Docstead"' in path.read_bytes()[:4000]:
            yield path


def _of_new_parts(pages: Sequence[Path], seen: set[frozenset[bytes]]) -> Iterator[Path]:
    """Yield the first page of each set of components and template that is not in `seen`."""
    for page in pages:
        parts = frozenset(_PART.findall(page.read_bytes()))
        if parts not in seen:
            seen.add(parts)
            yield page


def _over(
    pages: Sequence[Path], tabs: int, widths: Sequence[int], defect: str
) -> Iterator[Violation]:
    size = max(1, min(_PAGES_OF_A_BROWSER, -(-len(pages) // tabs)))
    batches = [pages[n : n + size] for n in range(0, len(pages), size)]
    with ThreadPoolExecutor(tabs) as pool:
        for found in pool.map(lambda batch: _look_at(batch, widths, defect), batches):
            yield from found


def _look_at(pages: Sequence[Path], widths: Sequence[int], defect: str) -> list[Violation]:
    found = []
    with chromium(widths[0]) as driver:
        for page in pages:
            _resize(driver, widths[0])
            driver.get(page.as_uri())
            driver.execute_script(_ADD, defect)
            before = len(found)
            for width in widths:
                _resize(driver, width)
                for rule, is_authors, example in driver.execute_async_script(_RUN):
                    found.append(Violation(rule, is_authors, f"{width} {example}", page))
            ours = sum(not each.is_authors for each in found[before:])
            print(f"{ours} of ours on {page}", file=sys.stderr, flush=True)
    return found


def _report(folder: Path, pages: int, found: Sequence[Violation], seconds: float) -> int:
    ours = [each for each in found if not each.is_authors]
    summary = f"{pages} pages in {seconds:.0f} s, {len(ours)} violations of ours"
    print(f"{folder.name}: {summary}", flush=True)
    for title, kind in (("ours", ours), ("for authors", [v for v in found if v.is_authors])):
        by_rule: dict[str, Counter[str]] = defaultdict(Counter)
        pages_of: dict[str, set[Path]] = defaultdict(set)
        for each in kind:
            by_rule[each.rule][each.example] += 1
            pages_of[each.rule].add(each.page)
        for rule, examples in sorted(by_rule.items()):
            count = sum(examples.values())
            print(f"  {title}: {rule}, {count} times on {len(pages_of[rule])} pages")
            if title == "ours":
                first = {v.example: v.page for v in reversed(ours) if v.rule == rule}
                for example, times in examples.most_common(4):
                    print(f"    {times} x {example}  ({first[example]})")
    return len(ours)


@contextmanager
def chromium(width: int, *, records: bool = False) -> Iterator[webdriver.Chrome]:
    """Yield a window that runs axe on every page; `records` collects requests of pages."""
    options = Options()
    if records:
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    options.binary_location = shutil.which("chromium") or ""
    for argument in (*_ARGUMENTS, f"--window-size={width},1000"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.set_script_timeout(120)
        source = {"source": AXE.read_text()}
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", source)
        still = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", still)
        _resize(driver, width)
        yield driver
    finally:
        driver.quit()


def _resize(driver: webdriver.Chrome, width: int) -> None:
    metrics = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


if __name__ == "__main__":
    main()
