"""Publish hostile repositories one after the other while another site is read.

    python tests/deep/hostile_repositories.py [--only TEXT...] [--most-seconds 3000]

Each repository tries to hang, explode or escape the build. Another process asks for the page
of an innocent site and `/livez` in turn, every 100 ms. Ends with status 1 where a bar is missed:
a request timed out, the 99th percentile or the memory of the service grew too much, a build did
not end or took more memory than it may, something outside a repository was read or run, or a
process outlived the service.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from hostile_cases import all_cases
from hostile_cases.case import CANARY, Case, Surroundings, site, write_files
from hostile_cases.git_sources import git
from hostile_cases.watching import Answer, MemoryWatch, Prober, memory

from running_service import free_port

_CANARY_PATHS = (
    "",
    "canary.txt",
    "canary.svg",
    "canary.json",
    "canary",
    "b.txt",
    "c.txt",
    "index.md",
    "a/canary.txt",
    "sdk/canary.json",
    "llms-full.txt",
)
_TIMEOUT = 5.0
_READY_SECONDS = 180
_WARM_UPDATES = 3
_SHARED_MB = 64  # of a builder in addition to its limit: what it shares with its parent


@dataclass(frozen=True)
class Result:
    title: str
    status: str  # success, failure, or what the script says: "never ended", "lost"
    summary: str
    began: float
    seconds: float
    peak_mb: int
    breaches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Facts:
    """The service during and after the attack."""

    answers: list[Answer]
    growth: int  # MB
    stopped: bool  # it ended by itself once it was asked to
    orphans: list[int]  # processes that it left behind


class Attacked:
    """A service with an innocent site and two more, whose sources are replaced."""

    def __init__(self, folder: Path, wanted: argparse.Namespace) -> None:
        self.folder, self.port, self._wanted = folder, free_port(), wanted
        self.sources = {name: folder / "sources" / name for name in ("innocent", "hostile", "git")}
        self.around = Surroundings(folder / "sources" / "canary.json", folder / "marker")
        self._environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")},
            "DOCSTEAD_DATA": str(folder / "data"),
            "DOCSTEAD_PORT": str(self.port),
        }
        self._limits = {
            "DOCSTEAD_BUILD_SECONDS": str(wanted.build_seconds),
            "DOCSTEAD_BUILD_MEMORY_MB": str(wanted.build_memory),
            "DOCSTEAD_SOURCE_BYTES": "150000000",
        }

    def start(self) -> None:
        for source in self.sources.values():
            write_files(source, site("---\ntitle: Start\n---\n\nAn honest page."))
        for extension in ("json", "mdx", "svg", "txt"):
            (self.sources["git"].parent / f"canary.{extension}").write_text(json.dumps(CANARY))
        git(self.sources["git"], "init", "-q", "-b", "main")
        git(self.sources["git"], "add", "-A")
        git(self.sources["git"], "commit", "-qm", "x")
        for name, source in self.sources.items():
            address = f"file://{source}" if name == "git" else str(source)
            self._command("publish", address, "--domain", name, "--json")
        made = self._command("keys", "create", "admin", "--json")
        self._admin = {"Authorization": f"Bearer {json.loads(made)['key']}"}
        self._log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "docstead.cli", "serve"],
            cwd=self.folder,
            env=self._environment | self._limits,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        self._await_ready()
        self._projects = self._read_projects()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def publish(self, case: Case, watch: MemoryWatch) -> Result:
        """Put the case in place of a site, update it, and put the honest site back."""
        name = "git" if case.git else "hostile"
        root = self.sources[name]
        kept = root.with_name("kept")
        root.rename(kept)
        root.mkdir()
        try:
            case.write(root, self.around)
            self.around.marker.unlink(missing_ok=True)  # git runs programs while it is prepared
            watch.restart()
            began = time.monotonic()
            status, summary = self.update(name)
            seconds, peak = time.monotonic() - began, watch.peak
            found = self._breaches(name, status)
        finally:
            _remove(root)
            kept.rename(root)
        return Result(case.title, status, summary, began, seconds, peak, found)

    def update(self, name: str) -> tuple[str, str]:
        """Status and summary of an update over HTTP, once it has ended."""
        deadline = time.monotonic() + self._wanted.build_seconds * 4 + 60
        state: dict[str, Any] = {}
        path = f"/v1/project/update/{self._projects[name]}"
        while time.monotonic() < deadline:
            try:
                if state:
                    state = self._ask("GET", f"/v1/project/update-status/{state['id']}") | {
                        "id": state["id"]
                    }
                else:
                    state = {"id": self._ask("POST", path)["statusId"]}
            except (httpx.HTTPError, KeyError):
                if self.process.poll() is not None:
                    return "lost", f"the service ended with {self.process.returncode}"
            if state.get("endedAt"):
                return state["status"], state["summary"]
            time.sleep(0.2)
        return "never ended", str(state)

    def stop(self) -> int | None:
        """End the service as an operator does; its exit status, or None for one that stays."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=90)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return None
        finally:
            self._log.close()

    def _breaches(self, name: str, status: str) -> tuple[str, ...]:
        found = ["ran a program"] if self.around.marker.exists() else []
        paths = _CANARY_PATHS if status == "success" else ()
        for path in paths:
            try:
                answer = httpx.get(self.url(f"/_sites/{name}/{path}"), timeout=30, verify=False)
            except httpx.HTTPError as error:
                found.append(f"/{path} is not served: {error!r}")
                continue
            if CANARY in answer.text or "root:x:0" in answer.text:
                found.append(f"/{path} shows a file outside")
            if answer.status_code >= 500:
                found.append(f"/{path} answers {answer.status_code}")
        return tuple(found)

    def _ask(self, method: str, path: str) -> dict[str, Any]:
        answer = httpx.request(
            method, self.url(path), headers=self._admin, timeout=30, verify=False
        )
        found: dict[str, Any] = answer.json()
        return found

    def _command(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "docstead.cli", *arguments]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self._environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    def _await_ready(self) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if httpx.get(self.url("/_sites/innocent/"), timeout=30, verify=False).is_success:
                    return
            except httpx.HTTPError:
                time.sleep(0.1)
        self.stop()
        raise SystemExit((self.folder / "log").read_text())

    def _read_projects(self) -> dict[str, str]:
        path = self.folder / "data" / "docstead.sqlite"
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return dict(database.execute("SELECT domain, project_id FROM deployments"))


