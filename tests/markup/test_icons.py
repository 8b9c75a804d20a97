from __future__ import annotations

import json
from pathlib import Path

import pytest

from docstead.markup.icons import IconSet

PACKED = {
    "solid": {"house": "576 M1", "gear": "512 M2", "circle-1": '512 <path d="M9"/>'},
    "regular": {"bell": "448 M3"},
    "brands": {"github": "496 M4"},
    "lucide": {"house": '<path d="M5"/>', "git-branch": '<path d="M6"/>'},
    "aliases": {"solid": {"home": "house"}, "regular": {}, "brands": {}, "lucide": {}},
    "near": {"cog-wheel": "solid/gear", "branchy": "lucide/git-branch"},
}


@pytest.fixture
def icons(tmp_path: Path) -> IconSet:
    path = tmp_path / "icons.json"
    path.write_text(json.dumps(PACKED))
    return IconSet(path)


@pytest.mark.parametrize(
    ("name", "icon_type", "library", "drawing"),
    [
        ("house", None, "fontawesome", "M1"),
        ("home", None, "fontawesome", "M1"),
        ("house", None, "lucide", "M5"),
        ("house", None, "tabler", "M5"),
        ("house", "regular", "fontawesome", "M1"),
        ("bell", "thin", "fontawesome", "M3"),
        ("GitHub", None, "fontawesome", "M4"),
        ("github", None, "lucide", "M4"),
        ("fa-brands fa-github", None, "fontawesome", "M4"),
        ("git-branch", None, "fontawesome", "M6"),
        ("cog-wheel", "duotone", "fontawesome", "M2"),
        ("branchy", None, "lucide", "M6"),
        ("circle-1", "sharp-solid", "fontawesome", "M9"),
    ],
)
def test_a_name_finds_the_closest_drawing(
    icons: IconSet, name: str, icon_type: str | None, library: str, drawing: str
) -> None:
    assert f'd="{drawing}"' in icons.svg(name, icon_type, library)


def test_a_placeholder_becomes_a_drawing_that_keeps_its_looks(icons: IconSet) -> None:
    html = icons.inline(
        'a <i class="big" data-ds-icon="house" data-ds-library="lucide" data-ds-size="20" '
        'data-ds-color="#f00" style="margin:0"></i> b'
    )
    assert html.startswith('a <svg class="ds-icon big" style="margin:0;width:20px;height:20px;')
    assert "color:#f00" in html
    assert 'aria-hidden="true"' in html
    assert html.endswith("</svg> b")
    assert "data-ds-icon" not in html


def test_an_unknown_name_leaves_no_trace(icons: IconSet) -> None:
    assert icons.inline('a<i data-ds-icon="nothing-like-it"></i>b') == "ab"


def test_a_name_with_unknown_endings_is_rendered_and_reported(icons: IconSet) -> None:
    missing: dict[str, None] = {}
    names = ("house-user-check", "house", "/a.svg", "nothing-like-it")
    html = icons.inline("".join(f'<i data-ds-icon="{name}"></i>' for name in names), "", missing)
    assert html.count('d="M5"') == 2
    assert list(missing) == ["house-user-check", "nothing-like-it"]


def test_a_picture_may_stand_for_an_icon(icons: IconSet) -> None:
    assert 'src="\ue000/images/a.svg"' in icons.svg("/images/a.svg")
    assert 'src="https://a.example/b.png"' in icons.svg("https://a.example/b.png")
    assert "<svg><path/></svg>" in icons.svg("<svg><path/></svg>")


def test_html_without_placeholders_needs_no_file(tmp_path: Path) -> None:
    assert IconSet(tmp_path / "absent.json").inline("<p>text</p>") == "<p>text</p>"


@pytest.mark.parametrize("name", ["rocket", "sparkles", "trash-2", "x-twitter", "file-text"])
def test_the_built_file_answers_common_names(name: str) -> None:
    assert "<svg" in IconSet().svg(name)
    assert "<svg" in IconSet().svg(name, library="lucide")
