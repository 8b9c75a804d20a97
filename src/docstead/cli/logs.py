"""Log format of the service."""

from __future__ import annotations

import logging


def configure_logging(level: str) -> None:
    """Log to standard error, with timestamps."""
    logging.basicConfig(
        level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
    for library in ("alembic", "httpx", "httpx2", "mcp"):
        logging.getLogger(library).setLevel(logging.WARNING)
