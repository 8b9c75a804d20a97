"""Pages of one site do not change each other through what they share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Page, PageMeta, PageModule, Repository, Site
from docstead.markup.rendered import RenderedPage
from docstead.rendering import RenderingEngine

_MODULES = {
    "/snippets/config.js": (
        "export const config = { value: 'original' };\n"
        "export const list = ['original'];\n"
        "export const known = new Map();\n"
        "let hidden = 'original';\n"
        "export const setHidden = (value) => { hidden = value };\n"
        "export const getHidden = () => hidden;\n"
        "export class Thing { name() { return 'original' } }\n"
    ),
    "/snippets/middle.js": "export { config as passedOn } from './config.js';\n",
    "/snippets/word.mdx": "A {word} here.\n",
    "/snippets/array.mdx": "export const numbers = [1]\n\n{numbers.length}\n",
}
_IMPORT = "import { config, list, known, setHidden, getHidden, Thing } from '/snippets/config.js'\n"

WRITES = {
    "property": (f"{_IMPORT}\n{{config.value = 'changed'}}", f"{_IMPORT}\n{{config.value}}"),
    "array": (f"{_IMPORT}\n{{list.push('changed')}}", f"{_IMPORT}\n{{list.join(', ')}}"),
    "map": (f"{_IMPORT}\n{{known.set('a', 1).size}}", f"{_IMPORT}\n{{known.size}}"),
    "setter": (f"{_IMPORT}\n{{setHidden('changed')}}", f"{_IMPORT}\n{{getHidden()}}"),
    "class": (
        f"{_IMPORT}\n{{String(Thing.prototype.name = () => 'changed')}}",
        f"{_IMPORT}\n{{new Thing().name()}}",
    ),
    "through another module": (
        "import { passedOn } from '/snippets/middle.js'\n\n{passedOn.value = 'changed'}",
        f"{_IMPORT}\n{{config.value}}",
    ),
    "a name that only one page passes": (
        "import Word from '/snippets/word.mdx'\n\n<Word word='changed' />",
        "import Word from '/snippets/word.mdx'\n\n<Word />",
    ),
    "an included snippet": (
        "import { numbers } from '/snippets/array.mdx'\n\n{numbers.push(2)}",
        "<Snippet file='array.mdx' />",
    ),
    "a placeholder": (
        "import { Missing } from '/snippets/config.js'\n\n"
        "{(() => { try { Missing.mark = 'changed' } catch {} })()}",
        "import { Missing } from '/snippets/config.js'\n\n{String(Missing.mark)}",
    ),
    "the host's timers": (
        "{(() => { try { __TimerManager.prototype.mark = 'changed' } catch {} })()}",
        "{typeof __TimerManager === 'undefined' || String(__TimerManager.prototype.mark)}",
    ),
    "the engine's own names": (
        "{(() => { try { harden.mark = 'changed' } catch {} })()}",
        "{typeof harden}",
    ),
}

Render = Callable[[dict[str, str]], dict[str, RenderedPage]]


@pytest.fixture(scope="module")
def render() -> Render:
    def rendered(bodies: dict[str, str]) -> dict[str, RenderedPage]:
        metas = {slug: PageMeta(slug, f"{slug}.mdx", slug) for slug in bodies}
        pages = {slug: Page(metas[slug], body, 1) for slug, body in bodies.items()}
        modules = {path: PageModule(path, source) for path, source in _MODULES.items()}
        site = Site(SiteConfig("Test"), Navigation(), metas)
        repository = Repository(Path("/nowhere"), site, pages, modules, (), ())
        with RenderingEngine(1) as engine:
            return {page.slug: page for page in engine.render(repository, list(bodies))}

    return rendered


def test_no_page_sees_what_another_wrote(render: Render) -> None:
    writers = {f"{number}-write": write for number, (write, _) in enumerate(WRITES.values())}
    readers = {f"{number}-read": read for number, (_, read) in enumerate(WRITES.values())}
    before = render({**readers, **writers})
    after = render({**writers, **readers})
    assert before.keys() == after.keys()
    for number, kind in enumerate(WRITES):
        single, behind = before[f"{number}-read"], after[f"{number}-read"]
        assert behind.html == single.html, kind
        assert behind.diagnostics == single.diagnostics, kind
        assert "changed" not in behind.html, kind


def test_the_order_of_pages_changes_nothing(render: Render) -> None:
    count = f"{_IMPORT}\n{{list.push('more')}} {{known.set(known.size, 1).size}}"
    orders = [render(dict.fromkeys(order, count)) for order in ("abc", "bca", "cab")]
    assert all(order == orders[0] for order in orders)
