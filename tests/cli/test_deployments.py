"""`deployments` as an operator runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_a_bundle_after_each_publish_and_its_state(docstead, source: Path) -> None:
    air = {"DOCSTEAD_DEPLOYMENTS": '{"handbook": {"deployment_type": "air-gapped"}}'}
    assert docstead("publish", source, "--domain", "handbook").returncode == 0
    (line,) = docstead("deployments", "list", **air).stdout.splitlines()
    assert line == ("handbook  handbook.localhost  air-gapped: no features  automatic export: off")
    (found,) = json.loads(docstead("deployments", "list", "--json", **air).stdout)
    assert found.pop("projectId").startswith("prj_")
    assert not any(found.pop("features").values())
    assert found == {"domain": "handbook", "hostname": "handbook.localhost",
                     "type": "air-gapped", "autoExport": False}  # fmt: skip
    switched = docstead("deployments", "auto-export", "handbook", "on")
    assert (switched.returncode, switched.stderr.strip()) == (
        0, "handbook: automatic export is on.",
    )  # fmt: skip
    listed = docstead("deployments", "list").stdout
    assert "client-hosted: search, assistant, analytics, playground" in listed
    assert listed.strip().endswith("automatic export: on, after the next publish")
    assert docstead("publish", source, "--domain", "handbook").returncode == 0
    assert docstead("deployments", "list").stdout.strip().endswith(" queued")
    assert docstead("deployments", "auto-export", "handbook", "off").returncode == 0
    assert docstead("deployments", "list").stdout.strip().endswith("automatic export: off")


def test_deployments_and_switches_that_do_not_exist(docstead, source: Path) -> None:
    empty = docstead("deployments", "list")
    assert (empty.returncode, empty.stdout) == (0, "")
    assert (
        "There are no deployments. Publish one: docstead publish SOURCE --domain NAME"
        in empty.stderr
    )
    assert json.loads(docstead("deployments", "list", "--json").stdout) == []
    docstead("publish", source, "--domain", "handbook")
    refused = docstead("deployments", "auto-export", "nobody", "on")
    assert refused.returncode == 1
    assert "there is no deployment 'nobody'; there are: handbook" in refused.stderr
    assert docstead("deployments", "auto-export", "handbook", "maybe").returncode == 2


@pytest.mark.deep
def test_the_previous_edition_is_shown_again(docstead, source: Path) -> None:
    assert docstead("publish", source, "--domain", "handbook").returncode == 0
    refused = docstead("deployments", "rollback", "handbook")
    assert refused.returncode == 1
    assert "handbook: there is no earlier edition" in refused.stderr
    page = source / "index.mdx"
    page.write_text(page.read_text() + "\nThe quokka is new.\n")
    assert docstead("publish", source, "--domain", "handbook").returncode == 0
    assert "quokka" in docstead("search", "quokka", "--domain", "handbook").stdout
    done = docstead("deployments", "rollback", "handbook", USER="ada")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("handbook: Rolled back to the edition of ")
    assert "quokka" not in docstead("search", "quokka", "--domain", "handbook").stdout
    assert docstead("deployments", "rollback", "nobody").returncode == 1


def test_a_deployment_is_removed_after_its_name(docstead, source: Path) -> None:
    for domain in ("handbook", "manual"):
        assert docstead("publish", source, "--domain", domain).returncode == 0
    refused = docstead("deployments", "remove", "handbook", "--confirm", "manual")
    assert refused.returncode == 2
    assert refused.stderr.strip().endswith("--confirm: is not handbook; nothing was removed")
    removed = docstead("deployments", "remove", "handbook", "--confirm", "handbook")
    assert (removed.returncode, removed.stderr.strip()) == (0, "handbook is removed.")
    (line,) = docstead("deployments", "list").stdout.splitlines()
    assert line.startswith("manual  ")
    assert docstead("deployments", "remove", "handbook", "--confirm", "handbook").returncode == 1
    assert docstead("publish", source, "--domain", "handbook").returncode == 0


@pytest.mark.deep
def test_the_hostname_of_a_deployment_can_be_changed(docstead, source: Path) -> None:
    publish = ("publish", source, "--domain", "handbook", "--hostname", "docs.example.com")
    assert docstead("publish", source, "--domain", "handbook").returncode == 0
    refused = docstead(*publish)
    assert refused.returncode == 2
    assert refused.stderr.strip().endswith(
        "hostname: handbook is already served at handbook.localhost; "
        "change it with: docstead deployments hostname handbook docs.example.com"
    )
    changed = docstead("deployments", "hostname", "handbook", "docs.example.com")
    assert (changed.returncode, changed.stderr.strip()) == (
        0, "handbook is served at docs.example.com.",
    )  # fmt: skip
    assert docstead("deployments", "list").stdout.startswith("handbook  docs.example.com  ")
    assert docstead(*publish).returncode == 0
    assert docstead("deployments", "hostname", "handbook", "http://x/").returncode == 2
    assert docstead("deployments", "hostname", "nobody", "docs.example.org").returncode == 1


@pytest.mark.deep
def test_the_domain_of_a_deployment_can_be_changed(docstead, source: Path) -> None:
    for domain in ("handbook", "guide"):
        assert docstead("publish", source, "--domain", domain).returncode == 0
    default = {"DOCSTEAD_DEFAULT_DOMAIN": "handbook"}
    renamed = docstead("deployments", "rename", "handbook", "manual", **default)
    assert (renamed.returncode, renamed.stderr.splitlines()) == (
        0,
        [
            "handbook is now manual, served at manual.localhost.",
            "Set DOCSTEAD_DEFAULT_DOMAIN to manual.",
        ],
    )
    names = [line.split()[:2] for line in docstead("deployments", "list").stdout.splitlines()]
    assert names == [["manual", "manual.localhost"], ["guide", "guide.localhost"]]
    refused = docstead("publish", source, "--domain", "handbook")
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith(
        "domain: 'handbook' was renamed to 'manual'; publish to that domain"
    )
    assert docstead("publish", source, "--domain", "manual").returncode == 0
    assert docstead("search", "handbook", "--domain", "handbook").returncode == 0
    taken = docstead("deployments", "rename", "manual", "guide")
    assert taken.returncode == 1
    assert taken.stderr.strip().endswith("domain: 'guide' is already taken")
    assert docstead("deployments", "rename", "manual", "My docs").returncode == 2
    air = {"DOCSTEAD_DEPLOYMENTS": '{"manual": {"deployment_type": "air-gapped"}}'}
    kept = docstead("deployments", "rename", "manual", "book", **air)
    assert kept.returncode == 1
    assert "DOCSTEAD_DEPLOYMENTS: names 'manual' and not 'book'" in kept.stderr
