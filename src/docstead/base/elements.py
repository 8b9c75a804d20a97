"""Type of lxml's elements, which lxml has only under a private name.

This is the only use of lxml's private API. A test checks the version.
"""

from __future__ import annotations

from lxml.etree import _Element as Element

__all__ = ["TESTED_VERSION", "Element"]

TESTED_VERSION = "6.1.3"  # of the package `lxml`