def _remove(root: Path) -> None:
    """Delete a repository, also one that is deeper than paths may be, or closed."""
    subprocess.run(["chmod", "-R", "u+rwX", str(root)], check=False, stderr=subprocess.DEVNULL)
    shutil.rmtree(root, ignore_errors=True)
    if root.exists():
        subprocess.run(["rm", "-rf", str(root)], check=True)


def main() -> int:
    wanted = _options()
    cases = [c for c in all_cases() if not wanted.only or any(t in c.title for t in wanted.only)]
    if wanted.list:
        print("\n".join(case.title for case in cases), f"{len(cases)} cases", sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="hostile-", ignore_cleanup_errors=True) as name:
        return _attack(Path(name), cases, wanted)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="parts of names, such as git/")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    parser.add_argument("--most-seconds", type=float, default=3_600, help="begin no case later")
    parser.add_argument("--build-seconds", type=int, default=10)
    parser.add_argument("--build-memory", type=int, default=1024)
    parser.add_argument("--p99", type=float, default=0.25, help="seconds, on a quiet machine")
    parser.add_argument("--growth", type=int, default=100, help="MB of the service")
    parser.add_argument("--json", type=Path, help="file for the results")
    return parser.parse_args()


def _attack(folder: Path, cases: list[Case], wanted: argparse.Namespace) -> int:
    attacked = Attacked(folder, wanted)
    attacked.start()
    watch = MemoryWatch(attacked.process.pid)
    results: list[Result] = []
    try:
        for _ in range(_WARM_UPDATES):
            attacked.update("hostile")
        attacked.update("git")
        memory_before = memory(attacked.process.pid)
        prober = Prober(
            [attacked.url("/_sites/innocent/"), attacked.url("/livez")], _TIMEOUT, folder
        )
        watch.start()
        try:
            _publish_all(attacked, cases, watch, results, wanted.most_seconds)
        finally:
            answers = prober.stop()
        growth = memory(attacked.process.pid) - memory_before
    finally:
        watch.stop()
        status = attacked.stop()
    orphans = [each for each in watch.seen if _is_ours(each, folder)]
    print(f"{len(results)} of {len(cases)} cases")
    facts = Facts(answers, growth, status is not None, orphans)
    return _judge(results, facts, wanted)


