"""The main job, end to end: a site, an answer with sources, a bundle."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

import patient_http
from docstead.app.accounts import open_accounts
from docstead.settings import Settings
from free_ports import free_port
from running_service import Service


def _small_site(folder: Path) -> Path:
    folder.mkdir()
    (folder / "docs.json").write_text(
        '{"name": "Other", "theme": "mint", "colors": {"primary": "#0F766E"},'
        ' "navigation": {"pages": ["index"]}}'
    )
    (folder / "index.mdx").write_text("---\ntitle: Beside\n---\n\nPublished beside.\n")
    return folder


def test_the_facts_are_complete_and_private(service: Service) -> None:
    assert set(service.facts) == {
        "baseUrl", "siteUrl", "dashboardUrl", "domain", "hostname", "organizationId",
        "projectId", "assistantKey", "adminKey",
    }  # fmt: skip
    assert (service.data / "demo.json").stat().st_mode & 0o077 == 0
    deadline = time.monotonic() + 120
    while "curl" not in (printed := service.log()):  # the facts are a file before they are printed
        assert time.monotonic() < deadline, printed
        time.sleep(0.05)
    assert service.facts["adminKey"] in printed


def test_the_site_is_served_in_every_way(service: Service) -> None:
    facts = service.facts
    pages = [
        patient_http.get(f"{facts['siteUrl']}/quickstart"),
        service.get(f"/_sites/{facts['domain']}/quickstart"),
        service.get("/quickstart", headers={"Host": facts["hostname"]}),
    ]
    for page in pages:
        assert page.status_code == 200
        assert "Start Docstead from a clone" in page.text


def test_a_question_is_answered_with_sources(service: Service) -> None:
    answer = service.ask("How do I export the site?")
    assert answer.status_code == 200
    lines = answer.text.splitlines()
    assert lines[0].startswith("f:")
    assert lines[-1].startswith("d:")
    sources = [json.loads(line[2:]) for line in lines if line.startswith("h:")]
    assert "/guides/export#export-with-a-" in sources[0]["url"]
    for source in sources:
        url = source["url"].partition("#")[0]
        assert patient_http.get(url).status_code == 200, url
    text = "".join(json.loads(line[2:]) for line in lines if line.startswith("0:"))
    assert "export" in text.lower()
    finish = json.loads(lines[-1][2:])
    again = service.ask("And as a folder?", threadId=finish["threadId"])
    assert json.loads(again.text.splitlines()[-1][2:])["threadId"] == finish["threadId"]


def test_what_the_documentation_does_not_cover_gets_no_sources(service: Service) -> None:
    lines = service.ask("Which wine goes with roasted duck?").text.splitlines()
    assert not [line for line in lines if line.startswith("h:")]
    assert lines[-1].startswith("d:")


def test_the_site_is_exported(service: Service) -> None:
    job = service.export()
    assert job["jobId"].startswith("se_")
    early = service.admin("POST", f"/v1/static-export/jobs/{job['jobId']}/bundle")
    assert early.status_code in (409, 200)
    ended = service.ended(job["jobId"])
    assert (ended["status"], ended["progress"]) == ("completed", 100)
    bundle = service.admin("POST", f"/v1/static-export/jobs/{job['jobId']}/bundle").json()
    assert set(bundle) == {"jobId", "bundleUrl", "sizeBytes", "expiresAt"}
    archive = patient_http.get(bundle["bundleUrl"]).content
    assert len(archive) == bundle["sizeBytes"]
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        assert {"index.html", "quickstart.html", "sitemap.xml"} <= set(files.getnames())


def test_an_update_is_followed_to_its_end(service: Service) -> None:
    started = service.admin("POST", f"/v1/project/update/{service.facts['projectId']}")
    assert started.status_code == 202
    status_id = started.json()["statusId"]
    path = f"/v1/project/update-status/{status_id}"
    deadline = time.monotonic() + 120
    while (status := service.admin("GET", path).json())["endedAt"] is None:
        assert time.monotonic() < deadline, status
        time.sleep(0.05)
    assert status["status"] == "success", status
    assert "0 re-rendered" in status["summary"]


def test_a_taken_port_is_a_clear_message(service: Service, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "docstead.cli", "serve", "--port", str(service.port)],
        env={"DOCSTEAD_DATA": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 1
    assert str(service.port) in ended.stderr
    assert "DOCSTEAD_PORT" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_publish_works_beside_the_service(service: Service, tmp_path: Path) -> None:
    source = _small_site(tmp_path / "other")
    ended = subprocess.run(
        [sys.executable, "-m", "docstead.cli", "publish", str(source), "--domain", "other"],
        env={"DOCSTEAD_DATA": str(service.data), "DOCSTEAD_PORT": str(service.port), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    assert "Published beside." in service.get("/_sites/other/").text
    # The service's own URL still shows the demo.
    assert "Docstead" in service.get("/").text


@pytest.mark.deep
@pytest.mark.timeout(240)
def test_the_second_run_reuses_everything_and_interrupts_cleanly(tmp_path: Path) -> None:
    """A rename in between changes only the names."""
    demo = Service(_small_site(tmp_path / "docs"), tmp_path / "data", free_port())
    demo.start()
    first = demo.facts
    assert demo.stop() == 0
    with open_accounts(Settings(data=demo.data)) as accounts:
        found = accounts.tenancy.deployment_of_domain(first["domain"])
        accounts.renames.rename(found.id, "manual")
    demo.start()
    assert demo.facts == {**first, "domain": "manual", "hostname": "manual.localhost"}
    assert "0 re-rendered" in demo.log()
    assert demo.ask("How do I export the site?").status_code == 200
    assert demo.stop(signal.SIGTERM) in (0, -signal.SIGTERM)
    assert "Traceback" not in demo.log()
