"""Stop PostgreSQL, then S3, again and again while everything is at work.

    python tests/deep/outages.py [--times 5] [--seconds 20]

One service with stores of its own has readers, searches, streamed answers, and in each outage a
publish, an export and an agent job. Ends with status 1 where a page or a search was not served,
an answer was interrupted without its reason, a job failed, the service was not well 10 s after
the store was back, or the log has a trace.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import httpx

from agent_harness import new_repository
from chat_server import Call, ChatRequest, ChatServer, Reply, Rule, chat_server
from free_ports import free_port
from git_repositories import git
from running_service import Service
from store_servers import Stores, StoreServer, own_stores

PAGES = 200
WELL_SECONDS = 10.0  # after a store is back
_JOB_SECONDS = 180.0
_PIECES = tuple(f"Word {number} of the answer. " for number in range(40))
_PIECE_SECONDS = 0.1


@dataclass
class OutageCounts:
    """Everything that was counted, by name, and what went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def note(self, name: str, *, good: bool, why: str = "") -> None:
        self.counts[name if good else f"{name} FAILED"] += 1
        if not good:
            self.failures.append(f"{name}: {why}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=5, help="outages of each store")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each outage")
    options = parser.parse_args()
    outcome = OutageCounts()
    with _environment() as (service, stores):
        for store in (("PostgreSQL", stores.postgres), ("S3", stores.s3)):
            for number in range(options.times):
                _outage(service, store, number, options.seconds, outcome)
        lines = service.log().splitlines()
    traces = list(_traces(lines))
    outcome.note("log without traces", good=not traces, why=f"{len(traces)} traces")
    print(f"{len(lines)} lines in the log, {len(traces)} traces")
    for trace, count in Counter(traces).most_common(5):
        print(f"{count} times:\n{trace}\n")
    for name, count in sorted(outcome.counts.items()):
        print(f"{count:7} {name}")
    for failure in outcome.failures[:20]:
        print(f"  {failure}")
    sys.exit(bool(outcome.failures))


def _traces(lines: Sequence[str]) -> Iterator[str]:
    """Yield each trace with the line of the log before it and the error after it."""
    beginnings = [number for number, line in enumerate(lines) if line.startswith("Traceback")]
    for start in beginnings:
        inner = takewhile(lambda line: line.startswith(" "), lines[start + 1 :])
        end = start + 1 + len(list(inner))
        yield "\n".join([lines[start - 1][24:], *lines[end - 6 : end + 1]])


@contextmanager
def _environment() -> Iterator[tuple[Service, Stores]]:
    with (
        tempfile.TemporaryDirectory(prefix="docstead-outages-") as name,
        own_stores() as stores,
        chat_server() as chat,
    ):
        _script(chat)
        settings = {
            **stores.settings,
            "DOCSTEAD_MODEL_BASE_URL": chat.url,
            "DOCSTEAD_MODEL_NAME": "scripted",
            "DOCSTEAD_SEARCH_BY_MEANING": "false",
            "DOCSTEAD_LIMITS": json.dumps({"export-start": 1000, "project-update": 1000}),
            "DOCSTEAD_ADDRESS_REQUESTS_PER_HOUR": "10000000",
        }
        repository = new_repository(Path(name) / "repository", _files())
        data = Path(name) / "data"
        service = Service(repository, data, free_port(), more=tuple(settings.items()))
        service.start()
        try:
            yield service, stores
        finally:
            for server in (stores.postgres, stores.s3):
                server.start_if_stopped()
            service.stop()


def _files() -> dict[str, str]:
    names = ["index", *(f"page-{number}" for number in range(PAGES))]
    config = {
        "name": "Large",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"pages": names},
    }
    pages = {f"{n}.mdx": f"---\ntitle: {n}\n---\n\nElephants of {n} sleep little.\n" for n in names}
    return {"docs.json": json.dumps(config), **pages}


def _script(chat: ChatServer) -> None:
    """The agent writes a page in some steps; answers are forty slow sentences."""

    def is_agents(said: ChatRequest) -> bool:
        return any(each.role == "tool" or "Write a page" in each.text for each in said.messages)

    def reply(said: ChatRequest) -> Reply:
        step = sum(each.role == "tool" for each in said.messages)
        if step >= 6:
            return Reply(calls=(Call("finish", {"title": "A page", "summary": "It is there."}),))
        page = f"---\ntitle: Step {step}\n---\n\nWritten in step {step}.\n"
        call = Call("write_file", {"path": f"step-{step}.mdx", "text": page})
        return Reply(calls=(call,), pause_seconds=1.0)

    chat.rules = [Rule(is_agents, reply)]
    chat.pieces = _PIECES
    chat.pause_seconds = _PIECE_SECONDS


# --- one outage --------------------------------------------------------------


