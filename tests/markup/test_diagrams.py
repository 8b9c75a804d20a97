"""Diagrams rendered at publishing, by the real library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree

import pytest

from docstead.markup.assets import BuiltAssets
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
#: Kinds and settings whose styles are in the elements of their drawings.
RARE = {
    "block": 'block-beta\n  columns 2\n  a["Label"] b\n  a --> b',
    "c4": 'C4Context\n  Person(a, "Label", "Reads")\n  System(b, "Site")\n  Rel(a, b, "Uses")',
    "journey": "journey\n  title Day\n  section Label\n    Tea: 5: Me",
    "kanban": "kanban\n  Todo\n    [Label]@{ ticket: 'A-1' }",
    "mindmap": "mindmap\n  root((Label))\n    One\n    Two",
    "packet": 'packet-beta\n0-15: "Label"\n16-31: "Other"',
    "quadrant": "quadrantChart\n  x-axis Low --> High\n  Label: [0.3, 0.6]",
    "radar": 'radar-beta\n  axis a["Label"], b["B"], c["C"]\n  curve x["X"]{1, 2, 3}',
    "requirement": "requirementDiagram\n  element Label {\n  type: x\n  }\n"
    "  element b {\n  type: x\n  }\n  Label - copies -> b",
    "sankey": "sankey-beta\nLabel,Other,12\nLabel,Third,5",
    "timeline": "timeline\n  section Early\n  2002 : Label",
    "treemap": 'treemap-beta\n"All"\n    "Label": 12\n    "Other": 8',
    "xychart": "xychart-beta\n  x-axis [Label, b]\n  bar [1, 2]",
    "a theme": '%%{init: {"theme": "forest"}}%%\ngraph TD\n  A[Label]-->B',
    "variables": '%%{init: {"themeVariables": {"lineColor": "#f00"}}}%%\ngraph TD\n  A[Label]-->B',
    "a title": "---\ntitle: Label\n---\ngraph TD\n  A-->B",
}
SHAPES = {"circle", "ellipse", "line", "path", "polygon", "rect"}
#: Their browser renders these, as it would any diagram without a drawing.
LEFT = {
    "a kind of its own": "architecture-beta\n  service db(database)[Database]",
    "a look": "---\nconfig:\n  look: handDrawn\n---\ngraph TD\n  A-->B",
    "a link": 'graph TD\n  A-->B\n  click A href "javascript:alert(1)"',
    "an icon": "graph TD\n  A[fa:fa-car Car]-->B",
    "a formula": 'graph TD\n  A["$$x^2$$"]-->B',
    "letters of no known width": "graph TD\n  A[ไทย]-->B",
    "an image": 'graph TD\n  A["<img src=x onerror=alert(1)>"]-->B',
    "deep": "graph TD\n" + "subgraph x\n" * 60 + "a-->b\n" + "end\n" * 60,
    "a product of lists": "graph TD\n"
    + " & ".join("abcdefghijkl")
    + " --> "
    + " & ".join("mnopqrstuvwx"),
    "settings without an end": "---\n" + "\n" * 100_000,
    "far too long": "graph TD\n" + "\n".join(f"  a{n} --> a{n + 1}" for n in range(10_000)),
}
#: Line and column within the source, and words of the reason.
PROBLEMS = {
    "this is no diagram at all": (0, 1, "names no type of diagram"),
    "graph TD\n  A[One (two)] --> B": (2, 5, "Expecting 'SQE'"),
    "%% a comment\n\nsequenceDiagram\n%% another\n  A->>B: c\n  foo bar": (6, 3, "got 'NEWLINE'"),
    "---\ntitle: x\n---\nerDiagram\n  A ||-o{ B : c": (5, 5, "'IDENTIFYING', got"),
    "graph TD\n  A-->B\n  style A fill:url(https://a.example/x)": (3, 16, "got 'PS'"),
    "gitGraph\n  comit": (2, 3, "but found `comit`"),
    "gantt\n  section A\n  B: 2026-13-01, 1d": (0, 1, "Invalid date"),
}


def filled(diagrams: DiagramRenderer, html: str) -> str:
    return diagrams.fill(html, lambda source: f"<code>{source}</code>")[0]


def page(*sources: str) -> str:
    return "".join(
        f'<div class="ds-mermaid mermaid">{STAGE}</div>'
        f'<pre id="s" aria-hidden="true" class="mermaid-source">{escape(each)}</pre></div>'
        for each in sources
    )


class CountedAssets(BuiltAssets):
    """Built files, with the number of times that one was read."""

    reads = 0

    def read(self, name: str) -> bytes:
        self.reads += 1
        return super().read(name)


@pytest.fixture(scope="module")
def diagrams() -> Iterator[DiagramRenderer]:
    with DiagramRenderer("Inter") as found:
        yield found


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_replaces_its_source(diagrams: DiagramRenderer, kind: str) -> None:
    diagrams.begin_batch()
    html = filled(diagrams, page(KINDS[kind]))
    drawing = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
    names = {each.tag for each in drawing.iter()}
    assert names <= SHAPES | {"defs", "g", "marker", "svg", "text", "tspan"}
    assert f"ds-drawing-{kind}-neutral" in drawing.attrib["class"]
    assert ' data-drawn class="ds-mermaid ds-published mermaid"' in html
    assert f">{escape(KINDS[kind])}</pre>" in html
    assert "foreignObject" not in html


@pytest.mark.parametrize("kind", RARE)
def test_rare_kinds_and_settings_have_their_styles_in_the_drawing(
    diagrams: DiagramRenderer, kind: str
) -> None:
    diagrams.begin_batch()
    html = filled(diagrams, page(RARE[kind], RARE[kind]))
    drawing = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
    assert "ds-drawing-own" in drawing.attrib["class"]
    assert "Label" in "".join(drawing.itertext())
    assert "foreignObject" not in html
    assert ("var(--ds-light," in html) is (kind != "a theme")
    ids = re.findall(r' id="(ds-diagram-[^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert all(each.startswith("ds-diagram-") for each in re.findall(r"url\(#([^)]*)\)", html))
    assert filled(diagrams, page(RARE[kind], RARE[kind])) == html


def test_labels_keep_their_words_lines_and_emphasis(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    html = filled(
        diagrams, page('graph TD\n  A["Read<br/><b>all</b> of it"] -->|a & b| B["1 #lt; 2"]')
    )
    text = re.sub(r"<[^>]*>", "|", html[html.index("<svg") : html.index("</svg>")])
    assert {"Read", "all", " of it", "a &amp; b", "1 &lt; 2"} <= set(text.split("|"))


def test_branches_of_a_mind_map_have_colors_that_can_be_read(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    html = filled(diagrams, page(RARE["mindmap"]))
    assert {"#60a5fa", "#34d399", "#111111"} <= set(re.findall(r"#[0-9a-f]{6}", html))


def test_labels_of_commits_leave_names_of_branches_free(diagrams: DiagramRenderer) -> None:
    def begins(first: str) -> float:
        """Return where lines of branches begin, at the right of their names."""
        source = f'gitGraph\n  commit id: "{first}"\n  branch next\n  commit\n  branch third\n'
        html = filled(diagrams, page(source))
        found = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
        left, _, width, _ = map(float, found.attrib["viewBox"].split())
        lines = [each for each in found.iter("line") if "branch" in each.attrib["class"]]
        names = [each for each in found.iter("rect") if "branchLabelBkg" in each.attrib["class"]]
        (start,) = {float(each.attrib["x1"]) for each in lines}
        assert left < min(float(each.attrib["x"]) for each in names) - 19
        assert f"--ds-drawn-width: {round(width)}px" in found.attrib["style"]
        assert all(float(n.attrib["x"]) + float(n.attrib["width"]) < start for n in names)
        return start

    diagrams.begin_batch()
    assert begins("one") == 0
    assert begins("a" * 30) < begins("a" * 22) < -20


@pytest.mark.parametrize("reason", LEFT)
def test_the_rest_is_left_to_the_browser(diagrams: DiagramRenderer, reason: str) -> None:
    diagrams.begin_batch()
    html = page(LEFT[reason])
    assert filled(diagrams, html) == html
    assert "<svg" in filled(diagrams, page(KINDS["state"]))  # and the next is rendered


@pytest.mark.parametrize("kind", ["er", "git"])
def test_equal_sources_are_equal_drawings_with_ids_of_their_own(
    diagrams: DiagramRenderer, kind: str
) -> None:
    diagrams.begin_batch()
    html = filled(diagrams, page(KINDS[kind], KINDS[kind]))
    first, second = html.split("</div>")[0], html.split('mermaid"><div')[2].split("</div>")[0]
    ids = re.findall(r' id="(ds-diagram-[^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert bool(ids) is (kind != "git")
    assert second.replace("ds-diagram-2", "ds-diagram-1").endswith(first[first.index("<svg") :])
    with DiagramRenderer("Inter") as another:
        assert filled(another, page(KINDS[kind], KINDS[kind])) == html


def test_a_diagram_of_several_pages_is_rendered_once() -> None:
    built = CountedAssets()
    with DiagramRenderer("Inter", built) as renderer:
        html = filled(renderer, page(KINDS["pie"]))
        renderer.close()  # another diagram would read the library again
        assert filled(renderer, page(KINDS["pie"])) == html
        assert built.reads == 1
        assert "<svg" in filled(renderer, page(KINDS["er"]))
        assert built.reads == 2


def test_a_plan_has_no_mark_for_the_day_of_publishing(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    html = filled(diagrams, page("gantt\n  section One\n  Task :2020-01-01, 2100-01-01"))
    assert "<svg" in html
    assert "today" not in html


def test_entities_may_be_called_as_the_words_of_relations(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    source = "erDiagram\n  ONE ||--o{ TWO : has\n  MANY }|--|{ TO : many\n  ONE {\n    int id\n  }"
    html = filled(diagrams, page(source))
    assert {">ONE<", ">TWO<", ">MANY<", ">TO<"} <= set(re.findall(r">[A-Z]+<", html))


def test_labels_can_be_read_on_the_fills_of_authors(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    source = "graph TD\n  A --> B --> C\n  style A fill:#f9f\n  style B fill:navy"
    html = filled(diagrams, page(source))
    assert re.findall(r'<text[^>]* style="([^"]*)"', html) == ["fill: #111;", "fill: #fff;"]


def test_a_drawing_has_the_name_and_theme_of_its_author(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    named = 'graph TD\n  accTitle: From "A" to B\n  A-->B'
    assert 'aria-label="From &quot;A&quot; to B"' in filled(diagrams, page(named))
    themed = '%%{init: {"theme": "default", "flowchart": {"nodeSpacing": 30}}}%%\ngraph TD\n  A-->B'
    assert "ds-drawing-flowchart-default" in filled(diagrams, page(themed))


def test_nothing_is_rendered_in_a_font_of_unknown_widths() -> None:
    with DiagramRenderer("") as without_font:
        assert filled(without_font, page(KINDS["er"])) == page(KINDS["er"])


def test_styles_of_authors_stay_and_do_not_leave_their_attribute(diagrams: DiagramRenderer) -> None:
    diagrams.begin_batch()
    source = "graph TD\n  A:::x --> B\n  classDef x fill:#fde,color:#123456\n  style B stroke:#f00"
    html = filled(diagrams, page(source))
    assert all(each in html for each in ("fill:#fde", "fill:#123456", "stroke:#f00"))


@pytest.mark.parametrize("source", PROBLEMS)
def test_an_error_of_the_author_is_reported_and_shown_as_code(
    diagrams: DiagramRenderer, source: str
) -> None:
    diagrams.begin_batch()
    line, column, words = PROBLEMS[source]
    html, (problem,) = diagrams.fill(page(source), lambda code: f"<pre>{escape(code)}</pre>")
    assert html == f"<pre>{escape(source)}</pre>"
    assert (problem.line, problem.column, problem.source) == (line, column, source)
    assert words in problem.message
    assert len(problem.message) <= 250


def test_errors_are_found_in_a_font_of_unknown_widths_too() -> None:
    with DiagramRenderer("") as without_font:
        _, problems = without_font.fill(page("graph TD\n  A[", KINDS["er"]), str)
    assert [problem.line for problem in problems] == [2]
