from __future__ import annotations

import secrets
from dataclasses import dataclass

import pytest

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Deployment, Organization, Tenancy
from manual_clock import ManualClock


@dataclass(frozen=True)
class Tenant:
    """An organization with one deployment."""

    organization: Organization
    deployment: Deployment


@pytest.fixture
def tenancy(backend, clock: ManualClock) -> Tenancy:
    return Tenancy(backend.database, clock)


@pytest.fixture
def tenant(tenancy: Tenancy) -> Tenant:
    organization = tenancy.create_organization("Acme")
    project = tenancy.create_project(organization.id, "Docs", "https://git.example/docs.git")
    deployment = tenancy.create_deployment(project.id, "acme", "docs.acme.example")
    return Tenant(organization, deployment)


@pytest.fixture
def keys(backend, clock: ManualClock) -> ApiKeys:
    return ApiKeys(backend.database, clock, secrets.token_bytes(32))
