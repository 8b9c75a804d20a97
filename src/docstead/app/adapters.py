"""Adapters chosen by the settings: object store, builders, forges, git and external services."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.agent.forges.access import ForgeAccess, GitHubApp
from docstead.agent.forges.approved_repositories import ApprovedRepository
from docstead.base.clock import Clock
from docstead.base.errors import InvalidRequest
from docstead.base.features import Features
from docstead.base.networks import parsed_networks
from docstead.base.units import MIB
from docstead.publishing.builders import BuilderLimits, BuilderPool, WarmParent
from docstead.publishing.git_network import GitNetwork
from docstead.rendering import EngineLimits
from docstead.settings import ForgeCredential, Settings
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects, ObjectStore, S3Objects
from docstead.theme.external_services import (
    AssistantLink,
    ExternalServices,
    ForgeRepository,
    ReadersLink,
)

_TASKS = (
    "docstead.publishing.build_tasks",
    "docstead.loading.loader",  # which builds import when they begin
    "docstead.agent.tools.check_tasks",
    "docstead.agent.reviews.preview_task",
)


def builders_of(settings: Settings, parent: WarmParent | None = None) -> BuilderPool:
    """Return the pool of builder processes, forked from `parent` or from a new process."""
    limits = BuilderLimits(
        seconds=settings.build_seconds,
        memory_bytes=settings.build_memory_mb * MIB,
        sandbox=settings.sandbox,
    )
    return BuilderPool(
        settings.data / "cache" / "builders",
        modules=_TASKS,
        parent=parent,
        limits=limits,
        engine_limits=EngineLimits(sandbox=settings.sandbox),
        workers=settings.render_workers,
    )


def objects_of(settings: Settings, signer: LinkSigner, clock: Clock) -> ObjectStore:
    if not settings.s3_bucket:
        return DiskObjects(settings.data / "objects", signer, settings.public_url)
    return S3Objects(
        settings.s3_bucket,
        endpoint=settings.s3_endpoint or None,
        region=settings.s3_region,
        access_key_id=settings.s3_access_key_id or None,
        secret_access_key=settings.s3_secret_access_key.get_secret_value() or None,
        clock=clock,
    )


def forge_credentials_of(settings: Settings) -> Mapping[str, ForgeAccess]:
    """Return the operator's tokens and GitHub Apps by name.

    Raises:
        InvalidRequest: a private key file cannot be read.
    """
    return {name: _access(name, given) for name, given in settings.forge_credentials.items()}


def _access(name: str, given: ForgeCredential) -> ForgeAccess:
    app = None
    if given.app_id:
        app = GitHubApp(given.app_id, _private_key(name, given), given.installation_id)
    return ForgeAccess(
        name=name,
        token=given.token.get_secret_value(),
        username=given.username,
        api_url=given.api_url,
        app=app,
        ssh_key_file=given.ssh_key_file,
        organizations=frozenset(given.organizations),
    )


def _private_key(name: str, given: ForgeCredential) -> str:
    if given.private_key_file is None:
        return given.private_key.get_secret_value()
    try:
        return given.private_key_file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest(
            f"settings: DOCSTEAD_FORGE_CREDENTIALS: {name}: private_key_file: cannot be read"
        ) from error


def agent_repositories_of(settings: Settings) -> tuple[ApprovedRepository, ...]:
    """Return the additional repositories that agent jobs may read.

    Raises:
        InvalidRequest: a repository names an unknown credential.
    """
    for each in settings.agent_repositories:
        if each.credential and each.credential not in settings.forge_credentials:
            raise InvalidRequest(
                f"settings: DOCSTEAD_AGENT_REPOSITORIES: {each.address}: "
                f"there is no forge credential {each.credential!r}"
            )
    return tuple(
        ApprovedRepository(each.address, each.credential, frozenset(each.organizations))
        for each in settings.agent_repositories
    )


def git_network_of(settings: Settings) -> GitNetwork:
    """Return the servers that git may connect to for read-only repositories."""
    known_hosts = (settings.data / "known_hosts").absolute()
    return GitNetwork(parsed_networks(settings.git_networks), known_hosts=known_hosts)


def external_services_of(
    settings: Settings,
    features: Callable[[Deployment], Features],
    api_keys: ApiKeys,
    tenancy: Tenancy,
    deployment: Deployment,
) -> ExternalServices:
    """Return the services that pages of a deployment use, as far as its features are enabled."""
    answered = features(deployment)
    key = api_keys.site_key(deployment)
    project = tenancy.project(deployment.project_id)
    link = AssistantLink(f"{settings.public_url}/discovery", deployment.domain, key)
    return ExternalServices(
        assistant=link if key and answered.assistant else None,
        readers=ReadersLink.of_service(link) if key and answered.analytics else None,
        repository=ForgeRepository.of(project.source, project.source_ref, project.source_root),
        integrations=True,
        script_hosts=settings.script_hosts,
    )
