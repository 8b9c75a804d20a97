"""A newcomer's first steps: README and quickstart word for word, in a fresh clone.

    python tests/deep/newcomer.py [--port 8080]

The home directory is empty, PATH has what README asks for and no more, and every block is
pasted as it stands, one after the other, into one terminal; `make demo` runs in a second. Only
the settings of pip and npm for this machine, and their caches, are those of the user who runs
it. Prints the transcript, and ends with 1 where something does not do what the page says.
Three to five minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import httpx

from documented_commands import Example, commands
from empty_home import CURLRC, ROOT, new_repository

NEEDED = ("bash", "sh", "python3", "node", "npm", "git", "make", "curl")
READY_SECONDS = 900
END = "--- end of "


@dataclass
class Terminal:
    """A shell with a home directory, in which one line after the other is pasted."""

    home: Path
    port: int
    failures: list[str] = field(default_factory=list)
    _shell: subprocess.Popen[str] | None = None

    def paste(self, text: str, expected: str = "0") -> str:
        """Run a block; `expected` is its status, or that of HTTP for the last `curl` line."""
        shell = self._opened()
        assert shell.stdin is not None
        assert shell.stdout is not None
        print(f"$ {text}", flush=True)
        mark = f"{END}{time.monotonic_ns()}"
        shell.stdin.write(f"{self._with_port(text)}\necho; echo '{mark}' $?\n")
        shell.stdin.flush()
        lines = []
        for line in shell.stdout:
            if line.startswith(mark):
                break
            lines.append(line)
        output = "".join(lines).rstrip()
        print(output, flush=True)
        status = line.rpartition(" ")[2].strip()
        statuses = re.findall(r"^HTTP (\d+)$", output, re.MULTILINE)
        self.check(expected in (status, *statuses[-1:]), f"{text!r} ended with {status} {statuses}")
        return output

    def check(self, is_so: bool, failure: str) -> None:
        if not is_so:
            print(f"!! {failure}", flush=True)
            self.failures.append(failure)

    def close(self) -> None:
        if self._shell is not None:
            self._shell.communicate()

    @property
    def environment(self) -> dict[str, str]:
        own = Path.home()
        port = {} if self.port == 8080 else {"DOCSTEAD_PORT": str(self.port)}
        return {
            "HOME": str(self.home),
            "PATH": str(self.home / "programs"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "PIP_CONFIG_FILE": str(own / ".config/pip/pip.conf"),
            "PIP_CACHE_DIR": str(own / ".cache/pip"),
            "UV_CACHE_DIR": str(own / ".cache/uv"),
            "NPM_CONFIG_USERCONFIG": str(own / ".npmrc"),
            "NPM_CONFIG_CACHE": str(own / ".npm"),
            **{k: v for k, v in os.environ.items() if k.startswith(("PIP_", "UV_", "SSL_"))},
            **port,
        }

    def _opened(self) -> subprocess.Popen[str]:
        if self._shell is None:
            self._shell = subprocess.Popen(
                ["bash"],
                cwd=self.home,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        return self._shell

    def _with_port(self, text: str) -> str:
        return text.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")


@dataclass
class TerminalDemo:
    """`make demo` in a terminal of its own."""

    terminal: Terminal
    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(cls, terminal: Terminal) -> TerminalDemo:
        log = terminal.home / "demo.log"
        print("(second terminal) $ make demo", flush=True)
        with log.open("ab") as output:
            process = subprocess.Popen(
                ["make", "demo"],
                cwd=terminal.home / "docstead",
                env=terminal.environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        return cls(terminal, process, log)

    def await_ready(self) -> str:
        """Return the output once it names the next steps."""
        deadline = time.monotonic() + READY_SECONDS
        while "Ctrl-C" not in (printed := self.log.read_text()):
            assert self.process.poll() is None, printed
            assert time.monotonic() < deadline, printed
            time.sleep(0.2)
        print(printed, flush=True)
        return printed

    def interrupt(self) -> int:
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(90)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="if 8080 is taken")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="newcomer-") as name:
        home = Path(name) / "home"
        home.mkdir()
        terminal = Terminal(home, options.port)
        try:
            follow(terminal)
        finally:
            terminal.close()
    print(f"{len(terminal.failures)} failures", *terminal.failures, sep="\n")
    return int(bool(terminal.failures))


def follow(terminal: Terminal) -> None:
    began = time.monotonic()
    _prepare(terminal.home)
    readme = _lines("README.md")
    quickstart = _lines("docs/quickstart.mdx")
    for example in quickstart[:2]:
        url = re.sub(r"<.*?>", str(ROOT), example.text)
        terminal.paste(url)
    demo = TerminalDemo.start(terminal)
    try:
        printed = demo.await_ready()
        print(f"(ready after {time.monotonic() - began:.0f} s)", flush=True)
        look(terminal, "docstead")
        paste_printed(terminal, printed)
        for example in (*readme, *quickstart[2:]):
            if not example.note.needs:
                check_answer(terminal, example)
        look(terminal, "handbook")
    finally:
        status = demo.interrupt()
    terminal.check(status in (0, 2, 130, -2), f"make demo ended with {status}")
    second_run(terminal)


def paste_printed(terminal: Terminal, printed: str) -> None:
    """Paste the lines that the demo printed for this."""
    job = "JOB_ID"
    for example in commands("demo", f"```bash\n{_curl_lines(printed)}\n```"):
        text = example.text.replace("JOB_ID", job)
        if "/bundle" in text:
            _await_export(terminal, text)
        output = terminal.paste(text, "202" if "static-export/jobs \\" in text else "200")
        if found := re.search(r'"jobId":\s*"(\w+)"', output):
            job = found[1]


def check_answer(terminal: Terminal, example: Example) -> None:
    is_request = example.text.startswith("curl")
    output = terminal.paste(example.text, example.note.expects or ("200" if is_request else "0"))
    if "/assistant/" in example.text:
        for mark, meaning in (("h:", "source"), ("0:", "text"), ('"threadId"', "thread")):
            terminal.check(mark in output, f"the answer has no {meaning}")


def look(terminal: Terminal, domain: str) -> None:
    """Look at a site, as a browser finds it."""
    url = f"http://127.0.0.1:{terminal.port}/"
    headers = {"host": f"{domain}.localhost:{terminal.port}"}
    found = httpx.get(url, headers=headers, timeout=60)
    print(f"(browser) http://{headers['host']}/ -> {found.status_code}", flush=True)
    terminal.check(found.status_code == 200, f"{headers['host']} answers {found.status_code}")


def second_run(terminal: Terminal) -> None:
    """The second run reuses the data, and the same keys."""
    facts = terminal.home / "docstead/.docstead/demo.json"
    before = json.loads(facts.read_text())
    began = time.monotonic()
    (terminal.home / "demo.log").write_text("")
    demo = TerminalDemo.start(terminal)
    try:
        demo.await_ready()
        print(f"(ready again after {time.monotonic() - began:.0f} s)", flush=True)
        terminal.check(json.loads(facts.read_text()) == before, "the second run has other facts")
    finally:
        demo.interrupt()


def _lines(page: str) -> list[Example]:
    return [each for each in commands(page, (ROOT / page).read_text()) if not each.inline]


def _curl_lines(printed: str) -> str:
    lines: list[str] = []
    for line in printed.splitlines():
        if line.startswith("curl") or (lines and lines[-1].endswith("\\")):
            lines.append(line)
    return "\n".join(lines)


def _await_export(terminal: Terminal, text: str) -> None:
    """Wait as a reader does who looks at the job until it is completed."""
    facts = json.loads((terminal.home / "docstead/.docstead/demo.json").read_text())
    found = re.search(r"(http://\S+/jobs/\w+)/bundle", text)
    assert found is not None
    headers = {"authorization": f"Bearer {facts['adminKey']}"}
    deadline = time.monotonic() + 120
    while httpx.get(found[1], headers=headers, timeout=60).json()["status"] != "completed":
        assert time.monotonic() < deadline, text
        time.sleep(0.6)


def _prepare(home: Path) -> None:
    """A repository of the newcomer's own, and the programs that README asks for."""
    new_repository(home / "handbook")
    (home / ".curlrc").write_text(CURLRC)
    programs = home / "programs"
    programs.mkdir()
    for program in _programs():
        (programs / program.name).symlink_to(program)


def _programs() -> Iterator[Path]:
    """Yield the programs of a plain system, and none of this project."""
    taken = set()
    for folder in ("/usr/local/bin", "/usr/bin", "/bin"):
        for program in sorted(Path(folder).iterdir()):
            if program.name not in taken and program.name not in ("uv", "uvx", "docstead"):
                taken.add(program.name)
                yield program
    assert taken.issuperset(NEEDED), f"this machine lacks {set(NEEDED) - taken}"


if __name__ == "__main__":
    sys.exit(main())
