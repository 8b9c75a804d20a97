"""Texts of a repository that try to run a script, in a browser, under the policy of a bundle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exported_folders import export_folder
from script_injections import PAYLOADS, SCRIPT_URLS

pytestmark = pytest.mark.browser

PLAIN = {"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"}}
URL_ATTRIBUTE = re.compile(r"(?:url=|href=\")([^\"]*)")
UNSEEN = dict.fromkeys(range(33))
LOCATIONS = ("query", "path", "header", "cookie", "x<y")
HEADS = (
    "title", "description", "sidebarTitle", "icon", "tag", "keywords", "canonical", "url",
    "robots", "og:title", "og:image", "twitter:card", "lastUpdatedDate", "author",
)  # fmt: skip
Texts = tuple[str, ...]
# Texts of one kind follow each other: a sixth has some of each.
each_text = pytest.mark.parametrize(
    "texts", [PAYLOADS[::6], pytest.param(PAYLOADS, marks=pytest.mark.deep)], ids=["a sixth", "all"]
)

# Scripts that run report it, and so do those that the policy stops.
TRAP = """
window.caught = [];
window.trap = (number) => caught.push(number);
for (const name of ["alert", "confirm", "prompt", "print", "open"])
  window[name] = () => caught.push(name);
addEventListener("securitypolicyviolation", (event) =>
  caught.push([event.effectiveDirective, event.blockedURI, event.sample].join(" ")));
"""
# Everything that a reader can open, point at and press; URLs that a browser would run.
POKE = """
const kinds = ["mouseover", "mouseenter", "pointerenter", "focusin", "animationstart", "toggle"];
document.querySelectorAll("details").forEach((each) => { each.open = true; });
for (const each of document.querySelectorAll("*")) {
  for (const kind of kinds) each.dispatchEvent(new Event(kind));
  if (each.matches("main button:not([data-playground])")) each.click();
}
document.querySelector("[data-playground]")?.click();
document.querySelectorAll("input, textarea, select").forEach((each) => each.focus());
const named = [["a", "href"], ["area", "href"], ["iframe", "src"], ["form", "action"],
  ["object", "data"], ["embed", "src"], ["button", "formAction"], ["base", "href"]];
return named.flatMap(([tag, name]) => [...document.querySelectorAll(tag)]
  .filter((each) => each.hasAttribute(name.toLowerCase()))
  .map((each) => String(each[name]?.baseVal ?? each[name]))
  .filter((address) => /^(?:javascript|vbscript|data):/i.test(address)));
