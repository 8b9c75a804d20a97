"""Publish hostile repositories one after the other while another site is read.

    python tests/deep/hostile_repositories.py [--only TEXT...] [--sample 3] [--results FILE]

Each repository tries to hang, explode or escape the build. Another process asks for the page
of an innocent site and `/livez` in turn, every 100 ms. Ends with status 1 where a bar is missed:
a request timed out, the 99th percentile or the memory of the service grew too much, a build did
not end or took more memory than it may, something outside a repository was read or run, or a
process outlived the service.

With `--results` the cases that are in the file are left out, and what is printed at the end is
about all of them: `--most-seconds` ends a piece, the same command begins the next.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from hostile_cases import all_cases
from hostile_cases.case import CANARY, Case, CaseFiles, site, write_files
from hostile_cases.git_sources import git
from hostile_cases.results import Bars, Piece, Result, Results
from hostile_cases.watching import MemoryWatch, Prober, SiteResponse, memory

from free_ports import free_port

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
_VECTORS = "SELECT id FROM editions WHERE vectors_key IS NOT NULL"


class Attacked:
    """A service with an innocent site and two more, whose sources are replaced."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.folder, self.port, self._options = folder, free_port(), options
        self.sources = {name: folder / "sources" / name for name in ("innocent", "hostile", "git")}
        self.around = CaseFiles(folder / "sources" / "canary.json", folder / "marker")
        self._environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")},
            "DOCSTEAD_DATA": str(folder / "data"),
            "DOCSTEAD_PORT": str(self.port),
        }
        self._limits = {
            "DOCSTEAD_BUILD_SECONDS": str(options.build_seconds),
            "DOCSTEAD_BUILD_MEMORY_MB": str(options.build_memory),
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
            url = f"file://{source}" if name == "git" else str(source)
            self._command("publish", url, "--domain", name, "--json")
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
        deadline = time.monotonic() + self._options.build_seconds * 4 + 60
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

    def warm_up(self) -> None:
        """Do what honest repositories lead to, the model for vectors included."""
        for number in range(_WARM_UPDATES):
            page = site(f"---\ntitle: Start\n---\n\nAnother honest page, {number}.")
            write_files(self.sources["hostile"], page)
            self.update("hostile")
        self.update("git")
        deadline = time.monotonic() + _READY_SECONDS
        while not self._query(_VECTORS) and time.monotonic() < deadline:
            time.sleep(0.5)

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
        return dict(self._query("SELECT domain, project_id FROM deployments"))

    def _query(self, statement: str) -> list[Any]:
        path = self.folder / "data" / "docstead.sqlite"
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return database.execute(statement).fetchall()


def _remove(root: Path) -> None:
    """Delete a repository, also one that is deeper than paths may be, or closed."""
    subprocess.run(["chmod", "-R", "u+rwX", str(root)], check=False, stderr=subprocess.DEVNULL)
    subprocess.run(["rm", "-rf", str(root)], check=True)


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    results = Results.load(options.results)
    cases = _chosen(options)
    if options.list:
        print("\n".join(case.title for case in cases), f"{len(cases)} cases", sep="\n")
        return 0
    left = [case for case in cases if options.again or case.title not in results.cases]
    if left:
        with tempfile.TemporaryDirectory(prefix="hostile-", ignore_cleanup_errors=True) as name:
            _attack(Path(name), left, options, results)
        results.save(options.results)
    print(f"{sum(case.title in results.cases for case in cases)} of {len(cases)} cases")
    return results.judge(Bars(options.p99, options.growth, options.build_memory))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="parts of names, such as git/")
    parser.add_argument("--sample", type=int, help="so many cases of each family")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    parser.add_argument("--results", type=Path, help="file that collects the results of runs")
    parser.add_argument("--again", action="store_true", help="also what is in the results")
    parser.add_argument("--most-seconds", type=float, default=3_600, help="begin no case later")
    parser.add_argument("--build-seconds", type=int, default=10)
    parser.add_argument("--build-memory", type=int, default=1024)
    parser.add_argument("--p99", type=float, default=0.25, help="seconds, on a quiet machine")
    parser.add_argument("--growth", type=int, default=100, help="MB of the service")
    return parser.parse_args()


def _chosen(options: argparse.Namespace) -> list[Case]:
    cases = [c for c in all_cases() if not options.only or any(t in c.title for t in options.only)]
    if options.sample is None:
        return cases
    families: dict[str, list[Case]] = {}
    for case in cases:
        families.setdefault(case.family, []).append(case)
    steps = {name: max(1, len(found) // options.sample) for name, found in families.items()}
    return [c for name, found in families.items() for c in found[:: steps[name]][: options.sample]]


def _attack(folder: Path, cases: list[Case], options: argparse.Namespace, results: Results) -> None:
    """Publish the cases with a fresh service, and add what came of it to the results."""
    attacked = Attacked(folder, options)
    attacked.start()
    watch = MemoryWatch(attacked.process.pid)
    done: list[Result] = []
    try:
        attacked.warm_up()
        memory_before = memory(attacked.process.pid)
        prober = Prober(
            [attacked.url("/_sites/innocent/"), attacked.url("/livez")], _TIMEOUT, folder
        )
        watch.start()
        try:
            _publish_all(attacked, cases, watch, done, options.most_seconds)
        except KeyboardInterrupt:
            print("stopped; what is done counts", flush=True)
        finally:
            answers = prober.stop()
        growth = memory(attacked.process.pid) - memory_before
    finally:
        watch.stop()
        status = attacked.stop()
    piece = Piece(
        cases=len(done),
        milliseconds=tuple(round(each.seconds * 1000) for each in answers),
        lost=_titles(done, [e for e in answers if e.status == 0 or e.seconds >= _TIMEOUT]),
        wrong=_titles(done, [e for e in answers if e.status not in (0, 200)]),
        growth=growth,
        stopped=status is not None,
        orphans=sum(_is_ours(each, folder) for each in watch.seen),
    )
    results.add(done, piece)


def _publish_all(
    attacked: Attacked, cases: list[Case], watch: MemoryWatch, done: list[Result], most: float
) -> None:
    began = time.monotonic()
    for case in cases:
        if time.monotonic() - began > most:
            return
        done.append(attacked.publish(case, watch))
        _print(done[-1], memory(attacked.process.pid))
        if not done[-1].ended:
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


def _titles(results: list[Result], answers: list[SiteResponse]) -> tuple[str, ...]:
    """The case that was published at the time of each of these answers."""
    return tuple(
        next(
            (
                each.title
                for each in results
                if each.began <= answer.at + answer.seconds
                and answer.at <= each.began + each.seconds
            ),
            "between cases",
        )
        for answer in answers
    )


if __name__ == "__main__":
    sys.exit(main())
