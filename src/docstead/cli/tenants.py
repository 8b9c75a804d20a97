"""The organization and the deployments that commands work on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from docstead.accounts.plans import Plan
from docstead.accounts.tenancy import Deployment, Organization, Project
from docstead.app.services import Services
from docstead.base.errors import InvalidRequest, NotFound


def organization(services: Services) -> Organization:
    """The organization of this installation, made the first time."""
    known = services.tenancy.organizations()
    if known:
        return known[0]
    return services.tenancy.create_organization(
        "Default organization", Plan(services.settings.plan)
    )


def deployment(services: Services, domain: str | None) -> Deployment:
    """The deployment of this domain, or the only one there is.

    Raises:
        NotFound: there is no deployment yet, or none of that domain.
        InvalidRequest: no domain was given and there are several.
    """
    if domain is not None:
        return services.tenancy.deployment_of_domain(domain)
    known = services.tenancy.deployments()
    if not known:
        raise NotFound("nothing is published yet; run: docstead publish SOURCE --domain NAME")
    if len(known) > 1:
        names = ", ".join(each.domain for each in known)
        raise InvalidRequest(f"--domain: there are several deployments, name one of: {names}")
    return known[0]


@contextmanager
def deployment_for(
    services: Services,
    domain: str,
    hostname: str | None,
    *,
    source: str,
    ref: str | None,
    root: str,
) -> Iterator[Deployment]:
    """The deployment to publish to while the block does it, made where there is none.

    The project's source becomes the one given, so that updates over HTTP read the same.
    Nobody sees a new deployment before the block has published it; when the block fails there
    is none, and an old one keeps its source.
    """
    try:
        found = services.tenancy.deployment_of_domain(domain)
    except NotFound:
        with _new_project(services, domain, source, ref, root) as project:
            place = hostname or f"{domain}.localhost"
            planned = services.tenancy.new_deployment(project.id, domain, place)
            yield planned
            edition_id = next(iter(services.updates.of_project(project.id))).edition_id
            services.tenancy.add_deployment(replace(planned, current_edition_id=edition_id))
        return
    if hostname is not None and hostname.lower() != found.hostname:
        raise InvalidRequest(f"--hostname: {domain} is already served at {found.hostname}")
    with _other_source(services, found.project_id, source, ref, root):
        yield found


@contextmanager
def _new_project(
    services: Services, name: str, source: str, ref: str | None, root: str
) -> Iterator[Project]:
    owner = organization(services)
    project = services.tenancy.create_project(owner.id, name, source, ref, root)
    try:
        yield project
    except BaseException:
        services.tenancy.discard_unpublished(project.id)
        raise


@contextmanager
def _other_source(
    services: Services, project_id: str, source: str, ref: str | None, root: str
) -> Iterator[None]:
    before = services.tenancy.project(project_id)
    services.tenancy.set_source(project_id, source, ref, root)
    try:
        yield
    except BaseException:
        services.tenancy.set_source(
            project_id, before.source, before.source_ref, before.source_root
        )
        raise
