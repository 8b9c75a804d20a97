from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from docstead.base.errors import Forbidden
from docstead.storage.links import MAX_TTL_SECONDS, LinkSigner
from manual_clock import ManualClock

KEY = "exports/se_0123456789abcdef/bundle.tar.gz"


@pytest.fixture
def signer(clock: ManualClock) -> LinkSigner:
    return LinkSigner(lambda: {"k1": b"first secret"}, clock)


def _parts(link: str) -> dict[str, str]:
    url = urlsplit(link)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    return {"key": unquote(url.path.removeprefix("/_files/")), **query}


def _verify(signer: LinkSigner, parts: dict[str, Any]) -> None:
    key = parts.pop("key")
    signer.verify(key, **parts)


def test_a_link_names_its_object_and_its_end(signer: LinkSigner, clock: ManualClock) -> None:
    link = signer.sign(KEY, clock.now() + timedelta(hours=1), "docs 2026.tar.gz")
    parts = _parts(link)
    assert link.startswith(f"/_files/{KEY}?exp=")
    assert parts["exp"] == str(int(clock.now().timestamp()) + 3600)
    assert (parts["kid"], parts["filename"]) == ("k1", "docs 2026.tar.gz")
    _verify(signer, parts)


def test_links_are_valid_for_seven_days_at_most(signer: LinkSigner, clock: ManualClock) -> None:
    assert MAX_TTL_SECONDS == 604_800
    assert signer.now() == clock.now()


def test_a_link_is_good_until_it_expires(signer: LinkSigner, clock: ManualClock) -> None:
    expiry = clock.now() + timedelta(seconds=60)
    parts = _parts(signer.sign(KEY, expiry))
    clock.move_to(expiry - timedelta(milliseconds=1))
    _verify(signer, dict(parts))
    clock.move_to(expiry)
    with pytest.raises(Forbidden, match="expired"):
        _verify(signer, parts)


@pytest.mark.parametrize(
    "change",
    [
        {"key": "exports/se_0123456789abcdee/bundle.tar.gz"},
        {"key": f"{KEY}/"},
        {"exp": "9999999999"},
        {"exp": ""},
        {"exp": "soon"},
        {"kid": "k2"},
        {"kid": ""},
        {"sig": ""},
        {"sig": "0" * 64},
        {"sig": "é"},
        {"filename": "other.html"},
        {"filename": None},
        {"method": "PUT"},
        {"method": "DELETE"},
    ],
)
def test_any_change_is_forbidden(signer: LinkSigner, clock: ManualClock, change) -> None:
    parts = _parts(signer.sign(KEY, clock.now() + timedelta(hours=1), "docs.tar.gz"))
    with pytest.raises(Forbidden):
        _verify(signer, {**parts, **change})


def test_every_flipped_character_of_the_signature_is_forbidden(signer, clock) -> None:
    parts = _parts(signer.sign(KEY, clock.now() + timedelta(hours=1)))
    assert len(parts["sig"]) == 64
    for position, old in enumerate(parts["sig"]):
        flipped = "0" if old != "0" else "1"
        signature = parts["sig"][:position] + flipped + parts["sig"][position + 1 :]
        with pytest.raises(Forbidden):
            _verify(signer, {**parts, "sig": signature})


def test_head_may_use_a_link_made_for_get(signer: LinkSigner, clock: ManualClock) -> None:
    parts = _parts(signer.sign(KEY, clock.now() + timedelta(hours=1)))
    _verify(signer, {**parts, "method": "HEAD"})


def test_parts_cannot_be_shifted_into_each_other(signer: LinkSigner, clock: ManualClock) -> None:
    parts = _parts(signer.sign("a", clock.now() + timedelta(hours=1), "b"))
    moved = {**parts, "key": f'a","{parts["exp"]}', "exp": "b", "filename": None}
    with pytest.raises(Forbidden):
        _verify(signer, moved)


def test_keys_are_rotated(clock: ManualClock) -> None:
    hour = clock.now() + timedelta(hours=1)
    old = LinkSigner(lambda: {"k1": b"first secret"}, clock)
    both = LinkSigner(lambda: {"k2": b"second secret", "k1": b"first secret"}, clock)
    new = LinkSigner(lambda: {"k2": b"second secret"}, clock)
    old_link, new_link = _parts(old.sign(KEY, hour)), _parts(both.sign(KEY, hour))
    assert new_link["kid"] == "k2"
    _verify(both, dict(old_link))
    _verify(new, new_link)
    with pytest.raises(Forbidden):
        _verify(new, old_link)
