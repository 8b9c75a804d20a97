"""The image is built from the lock: each package by its hash, the base image by its digest."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()
DIGEST = f"python@sha256:{'0' * 64}"


def _commands() -> list[str]:
    """The shell commands of the image, one each."""
    text = DOCKERFILE.replace("\\\n", " ")
    runs = re.findall(r"^RUN (.*)$", text, re.MULTILINE)
    return [command.strip() for run in runs for command in run.split("&&")]


def test_everything_that_pip_installs_is_pinned_by_a_hash() -> None:
    installs = [each for each in _commands() if each.startswith("pip install")]
    assert ["--require-hashes" in each or "--no-index" in each for each in installs] == [True, True]
    assert "--only-binary :all:" in installs[0]
    exported = re.search(
        r"^dist/requirements.txt:.*?\n\n", (ROOT / "Makefile").read_text(), re.M | re.S
    )
    assert exported is not None
    assert "export --quiet --locked --no-dev" in exported[0]
    assert "--no-hashes" not in exported[0]


def test_every_package_of_the_lock_has_hashes() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    files = [
        file
        for package in packages
        if "registry" in package["source"]
        for file in (*package.get("wheels", ()), *filter(None, [package.get("sdist")]))
    ]
    assert len(files) > len(packages)
    assert all(file["hash"].startswith("sha256:") for file in files)


@pytest.mark.parametrize(("base", "is_accepted"), [("python:3.11-slim", False), (DIGEST, True)])
def test_a_base_image_without_a_digest_is_refused(base: str, is_accepted: bool) -> None:
    assert "FROM ${BASE}\n" in DOCKERFILE
    (check,) = [each for each in _commands() if each.startswith("case")]
    for command in (["sh", "-c", check], ["make", "image-base", f"BASE={base}"]):
        done = subprocess.run(
            command,
            check=False,
            cwd=ROOT,
            env={"BASE": base, "PATH": "/usr/bin:/bin"},
            capture_output=True,
        )
        assert (done.returncode == 0) is is_accepted, done.stderr


def test_the_image_switches_telemetry_off_and_keeps_its_data() -> None:
    assert "ENV ORT_DISABLE_TELEMETRY=1" in DOCKERFILE
    for line in ("USER 10001", "VOLUME /var/lib/docstead", "EXPOSE 8080", "HEALTHCHECK"):
        assert line in DOCKERFILE
