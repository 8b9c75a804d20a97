"""Selectors, CSS variables and globals of pages, looked up in Chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from docstead.base.api_keys import KeyKind, derived_key
from sets import DATASETS

SITE = DATASETS / "author_site"
PAGES = ("index.html", "components.html", "wide.html", "api-reference/users/create-a-user.html")
# : Pages contain an assistant if a service is set; none is contacted here.
SERVICE = (
    "--feature", "assistant=on", "--service-url", "http://127.0.0.1:9", "--service-domain", "acme",
    "--service-key", derived_key(KeyKind.ASSISTANT, bytes(32)),
)  # fmt: skip

Names = dict[str, dict[str, list[str]]]
#: Seeded defects: scripts that change a page before its names are looked up.
DEFECTS = {
    "renamed": """
for (const each of document.querySelectorAll("[class], [id]")) {
  each.setAttribute("class", [...each.classList].map((name) => `${name}-renamed`).join(" "));
  each.id = `${each.id}-renamed`;
}
"""
}

# Every state that a style sheet may select: dark and light, an open menu, the open search.
_PREPARE = """
const done = arguments[0];
document.querySelector("[data-search]")?.click();
for (const menu of document.querySelectorAll("details.ds-menu")) menu.open = true;
const started = performance.now();
const look = () => {
  const dialog = document.querySelector(".ds-search-dialog");
  if (dialog?.querySelector("[role=option]") || performance.now() - started > 120000) {
    const down = new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true });
    dialog?.querySelector("input").dispatchEvent(down);
    done();
  }
  else setTimeout(look, 20);
};
look();
"""
_LOOK = """
const [selectors, read, set, globals, sheets] = arguments;
const page = document.documentElement;
const found = { selectors: [], read: [], set: [], globals: [] };
for (const scheme of ["light", "dark"]) {
  page.classList.toggle("dark", scheme === "dark");
  found.selectors.push(...selectors.filter((each) => document.querySelector(each)));
}
const style = getComputedStyle(page);
found.read = read.filter((name) => style.getPropertyValue(name));
found.globals = globals.filter((name) => name in window);
found.set = set.filter((name) => sheets.includes(`var(${name}`));
return found;
"""


def lacking(found: Names, defect: str | None = None) -> Names:
    """Export the site, open its pages in Chromium, and return the missing names."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        command = (sys.executable, "-m", "docstead.cli", "export", str(SITE), "-o", str(site))
        subprocess.run([*command, *SERVICE], check=True, stdout=subprocess.DEVNULL)
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--window-size=1440,1000"):
            options.add_argument(argument)
        options.binary_location = shutil.which("chromium") or ""
        service = Service(shutil.which("chromedriver"))
        driver = webdriver.Chrome(options=options, service=service)
        driver.set_script_timeout(240)
        try:
            return missing(found, site, driver.get, driver, defect)
        finally:
            driver.quit()


def missing(
    found: Names,
    site: Path,
    visit: Callable[[str], None],
    driver: webdriver.Chrome,
    defect: str | None = None,
) -> Names:
    """Return the names that no page of the exported folder contains, with a defect if seeded."""
    kinds = {
        kind: sorted({name for each in found.values() for name in each.get(kind, ())})
        for kind in ("selectors", "utilities", "guesses", "read", "set", "globals")
    }
    selectors = kinds["selectors"] + kinds["utilities"] + kinds["guesses"]
    css = (path.read_text(encoding="utf-8") for path in (site / "_docs").glob("*.css"))
    sheets = "".join(css)
    has: dict[str, set[str]] = {"selectors": set(), "read": set(), "set": set(), "globals": set()}
    for page in PAGES:
        visit((site / page).as_uri())
        driver.execute_async_script(_PREPARE)  # type: ignore[no-untyped-call]
        if defect:
            driver.execute_script(DEFECTS[defect])  # type: ignore[no-untyped-call]
        seen: dict[str, Any] = driver.execute_script(  # type: ignore[no-untyped-call]
            _LOOK, selectors, kinds["read"], kinds["set"], kinds["globals"], sheets
        )
        for kind, names in seen.items():
            has[kind] |= set(names)
    has["utilities"] = has["guesses"] = has["selectors"]
    return {
        repository: {
            kind: [name for name in names if name not in has[kind]] for kind, names in each.items()
        }
        for repository, each in found.items()
    }
