"""A deployment gets another domain; the previous one leads to it until somebody takes it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import update

from docstead.accounts.renames import DeploymentRenames
from docstead.accounts.tenancy import Tenancy
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from docstead.storage.schema import deployments
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
    with pytest.raises(InvalidRequest, match=r"^domain: must be 1 to 63 lower-case letters"):
        renames.rename(tenant.deployment.id, domain)


def test_the_same_and_taken_domains_are_refused(
    backend: Any, tenancy: Tenancy, tenant: Any, renames: DeploymentRenames
) -> None:
    docs = deployment(tenancy, tenant, "docs")
    with pytest.raises(InvalidRequest, match=r"^domain: must differ from the present one, 'docs'$"):
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


def test_a_hostname_that_it_has_already_is_not_taken(
    backend: Any, tenancy: Tenancy, tenant: Any, renames: DeploymentRenames
) -> None:
    """Earlier versions let a deployment have the default hostname of another domain."""
    docs = deployment(tenancy, tenant, "docs")
    earlier = update(deployments).where(deployments.c.id == docs.id)
    with backend.database.transaction() as connection:
        connection.execute(earlier.values(hostname="manual.localhost"))
    assert renames.rename(docs.id, "manual").hostname == "manual.localhost"


@pytest.mark.parametrize("changed", ["domain", "hostname"])
def test_what_has_changed_meanwhile_is_not_renamed(
    backend: Any, tenancy: Tenancy, tenant: Any, renames: DeploymentRenames, changed: str
) -> None:
    found = tenant.deployment
    read_before: Any = SimpleNamespace(deployment=lambda _: found)
    if changed == "domain":
        renames.rename(found.id, "guide")
    else:
        tenancy.set_hostname(found.id, "guide.acme.example")
    present = tenancy.deployment(found.id)
    with pytest.raises(Conflict, match="has changed meanwhile; look at it and try again"):
        DeploymentRenames(backend.database, read_before, {}).rename(found.id, "manual")
    assert tenancy.deployment(found.id) == present
