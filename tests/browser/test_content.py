"""Content that needs a browser: rendered diagrams and utility classes."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from axe import violations
from exported_folders import export_folder
from socket_server import Sockets, serve_sockets

pytestmark = pytest.mark.browser

PAGES = {
    "index": "Nothing but words.\n",
    "tabs": "<Tabs>"
    + "".join(f'<Tab title="Operating system {n}">Text {n}</Tab>' for n in range(20))
    + '</Tabs>\n\n<Tabs><Tab title="One">First</Tab><Tab title="Two">Second</Tab></Tabs>\n',
    "parts": "Much.\n\n" * 200 + "## Step 2: Run it\n\n" + "More.\n\n" * 200,
    "diagrams": """
```mermaid
flowchart TD
  first --> second --> third --> fourth
```

```mermaid actions={false}
flowchart TD
  one --> two --> three --> four
```

```mermaid
this is no diagram at all
```
""",
    "common": "".join(
        f"```mermaid\n{each}\n```\n\n"
        for each in (
            "flowchart TD\n  first --> second",
            "sequenceDiagram\n  One->>Two: Hello",
            "stateDiagram-v2\n  [*] --> Ready",
            "classDiagram\n  One <|-- Two",
            "erDiagram\n  A ||--o{ B : has",
            "gantt\n  title Plan\n  section One\n  Task :t1, 2026-01-01, 3d",
        )
    ),
    "published": "```mermaid\nstateDiagram-v2\n  [*] --> Ready\n  Ready --> [*]\n```\n",
    "own": "```mermaid\nmindmap\n  root((Idea))\n    One\n    Two\n```\n",
    "rare": "```mermaid\narchitecture-beta\n  service db(database)[Database]\n```\n",
    "maths": r"""
The sum $\frac{1}{2} + \sum_{i=1}^n x_i$ within a line, and

$$
\int_0^\infty e^{-x^2} \, dx = \frac{\sqrt{\pi}}{2}
$$
""",
    "operation": "",
    "channel": "",
    "islands": """
import { Choice } from "/snippets/choice.jsx";

export const Counter = ({ from = 0 }) => {
  const [count, setCount] = useState(from);
  return <button id="counter" className="p-4" onClick={() => setCount(count + 1)}>{count}</button>;
};

export const Size = () => {
  const [width] = useState(window.innerWidth);
  return <p id="size">{width}</p>;
};

export const Still = () => <p id="still">always the same</p>;

<Counter from={3} />

<Choice label={<em>More</em>}>
  A [link](/index) and `code`.
</Choice>

<Size />

<Still />
""",
    "nested": """
import { Choice } from "/snippets/choice.jsx";

export const Code = () => {
  const [count, setCount] = useState(0);
  return (
    <div id="code">
      <button onClick={() => setCount(count + 1)}>{count}</button>
      <CodeBlock language="python" filename="a.py">{"def f(): return 1"}</CodeBlock>
      {count > 0 && <CodeBlock language="python">{"def f(): return 1"}</CodeBlock>}
      {count > 0 && <p><a id="first" href="/folder/deep#x">on</a><Icon icon="star" /></p>}
      {count > 0 && <Card id="card" title="Card" href="/classes" icon="rocket">Text</Card>}
    </div>
  );
};

export const Inner = () => {
  const [count, setCount] = useState(0);
  return <button id="inner" onClick={() => setCount(count + 1)}>{count}</button>;
};

<Code />

<Choice label="Open">
  <Inner />
</Choice>
""",
    "folder/deep": "Deep.\n",
    "classes": """
<div id="plain" className="flex pt-4 w-[123px]">narrow</div>
<div id="dark" className="block dark:hidden">only by day</div>
<div id="states" className="ring-2 bg-gradient-to-r from-blue-500 to-pink-500">framed</div>
""",
}

API_PAGES = {"operation": "openapi: POST /users/{id}\n", "channel": "asyncapi: live.json chat\n"}

CHOICE = """
const { useState: state } = React;