def _publish_all(
    attacked: Attacked, cases: list[Case], watch: MemoryWatch, results: list[Result], most: float
) -> None:
    began = time.monotonic()
    for case in cases:
        if time.monotonic() - began > most:
            return
        results.append(attacked.publish(case, watch))
        _print(results[-1], memory(attacked.process.pid))
        if results[-1].status in ("lost", "never ended"):
            return


def _print(result: Result, service_mb: int) -> None:
    summary = " ".join(result.summary.split())[:110]
    figures = f"{result.seconds:6.1f} s {result.peak_mb:5} MB (service {service_mb})"
    print(f"{result.title:36} {result.status:8} {figures}  {summary}", flush=True)
    for breach in result.breaches:
        print(f"    BREACH: {breach}", flush=True)


def _is_ours(process: int, folder: Path) -> bool:
    try:
        environment = Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        return False
    return str(folder).encode() in environment


def _judge(results: list[Result], facts: Facts, wanted: argparse.Namespace) -> int:
    """Print the figures and each bar that was missed; the exit status."""
    times = sorted(each.seconds for each in facts.answers) or [0.0]
    lost = [each for each in facts.answers if each.status == 0 or each.seconds >= _TIMEOUT]
    wrong = [each for each in facts.answers if each.status not in (0, 200)]
    p50, p99 = (times[int(len(times) * part)] for part in (0.5, 0.99))
    most = max((each.peak_mb for each in results), default=0)
    print(
        f"innocent site: {len(times)} requests, {len(lost)} time-outs, {len(wrong)} wrong answers"
    )
    print(f"p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, most {times[-1] * 1000:.0f} ms")
    print(f"service memory {facts.growth:+} MB, largest process of a build {most} MB")
    bars = {
        f"{len(lost)} requests timed out: {_during(results, lost)}": not lost,
        f"{len(wrong)} answers were wrong: {_during(results, wrong)}": not wrong,
        f"p99 {p99:.3f} s": p99 <= wanted.p99,
        f"the service grew by {facts.growth} MB": facts.growth <= wanted.growth,
        "a build did not end": all(each.status in ("success", "failure") for each in results),
        f"a builder took {most} MB": most <= wanted.build_memory + _SHARED_MB,
        "a repository broke out": not any(each.breaches for each in results),
        "the service had to be killed": facts.stopped,
        f"processes stayed: {facts.orphans}": not facts.orphans,
    }
    for message, kept in bars.items():
        if not kept:
            print(f"MISSED: {message}")
    if wanted.json:
        wanted.json.write_text(json.dumps([vars(each) for each in results], indent=1))
    return int(not all(bars.values()))


def _during(results: list[Result], answers: list[Answer]) -> str:
    """Titles of the cases that were published at the time of these answers."""
    titles = {
        each.title
        for each in results
        for answer in answers
        if each.began <= answer.at + answer.seconds and answer.at <= each.began + each.seconds
    }
    return ", ".join(sorted(titles))


if __name__ == "__main__":
    sys.exit(main())
