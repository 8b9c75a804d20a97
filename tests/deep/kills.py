"""One node, killed at every named checkpoint of updates, exports, downloads and answers.

Commands that roll back are killed, too.

    python tests/deep/kills.py [--rounds 2] [--first 1] [--most-seconds N]

A round publishes a commit, exports the site, fetches the bundle and asks a question. From the
second round on, it ends with a rollback and the automatic export that follows. The node kills
itself before and after each checkpoint (claim, fetch, render, write, move of the pointer, queue,
pack, complete, sign, first byte, half an answer, last byte) and is started again each time; the
command of the rollback dies before and after it moves the pointer. Then everything is compared
with an undisturbed run of the same rounds on a copy of the data: nothing may be lost or doubled,
and pages, assets, files of bundles and answers must have the same bytes. About 35 kills in the
first round and 50 in the others, three to five minutes on two busy cores.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import httpx

import killed_command
from docstead.export.manifest import MANIFEST, MARKER
from docstead.publishing.edition_objects import is_sound_file
from free_ports import free_port
from killable_node import SECONDS, KillableNode, NodeTenant, new_installation
from ready_processes import ready_processes

PATHS = ("/", "/guides/keys", "/guides/keys.md", "/llms.txt", "/logo.svg", "/sitemap.xml")
QUESTION = "How do I rotate a key?"


@dataclass
class KillOutcome:
    """Results of a run in all its rounds: digests by name, ids, and kills of commands."""

    digests: dict[str, str] = field(default_factory=dict)
    updates: list[str] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    killed_commands: int = 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--first", type=int, default=1, help="number of the first round")
    parser.add_argument("--most-seconds", type=float, default=3_600, help="begin no round later")
    options = parser.parse_args()
    numbers, began = range(options.first, options.first + options.rounds), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kills-") as name, ready_processes() as ready:
        folder, port = Path(name), free_port()
        facts = new_installation(folder, port)
        shutil.copytree(folder / "data", folder / "copy")
        undisturbed = KillableNode(folder / "data", port, ready)
        expected = run(undisturbed, facts, folder, numbers)
        killed = KillableNode(_exchanged(folder), port, ready)
        killed.points.write_text("*")
        found = run(killed, facts, folder, numbers, began + options.most_seconds)
        return report(killed, expected, found, time.monotonic() - began)


def _exchanged(folder: Path) -> Path:
    """The copy, now at the path of the first run: stored paths are the same in both."""
    (folder / "data").rename(folder / "undisturbed")
    return (folder / "copy").rename(folder / "data")


def run(
    node: KillableNode, facts: NodeTenant, folder: Path, numbers: range, end: float = float("inf")
) -> KillOutcome:
    """The rounds on one node; none begins after `end`."""
    outcome = KillOutcome()
    try:
        for number in numbers:
            began, kills = time.monotonic(), node.kills
            if began > end:
                break
            one_round(node, facts, folder, number, outcome)
            seconds = time.monotonic() - began
            print(f"round {number}: {node.kills - kills} kills, {seconds:.0f} s", flush=True)
        await_clean_up(node)
    finally:
        node.stop()
    check_stored(node, facts, outcome)
    return outcome


def one_round(
    node: KillableNode, facts: NodeTenant, folder: Path, number: int, outcome: KillOutcome
) -> None:
    move = ("git", "update-ref", "refs/heads/main", f"round-{number}")
    subprocess.run(move, cwd=folder / "repository", check=True)
    publish(node, facts, number, outcome)
    export(node, facts, number, outcome)
    answer(node, facts, number, outcome)
    if len(outcome.updates) > 1:
        rollback(node, facts, number, outcome)


def publish(node: KillableNode, facts: NodeTenant, number: int, outcome: KillOutcome) -> None:
    path = f"/v1/project/update/{facts.project_id}"
    update = node.request("POST", path, facts.admin).json()["statusId"]
    outcome.updates.append(update)
    ended = ended_job(node, facts, f"/v1/project/update-status/{update}", "success", "failure")
    if ended["status"] != "success":
        outcome.failures.append(f"lost: update {update} of round {number}: {ended['summary']}")
        print(outcome.failures[-1], node.log(), flush=True)
    for page in PATHS:
        outcome.digests[f"{number} {page}"] = _page_digest(node, page)


def export(node: KillableNode, facts: NodeTenant, number: int, outcome: KillOutcome) -> None:
    """Start an export and download its bundle; a request whose node dies is made again."""
    headers = {"idempotency-key": f"round-{number}"}
    body = {"domain": "docs.acme.example"}
    path = "/v1/static-export/jobs"
    started = node.request("POST", path, facts.admin, json=body, headers=headers)
    assert started.status_code == 202, (started.text, node.log())
    job = started.json()["jobId"]
    outcome.exports.append(job)
    ended = ended_job(node, facts, f"{path}/{job}", "completed", "failed")
    if ended["status"] != "completed":
        outcome.failures.append(f"lost: export {job} of round {number}: {ended}")
        return
    name = f"bundle {number}"
    outcome.digests[name] = _bundle_digest(node, facts, job, {"x-checkpoints": name})


def _page_digest(node: KillableNode, page: str) -> str:
    found = node.request("GET", f"/_sites/docs{page}")
    return f"{found.status_code} {_sha256(found.content)}"


def _bundle_digest(
    node: KillableNode, facts: NodeTenant, job: str, headers: dict[str, str] | None = None
) -> str:
    path = f"/v1/static-export/jobs/{job}/bundle"
    url = node.request("POST", path, facts.admin).json()["bundleUrl"]
    found = node.request("GET", url, headers=headers or {})
    digest = _files_digest if found.is_success else _sha256
    return f"{found.status_code} {digest(found.content)}"


def _files_digest(bundle: bytes) -> str:
    """Return the digest of the files, without those that name the edition by its random id."""
    digest = hashlib.sha256()
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        for member in archive:
            if member.isfile() and member.name not in (MARKER, MANIFEST):
                digest.update(f"{member.name} {member.size}\n".encode())
                digest.update(archive.extractfile(member).read())
    return digest.hexdigest()


# --- rollbacks ---------------------------------------------------------------


def rollback(node: KillableNode, facts: NodeTenant, number: int, outcome: KillOutcome) -> None:
    """Roll back by command and wait for the automatic export.

    A killed command is repeated only if it has recorded nothing.
    """
    known = _stored_ids(node, "updates") | _stored_ids(node, "exports")
    shown = _page_digest(node, PATHS[1])
    _command(node, "deployments", "auto-export", "docs", "on")
    while not (made := _stored_ids(node, "updates") - known):
        outcome.killed_commands += _command(
            node, "deployments", "rollback", "docs", points=node.points
        )
    _command(node, "deployments", "auto-export", "docs", "off")
    outcome.updates.extend(sorted(made)[:1])  # another one is doubled
    _await_rollback(node, shown)
    for page in PATHS:
        outcome.digests[f"{number} rolled back {page}"] = _page_digest(node, page)
    exports = _stored_ids(node, "exports") - known
    if not exports:
        outcome.failures.append(f"lost: the export of the rollback of round {number}")
        return
    job = min(exports)
    outcome.exports.append(job)
    ended = ended_job(node, facts, f"/v1/static-export/jobs/{job}", "completed", "failed")
    if ended["status"] != "completed":
        outcome.failures.append(f"lost: export {job} of the rollback of round {number}: {ended}")
        return
    outcome.digests[f"{number} rolled back bundle"] = _bundle_digest(node, facts, job)


def _command(node: KillableNode, *words: str, points: Path | None = None) -> bool:
    """Run a command on the node's data; whether it killed itself at one of the points."""
    environment = {
        "DOCSTEAD_DATA": str(node.data),
        "HOME": str(node.data.parent),
        "PATH": "/usr/bin",
    }
    program = ["docstead.cli"] if points is None else [Path(killed_command.__file__), points]
    done = node.ready.run([*program, *words], environment, folder=node.data.parent, timeout=SECONDS)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


