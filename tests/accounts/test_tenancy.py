from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update

from docstead.accounts.plans import Feature, OrganizationPlan, features
from docstead.accounts.tenancy import Tenancy
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from docstead.storage.schema import deployments
from manual_clock import ManualClock


def test_what_is_created_is_found(tenancy: Tenancy, tenant) -> None:
    organization, deployment = tenant.organization, tenant.deployment
    project = tenancy.project(deployment.project_id)
    assert tenancy.organization(organization.id) == organization
    assert tenancy.organizations() == [organization]
    assert tenancy.projects(organization.id) == [project]
    assert tenancy.deployment(deployment.id) == deployment
    assert tenancy.deployment_of_domain("acme") == deployment
    assert tenancy.deployment_of_hostname("Docs.Acme.Example") == deployment
    assert tenancy.deployments(organization.id) == [deployment]
    assert tenancy.deployments() == [deployment]
    assert tenancy.deployments_of_project(project.id) == [deployment]
    assert organization.plan is OrganizationPlan.ENTERPRISE
    assert (project.source_ref, project.source_root) == (None, "")
    rotations = project.hook_secret_number, deployment.site_key_number
    assert (rotations, deployment.auto_export) == ((0, 0), False)


def test_a_project_has_the_branch_and_the_folder_that_it_was_created_with(
    tenancy: Tenancy, tenant
) -> None:
    made = tenancy.create_project(tenant.organization.id, "Docs", " /srv ", "main", "guides")
    found = tenancy.project(made.id)
    assert (found.source, found.source_ref, found.source_root) == ("/srv", "main", "guides")


def test_the_default_organization_is_created_once_and_is_the_oldest(
    tenancy: Tenancy, clock: ManualClock
) -> None:
    first = tenancy.default_organization(OrganizationPlan.PRO)
    assert first.plan is OrganizationPlan.PRO
    clock.move_to(clock.now() + timedelta(seconds=1))
    tenancy.create_organization("Later")
    assert tenancy.default_organization(OrganizationPlan.COMMUNITY) == first
    assert len(tenancy.organizations()) == 2


def test_lists_keep_organizations_apart(tenancy: Tenancy, tenant) -> None:
    other = tenancy.create_organization("Other", OrganizationPlan.COMMUNITY)
    assert tenancy.projects(other.id) == []
    assert tenancy.deployments(other.id) == []
    assert tenancy.organization(other.id).plan is OrganizationPlan.COMMUNITY


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.organization("org_0"),
        lambda t: t.project("prj_0"),
        lambda t: t.deployment("dep_0"),
        lambda t: t.deployment_of_domain("nobody"),
        lambda t: t.deployment_of_hostname("nobody.example"),
        lambda t: t.create_project("org_0", "Docs", "/srv/docs"),
        lambda t: t.create_deployment("prj_0", "docs", "docs.example.com"),
        lambda t: t.set_hostname("dep_0", "docs.example.com"),
    ],
)
def test_unknown_ids_are_not_found(tenancy: Tenancy, call) -> None:
    with pytest.raises(NotFound):
        call(tenancy)


@pytest.mark.parametrize("domain", ["", "Acme", "a.b", "-a", "a-", "a_b", "a" * 64, "a/b", "ä"])
def test_a_bad_domain_is_refused_by_name(tenancy: Tenancy, tenant, domain: str) -> None:
    with pytest.raises(InvalidRequest, match=r"^domain:"):
        tenancy.create_deployment(tenant.deployment.project_id, domain, "new.example.com")


@pytest.mark.parametrize(
    "hostname",
    [
        "",
        "https://docs.example.com",
        "docs.example.com/",
        "docs.example.com/docs",
        "docs.example.com:8080",
        "docs.example.com.",
        "docs..example.com",
        "-docs.example.com",
        "do_cs.example.com",
        "a" * 64 + ".example.com",
        ".".join(["a" * 60] * 5),
    ],
)
def test_a_bad_hostname_is_refused_by_name(tenancy: Tenancy, tenant, hostname: str) -> None:
    with pytest.raises(InvalidRequest, match=r"^hostname:"):
        tenancy.create_deployment(tenant.deployment.project_id, "new", hostname)


@pytest.mark.parametrize("name", ["", "   ", "two\nlines", "n" * 201])
def test_a_bad_name_is_refused_by_name(tenancy: Tenancy, name: str) -> None:
    with pytest.raises(InvalidRequest, match=r"^name:"):
        tenancy.create_organization(name)


def test_an_empty_source_is_refused_by_name(tenancy: Tenancy, tenant) -> None:
    with pytest.raises(InvalidRequest, match=r"^source:"):
        tenancy.create_project(tenant.organization.id, "Docs", " ")


@pytest.mark.parametrize(
    ("domain", "hostname", "taken"),
    [
        ("acme", "new.example.com", "domain: 'acme' is"),
        ("new", "DOCS.acme.example", "hostname: 'docs.acme.example' is"),
    ],
)
def test_domains_and_hostnames_are_unique(
    tenancy, tenant, domain: str, hostname: str, taken: str
) -> None:
    with pytest.raises(Conflict, match=f"^{taken} already taken$"):
        tenancy.create_deployment(tenant.deployment.project_id, domain, hostname)


def test_the_local_hostname_of_a_domain_is_not_given_to_another(
    tenancy: Tenancy, tenant, backend
) -> None:
    with backend.database.transaction() as connection:  # as an earlier version stored it
        connection.execute(update(deployments).values(hostname="new.localhost"))
    with pytest.raises(Conflict, match=r"^hostname: 'new\.localhost' is already taken$"):
        tenancy.new_deployment(tenant.deployment.project_id, "new", "new.example.com")


def test_a_hostname_can_be_changed_and_is_then_free(tenancy: Tenancy, tenant) -> None:
    moved = tenancy.set_hostname(tenant.deployment.id, "Help.acme.example")
    assert moved.hostname == "help.acme.example"
    assert tenancy.deployment_of_hostname("help.acme.example") == moved
    with pytest.raises(NotFound):
        tenancy.deployment_of_hostname("docs.acme.example")
    other = tenancy.create_deployment(moved.project_id, "other", "docs.acme.example")
    with pytest.raises(Conflict, match=r"help\.acme\.example"):
        tenancy.set_hostname(other.id, "help.acme.example")
    with pytest.raises(InvalidRequest, match="is reserved for"):
        tenancy.set_hostname(other.id, "acme.localhost")
    assert tenancy.deployment(other.id) == other
    assert tenancy.set_hostname(other.id, "other.localhost").hostname == "other.localhost"


def test_only_the_enterprise_plan_contains_static_export() -> None:
    assert [plan for plan in OrganizationPlan if Feature.STATIC_EXPORT in features(plan)] == [
        OrganizationPlan.ENTERPRISE
    ]
