"""A service at work for half an hour: readers, search, questions, publishes, exports, agent jobs.

    python tests/deep/soak.py [--minutes 30] [--warm-up 10] [--leak MIB]

Prints the figures every minute, and at the end whether they stayed within their bounds: the
resident memory of all processes together at the end at most 1.1 times that after the warm-up,
at most 5 deleted files still open, and no more threads, descriptors, files and rows than the
work of the time between explains. The pace is the same on every machine.

A builder that has rendered pages has 50 MiB more than a fresh one, so one sample differs from
the next by as much. Memory is therefore the mean of the samples of five minutes: those around
the end of the warm-up, and the last. Memory that several processes share counts once, also if
other programs map the same libraries (`resident_memory`).

`--leak` starts the service with a thread that loses so much memory a minute. In half an hour
3 MiB a minute exceed the bound (`tests/test_deep_tests.py`).
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import httpx

from attacked_service import attacked_service
from chat_server import Call, Reply, Rule, chat_server
from process_figures import Figures, figures
from ready_children import OWN_CHILDREN
from running_service import Service

MEMORY_RATIO, DELETED_FILES = 1.1, 5
THREADS, DESCRIPTORS = 20, 40  # more than after the warm-up
FILES_OF_A_JOB, ROWS_OF_A_JOB, ROWS_OF_A_REQUEST = 4, 120, 6
LIMITS = ("agent-job", "export-bundle", "export-start", "project-update")
SAMPLE_SECONDS, MEASURED_SECONDS = 5, 300
MIB = 1 << 20
LEAKING = Path(__file__).parents[1] / "support" / "leaking_service.py"
PAGES = 40
FILES_OF_A_CLONE = PAGES + 20  # of an agent job, whose clone stays for a day
FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "A page."}),))
WRITE = Reply(calls=(Call("write_file", {"path": "notes.mdx", "text": "# Notes\n"}),))


@dataclass
class SoakWork:
    """Repeated work, with the seconds between repetitions, and its results."""

    service: Service
    source: Path
    ended: threading.Event = field(default_factory=threading.Event)
    done: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    _number: int = 0

    def start(self) -> list[threading.Thread]:
        kinds: tuple[tuple[Callable[[], str], float], ...] = (
            (self.read, 0.2),
            (self.read, 0.3),
            (self.search, 1.0),
            (self.ask, 2.0),
            (self.publish, 30.0),
            (self.export, 45.0),
            (self.instruct, 60.0),
        )
        threads = [threading.Thread(target=self._repeat, args=kind) for kind in kinds]
        for thread in threads:
            thread.start()
        return threads

    def _repeat(self, work: Callable[[], str], seconds: float) -> None:
        while not self.ended.wait(seconds):
            try:
                problem = work()
            except (httpx.HTTPError, AssertionError, subprocess.SubprocessError) as error:
                problem = repr(error)[:200]
            self.done[work.__name__] += 1
            if problem and not self.ended.is_set():
                self.failures[f"{work.__name__}: {problem}"] += 1

    def read(self) -> str:
        """A reader looks at a page, and loads what it names."""
        number = self.done["read"] % PAGES
        path = f"/_sites/docstead/page-{number}" if number else "/_sites/docstead/"
        found = self.service.get(path, timeout=60)
        for name in re.findall(r'(?:src|href)="(/[^"]*_docs/[^"]+)"', found.text)[:2]:
            self.service.get(name, timeout=60)
        return "" if found.status_code == 200 else str(found.status_code)

    def search(self) -> str:
        body = {"query": f"parcel {self.done['search'] % PAGES}"}
        found = self._assistant_call("/discovery/v1/search/docstead", body)
        return "" if found.status_code in (200, 429) else f"{found.status_code} {found.text[:100]}"

    def ask(self) -> str:
        found = self.service.ask(f"How do I send parcel {self.done['ask'] % PAGES}?")
        return "" if found.status_code in (200, 429) else f"{found.status_code} {found.text[:100]}"

    def publish(self) -> str:
        """A page is edited, and the site published."""
        number = self.done["publish"]
        _write_page(self.source, number % PAGES, number)
        path = f"/v1/project/update/{self.service.facts['projectId']}"
        found = self.service.admin("POST", path)
        if found.status_code != 202:
            return f"{found.status_code} {found.text[:100]}"
        status = f"/v1/project/update-status/{found.json()['statusId']}"
        return self._ended(status, "success", "failure")

    def export(self) -> str:
        """A site is exported, and its bundle downloaded."""
        job = self.service.export()["jobId"]
        path = f"/v1/static-export/jobs/{job}"
        if problem := self._ended(path, "completed", "failed"):
            return problem
        link = self.service.admin("POST", f"{path}/bundle")
        if link.status_code != 200:
            return f"link {link.status_code} {link.text[:100]}"
        found = httpx.get(link.json()["bundleUrl"], timeout=60)
        return "" if found.status_code == 200 else f"bundle {found.status_code}"

    def instruct(self) -> str:
        """The agent writes a page, and proposes it."""
        path = f"/v2/agent/{self.service.facts['projectId']}/job"
        found = self.service.admin("POST", path, json={"prompt": "Write notes"})
        if found.status_code != 201:
            return f"{found.status_code} {found.text[:100]}"
        return self._ended(f"{path}/{found.json()['id']}", "completed", "failed")

    def _ended(self, path: str, good: str, bad: str) -> str:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not self.ended.wait(1):
            found = self.service.admin("GET", path).json()
            if found["status"] in (good, bad):
                return "" if found["status"] == good else json.dumps(found)[:300]
        return "" if self.ended.is_set() else f"{path} has not ended"

    def _assistant_call(self, path: str, body: object) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.service.facts['assistantKey']}"}
        url = f"{self.service.facts['baseUrl']}{path}"
        return httpx.post(url, headers=headers, json=body, timeout=60)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--warm-up", type=float, default=10, help="minutes before the comparison")
    parser.add_argument("--leak", type=float, default=0, metavar="MIB", help="lost each minute")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name, chat_server() as chat:
        # Only the agent has tools to write with; readers are answered by quotes of theirs.
        chat.rules = [Rule(lambda said: said.last.role == "tool", FINISH), Rule("notes", WRITE)]
        service = _service(Path(name), chat.url)
        if options.leak:
            service.command = (LEAKING, str(options.leak))
        service.start()
        work = SoakWork(service, service.source)
        threads = work.start()
        try:
            samples = watch(service, work, options.minutes * 60)
        finally:
            work.ended.set()
            for thread in threads:
                thread.join()
            status = service.stop()
        print(f"the service ended with {status}; {service.log().count('Traceback')} traces")
    return judge(samples, work, options.warm_up * 60)


@dataclass(frozen=True)
class Sample:
    seconds: float
    figures: Figures
    jobs: int
    clones: int  # of agent jobs
    requests: int


def watch(service: Service, work: SoakWork, seconds: float) -> list[Sample]:
    """Samples of the time; one line for each minute."""
    began, samples = time.monotonic(), list[Sample]()
    assert service.process is not None
    while (now := time.monotonic() - began) < seconds:
        assert service.process.poll() is None, service.log()
        jobs = sum(work.done[name] for name in ("publish", "export", "instruct"))
        found = figures(service.process.pid, service.data)
        clones = work.done["instruct"]
        samples.append(Sample(now, found, jobs, clones, work.done.total() - jobs))
        if len(samples) % (60 // SAMPLE_SECONDS) == 1:
            print(_line(samples[-1]), flush=True)
        time.sleep(SAMPLE_SECONDS)
    print(_line(samples[-1]), flush=True)
    return samples


def _line(sample: Sample) -> str:
    found = sample.figures
    files = sum(found.files.values())
    return (
        f"{sample.seconds / 60:5.1f} min {found.memory / MIB:6.0f} MiB in {found.processes} "
        f"processes, {found.threads} threads, {found.descriptors} descriptors, "
        f"{len(found.deleted_files)} deleted, {files} files ({found.file_bytes / MIB:.0f} MiB), "
        f"{sum(found.rows.values())} rows; {sample.requests} requests, {sample.jobs} jobs"
    )


def judge(samples: list[Sample], work: SoakWork, warm_up: float) -> int:
    """Print each bound with what was measured; the exit status."""
    end = samples[-1].seconds
    window = min(MEASURED_SECONDS, (end - warm_up) / 2)
    first = [each for each in samples if abs(each.seconds - warm_up) <= window / 2]
    last = [each for each in samples if each.seconds >= end - window]
    before, after = first[0], last[-1]
    jobs, requests = after.jobs - before.jobs, after.requests - before.requests
    files_of_jobs = FILES_OF_A_JOB * (jobs + 1)
    files_of_clones = FILES_OF_A_CLONE * (after.clones - before.clones + 1)

    def grown(of: Callable[[Figures], float]) -> float:
        return median(of(s.figures) for s in last) - median(of(s.figures) for s in first)

    memory = [fmean(s.figures.memory for s in part) / MIB for part in (first, last)]
    deleted = max(len(each.figures.deleted_files) for each in last)
    rows = _more(before.figures.rows, after.figures.rows)
    files = _more(before.figures.files, after.figures.files)
    bounds = (
        (f"memory {memory[0]:.0f} -> {memory[1]:.0f} MiB", memory[1] / memory[0], MEMORY_RATIO),
        ("deleted files still open", deleted, DELETED_FILES),
        ("threads more", grown(lambda found: found.threads), THREADS),
        ("descriptors more", grown(lambda found: found.descriptors), DESCRIPTORS),
        ("files more", sum(files.values()), files_of_jobs + files_of_clones),
        (
            "rows more",
            sum(rows.values()),
            ROWS_OF_A_JOB * (jobs + 1) + ROWS_OF_A_REQUEST * requests,
        ),
    )
    print(f"done: {dict(work.done)}; between: {jobs} jobs, {requests} requests")
    print(f"failures: {dict(work.failures)}")
    print(f"rows more: {rows}")
    print(f"files more: {files}")
    print(f"deleted: {after.figures.deleted_files}")
    kept = True
    for name, found, most in bounds:
        is_kept = found <= most
        kept = kept and is_kept
        print(f"{'kept  ' if is_kept else 'MISSED'} {name}: {found:.2f} <= {most:.2f}")
    return int(not kept or bool(work.failures))


def _more(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return what has been added to each name."""
    counts = {name: after.get(name, 0) - before.get(name, 0) for name in sorted({*before, *after})}
    return {name: count for name, count in counts.items() if count}


