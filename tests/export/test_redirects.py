"""The 404 page's script leads where `docs.json` says, as the service itself does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from docstead.content.config import Redirect
from docstead.export.redirects import script_file, with_redirects
from docstead.repository.redirects import RedirectTable

PAGE = "<html><body><p>Gone</p></body></html>"
REDIRECTS = (
    Redirect("/old/:slug", "/guides/:slug"),
    Redirect("/docs/*", "/guides/*"),
    Redirect("/v1/:rest*", "/v2/:rest*"),
    Redirect("/api/:version/users", "https://api.example.com/:version"),
    Redirect("/a.b/:x", "/c?from=:x#top"),
    Redirect("/twice/:x/:x", "/once/:x"),
    Redirect("/home/:all*", "/"),
    Redirect("/exact", "/guides/start"),
)
BROWSER = """
let led = null;
class URL {
  constructor(address, base) {
    if (address === "..") return new URL(base.replace(/[^/]*\\/[^/]*$/, ""));
    const whole = /^https?:/i.test(address) ? address
      : address.startsWith("/") ? new URL(base.href ?? base).origin + address
      : (base.href ?? base) + address;
    const [, origin, path, search, hash] =
      /^(https?:\\/\\/[^/?#]*)([^?#]*)(\\?[^#]*)?(#.*)?$/.exec(whole);
    Object.assign(this, { origin, pathname: path || "/", search: search ?? "", hash: hash ?? "" });
  }
  get href() { return this.origin + this.pathname + this.search + this.hash; }
}
"""


def led_to(path: str, base: str = "/", search: str = "") -> str | None:
    html = with_redirects(PAGE, REDIRECTS, base)
    table = re.search(r'id="ds-redirects">(.*?)</script>', html)
    name, script = script_file()
    assert table is not None
    assert f'<script src="{base}{name}"></script>\n</body>' in html
    with MiniRacer() as browser:
        browser.eval(BROWSER)
        browser.eval(f"""
            const location = {{
              protocol: "https:", pathname: {json.dumps(path)}, search: {json.dumps(search)},
              replace(address) {{ led = address.href; }},
            }};
            const document = {{
              getElementById: () => ({{ textContent: {json.dumps(table[1])} }}),
              currentScript: {{ src: "https://docs.example.com{base}{name}" }},
            }};
        """)
        browser.eval(script.decode())
        found = browser.eval("led")
    return None if found is None else str(found)


@pytest.mark.parametrize(
    ("path", "destination"),
    [
        ("/old/start", "/guides/start.html"),
        ("/old/start/", "/guides/start.html"),
        ("/old/start.html", "/guides/start.html"),
        ("/docs/a/b", "/guides/a/b.html"),
        ("/v1/a/b/c", "/v2/a/b/c.html"),
        ("/v1", "/v2.html"),
        ("/a.b/1", "/c.html?from=1#top"),
        ("/twice/x/x", "/once/x.html"),
        ("/home/anything", "/"),
        ("/old/gr%C3%BC%C3%9Fe", "/guides/gr%C3%BC%C3%9Fe.html"),
    ],
)
@pytest.mark.parametrize("base", ["/", "/handbook/"])
def test_patterns_lead_to_files(path: str, destination: str, base: str) -> None:
    expected = f"https://docs.example.com{base}{destination.removeprefix('/')}"
    assert led_to(base.rstrip("/") + path, base) == expected


def test_patterns_lead_elsewhere_and_keep_a_query() -> None:
    assert led_to("/api/v3/users") == "https://api.example.com/v3"
    assert led_to("/old/start", search="?q=1") == "https://docs.example.com/guides/start.html?q=1"


@pytest.mark.parametrize(
    "path", ["/nowhere", "/old", "/old/a/b", "/axb/1", "/twice/x/y", "/exact", "/%E0%A4%A", "/"]
)
def test_what_no_pattern_fits_stays(path: str) -> None:
    assert led_to(path) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/old//evil.example", "/guides/evil.example"),
        ("/docs//evil.example", "/guides/evil.example"),
        ("/v1//evil.example", "/v2/evil.example"),
    ],
)
def test_nobody_is_led_to_a_host_that_a_path_names(path: str, expected: str) -> None:
    assert led_to(path) == f"https://docs.example.com{expected}"


@pytest.mark.parametrize("path", ["/old/start", "/docs/a/b", "/v1/a", "/v1", "/twice/x/x"])
def test_the_service_leads_to_the_same_pages(path: str) -> None:
    match = RedirectTable(REDIRECTS).match(path)
    assert match is not None
    assert led_to(path) == f"https://docs.example.com{match.destination}.html"


def test_a_site_without_patterns_has_no_script() -> None:
    assert with_redirects(PAGE, [Redirect("/exact", "/x")], "/") == PAGE


def test_a_table_cannot_end_its_element() -> None:
    html = with_redirects(PAGE, [Redirect("/x/*", "/</script><script>alert(1)//*")], "/")
    assert html.count("</script>") == 2
    assert Path(script_file()[0]).suffix == ".js"
