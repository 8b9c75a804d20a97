from __future__ import annotations

import pytest

from docstead.markup.svg import clean_svg

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><linearGradient id="a">'
    '<stop offset="0"/></linearGradient><path fill="url(#a)" d="M0 0h8"/></svg>'
)


def test_a_drawing_stays_as_it_is() -> None:
    assert clean_svg(DRAWING) == DRAWING


@pytest.mark.parametrize(
    "inside",
    [
        "<script>x()</script>",
        "<a href='javascript:x()'><path d='M0 0'/></a>",
        "<foreignObject><img src='x' onerror='x()'/></foreignObject>",
        "<animate onbegin='x()' attributeName='href' to='javascript:x()'/>",
        "<set attributeName='onload' to='x()'/>",
        "<image href='https://other.example/x.png'/>",
        "<style>@import 'https://other.example/x.css';</style>",
        "<use href='https://other.example/x.svg#a'/>",
        "<use xlink:href='data:image/svg+xml,x#a'/>",
        "<path onload='x()' style='background:url(https://other.example/x.png)'/>",
        "<!--><script>x()</script>-->",
        "<?xml-stylesheet href='https://other.example/x.css'?>",
    ],
)
def test_what_is_no_drawing_is_taken_out(inside: str) -> None:
    clean = clean_svg(f"<svg onload='x()'>{inside}<path d='M1 1'/></svg>")
    assert "x()" not in clean
    assert "other.example" not in clean
    assert "script" not in clean


def test_entities_are_not_followed() -> None:
    bomb = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    assert "root:" not in clean_svg(f"{bomb}<svg><title>&a;&b;</title></svg>")


@pytest.mark.parametrize("text", ["<svg", "<svg onload=x()>"])
def test_a_drawing_without_an_end_is_empty(text: str) -> None:
    assert clean_svg(text) == "<svg/>"


@pytest.mark.parametrize("text", ["<svgx/>", "<div><svg/></div>"])
def test_other_elements_are_no_drawing(text: str) -> None:
    assert clean_svg(text) == ""
