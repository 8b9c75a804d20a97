import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.base.api_keys import KeyKind, kind_of, new_key


@pytest.mark.parametrize("kind", list(KeyKind))
def test_a_new_key_is_recognised(kind: KeyKind) -> None:
    key = new_key(kind)
    assert key.startswith(kind.prefix)
    assert kind_of(key) is kind
    assert len(key) == len(kind.prefix) + 38


def test_keys_differ() -> None:
    assert len({new_key(KeyKind.ADMIN) for _ in range(100)}) == 100


@given(position=st.integers(0, 37), character=st.sampled_from(string.ascii_letters + string.digits))
def test_one_changed_character_breaks_the_checksum(position: int, character: str) -> None:
    key = new_key(KeyKind.ASSISTANT)
    at = len(KeyKind.ASSISTANT.prefix) + position
    changed = key[:at] + character + key[at + 1 :]
    assert (kind_of(changed) is None) == (changed != key)


@pytest.mark.parametrize("text", ["", "svc_", "svc_dsc_", "abc", "svc_" + "0" * 38, "svc_dsc_é"])
def test_what_is_no_key_has_no_kind(text: str) -> None:
    assert kind_of(text) is None


def test_a_truncated_key_has_no_kind() -> None:
    assert kind_of(new_key(KeyKind.ADMIN)[:-1]) is None