"""


def pages(texts: Texts) -> tuple[str, ...]:
    """Return the slugs of as many pages as have space for the texts in their front matter."""
    return tuple(f"p{number}" for number in range(-(-len(texts) // len(HEADS))))


def operation(texts: Texts) -> dict[str, Any]:
    """Every payload as name, description, type and value of a parameter and of two fields."""
    choices = [{"title": t, "type": t, "properties": {t: schema(t)}} for t in texts[1::3]]
    fields = {**{text: schema(text) for text in texts}, "any": {"oneOf": choices}}
    body = {"type": "object", "properties": fields, "required": list(texts)}
    return {
        "summary": "".join(texts[:9]),
        "description": "\n\n".join(texts),
        "tags": list(texts[:3]),
        "parameters": [
            {"name": text, "in": location, "description": text, "schema": schema(text)}
            for text in texts
            for location in (LOCATIONS[len(text) % len(LOCATIONS)],)
        ],
        "requestBody": {
            "description": texts[0],
            "content": {"application/json": {"schema": body}, texts[1]: {"example": texts}},
        },
        "responses": {
            text: {
                "description": text,
                "content": {text: {"examples": {text: {"summary": text, "value": {text: text}}}}},
            }
            for text in texts[::3]
        },
        "callbacks": {text: {text: {"post": {"description": text}}} for text in texts[:9]},
        "x-codeSamples": [
            {"lang": text, "label": text, "source": f"{text}\n</script>"} for text in texts
        ],
        "security": [{text: []} for text in texts[::5]],
    }


def schema(text: str) -> dict[str, Any]:
    known = {"title": text, "description": text, "default": text, "example": text, "format": text}
    return {**known, "type": "string", "pattern": text, "enum": [text]}


def specification(texts: Texts) -> dict[str, Any]:
    schemes = {
        text: {"type": "apiKey", "in": "header", "name": text, "description": text}
        for text in texts
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": texts[0], "version": "1"},
        "servers": [{"url": text, "description": text} for text in texts],
        "components": {"securitySchemes": schemes},
        "paths": {
            "/x": {"post": operation(texts)},
            **{f"/{text}": {"get": {"summary": text, "tags": [text]}} for text in PAYLOADS[::32]},
        },
        "webhooks": {text: {"post": {"summary": text}} for text in PAYLOADS[::64]},
    }


def navigation(texts: Texts) -> dict[str, Any]:
    groups = [
        {"group": text, "tag": text, "icon": text, "pages": [slug]}
        for text, slug in zip(texts, pages(texts), strict=False)
    ]
    return {
        "tabs": [
            {"tab": texts[0], "icon": texts[9], "groups": groups},
            {"tab": "All", "groups": [{"group": "All", "openapi": "openapi.json"}]},
        ]
    }


def settings(texts: Texts) -> dict[str, Any]:
    """Every payload in every kind of setting."""
    links = [{"label": text, "href": text, "icon": _icon(text)} for text in texts]
    own = [{"title": t, "description": t, "href": {"base": t, "query": [{"key": t, "value": t}]}}
           for t in texts]  # fmt: skip
    return {
        **PLAIN,
        "name": texts[0],
        "description": "\n".join(texts),
        "logo": {"light": SCRIPT_URLS[0], "dark": SCRIPT_URLS[1], "href": SCRIPT_URLS[2]},
        "favicon": SCRIPT_URLS[11],
        "fonts": {"family": "x\"</style><script>trap('font')</script>"},
        "background": {"image": SCRIPT_URLS[0], "decoration": texts[0]},
        "banner": {"content": " ".join(texts), "dismissible": True},
        "navbar": {"links": links, "primary": {"type": "button", **links[0]}},
        "footer": {
            "socials": {_icon(text): text for text in texts},
            "links": [{"header": text, "items": links[:20]} for text in texts[:4]],
        },
        "contextual": {"options": ["copy", "chatgpt", *own, *SCRIPT_URLS]},
        "seo": {
            "metatags": {text: text for text in texts},
            "organization": {"name": texts[0], "logo": SCRIPT_URLS[0], "sameAs": list(texts)},
        },
        "search": {"prompt": texts[0]},
        "styling": {"eyebrows": "breadcrumbs"},
        "errors": {"404": {"title": texts[0], "description": "\n\n".join(texts)}},
        "redirects": [{"source": f"/r{n}", "destination": t} for n, t in enumerate(SCRIPT_URLS)],
        "navigation": {
            "global": {"anchors": [{"anchor": t, "href": t, "icon": _icon(t)} for t in texts]},
            "groups": [{"group": text, "pages": ["index"]} for text in texts],
        },
    }


def _icon(text: str) -> str:
    """An icon may be the picture of another host, which the author then wants."""
    return text.replace("evil.invalid", "").replace("http", "")


def content(texts: Texts) -> dict[str, str]:
    files = {
        "docs.json": json.dumps({**PLAIN, "navigation": navigation(texts)}),
        "openapi.json": json.dumps(specification(texts)),
    }
    for number, slug in enumerate(pages(texts)):
        own = (texts * 2)[number * len(HEADS) :]
        head: dict[str, Any] = dict(zip(HEADS, own, strict=False))
        head |= {"related": [{text: text} for text in own[:9]]}
        files[f"{slug}.mdx"] = f"---\n{json.dumps(head)}\n---\nWords of {slug}.\n"
    return files


def export(root: Path, files: dict[str, str]) -> Path:
    (root / "source").mkdir()
    for name, text in files.items():
        (root / "source" / name).write_text(text)
    return export_folder(root / "source", root / "out")


@pytest.fixture
def trapped(browser: Any) -> Iterator[Any]:
    """A browser in which every page begins with the trap."""
    send_command = browser.driver.execute_cdp_cmd
    added = send_command("Page.addScriptToEvaluateOnNewDocument", {"source": TRAP})
    yield browser
    send_command("Page.removeScriptToEvaluateOnNewDocument", added)


def test_there_are_enough_texts() -> None:
    assert len(set(PAYLOADS)) >= 200


def test_the_trap_catches(trapped: Any, tmp_path: Path) -> None:
    """Report scripts that the policy of a page stops, too."""
    page = tmp_path / "page.html"
    policy = "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">"
    for head, observed in (("", [7]), (policy, ["script-src-attr inline"])):
        page.write_text(f"<!doctype html>{head}<body><img src=x onerror=trap(7)>")
        trapped.open(page.as_uri())
        trapped.wait("return caught.length")
        assert [str(each).strip() for each in trapped.run("return caught")] == list(
            map(str, observed)
        )


def caught_on(browser: Any, pages: list[Path]) -> dict[str, list[Any]]:
    """Return the scripts that ran, were stopped, or would run on a click, by page."""
    found = {}
    for page in pages:
        browser.open(page.as_uri())
        if caught := [*browser.run(POKE), *browser.run("return caught")]:
            found[page.name] = caught
        assert browser.run("return location.protocol") == "file:"
    outside = [each for each in browser.requests() if not each.startswith(("file:", "about:"))]
    return {**found, "outside": outside} if outside else found


@each_text
def test_no_text_of_a_specification_or_a_page_runs(
    trapped: Any, tmp_path: Path, texts: Texts
) -> None:
    found = sorted(export(tmp_path, content(texts)).rglob("*.html"))
    assert len(found) > len(pages(texts)) + 10
    assert caught_on(trapped, found) == {}


@each_text
def test_no_text_of_the_settings_runs(trapped: Any, tmp_path: Path, texts: Texts) -> None:
    files = {"docs.json": json.dumps(settings(texts)), "index.mdx": "Words."}
    site = export(tmp_path, files)
    assert caught_on(trapped, [site / "index.html", site / "404.html"]) == {}
    redirects = [page.read_text() for page in site.glob("r*.html")]
    assert len(redirects) > 20
    found = [each for text in redirects for each in URL_ATTRIBUTE.findall(text)]
    assert [each for each in found if re.match(r"[a-z]+:", each.translate(UNSEEN))] == []