def _service(folder: Path, model_url: str) -> Service:
    """A site of some pages in a repository, with what the agent needs."""
    service = attacked_service(
        folder / "service",
        address_requests_per_hour="1000000000",
        limits=json.dumps(dict.fromkeys(LIMITS, 100_000)),
        model_base_url=model_url,
        model_name="scripted",
    )
    service.more += ((OWN_CHILDREN, "yes"),)  # whose memory counts
    config = json.loads((service.source / "docs.json").read_text())
    pages = ["index", *(f"page-{number}" for number in range(1, PAGES))]
    config["navigation"] = {"groups": [{"group": "Pages", "pages": pages}]}
    (service.source / "docs.json").write_text(json.dumps(config))
    for number in range(1, PAGES):
        _write_page(service.source, number, 0)
    git = ("git", "-c", "user.name=Tester", "-c", "user.email=tester@example.com")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "First")):
        subprocess.run([*git, *words], cwd=service.source, check=True)
    return service


def _write_page(source: Path, number: int, edit: int) -> None:
    name = f"page-{number}.mdx" if number else "index.mdx"
    (source / name).write_text(
        f"---\ntitle: Parcel {number}\n---\n\nA parcel of {number} kilograms is sent by post.\n\n"
        f"## Send parcel {number}\n\nTo send parcel {number}, weigh it, and bring it to the post "
        f"office before {edit % 12 + 1} o'clock.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