def _await_rollback(node: KillableNode, before: str) -> None:
    """Wait until the node, which looks for new editions now and then, shows another one."""
    deadline = time.monotonic() + SECONDS
    while _page_digest(node, PATHS[1]) == before:
        assert time.monotonic() < deadline, node.log()
        time.sleep(0.1)


def _stored_ids(node: KillableNode, table: str) -> set[str]:
    with closing(sqlite3.connect(node.data / "docstead.sqlite", timeout=60)) as database:
        return set(_column(database, table, "id"))


def ended_job(node: KillableNode, facts: NodeTenant, path: str, *final: str) -> dict[str, Any]:
    deadline = time.monotonic() + SECONDS
    while True:
        found: dict[str, Any] = node.request("GET", path, facts.admin).json()
        if found.get("status") in final:
            return found
        assert time.monotonic() < deadline, (found, node.log())
        time.sleep(0.3)


# --- answers -----------------------------------------------------------------


def answer(node: KillableNode, facts: NodeTenant, number: int, outcome: KillOutcome) -> None:
    """Ask until an answer came whole; each torn one is resumed before."""
    thread, complete = None, ""
    while not complete:
        node.keep_alive()
        thread, text, is_whole = ask(node, facts, number, thread)
        if is_whole:
            complete = text
        else:
            check_resumed(node, facts, thread, text, outcome)
    outcome.threads.append(str(thread))
    outcome.digests[f"{number} answer"] = _sha256(complete.encode())


