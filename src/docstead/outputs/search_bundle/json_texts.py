"""JSON as the files of the search contain it."""

from __future__ import annotations

import json


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
