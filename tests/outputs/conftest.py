"""Fixtures of the tests in this folder."""

from __future__ import annotations

from small_shells import built, guide_site, shell_of

__all__ = ["built", "guide_site", "shell_of"]
