"""Fixtures of the tests in this folder."""

from __future__ import annotations

from repository_files import load, write

__all__ = ["load", "write"]
