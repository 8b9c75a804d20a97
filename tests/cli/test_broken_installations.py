"""Installations that cannot work: one sentence with setting or path, and the next step."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import broken_machine
from broken_installations import INSTALLATIONS
from sampled_cases import one_in
from trial_folder import Broken, RunningStores, TrialFolder

_SECONDS = 300


@pytest.fixture
def trial(
    request: pytest.FixtureRequest, docstead, source: Path, tmp_path: Path
) -> Iterator[TrialFolder]:
    def run(*arguments: str | Path) -> None:
        ended = docstead(*arguments)
        assert ended.returncode == 0, ended.stderr

    def stores() -> RunningStores:
        values = (request.getfixturevalue(name) for name in ("postgres_url", "s3_endpoint"))
        return RunningStores(*values)

    with ExitStack() as held:
        yield TrialFolder(tmp_path, source, stores, run, held)


@pytest.mark.parametrize("breaking", one_in(3, INSTALLATIONS), ids=lambda each: each.__name__)
def test_a_command_names_the_cause_and_the_next_step(
    docstead, trial: TrialFolder, breaking: Callable[[TrialFolder], Broken]
) -> None:
    broken = breaking(trial)
    ended = _run(docstead, broken)
    said = ended.stdout + ended.stderr
    assert "Traceback" not in said
    *earlier, last = ended.stderr.splitlines()
    assert last.startswith("docstead: "), said
    assert broken.named in last
    assert broken.advice in last
    assert not [line for line in earlier if line and line in last], "said twice"
    assert "hidden" not in said, "a password"
    assert ended.returncode == broken.status


def _run(docstead, broken: Broken) -> subprocess.CompletedProcess[str]:
    environment = docstead.environment | broken.settings
    if _needs_mounts(broken) and not broken_machine.has_mounts():
        pytest.skip("this machine lets nobody mount a disk")
    command = (broken_machine.__file__, *broken.lacks, "--", *broken.arguments)
    return docstead.ready.run(command, environment, folder=docstead.folder, timeout=_SECONDS)


def _needs_mounts(broken: Broken) -> bool:
    return any(each.startswith(("small-disk", "read-only")) for each in broken.lacks)