export const Choice = ({ label, children }) => {
  const [open, setOpen] = state(false);
  return (
    <div id="choice">
      <button onClick={() => setOpen(!open)}><Icon icon="star" /> {label}</button>
      {open && <section className="hidden-until-open">{children}</section>}
    </div>
  );
};
"""


class OpenApiServer(BaseHTTPRequestHandler):
    """Says what it was asked, to pages of any origin."""

    def _answer(self, body: object) -> None:
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "Authorization, Content-Type")
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def do_OPTIONS(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._answer({"path": self.path, "key": self.headers["Authorization"], "sent": sent})

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def api() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), OpenApiServer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def specification(server: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    operation = {
        "summary": "Add a user",
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": {}}],
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": {"200": {"description": "done"}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Users", "version": "1"},
        "servers": [{"url": server}],
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
        "paths": {"/users/{id}": {"post": operation}},
    }


@pytest.fixture(scope="module")
def sockets() -> Iterator[Sockets]:
    with serve_sockets() as served:
        yield served


def events(server: str) -> dict[str, Any]:
    host, _, path = server.removeprefix("ws://").partition("/")
    said = {"payload": {"type": "object", "properties": {"text": {"type": "string"}}}}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Live", "version": "1"},
        "servers": {
            "live": {
                "host": host,
                "pathname": f"/{path}",
                "protocol": "ws",
                "security": [{"$ref": "#/components/securitySchemes/token"}],
            }
        },
        "channels": {
            "chat": {
                "address": "/rooms/{room}",
                "parameters": {"room": {"default": "lobby"}},
                "bindings": {"ws": {"query": {"properties": {"since": {"type": "integer"}}}}},
                "messages": {"said": said},
            }
        },
        "operations": {"say": {"action": "receive", "channel": {"$ref": "#/channels/chat"}}},
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, api: str, sockets: Sockets) -> Path:
    root = tmp_path_factory.mktemp("content")
    source, target = root / "source", root / "out"
    source.mkdir()
    config = {
        "name": "Content",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"groups": [{"group": "All", "pages": list(PAGES)}]},
    }
    (source / "openapi.json").write_text(json.dumps(specification(api)))
    (source / "live.json").write_text(json.dumps(events(sockets.address)))
    (source / "docs.json").write_text(json.dumps(config))
    (source / "snippets").mkdir()
    (source / "snippets" / "choice.jsx").write_text(CHOICE)
    (source / "folder").mkdir()
    for slug, body in PAGES.items():
        api_page = API_PAGES.get(slug, "")
        (source / f"{slug}.mdx").write_text(f"---\ntitle: {slug}\n{api_page}---\n{body}")
    return export_folder(source, target)


def until(look: Callable[[], Any], seconds: float = 120.0) -> Any:
    """Return the result of `look` once it is true, or at the end of the time."""
    end = time.monotonic() + seconds
    while not (seen := look()) and time.monotonic() < end:
        time.sleep(0.1)
    return seen


def test_the_chosen_one_of_many_tabs_is_in_sight(browser: Any, exported: Path) -> None:
    browser.open((exported / "tabs.html").as_uri())
    is_seen = """const [list] = document.querySelectorAll('[role=tablist]');
        const chosen = list.querySelector('[aria-selected=true]').getBoundingClientRect();
        const { left, right } = list.getBoundingClientRect();
        return list.scrollWidth > list.clientWidth && chosen.left >= left && chosen.right <= right
        """
    browser.expect(True, is_seen)
    browser.run("document.querySelectorAll('[role=tab]')[19].click()")
    browser.expect(True, is_seen)
    browser.open((exported / "tabs.html").as_uri())
    browser.expect(True, is_seen)
    assert browser.run("return document.querySelector('[aria-selected=true]').innerText").endswith(
        "19"
    )


def test_a_row_of_tabs_fades_where_more_of_them_are_hidden(browser: Any, exported: Path) -> None:
    browser.open((exported / "tabs.html").as_uri())
    list_ = "document.querySelector('[role=tablist]')"
    faded = f"""const style = getComputedStyle({list_});
        return ["start", "end"].map((each) => style.getPropertyValue(`--ds-fade-${{each}}`))"""
    browser.run(f"{list_}.scrollLeft = 0")
    browser.expect(["0px", "40px"], faded)
    browser.run(f"{list_}.scrollLeft = {list_}.scrollWidth / 2")
    browser.expect(["40px", "40px"], faded)
    browser.run(f"{list_}.scrollLeft = {list_}.scrollWidth")
    browser.expect(["40px", "0px"], faded)
    browser.expect(
        ["0px", "0px"], faded.replace("[role=tablist]", "[role=tablist]:not(:has(:nth-child(3)))")
    )


def test_diagrams_are_drawn_and_named_and_a_broken_one_is_shown_as_code(
    browser: Any, exported: Path
) -> None:
    browser.open((exported / "diagrams.html").as_uri())
    states = """return [...document.querySelectorAll('.ds-mermaid')].map((each) => [
        'drawn' in each.dataset, 'failed' in each.dataset,
        each.querySelector('[role=img]')?.getAttribute('aria-label') ?? null,
        each.querySelectorAll('.ds-mermaid-actions button').length])"""
    browser.expect([[True, False, "Diagram", 7], [True, False, "Diagram", 0]], states)
    code = "[...document.querySelectorAll('pre')].filter((each) => each.checkVisibility())"
    browser.expect(["this is no diagram at all"], f"return {code}.map((e) => e.innerText.trim())")


@pytest.mark.parametrize(("page", "is_complete"), [("common", False), ("rare", True)])
def test_only_rare_diagrams_load_the_complete_library(
    browser: Any, exported: Path, page: str, is_complete: bool
) -> None:
    browser.requests()
    browser.open((exported / f"{page}.html").as_uri())
    waiting = "document.querySelectorAll('.ds-mermaid:not([data-drawn])').length"
    browser.expect(0, f"return {waiting}")
    asked = [address for address in browser.requests() if "/mermaid-all." in address]
    assert bool(asked) is is_complete


def test_a_diagram_is_enlarged_by_its_button(browser: Any, exported: Path) -> None:
    browser.open((exported / "diagrams.html").as_uri())
    button = "document.querySelector('.ds-mermaid-actions [aria-label=\"Zoom in\"]')"
    assert until(lambda: browser.run(f"return {button} !== null"))
    browser.run(f"{button}.click()")
    transform = "return document.querySelector('.ds-mermaid-stage > svg').style.transform"
    browser.expect("translate(0px, 0px) scale(1.25)", transform)


def test_pages_without_diagrams_do_not_load_the_library(browser: Any, exported: Path) -> None:
    browser.requests()
    browser.open((exported / "index.html").as_uri())
    assert not [address for address in browser.requests() if "mermaid" in address]
    browser.open((exported / "rare.html").as_uri())
    assert until(lambda: [a for a in browser.requests() if "/mermaid." in a])


def test_a_published_drawing_needs_no_library_and_follows_the_theme(
    browser: Any, exported: Path
) -> None:
    browser.requests()
    browser.open((exported / "published.html").as_uri())
    browser.expect(7, "return document.querySelectorAll('.ds-mermaid-actions button').length")
    fill = """document.documentElement.dataset.theme = arguments[0];
        return getComputedStyle(document.querySelector('.ds-drawing .node text')).fill"""
    assert browser.run(fill, "light") == "rgb(0, 0, 0)"
    assert browser.run(fill, "dark") == "rgb(204, 204, 204)"
    assert not [address for address in browser.requests() if "/mermaid" in address]


def test_a_drawing_with_its_own_styles_follows_the_theme(browser: Any, exported: Path) -> None:
    browser.requests()
    browser.open((exported / "own.html").as_uri())
    fill = """document.documentElement.dataset.theme = arguments[0];
        const text = document.querySelector('.ds-drawing-own .section-root text');
        return getComputedStyle(text).fill"""
    assert browser.run(fill, "light") != browser.run(fill, "dark")
    assert not [address for address in browser.requests() if "/mermaid" in address]


def test_labels_of_published_drawings_fit_their_boxes(browser: Any, exported: Path) -> None:
    browser.open((exported / "published.html").as_uri())
    outside = """return document.fonts.ready.then(() =>
        [...document.querySelectorAll('.ds-drawing .node:has(text)')].filter((node) =>
            node.querySelector('text').getBBox().width >
            node.querySelector('.label-container').getBBox().width).length)"""
    browser.expect(0, outside)


def test_utility_classes_have_their_effect(browser: Any, exported: Path) -> None:
    browser.open((exported / "classes.html").as_uri())
    style = """const style = getComputedStyle(document.getElementById(arguments[0]));
        return arguments[1].map((name) => style[name])"""
    assert browser.run(style, "plain", ["display", "paddingTop", "width"]) == [
        "flex",
        "16px",
        "123px",
    ]
    assert "gradient" in browser.run(style, "states", ["backgroundImage"])[0]
    assert browser.run(style, "states", ["boxShadow"]) != ["none"]
    browser.run("document.documentElement.dataset.theme = 'light'")
    browser.expect(["block"], style, "dark", ["display"])
    browser.run("document.documentElement.dataset.theme = 'dark'")
    browser.expect(["none"], style, "dark", ["display"])


def test_formulas_have_their_fonts_and_can_be_heard(browser: Any, exported: Path) -> None:
    browser.requests()
    browser.open((exported / "maths.html").as_uri())
    assert browser.run("return document.querySelectorAll('.katex-mathml math').length") == 2
    used = """return document.fonts.ready.then((all) =>
        [...all].filter((font) => font.status === "loaded").map((font) => font.family))"""
    assert until(lambda: {"KaTeX_Main", "KaTeX_Math"} <= set(browser.run(used)))
    assert [address for address in browser.requests() if "/math." in address]
    browser.open((exported / "index.html").as_uri())
    assert not [address for address in browser.requests() if "/math." in address]


def test_a_part_is_found_by_the_name_that_others_give_it(browser: Any, exported: Path) -> None:
    browser.open((exported / "parts.html").as_uri() + "#step-2%3A-run-it")
    top = "return document.getElementById('step-2-run-it').getBoundingClientRect().top"
    assert until(lambda: 0 <= browser.run(top) < browser.run("return innerHeight"))


def test_a_component_with_state_comes_to_life(browser: Any, exported: Path) -> None:
    browser.open((exported / "islands.html").as_uri())
    count = "return document.getElementById('counter').textContent"
    assert browser.run(count) == "3"
    assert until(lambda: browser.run("return document.querySelector('[data-alive]') !== null"))
    browser.run("document.getElementById('counter').click()")
    assert until(lambda: browser.run(count) == "4")
    assert browser.complaints() == []


def test_what_a_component_hides_at_first_can_be_shown(browser: Any, exported: Path) -> None:
    browser.open((exported / "islands.html").as_uri())
    assert until(
        lambda: browser.run("return document.querySelectorAll('[data-alive]').length == 3")
    )
    assert browser.run("return document.querySelector('#choice a')") is None
    assert browser.run("return document.querySelector('#choice button svg') !== null")
    browser.run("document.querySelector('#choice button').click()")
    link = "return document.querySelector('#choice a')?.getAttribute('href')"
    assert until(lambda: browser.run(link)) == "index.html"
    assert browser.run("return document.querySelector('#choice button').textContent") == " More"
    assert browser.run("return document.querySelector('#choice button svg') !== null")


def test_a_component_that_needs_a_browser_is_drawn_there(browser: Any, exported: Path) -> None:
    assert "always the same" in (exported / "islands.html").read_text()
    browser.open((exported / "islands.html").as_uri())
    width = "return document.getElementById('size')?.textContent"
    assert until(lambda: browser.run(width)) == str(browser.run("return window.innerWidth"))


def test_a_component_without_state_is_no_island(browser: Any, exported: Path) -> None:
    browser.open((exported / "islands.html").as_uri())
    assert browser.run("return document.querySelector('ds-island #still')") is None


def test_code_in_a_component_stays_as_it_was_drawn(browser: Any, exported: Path) -> None:
    browser.open((exported / "nested.html").as_uri())
    blocks = """return [...document.querySelectorAll('#code .ds-code')]
        .map((each) => [each.querySelectorAll('code span').length > 1, each.textContent])"""
    first = [[True, "a.pydef f(): return 1"]]
    assert until(lambda: browser.run("return document.querySelector('[data-alive]') !== null"))
    assert until(lambda: browser.run(blocks)) == first
    browser.run("document.querySelector('#code button').click()")
    both = [*first, first[0]]
    assert until(lambda: browser.run(blocks) == both), browser.run(blocks)
    assert browser.complaints() == []


def test_links_that_a_component_draws_later_lead_to_pages(browser: Any, exported: Path) -> None:
    browser.open((exported / "nested.html").as_uri())
    assert until(lambda: browser.run("return document.querySelector('[data-alive]') !== null"))
    browser.run("document.querySelector('#code button').click()")
    link = "return document.querySelector(arguments[0])?.href"
    assert until(lambda: browser.run(link, "#first")) == (
        (exported / "folder/deep.html").as_uri() + "#x"
    )
    assert browser.run(link, "#code a.ds-card") == (exported / "classes.html").as_uri()


def test_a_component_within_a_hidden_part_comes_to_life_with_it(
    browser: Any, exported: Path
) -> None:
    browser.open((exported / "nested.html").as_uri())
    assert until(
        lambda: browser.run("return document.querySelectorAll('[data-alive]').length == 2")
    )
    assert browser.run("return document.querySelector('#inner')") is None
    browser.run("document.querySelector('#choice button').click()")
    count = "return document.querySelector('#inner')?.textContent"
    assert until(lambda: browser.run(count) == "0")
    browser.run("document.querySelector('#inner').click()")
    assert until(lambda: browser.run(count) == "1")


def test_only_pages_with_islands_load_their_runtime(browser: Any, exported: Path) -> None:
    browser.requests()
    browser.open((exported / "classes.html").as_uri())
    assert not [address for address in browser.requests() if "islands" in address]
    scripts = sorted((exported / "_islands").iterdir())
    assert [path.name.split(".")[0] for path in scripts] == ["islands", "nested"]
    assert not [path for path in scripts if "_createMdxContent" in path.read_text()]


def test_an_operation_is_tried_from_its_page(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri())
    shown = "return document.querySelector('.ds-try')?.hidden === false"
    assert until(lambda: browser.run(shown))
    browser.run("document.querySelector('.ds-try').click()")
    browser.wait("return document.querySelector('.ds-playground-send') !== null")
    browser.run("document.documentElement.dir = 'rtl'")  # what is sent is code all the same
    style = "getComputedStyle(document.querySelector('.ds-playground [data-name=name] input'))"
    assert browser.run(f"return {style}.direction") == "ltr"
    of_type = "getComputedStyle(document.querySelector('.ds-field-type'))"
    assert browser.run(f"return {of_type}.direction") == "ltr"
    browser.run("document.documentElement.dir = 'ltr'")
    browser.run(
        """const type = (name, text) => {
          const input = document.querySelector(`.ds-playground [data-name=${name}] input`);
          input.value = text;
          input.dispatchEvent(new Event('input', { bubbles: true }));
        };
        type('Authorization', 'secret');
        type('id', 'a b');
        type('name', 'Ada');"""
    )
    sample = browser.run("return document.querySelector('.ds-playground-code pre').textContent")
    assert "/v1/users/a%20b" in sample
    assert '"name": "Ada"' in sample
    assert "secret" not in sample  # samples are copied, and seen by others
    lit = "return document.querySelector('.ds-playground-code .ds-hl')?.textContent.trim()"
    assert browser.run(lit) == '"name": "Ada"'
    browser.run("document.querySelector('.ds-playground-send').click()")
    answer = "return document.querySelector('.ds-playground [role=status] code')?.textContent"
    assert json.loads(until(lambda: browser.run(answer))) == {
        "path": "/v1/users/a%20b",
        "key": "Bearer secret",
        "sent": {"name": "Ada"},
    }
    history = "return document.querySelector('.ds-playground-history button').textContent"
    assert "POST /v1/users/a%20b" in browser.run(history)
    assert browser.run("return document.querySelector('.ds-playground').open") is True


def test_values_of_a_body_are_removed_and_added(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri() + "?playground=open")
    browser.wait("return document.querySelector('.ds-playground-send') !== null")
    sample = "return document.querySelector('.ds-playground-code pre').textContent.includes('name')"
    assert browser.run(sample) is True
    browser.run("document.querySelector('[data-name=name] .ds-playground-edit').click()")
    assert browser.run(sample) is False
    browser.run("document.querySelector('.ds-playground-more button').click()")
    assert browser.run(sample) is True
    assert violations(browser) == []
    browser.run("document.querySelector('.ds-playground-switch').click()")
    text = "return JSON.parse(document.querySelector('.ds-playground textarea').value)"
    assert list(browser.run(text)) == ["name"]


def test_a_field_and_its_lines_of_samples_light_up_together(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri())
    lit = "return [...CSS.highlights.get('ds-lit') ?? []].map(String)"
    browser.run(
        """document.querySelector('#body-name').dispatchEvent(
            new PointerEvent('pointerover', { bubbles: true }));"""
    )
    assert set(until(lambda: browser.run(lit))) == {'"name": "string"'}  # in each language


def test_a_channel_is_tried_from_its_page(browser: Any, exported: Path, sockets: Sockets) -> None:
    browser.open((exported / "channel.html").as_uri())
    assert until(lambda: browser.run("return document.querySelector('.ds-try')?.hidden === false"))
    browser.run("document.querySelector('.ds-try').click()")
    browser.wait("return document.querySelector('.ds-playground-send') !== null")
    browser.run(
        """const [token, room, since] = document.querySelectorAll('.ds-playground input');
        token.value = 'to ken'; since.value = '7';
        document.querySelector('.ds-playground-send').click();"""
    )
    status = "return document.querySelector('.ds-playground [role=status]').textContent"
    assert until(lambda: browser.run(status).startswith("Connected"))
    assert sockets.seen == [("/v1/rooms/lobby?since=7", "to%20ken")]
    browser.expect("TEXTAREA", "return document.activeElement.tagName")
    browser.run(
        """document.querySelector('.ds-playground textarea').value = 'hello';
        document.querySelectorAll('.ds-playground-send')[1].click();"""
    )
    log = """return [...document.querySelectorAll('.ds-playground-log > div')].map(
        (each) => [each.dataset.kind, each.querySelector('pre').textContent])"""
    browser.expect([["sent", "hello"], ["received", "heard: hello"]], log)
    browser.run("document.querySelector('.ds-playground-send').click()")
    assert until(lambda: browser.run(status).startswith("Disconnected"))
    browser.run("document.querySelector('.ds-playground-close').click()")
    assert until(lambda: browser.run("return document.querySelector('.ds-playground') === null"))