def _outage(
    service: Service,
    store: tuple[str, StoreServer],
    number: int,
    seconds: float,
    outcome: OutageCounts,
) -> None:
    name, server = store
    page = service.source / "page-9.mdx"
    page.write_text(f"{page.read_text()}\nOutage {number} of {name}.\n")
    git(service.source, "commit", "--all", "--quiet", "--message", f"{name} {number}")
    over = threading.Event()
    readers = [
        threading.Thread(target=each, args=(service, over, outcome))
        for each in (_read, _search, _answer)
    ]
    for each in readers:
        each.start()
    jobs = _started(service)
    time.sleep(1)
    server.stop()
    time.sleep(seconds)
    server.start()
    back = time.monotonic()
    well = _when(lambda: _is_well(service), 60) - back
    outcome.note(f"well after {name}", good=well <= WELL_SECONDS, why=f"after {well:.1f} s")
    over.set()
    for each in readers:
        each.join()
    for kind, status_of in jobs.items():
        try:
            status = _eventually_ended(status_of)
            outcome.note(f"{kind} beside {name}", good=status["status"] in _GOOD, why=str(status))
        except TimeoutError as error:
            outcome.note(f"{kind} beside {name}", good=False, why=str(error))
    print(f"{name} {number}: well {well:.1f} s after it was back, "
          f"jobs ended {time.monotonic() - back:.1f} s after", flush=True)  # fmt: skip


_GOOD = ("success", "completed")


def _started(service: Service) -> dict[str, Callable[[], dict[str, Any]]]:
    """Start a publish, an export and an agent job; functions that say how each is."""
    project = service.facts["projectId"]
    update = service.admin("POST", f"/v1/project/update/{project}").json()["statusId"]
    export = service.export()["jobId"]
    body = {"prompt": "Write a page"}
    agent = service.admin("POST", f"/v2/agent/{project}/job", json=body).json()["id"]
    return {
        "publish": lambda: _status(service, f"/v1/project/update-status/{update}"),
        "export": lambda: _status(service, f"/v1/static-export/jobs/{export}"),
        "agent job": lambda: _status(service, f"/v2/agent/{project}/job/{agent}"),
    }


def _status(service: Service, path: str) -> dict[str, Any]:
    answer = service.admin("GET", path)
    return dict(answer.json()) if answer.is_success else {"status": "not answered"}


def _eventually_ended(status: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    deadline = time.monotonic() + _JOB_SECONDS
    while (found := status())["status"] not in (*_GOOD, "failure", "failed", "archived"):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{found} after {_JOB_SECONDS:.0f} s")
        time.sleep(1)
    return found


def _is_well(service: Service) -> bool:
    """Report whether the service answers questions, which needs every part, and is ready."""
    with contextlib.suppress(httpx.HTTPError):
        return service.get("/readyz").status_code == httpx.codes.OK
    return False


def _when(condition: Callable[[], bool], seconds: float) -> float:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)
    return time.monotonic()


# --- what goes on meanwhile --------------------------------------------------


def _read(service: Service, over: threading.Event, outcome: OutageCounts) -> None:
    number = 0
    while not over.wait(0.05):
        number += 1
        answer = _asked(lambda: service.get(f"/page-{number % PAGES}", timeout=10))  # noqa: B023
        outcome.note("page", good=answer in ("200", "304"), why=answer)


def _search(service: Service, over: threading.Event, outcome: OutageCounts) -> None:
    url = f"{service.facts['baseUrl']}/discovery/v1/search/{service.facts['domain']}"
    headers = {"Authorization": f"Bearer {service.facts['assistantKey']}"}
    while not over.wait(0.2):
        answer = _asked(
            lambda: httpx.post(url, headers=headers, json={"query": "elephants"}, timeout=10)
        )
        outcome.note("search", good=answer == "200", why=answer)


def _asked(request: Callable[[], httpx.Response]) -> str:
    try:
        return str(request().status_code)
    except httpx.HTTPError as error:
        return f"{type(error).__name__}: {error}"


def _answer(service: Service, over: threading.Event, outcome: OutageCounts) -> None:
    """Ask again and again: an answer ends or names the outage, others are refused with 503."""
    while not over.wait(0.5):
        try:
            answer = service.ask("Do elephants sleep?")
        except httpx.HTTPError as error:
            outcome.note("answer", good=False, why=f"{type(error).__name__}: {error}")
            continue
        if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            outcome.note("answer refused", good="Retry-After" in answer.headers, why="how long")
        else:
            is_cut = answer.text.rstrip().endswith('\n3:"the database cannot be reached"')
            good = is_cut or ("\nd:" in answer.text and "\n3:" not in answer.text)
            name = "answer under way, with the outage as its end" if is_cut else "answer"
            outcome.note(name, good=good, why=f"{answer.status_code}: {answer.text[-200:]}")


if __name__ == "__main__":
    main()
