"""Diagrams rendered at publishing, by the real library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree

import pytest

from docstead.markup.diagrams import DiagramRenderer

STAGE = '<div role="img" aria-label="Diagram" aria-describedby="s" class="ds-mermaid-stage">'
KINDS = {
    "flowchart": "flowchart LR\n  A[Read<br/>it] -->|yes| B{Done?}\n  subgraph One\n  B\n  end",
    "sequence": "sequenceDiagram\n  actor A\n  A->>+B: Ask\n  Note over A,B: Hm\n  B-->>-A: Yes",
    "state": "stateDiagram-v2\n  [*] --> Ready\n  Ready --> [*]: done",
    "er": "erDiagram\n  USER ||--o{ ORDER : places\n  USER {\n    string name PK\n  }",
    "class": "classDiagram\n  Shape <|-- Circle : is\n  class Shape {\n    +draw() bool\n  }",
    "gantt": "gantt\n  title Plan\n  section One\n  Task :t1, 2026-01-01, 3d",
    "pie": 'pie title Pets\n  "Dogs" : 386\n  "Cats" : 85',
    "git": "gitGraph\n  commit\n  branch next\n  commit\n  checkout main\n  merge next",
}
SHAPES = {"circle", "ellipse", "line", "path", "polygon", "rect"}
#: Their browser draws these, as it would any diagram without a drawing.
LEFT = {
    "a kind of its own": "mindmap\n  root((Idea))\n    One",
    "no diagram": "this is no diagram at all",
    "settings": '%%{init: {"themeVariables": {"lineColor": "#f00"}}}%%\ngraph TD\n  A-->B',
    "a title page": "---\nconfig:\n  look: handDrawn\n---\ngraph TD\n  A-->B",
    "a link": 'graph TD\n  A-->B\n  click A href "javascript:alert(1)"',
    "an icon": "graph TD\n  A[fa:fa-car Car]-->B",
    "a formula": 'graph TD\n  A["$$x^2$$"]-->B',
    "letters of no known width": "graph TD\n  A[ไทย]-->B",
    "an image": 'graph TD\n  A["<img src=x onerror=alert(1)>"]-->B',
    "a file in a style": "graph TD\n  A-->B\n  style A fill:url(https://a.example/x)",
    "deep": "graph TD\n" + "subgraph x\n" * 60 + "a-->b\n" + "end\n" * 60,
    "a product of lists": "graph TD\n"
    + " & ".join("abcdefghijkl")
    + " --> "
    + " & ".join("mnopqrstuvwx"),
    "far too long": "graph TD\n" + "\n".join(f"  a{n} --> a{n + 1}" for n in range(10_000)),
}


def page(*sources: str) -> str:
    return "".join(
        f'<div class="ds-mermaid mermaid">{STAGE}</div>'
        f'<pre id="s" aria-hidden="true" class="mermaid-source">{escape(each)}</pre></div>'
        for each in sources
    )


@pytest.fixture(scope="module")
def diagrams() -> Iterator[DiagramRenderer]:
    with DiagramRenderer("Inter") as found:
        yield found


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_takes_the_place_of_its_source(diagrams: DiagramRenderer, kind: str) -> None:
    diagrams.begin_batch()
    html = diagrams.fill(page(KINDS[kind]))
    drawing = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
    names = {each.tag for each in drawing.iter()}
    assert names <= SHAPES | {"defs", "g", "marker", "svg", "text", "tspan"}
    assert f"ds-drawing-{kind}-neutral" in drawing.attrib["class"]
    assert ' data-drawn class="ds-mermaid ds-published mermaid"' in html
    assert f">{escape(KINDS[kind])}</pre>" in html
    assert "foreignObject" not in html


def test_labels_keep_their_words_lines_and_emphasis(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    html = diagrams.fill(
        page('graph TD\n  A["Read<br/><b>all</b> of it"] -->|a & b| B["1 #lt; 2"]')
    )
    text = re.sub(r"<[^>]*>", "|", html[html.index("<svg") : html.index("</svg>")])
    assert {"Read", "all", " of it", "a &amp; b", "1 &lt; 2"} <= set(text.split("|"))


@pytest.mark.parametrize("reason", LEFT)
def test_the_rest_is_left_to_the_browser(diagrams: DiagramRenderer, reason: str) -> None:
    diagrams.begin_batch()
    html = page(LEFT[reason])
    assert diagrams.fill(html) == html
    assert "<svg" in diagrams.fill(page(KINDS["state"]))  # and the next is drawn


@pytest.mark.parametrize("kind", ["er", "git"])
def test_equal_sources_are_equal_drawings_with_ids_of_their_own(
    diagrams: DiagramRenderer, kind: str
) -> None:
    diagrams.begin_batch()
    html = diagrams.fill(page(KINDS[kind], KINDS[kind]))
    first, second = html.split("</div>")[0], html.split('mermaid"><div')[2].split("</div>")[0]
    ids = re.findall(r' id="(ds-diagram-[^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert ids or kind == "git"
    assert second.replace("ds-diagram-2", "ds-diagram-1").endswith(first[first.index("<svg") :])
    assert diagrams.fill(page(KINDS[kind], KINDS[kind])) == html


def test_a_plan_has_no_mark_for_the_day_of_publishing(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    html = diagrams.fill(page("gantt\n  section One\n  Task :2020-01-01, 2100-01-01"))
    assert "<svg" in html
    assert "today" not in html


def test_entities_may_be_called_as_the_words_of_relations(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    source = "erDiagram\n  ONE ||--o{ TWO : has\n  MANY }|--|{ TO : many\n  ONE {\n    int id\n  }"
    html = diagrams.fill(page(source))
    assert {">ONE<", ">TWO<", ">MANY<", ">TO<"} <= set(re.findall(r">[A-Z]+<", html))


def test_labels_can_be_read_on_the_fills_of_authors(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    source = "graph TD\n  A --> B --> C\n  style A fill:#f9f\n  style B fill:navy"
    html = diagrams.fill(page(source))
    assert re.findall(r'<text[^>]* style="([^"]*)"', html) == ["fill: #111;", "fill: #fff;"]


def test_a_drawing_has_the_name_and_theme_of_its_author(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    named = 'graph TD\n  accTitle: From "A" to B\n  A-->B'
    assert 'aria-label="From &quot;A&quot; to B"' in diagrams.fill(page(named))
    themed = '%%{init: {"theme": "default", "flowchart": {"nodeSpacing": 30}}}%%\ngraph TD\n  A-->B'
    assert "ds-drawing-flowchart-default" in diagrams.fill(page(themed))


def test_nothing_is_drawn_in_a_font_of_unknown_widths() -> None:
    with DiagramRenderer("") as without_font:
        assert without_font.fill(page(KINDS["er"])) == page(KINDS["er"])


def test_styles_of_authors_stay_and_do_not_leave_their_attribute(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    source = "graph TD\n  A:::x --> B\n  classDef x fill:#fde,color:#123456\n  style B stroke:#f00"
    html = diagrams.fill(page(source))
    assert all(each in html for each in ("fill:#fde", "fill:#123456", "stroke:#f00"))
