"""Operations and channels are tried from their pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from axe import violations
from docstead.content.config import EXAMPLE_LANGUAGES
from socket_server import Sockets

pytestmark = pytest.mark.browser


def test_an_operation_is_tried_from_its_page(browser: Any, content: Path) -> None:
    browser.open((content / "operation.html").as_uri())
    shown = "return document.querySelector('.ds-try')?.hidden === false"
    assert browser.until_true(lambda: browser.run(shown))
    browser.run("document.querySelector('.ds-try').click()")
    browser.wait("return document.querySelector('.ds-playground-send') !== null")
    focused = "return document.activeElement.closest('[data-name]')?.dataset.name"
    browser.expect("Authorization", focused)  # the first empty field
    browser.run("document.documentElement.dir = 'rtl'")  # what is sent is code all the same
    style = "getComputedStyle(document.querySelector('.ds-playground [data-name=name] input'))"
    assert browser.run(f"return {style}.direction") == "ltr"
    of_type = "getComputedStyle(document.querySelector('.ds-field-type'))"
    assert browser.run(f"return {of_type}.direction") == "ltr"
    assert browser.run(f"return {of_type}.fontVariantLigatures") == "none"  # of ">>>"
    closes = "return document.querySelector('.ds-playground-close').getBoundingClientRect().right"
    names = "return document.querySelector('.ds-playground-head').firstElementChild"
    assert browser.run(closes) < browser.run(f"{names}.getBoundingClientRect().left")
    browser.run("document.documentElement.dir = 'ltr'")
    path = "const path = document.querySelector('.ds-playground-head code');"
    breaks = f"{path} return [...path.childNodes].map((each) => each.textContent || '|').join('')"
    parts = browser.run(f"{path} return path.innerText").count("/")
    assert browser.run(breaks).count("|/") == parts
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
    assert json.loads(browser.until_true(lambda: browser.run(answer))) == {
        "path": "/v1/users/a%20b",
        "key": "Bearer secret",
        "sent": {"name": "Ada"},
    }
    history = "return document.querySelector('.ds-playground-history button').textContent"
    assert "POST /v1/users/a%20b" in browser.run(history)
    assert browser.run("return document.querySelector('.ds-playground').open") is True


def test_values_of_a_body_are_removed_and_added(browser: Any, content: Path) -> None:
    browser.open((content / "operation.html").as_uri() + "?playground=open")
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


def test_a_field_and_its_lines_of_samples_light_up_together(browser: Any, content: Path) -> None:
    browser.open((content / "operation.html").as_uri())
    lit = "return [...CSS.highlights.get('ds-lit') ?? []].map(String)"
    browser.run(
        """document.querySelector('#body-name').dispatchEvent(
            new PointerEvent('pointerover', { bubbles: true }));"""
    )
    found = browser.until_true(lambda: browser.run(lit))
    assert len(found) == len(EXAMPLE_LANGUAGES)
    line, java = sorted(set(found))  # Java has the body in one line
    assert line == '"name": "string"'
    assert java.startswith(".method(")
    assert r"\"name\": \"string\"" in java


def test_a_channel_is_tried_from_its_page(browser: Any, content: Path, sockets: Sockets) -> None:
    browser.open((content / "channel.html").as_uri())
    assert browser.until_true(
        lambda: browser.run("return document.querySelector('.ds-try')?.hidden === false")
    )
    browser.run("document.querySelector('.ds-try').click()")
    browser.wait("return document.querySelector('.ds-playground-send') !== null")
    browser.run(
        """const [token, room, since] = document.querySelectorAll('.ds-playground input');
        token.value = 'to ken'; since.value = '7';
        document.querySelector('.ds-playground-send').click();"""
    )
    status = "return document.querySelector('.ds-playground [role=status]').textContent"
    assert browser.until_true(lambda: browser.run(status).startswith("Connected"))
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
    assert browser.until_true(lambda: browser.run(status).startswith("Disconnected"))
    browser.run("document.querySelector('.ds-playground-close').click()")
    assert browser.until_true(
        lambda: browser.run("return document.querySelector('.ds-playground') === null")
    )
