"""`docstead doctor`, on this machine and with settings that cannot work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from docstead.base.sandbox import supported
from ready_processes import ReadyProcesses
from signing_keys import new_key

WITHOUT_LANDLOCK = Path(__file__).parents[1] / "support" / "without_landlock.py"


@pytest.fixture
def doctor(ready: ReadyProcesses, tmp_path: Path):
    def run(*options: str, **settings: str):
        environment = {"DOCSTEAD_DATA": str(tmp_path / "data")}
        environment |= {f"DOCSTEAD_{name.upper()}": value for name, value in settings.items()}
        command = ["docstead.cli", "doctor", *options]
        return ready.run(command, environment, folder=tmp_path, timeout=120)

    return run


def test_each_finding_is_a_line(doctor) -> None:
    made = doctor()
    names = [line.split()[1] for line in made.stdout.splitlines()]
    assert {"sandbox:", "engine:", "database:", "objects:", "disk:", "descriptors:"} <= set(names)
    assert made.returncode == 0, made.stdout


def test_sites_that_share_the_dashboards_host_or_site_are_reported(doctor) -> None:
    public = {"base_url": "https://dash.example.com"}
    for settings, level in (
        ({}, "ok"),
        (public, "warning"),
        ({**public, "sites_host": "*.docs.example.com"}, "warning"),
        ({**public, "sites_host": "*.example.org"}, "ok"),
    ):
        found = json.loads(doctor("--json", **settings).stdout)
        assert next(each for each in found if each["name"] == "site hosts")["level"] == level


def test_a_database_that_is_away_fails(doctor) -> None:
    made = doctor("--json", database_url="postgresql://nobody@127.0.0.1:1/none")
    findings = {each["name"]: each for each in json.loads(made.stdout)}
    assert made.returncode == 1
    assert findings["database"]["level"] == "failed"
    assert "database_url" in findings["database"]["advice"]


def test_a_database_of_another_kind_fails(doctor) -> None:
    made = doctor("--json", database_url="mysql://docs@127.0.0.1/docs")
    findings = {each["name"]: each for each in json.loads(made.stdout)}
    assert made.returncode == 1
    assert "mysql is not supported" in findings["database"]["message"]


def test_a_secret_that_serve_would_refuse_fails(doctor, ready: ReadyProcesses, tmp_path) -> None:
    def secret(**settings: str) -> tuple[str, str] | None:
        found = {each["name"]: each for each in json.loads(doctor("--json", **settings).stdout)}
        return (found["secret"]["level"], found["secret"]["message"]) if "secret" in found else None

    assert secret() is None  # there is no installation yet
    level, message = secret(secret="short") or ("", "")
    assert (level, "at least 32 characters" in message) == ("failed", True)
    data = tmp_path / "data"
    command, environment = ["docstead.cli", "keys", "list"], {"DOCSTEAD_DATA": str(data)}
    ready.run(command, environment, folder=tmp_path, timeout=120)
    assert secret() == ("ok", "fits the database")
    (data / "secret").unlink()
    level, message = secret() or ("", "")
    assert (level, "the secret is missing" in message) == ("failed", True)
    assert not (data / "secret").exists()


def test_settings_that_serve_would_refuse_fail(doctor) -> None:
    for settings, named in (
        ({"model_name": "qwen3"}, "DOCSTEAD_MODEL_BASE_URL"),
        ({"limits": '{"export-strat": 2}'}, "export-strat"),
        ({"features": "serch=off"}, "serch"),
        ({"trusted_proxies": "10.0.0.0/99"}, "10.0.0.0/99"),
    ):
        made = doctor("--json", **settings)
        first, *_ = json.loads(made.stdout)
        assert (made.returncode, first["name"], first["level"]) == (1, "settings", "failed")
        assert named in first["message"]
        assert not first["message"].startswith("settings")


def test_the_chat_models_are_named(doctor) -> None:
    assert "chat models: none; answers quote" in doctor().stdout
    one = {"model_name": "qwen3", "model_base_url": "http://127.0.0.1:1/v1"}
    assert "chat models: default." in doctor(**one).stdout


def test_a_data_folder_that_cannot_be_created_fails(doctor, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    made = doctor(data=str(tmp_path / "file" / "data"))
    assert made.returncode == 1
    assert f"{tmp_path}/file is not a writable folder" in made.stdout


def test_the_state_of_the_sandbox_is_reported(doctor) -> None:
    made = doctor("--json", sandbox="required")
    sandbox = next(each for each in json.loads(made.stdout) if each["name"] == "sandbox")
    assert sandbox["level"] == ("ok" if supported().is_complete else "failed")
    off = doctor("--json", sandbox="off")
    sandbox = next(each for each in json.loads(off.stdout) if each["name"] == "sandbox")
    assert sandbox["level"] == "warning"
    assert off.returncode == 0


def test_the_object_store_is_left_as_it_was(doctor, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    made = doctor("--json")
    objects = next(each for each in json.loads(made.stdout) if each["name"] == "objects")
    assert objects["level"] == "ok"
    assert not [path for path in (tmp_path / "data").rglob("*") if path.is_file()]


def test_advice_about_objects_is_for_their_store(doctor, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "objects").write_text("no folder")
    found = {each["name"]: each for each in json.loads(doctor("--json").stdout)}
    assert found["objects"]["level"] == "failed"
    folder = tmp_path / "data" / "objects"
    assert found["objects"]["advice"] == (
        f"Check the rights of {folder} and the free space of its disk."
    )


@pytest.fixture(scope="module")
def without_landlock(tmp_path_factory: pytest.TempPathFactory):
    """Run commands as on a kernel without Landlock, in a folder with a site of one page."""
    folder = tmp_path_factory.mktemp("old")
    (folder / "docs.json").write_text('{"name": "Site", "navigation": {"pages": ["index"]}}')
    (folder / "index.mdx").write_text("# Site\n")
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")}

    def run(*command: str, **settings: str) -> subprocess.CompletedProcess[str]:
        given: Mapping[str, str] = {f"DOCSTEAD_{k.upper()}": v for k, v in settings.items()}
        return subprocess.run(
            [sys.executable, WITHOUT_LANDLOCK, sys.executable, "-m", "docstead.cli", *command],
            env={**inherited, "DOCSTEAD_DATA": str(folder / "data"), **given},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.mark.skipif(not supported().seccomp, reason="Landlock cannot be taken away here")
def test_a_machine_without_landlock_is_warned_of(without_landlock) -> None:
    made = without_landlock("doctor")
    (line,) = [each for each in made.stdout.splitlines() if " sandbox: " in each]
    assert line == (
        "warning  sandbox: this machine has seccomp, no Landlock. Use Linux 5.13 or later with "
        "Landlock, and a container profile that allows it."
    )
    assert made.returncode == 0, made.stdout


@pytest.mark.skipif(not supported().seccomp, reason="Landlock cannot be taken away here")
def test_a_machine_without_landlock_fails_where_the_sandbox_is_required(without_landlock) -> None:
    made = without_landlock("doctor", "--json", sandbox="required")
    (found,) = [each for each in json.loads(made.stdout) if each["name"] == "sandbox"]
    assert (found["level"], made.returncode) == ("failed", 1)
    assert found["message"] == "this machine has seccomp, no Landlock"
    refused = without_landlock("check", ".", sandbox="required")
    assert refused.returncode != 0
    assert "the setting `sandbox` is `required`" in refused.stderr + refused.stdout
    built = without_landlock("check", ".")
    assert built.returncode == 0, built.stderr


def test_the_key_that_signs_commits_is_tested(doctor, tmp_path: Path) -> None:
    key = new_key(tmp_path)
    assert "signing:" not in doctor().stdout
    assert (
        f"ok       signing: {key} signs commits" in doctor(agent_signing_key_file=str(key)).stdout
    )
    made = doctor("--json", agent_signing_key_file=str(tmp_path / "none"))
    found = {each["name"]: each for each in json.loads(made.stdout)}["signing"]
    assert (made.returncode, found["level"]) == (1, "failed")
    assert "cannot be read" in found["message"]
