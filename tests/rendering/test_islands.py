"""Components with a life of their own: what is rendered, and what the browser gets."""

from __future__ import annotations

import json
import re

import pytest

from docstead.markup.rendered import RenderedPage

CHOICE = (
    "import { pad } from './pad.js';\n"
    "export const Choice = ({ title, children, footer, onPick }) => {\n"
    "  const [open, setOpen] = useState(false);\n"
    "  return <div><button onClick={() => setOpen(!open)}>{pad(title)}</button>"
    "{open && footer}{children}</div>;\n};"
)
MODULES = {
    "/snippets/choice.jsx": CHOICE,
    "/snippets/pad.js": "export const pad = (text) => `[${text}]`;",
    "/snippets/still.jsx": "export const Still = ({ children }) => <b>{children}</b>;",
    "/snippets/menu.jsx": (
        "export const Menu = ({ children }) => {\n"
        "  const [now, setNow] = useState(1);\n"
        "  return <div>{children.map((each, i) => <button onClick={() => setNow(i)}>"
        "{each.props.title}</button>)}{children[now]}</div>;\n};"
    ),
    "/snippets/words.mdx": "export const Tick = () => <i>{useState(1)[0]}</i>",
}
BODIES = {
    "plain": "import { Still } from '/snippets/still.jsx'\n\n<Still>words</Still>",
    "choice": (
        "import { Choice } from '/snippets/choice.jsx'\n\n"
        "<Choice title='</script>' footer={<em>later</em>}>\n## Inside\n</Choice>"
    ),
    "function": (
        "import { Choice } from '/snippets/choice.jsx'\n\n<Choice title='x' onPick={() => 1} />"
    ),
    "own": (
        "export const Count = () => { const [n] = useState(2); return <i>{n}</i> }\n\n"
        "<Count /> <Count />\n\nSome words of the page."
    ),
    "list": (
        "import { Menu } from '/snippets/menu.jsx'\n"
        "import { Still } from '/snippets/still.jsx'\n\n"
        "<Menu>\n<Still title='One'>first</Still>\n<Still title='Two'>second</Still>\n</Menu>"
    ),
    "from-mdx": "import { Tick } from '/snippets/words.mdx'\n\n<Tick />",
}


@pytest.fixture(scope="module")
def pages(render_pages) -> dict[str, RenderedPage]:
    found: dict[str, RenderedPage] = render_pages(BODIES, MODULES)
    return found


def islands_of(page: RenderedPage) -> list[dict[str, object]]:
    """Return the data of each island for the browser."""
    match = re.search(r"\n\}, (\[.*\])\);\n$", page.script, re.DOTALL)
    assert match
    islands: list[dict[str, object]] = json.loads(match[1])
    return islands


def test_a_component_without_state_needs_no_script(pages: dict[str, RenderedPage]) -> None:
    assert pages["plain"].script == ""
    assert "<ds-island" not in pages["plain"].html
    assert "islands" not in pages["plain"].features


def test_an_island_is_rendered_and_listed(pages: dict[str, RenderedPage]) -> None:
    page = pages["choice"]
    assert '<ds-island data-n="0"><div><button>[&lt;/script>]</button>' in page.html
    assert islands_of(page) == [
        {
            "module": "/snippets/choice.jsx",
            "name": "Choice",
            "props": {"title": "</script>"},
            "slots": ["footer", "children"],
        }
    ]
    assert '"/snippets/pad.js": [' in page.script
    assert "islands" in page.features


def test_children_are_slots_and_what_is_hidden_is_kept(pages: dict[str, RenderedPage]) -> None:
    page = pages["choice"]
    assert '<ds-slot data-name="children"><h2' in page.html
    assert '<template data-island="0" data-name="footer"><em>later</em></template>' in page.html
    assert [heading.anchor for heading in page.headings] == ["inside"]
    assert "later" not in page.markdown


def test_what_was_given_a_function_stays_as_it_is_rendered(pages: dict[str, RenderedPage]) -> None:
    assert pages["function"].script == ""
    assert "[x]" in pages["function"].html


def test_a_pages_own_components_travel_without_its_content(pages: dict[str, RenderedPage]) -> None:
    page = pages["own"]
    assert [island["name"] for island in islands_of(page)] == ["Count", "Count"]
    assert "Some words of the page" not in page.script
    assert '"/own.mdx": [' in page.script


def test_components_of_mdx_snippets_travel_too(pages: dict[str, RenderedPage]) -> None:
    assert islands_of(pages["from-mdx"])[0]["module"] == "/snippets/words.mdx"
    assert '"/snippets/words.mdx": [' in pages["from-mdx"].script


def test_several_children_are_elements_with_props(pages: dict[str, RenderedPage]) -> None:
    page = pages["list"]
    assert "<button>One</button><button>Two</button>" in page.html
    assert '<ds-slot data-name="children.1"><b>second</b>' in page.html
    assert 'data-name="children.0"><b>first</b>' in page.html.partition("<template")[2]
    (island,) = islands_of(page)
    assert island["slots"] == []
    assert island["lists"] == {"children": [{"title": "One"}, {"title": "Two"}]}
