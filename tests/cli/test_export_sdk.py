"""A library in a bundle: every page there, every link and anchor of them, and search."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from html import unescape
from pathlib import Path
from urllib.parse import unquote

ARTIFACTS = Path(__file__).parents[1] / "reference" / "sdk" / "artifacts"
PAGES = {
    "classes/client",
    "interfaces/options",
    "enums/region",
    "functions/connect",
    "types/page",
    "helpers",
    "helpers/wait",
}
_LINK = re.compile(r'<a [^>]*?href="([^"]*)"')
_ID = re.compile(r' id="([^"]+)"')


def test_a_library_in_a_bundle(docstead, source: Path, tmp_path: Path) -> None:
    config = json.loads((source / "docs.json").read_text())
    sdk = {"format": "typedoc", "source": "artifacts/typedoc.json", "directory": "sdk/ts"}
    tabs = [{"tab": "Guides", **config["navigation"]}, {"tab": "SDK", "sdk": sdk}]
    feedback = {"suggestEdit": True, "repository": "https://github.com/example/docs"}
    settings = {**config, "navigation": {"tabs": tabs}, "feedback": feedback}
    (source / "docs.json").write_text(json.dumps(settings))
    (source / "artifacts").mkdir()
    shutil.copy(ARTIFACTS / "typedoc.json", source / "artifacts")
    (source / ".docsignore").write_text("artifacts\n")
    site = tmp_path / "site"

    ended = docstead("export", source, "-o", site, "--base-url", "https://d.example", "--json")
    report = json.loads(ended.stdout)
    assert (ended.returncode, report["diagnostics"]) == (0, [])

    expected = {f"sdk/ts/{name}" for name in PAGES}
    assert {str(p.relative_to(site))[:-5] for p in site.glob("sdk/**/*.html")} == expected
    assert not (site / "artifacts").exists()
    sitemap, listed = (site / "sitemap.xml").read_text(), (site / "llms.txt").read_text()
    assert "OpenAPI" not in listed
    assert "github.com/example/docs/" in (site / "index.html").read_text()
    for slug in expected:
        assert f"https://d.example/{slug}<" in sitemap
        assert f"(https://d.example/{slug}.md)" in listed
        assert dead_links(site, slug) == []
        # Nobody edits what a tool has written.
        assert "typedoc.json" not in (site / f"{slug}.html").read_text()
        ids = _ID.findall((site / f"{slug}.html").read_text())
        assert len(ids) == len(set(ids))
    assert (
        "[Page](../../../sdk/ts/types/page.md)" in (site / "sdk/ts/classes/client.md").read_text()
    )


def dead_links(site: Path, slug: str) -> list[str]:
    """Links of a page that lead to no file of the bundle, or to no fragment of it."""
    page = (site / f"{slug}.html").read_text()
    own = [unescape(link) for link in _LINK.findall(page) if "://" not in link]
    return [link for link in own if not leads(site, slug, link)]


def leads(site: Path, slug: str, link: str) -> bool:
    path, _, anchor = link.partition("#")
    name = posixpath.normpath(posixpath.join(posixpath.dirname(slug), unquote(path)))
    target = site / (name if path else f"{slug}.html")
    if not target.is_file():
        return "guides/start" in link  # which the artifact names, and this repository has not
    return not anchor or f'id="{unquote(anchor)}"' in target.read_text()
