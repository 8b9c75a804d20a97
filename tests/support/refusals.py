"""Messages of refused requests."""

from __future__ import annotations

from typing import Any


def refusal(response: Any, status: int) -> str:
    """Check the status and the shape of an error; return its message."""
    assert response.status_code == status, response.text
    assert list(response.json()) == ["error"]
    return str(response.json()["error"])
