"""A model's answer with code and a table, in pieces of a few characters."""

from __future__ import annotations

RICH_QUESTION = "How do I install the client library, and what are the rate limits for parcels?"
CODE = "```bash\npip install parcelo\n```\n"
TABLE = (
    "| Operation | Limit |\n| --- | --- |\n"
    "| Send parcel | 100 per minute |\n| List parcels | 600 per minute |\n"
)
_WHOLE = (
    f"Install the client library with pip:\n\n{CODE}\nThe limits are:\n\n{TABLE}\nThat is all.\n"
)
RICH = [_WHOLE[start : start + 3] for start in range(0, len(_WHOLE), 3)]
