from __future__ import annotations

import pickle

import pytest

from docstead.jobs import former_names
from docstead.jobs.former_names import FORMER_NAMES


@pytest.mark.parametrize("former", FORMER_NAMES)
def test_a_class_is_found_by_its_former_name(former: str) -> None:
    former_names.register()
    module, _, name = former.rpartition(".")
    current = FORMER_NAMES[former].rpartition(".")[2]
    found = pickle.loads(f"cdocstead.agent.{module}\n{name}\n.".encode())
    assert found.__name__ == current


def test_other_names_are_not_found() -> None:
    former_names.register()
    for module in ("using", "limits"):
        with pytest.raises(AttributeError):
            pickle.loads(f"cdocstead.agent.{module}\nUnknown\n.".encode())
