"""Repositories that spin, eat memory or crash their builder, and builders that are killed."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

import patient_http
from builds import builds_in, fork_server, publisher_in
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base import sandbox
from docstead.base.units import MIB
from docstead.publishing.builders import BuilderLimits
from docstead.publishing.builders.loss import OUT_OF_MEMORY, ended
from docstead.publishing.edition_builds import EditionBuilds
from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import UpdateRecords, UpdateStatus
from docstead.publishing.updates import UpdateOutcome, UpdateService
from free_ports import free_port
from ready_children import OWN_CHILDREN
from running_service import Service

SETTINGS = {
    "name": "Acme",
    "theme": "mint",
    "colors": {"primary": "#123456"},
    "navigation": {"pages": ["index"]},
}
MUCH = [{"a": number, "b": [1, 2, 3]} for number in range(150_000)]  # read in many seconds


@dataclass
class BuilderWorld:
    tenancy: Tenancy
    records: UpdateRecords
    updates: UpdateService
    builds: EditionBuilds

    def deployment(self, source: Path) -> Deployment:
        name = source.name
        organization = self.tenancy.create_organization(name)
        project = self.tenancy.create_project(organization.id, name, str(source))
        return self.tenancy.create_deployment(project.id, name, f"{name}.example")

    def publish(
        self, deployment: Deployment, progress: Callable[[int, int], None] | None = None
    ) -> UpdateOutcome:
        requested = self.updates.create(deployment.project_id, "internal")
        return self.updates.run(requested.id, progress)


Make = Callable[..., BuilderWorld]


@pytest.fixture
def make(sqlite_backend, clock, tmp_path) -> Iterator[Make]:
    """Worlds over one database, each with limits of its own."""
    backend = sqlite_backend
    made: list[EditionBuilds] = []
    tenancy, records = Tenancy(backend.database, clock), UpdateRecords(backend.database, clock)
    editions = EditionStore(backend.database, backend.objects, tmp_path / "cache", fresh_seconds=0)

    def make(**limits: float) -> BuilderWorld:
        builds = builds_in(tmp_path, BuilderLimits(**limits))
        made.append(builds)
        publisher = publisher_in(
            tmp_path, backend.database, backend.objects, clock, editions, builds=builds
        )
        return BuilderWorld(
            tenancy, records, UpdateService(records, publisher, tenancy, clock), builds
        )

    yield make
    for builds in made:
        builds.close()


def repository(root: Path, **more: object) -> Path:
    root.mkdir(exist_ok=True)
    (root / "docs.json").write_text(json.dumps(SETTINGS | more))
    (root / "index.mdx").write_text("---\ntitle: Home\n---\n\nWords.\n")
    return root


def children(pid: int) -> list[int]:
    """The processes below this one, itself left out."""
    found = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                found += [child, *children(child)]
    return found


def builders() -> list[int]:
    return children(fork_server().pid or 0)


def test_a_repository_that_spins_ends_at_its_deadline_while_others_publish(make, tmp_path):
    slow, usual = make(seconds=1.0), make()
    spinning = slow.deployment(repository(tmp_path / "spinning", much=MUCH))
    ended: list[UpdateOutcome] = []
    thread = threading.Thread(target=lambda: ended.append(slow.publish(spinning)))
    thread.start()
    good = usual.deployment(repository(tmp_path / "good"))
    assert usual.publish(good).update.status is UpdateStatus.SUCCESS
    thread.join()
    found = ended[0].update
    assert found.status is UpdateStatus.FAILURE
    assert "took more than" in found.summary
    assert "DOCSTEAD_BUILD_SECONDS" in found.summary
    assert found.summary in found.logs[-1]


def test_a_repository_that_eats_memory_ends_at_its_limit(make, tmp_path):
    world = make(memory_bytes=48 * MIB)
    greedy = world.deployment(repository(tmp_path / "greedy", much=MUCH))
    found = world.publish(greedy).update
    assert found.status is UpdateStatus.FAILURE
    assert "DOCSTEAD_BUILD_MEMORY_MB" in found.summary


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_build_whose_builder_was_killed_is_done_again_once(make, tmp_path):
    world = make()
    good = world.deployment(repository(tmp_path / "good"))
    killed: list[int] = []

    def kill_first(done: int, total: int) -> None:
        if not killed:
            killed.extend(builders())
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    found = world.publish(good, kill_first).update
    assert killed
    assert found.status is UpdateStatus.SUCCESS, found.summary


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
@pytest.mark.parametrize("deadly", [signal.SIGKILL, signal.SIGTERM])
def test_a_build_whose_builders_are_killed_fails_and_keeps_the_edition(make, tmp_path, deadly):
    world = make()
    good = world.deployment(repository(tmp_path / "good"))
    before = world.publish(good).update.edition_id
    (tmp_path / "good" / "index.mdx").write_text("# Other words\n")

    def kill(done: int, total: int) -> None:
        for pid in builders():
            os.kill(pid, deadly)

    found = world.publish(good, kill).update
    assert found.status is UpdateStatus.FAILURE
    assert f"was killed ({deadly.name}), by an operator or" in found.summary
    assert world.tenancy.deployment(good.id).current_edition_id == before
    assert world.publish(good).update.status is UpdateStatus.SUCCESS


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (0, "the process that starts build processes was killed, by"),
        (-signal.SIGHUP, "the build process was killed (SIGHUP), by"),
        (-signal.SIGSEGV, "the build process crashed (SIGSEGV): a file of"),
        (-40, "the build process crashed (signal 40): a file of"),
        (1, "the build process crashed (status 1): a file of"),
        (OUT_OF_MEMORY, "reading and building took more than 64 MB of memory"),
    ],
)
def test_the_end_of_a_builder_is_explained(status, reason):
    assert ended(status, 64 * MIB).message.startswith(reason)


@pytest.mark.skipif(not sandbox.supported().is_complete, reason="this kernel has no walls")
def test_a_builder_is_confined(make, tmp_path):
    world = make()
    good = world.deployment(repository(tmp_path / "good"))
    seen: list[str] = []

    def look(done: int, total: int) -> None:
        seen.extend(Path(f"/proc/{pid}/status").read_text() for pid in builders())

    assert world.publish(good, look).update.status is UpdateStatus.SUCCESS
    assert seen
    assert all("Seccomp:\t2" in each and "NoNewPrivs:\t1" in each for each in seen)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    own_children = ((OWN_CHILDREN, "yes"),)
    service = Service(
        repository(tmp_path / "docs"), tmp_path / "data", free_port(), more=own_children
    )
    service.start()
    yield service
    service.stop(signal.SIGKILL)


@pytest.mark.timeout(240)
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_nothing_outlives_a_service_that_was_killed_while_it_built(service: Service) -> None:
    assert service.process is not None
    usual = set(children(service.process.pid))
    repository(service.source, much=MUCH)
    service.admin("POST", f"/v1/project/update/{service.facts['projectId']}")
    deadline = time.monotonic() + 120
    while len(started := set(children(service.process.pid))) <= len(usual):
        assert time.monotonic() < deadline
        assert patient_http.get(f"http://127.0.0.1:{service.port}/healthz").is_success
    service.process.kill()
    service.process.wait()
    left = started | usual
    while left := {pid for pid in left if is_running(pid)}:
        assert time.monotonic() < deadline + 60, left
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Report whether there is a process that is not a zombie."""
    with suppress(OSError):
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def test_a_folder_that_replaced_another_is_built(make, tmp_path):
    world = make()
    folder = repository(tmp_path / "site", navigation={"pages": ["index", "more"]})
    (folder / "more.mdx").write_text("More.")
    deployment = world.deployment(folder)
    world.publish(deployment)
    (folder / "more.mdx").write_text("More words.")
    assert world.publish(deployment).update.status is UpdateStatus.SUCCESS  # its builder is kept
    folder.rename(tmp_path / "before")
    repository(folder)
    found = world.publish(deployment).update
    assert (found.status, found.summary) == (
        UpdateStatus.SUCCESS,
        "1 page published (0 re-rendered)",
    )


def test_closing_waits_for_builders_that_are_ending(make, tmp_path):
    world = make()
    deployment = world.deployment(repository(tmp_path / "site"))
    world.publish(deployment)
    world.builds.close()
    assert (tmp_path / "builds" / deployment.project_id / "parsed.pickle").exists()
