"""Agent jobs of the whole service, with a scripted model and a repository."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import docstead.app.agent
from builds import fork_server, shared_checker
from chat_server import ChatRequest, ChatServer, Reply, Rule
from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.tenancy import Project
from docstead.agent.agent import AgentJobs
from docstead.agent.forges import ForgeChange
from docstead.agent.reviews.records import Review
from docstead.agent.states import JobStatus
from docstead.agent.values import AgentJob, Instruction, JobEvent, Turn
from docstead.app.databases import database_url
from docstead.app.services import AppServices, open_services
from docstead.jobs import Jobs
from docstead.publishing.builders import WarmParent
from docstead.settings import Settings
from migrated_data import data_with_tables

# Pages that jobs of tests write are listed already; otherwise the change would be diagnosed.
FILES: Mapping[str, str] = {
    "docs.json": """{
  "name": "Parcelo",
  "theme": "mint",
  "colors": { "primary": "#0F766E" },
  "navigation": {
    "groups": [
      { "group": "Guides", "pages": ["index", "guides/start"] },
      {
        "group": "Later",
        "pages": ["new", "one", "two", "more", "keys", "long", "second", "guides/plans"]
      }
    ]
  }
}
""",
    "index.mdx": '---\ntitle: "Parcelo"\ndescription: "Sends parcels."\n---\n\nHello.\n',
    "guides/start.mdx": (
        '---\ntitle: "Start"\ndescription: "The first parcel."\n---\n\n'
        "Read the [welcome](/index) first.\n"
    ),
}


def git(folder: Path, *arguments: str) -> str:
    """Return the output of git."""
    done = subprocess.run(
        ["git", "-c", "user.name=Tester", "-c", "user.email=tester@example.com", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def new_repository(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """Create a repository with one commit on `main` that accepts pushes."""
    return shutil.copytree(_made_repository(tuple(files.items())), folder)


@cache
def _made_repository(files: tuple[tuple[str, str], ...]) -> Path:
    """Return a repository to copy, which is faster than creating one."""
    folder = Path(tempfile.mkdtemp(prefix="docstead-repository-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    git(folder, "init", "--quiet", "--initial-branch=main", "--template=")
    (folder / ".git" / "hooks").mkdir()
    for path, text in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "First")
    return folder


@dataclass
class AgentHarness:
    """Services whose agent jobs run in this process."""

    services: AppServices
    jobs: Jobs
    repository: Path
    chat: ChatServer
    project: Project = field(init=False)

    def __post_init__(self) -> None:
        organization = self.services.tenancy.create_organization(
            "Acme", OrganizationPlan.ENTERPRISE
        )
        self.project = self.new_project(organization.id, self.repository)

    @property
    def agent(self) -> AgentJobs:
        return self.services.agent

    def begin_anew(self, folder: Path, files: Mapping[str, str] = FILES) -> None:
        """Create another organization with its own repository, and clear the model's script."""
        self.repository = new_repository(folder / "repository", files)
        self.chat.rules = ()
        self.chat.conversations.clear()
        self.__post_init__()

    def says(self, *replies: Reply | Callable[[ChatRequest], Reply]) -> None:
        """Script the answers of the model, call by call."""
        self.chat.rules = [Rule(lambda _: True, reply, times=1) for reply in replies]

    def new_project(self, organization_id: str, repository: Path) -> Project:
        return self.services.tenancy.create_project(organization_id, "Docs", str(repository))

    def start(self, prompt: str, **more: Any) -> AgentJob:
        return self.agent.create(self.project, Instruction.of(prompt), **more)

    def follow_up(self, job: AgentJob, prompt: str) -> AgentJob:
        return self.agent.follow_up(self.job(job), Instruction.of(prompt))

    def job(self, job: AgentJob) -> AgentJob:
        return self.agent.get(
            job.id, project_id=job.project_id, organization_id=job.organization_id
        )

    def ended(self, job: AgentJob, seconds: float = 120) -> AgentJob:
        """Wait until the job is no longer active; return it."""
        return self.until(
            lambda: self.job(job), lambda j: j.status is not JobStatus.ACTIVE, seconds
        )

    def run(self, prompt: str, seconds: float = 120, **more: Any) -> AgentJob:
        return self.ended(self.start(prompt, **more), seconds)

    def events(self, job: AgentJob, kind: str = "") -> list[JobEvent]:
        return [each for each in self.agent.events(job.id) if not kind or each.kind == kind]

    def last_turn(self, job: AgentJob) -> Turn:
        return self.agent.turns(job.id)[-1]

    def change(self, job: AgentJob) -> ForgeChange:
        """Return the pull request of the job's branch."""
        found = self.services.forges.of(self.project).find(job.branch)
        assert found is not None
        return found

    def review(self, job: AgentJob) -> Review:
        """Return the review page of that pull request."""
        number = self.change(job).number
        return self.services.forges.reviews.numbered(job.project_id, number)

    def git(self, *arguments: str) -> str:
        return git(self.repository, *arguments)

    def file(self, branch: str, path: str) -> str:
        return self.git("show", f"{branch}:{path}")

    @staticmethod
    def until(look: Callable[[], Any], is_so: Callable[[Any], bool], seconds: float = 120) -> Any:
        deadline = time.monotonic() + seconds
        while not is_so(seen := look()):
            assert time.monotonic() < deadline, seen
            time.sleep(0.1)  # polling costs as much as the work of a short job
        return seen


@contextmanager
def agent_harness(
    folder: Path,
    chat: ChatServer,
    files: Mapping[str, str] = FILES,
    *,
    polling_seconds: float = 0.5,
    parent: WarmParent | None = None,
    checks_here: bool = False,
    **settings: Any,
) -> Iterator[AgentHarness]:
    """Yield a service with a repository of these files, which runs agent jobs.

    With `checks_here`, workspaces are checked in this process. It renders pages once for all jobs,
    where a builder of each job would start V8 for the same pages.
    """
    repository = new_repository(folder / "repository", files)
    waits = settings.pop("webhook_waits_seconds", None)
    if callable(settings.get("models")):
        settings["models"] = settings["models"](chat.url)
    chosen = Settings(
        data=data_with_tables(folder / "data"),
        model_base_url=chat.url,
        model_name="scripted",
        base_url="http://docstead.test",
        **{"model_retries": 0, "render_workers": 1, **settings},
    )
    with ExitStack() as stack:
        if checks_here:
            stack.enter_context(
                patch.object(docstead.app.agent, "ConfinedChecker", lambda _: shared_checker())
            )
        services = stack.enter_context(open_services(chosen, parent or fork_server()))
        jobs = Jobs(database_url(chosen), node_id="node-1", polling_seconds=polling_seconds)
        if waits is not None:
            services.agent.webhooks.waits_seconds = waits
        services.agent.register(jobs)
        jobs.launch()
        try:
            yield AgentHarness(services, jobs, repository, chat)
        finally:
            jobs.close()
            services.agent.close()