def ask(
    node: KillableNode, facts: NodeTenant, number: int, thread: str | None
) -> tuple[str | None, str, bool]:
    """The thread, what was said, and whether the answer came to its end."""
    part = {"type": "text", "text": QUESTION}
    message = {"id": "1", "role": "user", "content": QUESTION, "parts": [part]}
    body = {"fp": "anonymous", "messages": [message], "threadId": thread}
    headers = {
        "authorization": f"Bearer {facts.assistant}",
        "x-checkpoints": f"answer {number}",
    }
    url = f"http://127.0.0.1:{node.port}/discovery/v1/assistant/docs/message"
    received, known = b"", thread
    try:
        with httpx.stream(
            "POST", url, json=body, headers=headers, timeout=60, verify=False
        ) as found:
            assert found.status_code == 200, found.read()
            known = found.headers["x-thread-id"]
            assert thread in (None, known), f"the thread {thread} was forgotten"
            for piece in found.iter_raw():
                received += piece
    except httpx.TransportError:
        node.await_death()
        return known, said(received), False
    return known, said(received), b"\nd:" in received


def check_resumed(
    node: KillableNode, facts: NodeTenant, thread: str | None, received: str, outcome: KillOutcome
) -> None:
    """Check that a resumed answer has everything that was received, or a plain error."""
    if thread is None:
        return
    path = f"/discovery/v1/assistant/docs/message?chatId={thread}"
    found = node.request("GET", path, facts.assistant)
    resumed = said(found.content)
    is_torn = found.status_code == 204 or b"\n3:" in found.content
    if found.status_code not in (200, 204) or not (is_torn or resumed.startswith(received)):
        outcome.failures.append(f"lost: {thread} resumed with {found.status_code} {resumed[:80]!r}")


def said(stream: bytes) -> str:
    """Sources and text of a stream, without its parts and ids."""
    lines = stream.decode(errors="replace").splitlines()
    sources = [line for line in lines if line.startswith("h:")]
    texts = [json.loads(line[2:]) for line in lines if line.startswith("0:") and line[-1:] == '"']
    return "\n".join([*sources, "".join(texts)])


