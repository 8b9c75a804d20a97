"""Bundles and widgets name a deployment by its former domain after a rename."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from docstead.accounts.renames import DeploymentRenames


def test_a_former_domain_is_answered_until_somebody_takes_it(
    harness: Any, client: TestClient
) -> None:
    path, body = "/discovery/v1/search/{}", {"query": "parcel"}
    before = client.post(path.format("parcelo"), json=body)
    assert before.status_code == 200
    DeploymentRenames(harness.database, harness.tenancy, {}).rename(harness.deployment.id, "post")
    for domain in ("parcelo", "post"):
        assert client.post(path.format(domain), json=body).json() == before.json()
    project_id = harness.other.project_id
    harness.tenancy.create_deployment(project_id, "parcelo", "parcelo.localhost")
    assert client.post(path.format("parcelo"), json=body).status_code == 404
    assert client.post(path.format("post"), json=body).status_code == 200
