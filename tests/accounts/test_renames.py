"""A deployment gets another domain; the previous one leads to it until somebody takes it."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.accounts.renames import DeploymentRenames
from docstead.accounts.tenancy import Tenancy
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from neighbours import neighbours


@pytest.fixture
def renames(backend: Any, tenancy: Tenancy) -> DeploymentRenames:
    return DeploymentRenames(backend.database, tenancy, {"DOCSTEAD_DEPLOYMENTS": ["set", "both"]})


def deployment(tenancy: Tenancy, tenant: Any, domain: str) -> Any:
    project_id = tenant.deployment.project_id
    return tenancy.create_deployment(project_id, domain, f"{domain}.localhost")


def test_a_renamed_deployment_is_found_by_both_names(
    backend: Any, tenancy: Tenancy, tenant: Any, renames: DeploymentRenames
) -> None:
    docs = deployment(tenancy, tenant, "docs")
    with neighbours(backend.database):
        renamed = renames.rename(docs.id, "manual")
    assert (renamed.id, renamed.domain, renamed.hostname) == (docs.id, "manual", "manual.localhost")
    assert tenancy.deployment(docs.id) == renamed
    assert tenancy.deployment_of_domain("manual") == renamed
    assert tenancy.deployment_named("docs") == tenancy.deployment_named("manual") == renamed
    with pytest.raises(NotFound):
        tenancy.deployment_of_domain("docs")
    with pytest.raises(NotFound):
        tenancy.deployment_named("nobody")
    names = ("docs", "manual", "nobody", "")
    assert [tenancy.present_domain(name) for name in names] == ["manual", "manual", "nobody", ""]


def test_a_hostname_of_its_own_stays(tenancy: Tenancy, tenant: Any, renames: Any) -> None:
    assert renames.rename(tenant.deployment.id, "manual").hostname == "docs.acme.example"


def test_a_deployment_can_be_renamed_again_and_back(
    tenancy: Tenancy, tenant: Any, renames: DeploymentRenames
) -> None:
    docs = deployment(tenancy, tenant, "docs")
    for domain in ("manual", "guide", "docs", "manual"):
        renames.rename(docs.id, domain)
    for domain in ("docs", "guide", "manual"):
        assert tenancy.deployment_named(domain).domain == "manual"


def test_a_previous_domain_is_free(tenancy: Tenancy, tenant: Any, renames: Any) -> None:
    docs = deployment(tenancy, tenant, "docs")
    renames.rename(docs.id, "manual")
    new = deployment(tenancy, tenant, "docs")
    assert tenancy.deployment_named("docs") == new
    assert tenancy.deployment_named("manual").id == docs.id
    renames.rename(new.id, "third")
    renames.rename(docs.id, "docs")  # a former name of the other one is free as well
    assert tenancy.deployment_named("docs").id == docs.id


@pytest.mark.parametrize("domain", ["", "Docs", "a.b", "-a", "a" * 64])
def test_a_malformed_domain_is_refused(tenant: Any, renames: Any, domain: str) -> None:
    with pytest.raises(InvalidRequest, match=r"^domain: 1 to 63 lower-case letters"):
        renames.rename(tenant.deployment.id, domain)


def test_the_same_and_taken_domains_are_refused(
    backend: Any, tenancy: Tenancy, tenant: Any, renames: DeploymentRenames
) -> None:
    docs = deployment(tenancy, tenant, "docs")
    with pytest.raises(InvalidRequest, match=r"^domain: is 'docs' already$"):
        renames.rename(docs.id, "docs")
    with neighbours(backend.database), pytest.raises(Conflict, match="'acme' is already taken"):
        renames.rename(docs.id, "acme")
    assert tenancy.deployment(docs.id) == docs
    with pytest.raises(NotFound):
        renames.rename("dep_0", "manual")


def test_settings_of_a_deployment_are_not_left_behind(
    tenancy: Tenancy, tenant: Any, renames: DeploymentRenames
) -> None:
    found = deployment(tenancy, tenant, "set")
    with pytest.raises(Conflict, match=r"^DOCSTEAD_DEPLOYMENTS: names 'set' and not 'other'; add"):
        renames.rename(found.id, "other")
    assert renames.rename(found.id, "both").domain == "both"