# --- what is stored ----------------------------------------------------------


def await_clean_up(node: KillableNode) -> None:
    """Let the node remove the parts of exports, which it does after they are completed."""
    deadline = time.monotonic() + SECONDS / 3
    while _parts(node) and time.monotonic() < deadline:
        node.keep_alive()
        time.sleep(0.2)


def _parts(node: KillableNode) -> list[Path]:
    return [*(node.data / "objects").glob("exports/*/parts/*")]


def check_stored(node: KillableNode, facts: NodeTenant, outcome: KillOutcome) -> None:
    """Look for what was lost or doubled in the database and among the objects."""
    with closing(sqlite3.connect(node.data / "docstead.sqlite")) as database:
        sound = database.execute("PRAGMA integrity_check").fetchone()[0]
        if sound != "ok":
            outcome.failures.append(f"lost: the database is damaged: {sound}")
        for table, acknowledged in (("updates", outcome.updates), ("exports", outcome.exports)):
            _compare(table, _column(database, table, "id"), acknowledged, outcome)
        # A client that requests an update again, because no response came, gets another one.
        repeated = node.broken[f"/v1/project/update/{facts.project_id}"]
        for _ in range(repeated):
            _forget(outcome, " of updates")
        answers = _column(database, "turns", "answer_id")
        _compare("turns", answers, list(dict.fromkeys(answers)), outcome)
        kept = _column(database, "threads", "id")
        outcome.failures += [f"lost: thread {t}" for t in outcome.threads if t not in kept]
        keys = _column(database, "editions", "object_key")
    objects = node.data / "objects"
    outcome.failures += [
        f"lost: {key}"
        for key in keys
        if not (objects / key).exists() or not is_sound_file(objects / key)
    ]
    outcome.failures += [f"doubled: {path}" for path in _parts(node)]
    editions = {path.name for path in objects.glob("editions/*")}
    print(f"{len(editions - {Path(key).name for key in keys})} files of editions without a row")


def _compare(table: str, stored: list[str], acknowledged: list[str], outcome: KillOutcome) -> None:
    more, less = Counter(stored) - Counter(acknowledged), Counter(acknowledged) - Counter(stored)
    outcome.failures += [f"doubled: {row} of {table}" for row in more.elements()]
    outcome.failures += [f"lost: {row} of {table}" for row in less.elements()]


def _forget(outcome: KillOutcome, ending: str) -> None:
    found = (f for f in outcome.failures if f.startswith("doubled:") and f.endswith(ending))
    if (failure := next(found, None)) is not None:
        outcome.failures.remove(failure)


def _column(database: sqlite3.Connection, table: str, column: str) -> list[str]:
    return [row[0] for row in database.execute(f"SELECT {column} FROM {table}")]


def report(node: KillableNode, expected: KillOutcome, found: KillOutcome, seconds: float) -> int:
    points = Counter(
        re.sub(r"\d+$", "", line.partition("|")[2].replace("|", " "))
        for line in node.points.with_suffix(".done").read_text().splitlines()
    )
    differing = [name for name, each in found.digests.items() if expected.digests[name] != each]
    failures = [*(f"undisturbed: {failure}" for failure in expected.failures), *found.failures]
    for point, count in sorted(points.items()):
        print(f"{count:5} {point}")
    lost, doubled = (sum(word in failure for failure in failures) for word in ("lost:", "doubled:"))
    ended = f"{node.kills} restarts, {found.killed_commands} commands"
    print(f"{points.total()} kills at {len(points)} checkpoints ({ended})")
    print(f"{lost} lost, {doubled} doubled, {len(found.digests)} digests, ", end="")
    print(f"{len(differing)} differ from the undisturbed run; {seconds:.0f} s")
    print(*failures, *(f"differs: {name}" for name in differing), sep="\n")
    return int(bool(failures or differing))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
