"""One certificate for all clients, because no test connects to a public server.

Each new HTTP client reads the certificates of the system, which takes longer than its request.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import certifi

_END = "-----END CERTIFICATE-----\n"


def use_one_certificate() -> Callable[[], None]:
    """Let this process and what it starts trust one authority; return what removes the file."""
    first, end, _ = Path(certifi.where()).read_text().partition(_END)
    number, name = tempfile.mkstemp(prefix="docstead-certificate-", suffix=".pem")
    with os.fdopen(number, "w") as file:
        file.write(first + end)
    Path(name).chmod(0o644)
    os.environ["SSL_CERT_FILE"] = name
    return lambda: Path(name).unlink(missing_ok=True)  # its folder may be gone
