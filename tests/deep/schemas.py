"""Requests made from the service's own description, with both kinds of key: `make fuzz`.

    python tests/deep/schemas.py [--cases N] [--database URL]

Schemathesis makes valid and invalid requests for each operation. No answer may have a status
of 500, or one that is not described; 503 is expected only of operations that need a chat
model, since there is none. `--database` names an empty PostgreSQL database; SQLite otherwise.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from attacked_service import attacked_service
from running_service import Service

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
NEEDS_MODEL = "/agent/"
# A key works on some operations only; the others are asked with it too, and answer 401 or 403.
KEYS = {"adminKey": "/v[12]/", "assistantKey": "/discovery/"}
CONFIG = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx"]
[[operations]]
include-path-regex = "{needs_model}"
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]
"""
_COUNTED = re.compile(r"([\d,]+) generated")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2_000, help="about so many in all")
    parser.add_argument("--database", default="")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    settings = {"database_url": wanted.database} if wanted.database else {}
    with tempfile.TemporaryDirectory() as name:
        service = attacked_service(Path(name), trusted_proxies="127.0.0.1", **settings)
        service.start()
        try:
            found = [fuzzed(service, Path(name), key, wanted) for key in KEYS]
        finally:
            service.stop()
        traces = service.log().count("Traceback")
    print(f"{sum(cases for cases, _ in found)} cases, {traces} traces in the log")
    return int(traces > 0 or any(status for _, status in found))


def fuzzed(service: Service, folder: Path, key: str, wanted: argparse.Namespace) -> tuple[int, int]:
    """How many cases there were with one key, and the tool's exit status."""
    config = folder / "schemathesis.toml"
    config.write_text(CONFIG.format(needs_model=NEEDS_MODEL))
    operations = sum(map(len, service.get("/openapi.json").json()["paths"].values()))
    command = [
        "schemathesis",
        f"--config-file={config}",
        "run",
        f"{service.facts['baseUrl']}/openapi.json",
        f"--header=Authorization: Bearer {service.facts[key]}",
        f"--include-path-regex={KEYS[key]}",
        f"--checks={','.join(CHECKS)}",
        f"--max-examples={max(5, wanted.cases // operations // 2)}",
        f"--seed={wanted.seed}",
        "--continue-on-failure",
        "--workers=2",
        "--phases=examples,coverage,fuzzing",
        "--suppress-health-check=all",
        "--no-color",
    ]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    print(f"== {key}", ended.stdout[-12_000:], ended.stderr[-2000:], sep="\n", flush=True)
    counted = _COUNTED.findall(ended.stdout)
    return int(counted[-1].replace(",", "")) if counted else 0, ended.returncode


if __name__ == "__main__":
    sys.exit(main())
