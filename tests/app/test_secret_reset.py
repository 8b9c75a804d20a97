"""Replacing the keyring whose secret is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.app.secret_reset import reset_keyring
from docstead.base.errors import StoreUnavailable
from docstead.settings import Settings
from free_ports import free_port


def test_an_unreachable_database_is_named_with_its_setting(tmp_path: Path) -> None:
    settings = Settings(
        data=tmp_path / "data", database_url=f"postgresql://nobody@127.0.0.1:{free_port()}/docs"
    )
    with pytest.raises(StoreUnavailable, match="DOCSTEAD_DATABASE_URL"):
        reset_keyring(settings)
