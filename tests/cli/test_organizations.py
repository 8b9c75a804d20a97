"""`organizations` as an operator runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_a_plan_is_changed_by_name_and_by_id(docstead, source: Path) -> None:
    published = docstead("publish", source, "--domain", "handbook", DOCSTEAD_PLAN="pro")
    assert published.returncode == 0, published.stderr
    (line,) = docstead("organizations", "list").stdout.splitlines()
    assert line.endswith("  Default organization  pro")
    organization_id = line.split()[0]
    for name, plan in (("Default organization", "enterprise"), (organization_id, "community")):
        changed = docstead("organizations", "plan", name, plan)
        assert changed.returncode == 0, changed.stderr
        assert docstead("organizations", "list").stdout.strip().endswith(f"  {plan}")
    (listed,) = json.loads(docstead("organizations", "list", "--json").stdout)
    assert listed == {"id": organization_id, "name": "Default organization", "plan": "community"}


@pytest.mark.deep
def test_names_and_plans_that_do_not_exist(docstead, source: Path) -> None:
    docstead("publish", source, "--domain", "handbook")
    stranger = docstead("organizations", "plan", "Acme", "enterprise")
    assert stranger.returncode == 1
    assert "'Acme'; there are: Default organization" in stranger.stderr
    assert docstead("organizations", "plan", "Default organization", "gold").returncode == 2
