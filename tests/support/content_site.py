"""A site whose content needs a browser: diagrams, components with state, playgrounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from exported_folders import export_folder

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
    "blocks": (
        "```mermaid\nsequenceDiagram\n  rect rgb(240, 245, 255)\n  One->>Two: Pale\n  end\n"
        "  rect rgb(20, 20, 60)\n  Two->>One: Deep\n  end\n```\n"
    ),
    "fills": (  # formulas and this layout are rendered by the browser
        "```mermaid\nsequenceDiagram\n  rect rgb(240, 245, 255)\n  One->>Two: $$x$$\n  end\n```\n\n"
        "```mermaid\n---\nconfig:\n  layout: elk\n---\nflowchart TD\n  pale --> own --> plain\n"
        "  style pale fill:#fef3c7\n  style own fill:#fef3c7,color:#ff0000\n```\n"
    ),
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
    """A server that echoes requests, to pages of any origin."""

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


@contextmanager
def serve_api() -> Iterator[str]:
    """Serve the operation of the site; yield its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), OpenApiServer)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def export_content(root: Path, api_url: str, sockets_url: str) -> Path:
    """Export the site; its playgrounds send requests to these two servers."""
    source = root / "source"
    source.mkdir()
    config = {
        "name": "Content",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"groups": [{"group": "All", "pages": list(PAGES)}]},
    }
    (source / "openapi.json").write_text(json.dumps(_openapi(api_url)))
    (source / "live.json").write_text(json.dumps(_asyncapi(sockets_url)))
    (source / "docs.json").write_text(json.dumps(config))
    (source / "snippets").mkdir()
    (source / "snippets" / "choice.jsx").write_text(CHOICE)
    (source / "folder").mkdir()
    for slug, body in PAGES.items():
        api_page = API_PAGES.get(slug, "")
        (source / f"{slug}.mdx").write_text(f"---\ntitle: {slug}\n{api_page}---\n{body}")
    return export_folder(source, root / "out")


def _openapi(server: str) -> dict[str, Any]:
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


def _asyncapi(server: str) -> dict[str, Any]:
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
