"""Selection and construction of a project's forge."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import httpx

from docstead.accounts.tenancy import Project
from docstead.agent.forges import github, gitlab
from docstead.agent.forges.access import ForgeAccess, access_named, token_of
from docstead.agent.forges.approved_repositories import ApprovedRepository, approved_for
from docstead.agent.forges.built_in import BuiltInForge
from docstead.agent.forges.client import ForgeClient, new_client
from docstead.agent.forges.forge import Forge, ForgeKind
from docstead.agent.forges.github import GitHub
from docstead.agent.forges.gitlab import GitLab
from docstead.agent.forges.project_settings import ProjectSettings, ProjectSettingsStore
from docstead.agent.forges.tokens import InstallationTokens, TokenSource, app_jwt
from docstead.agent.forges.urls import credentials_for, host_of, repository_of
from docstead.agent.reviews.records import ReviewRecords
from docstead.agent.workspace.remote import GitCredentials, GitRemote
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.publishing.git_network import NAMED_BY_OPERATOR, GitNetwork
from docstead.publishing.sources import DocumentationSource, SourceCredentials


@dataclass(frozen=True, slots=True)
class ForgeState:
    """The forge of a project; `error` is the reason why it cannot be used yet."""

    kind: ForgeKind | None
    error: str = ""


@dataclass(frozen=True)
class ForgeFactory:
    """Creates forges. `credentials` are the operator's, by name; `base_url` is the service's."""

    credentials: Mapping[str, ForgeAccess]
    settings: ProjectSettingsStore
    reviews: ReviewRecords
    base_url: str
    open_client: Callable[[], httpx.Client] = new_client
    now: Callable[[], float] = time.time  # Unix time
    sleep: Callable[[float], None] = time.sleep
    tokens: InstallationTokens = field(default_factory=InstallationTokens)
    repositories: tuple[ApprovedRepository, ...] = ()  # approved by the operator for reading
    network: GitNetwork = NAMED_BY_OPERATOR

    def close(self) -> None:
        """Close connections to forges."""
        if "_client" in vars(self):
            self._client.close()

    @cached_property
    def _client(self) -> httpx.Client:
        # Created on first use: loading certificates takes half of the time to open the services.
        return self.open_client()

    def of(self, project: Project) -> Forge:
        """Return the forge of a project.

        Raises:
            InvalidRequest: its settings or source are unsuitable; the message explains why.
        """
        return self.forge_for(project, self.settings.of(project.id))

    def credential_names(self, organization_id: str) -> tuple[str, ...]:
        """Return the credential names that projects of an organization may use."""
        return tuple(
            name
            for name, access in self.credentials.items()
            if not access.organizations or organization_id in access.organizations
        )

    def readable_by(self, organization_id: str) -> dict[str, ApprovedRepository]:
        """Return the additional repositories that an organization's projects may read, by URL."""
        return approved_for(self.repositories, organization_id)

    def credentials_to_read(
        self, project: Project, requested: ApprovedRepository
    ) -> GitCredentials | None:
        """Return the credentials for reading an additional repository.

        Raises:
            InvalidRequest: the organization has no credential with the configured name.
        """
        remote = GitRemote.of(DocumentationSource(requested.url))
        if requested.credential:
            access = access_named(self.credentials, requested.credential, project.organization_id)
            if access.ssh_key_file and remote.protocol == "ssh":
                return GitCredentials(ssh_key_file=access.ssh_key_file)
            return credentials_for(remote, access.username or "x-access-token", access.token)
        forge = self.of(project)
        return forge.credentials() if host_of(remote) == host_of(forge.remote) else None

    def credentials_to_publish(self, project: Project) -> SourceCredentials | None:
        """Return the project's configured credential for reading its source.

        Raises:
            DocsteadError: it cannot be used; the message explains why.
        """
        if not self.settings.of(project.id).credential:
            return None
        found = self.of(project).credentials()
        if found is None:
            return None
        return SourceCredentials(found.username, found.password, found.ssh_key_file)

    def state_of(self, project: Project) -> ForgeState:
        """Return the project's forge, or what is missing."""
        chosen = self.settings.of(project.id)
        try:
            return ForgeState(self.forge_for(project, chosen).kind)
        except DocsteadError as error:
            return ForgeState(chosen.forge, error.message)

    def forge_for(self, project: Project, chosen: ProjectSettings) -> Forge:
        access = access_named(self.credentials, chosen.credential, project.organization_id)
        source = DocumentationSource(project.source, project.source_ref, project.source_root)
        remote = _with_key(GitRemote.of(source, network=self.network), access)
        kind = chosen.forge or kind_of(remote)
        if kind is ForgeKind.GITHUB:
            return self._github(_hosted(remote, kind), access)
        if kind is ForgeKind.GITLAB:
            return self._gitlab(_hosted(remote, kind), access)
        return BuiltInForge(
            kind, remote, project.id, self.reviews, self.base_url, access.username, access.token
        )

    def _github(self, remote: GitRemote, access: ForgeAccess) -> Forge:
        api_url = access.api_url.rstrip("/") or github.api_url_of(host_of(remote))
        token = self._github_token(remote, access, api_url)
        return GitHub(remote, self._github_calls(remote, api_url, token), token)

    def _github_token(self, remote: GitRemote, access: ForgeAccess, api_url: str) -> TokenSource:
        if access.app is None:
            return token_of(access, remote, "GitHub")
        app = access.app
        calls = self._github_calls(remote, api_url, lambda: app_jwt(app, self.now()))
        return lambda: self.tokens.token(app, repository_of(remote), calls)

    def _github_calls(self, remote: GitRemote, api_url: str, token: TokenSource) -> ForgeClient:
        return self._calls("GitHub", remote, api_url, lambda: github.headers_with(token()))

    def _gitlab(self, remote: GitRemote, access: ForgeAccess) -> Forge:
        api_url = access.api_url.rstrip("/") or gitlab.api_url_of(host_of(remote))
        token = token_of(access, remote, "GitLab")
        calls = self._calls("GitLab", remote, api_url, lambda: gitlab.headers_with(token()))
        return GitLab(remote, calls, token)

    def _calls(
        self, forge: str, remote: GitRemote, api_url: str, headers: Callable[[], Mapping[str, str]]
    ) -> ForgeClient:
        return ForgeClient(
            forge,
            api_url,
            headers,
            repository_of(remote),
            sleep=self.sleep,
            now=self.now,
            client=self._client,
        )


def kind_of(remote: GitRemote) -> ForgeKind:
    """Return the kind of forge that the URL indicates."""
    if remote.protocol == "file":
        return ForgeKind.LOCAL
    host = host_of(remote)
    if host in github.PUBLIC_HOSTS:
        return ForgeKind.GITHUB
    is_gitlab = host == "gitlab.com" or host.startswith("gitlab.")
    return ForgeKind.GITLAB if is_gitlab else ForgeKind.GIT


def _with_key(remote: GitRemote, access: ForgeAccess) -> GitRemote:
    if access.ssh_key_file is None or remote.protocol != "ssh":
        return remote
    return replace(remote, credentials=GitCredentials(ssh_key_file=access.ssh_key_file))


def _hosted(remote: GitRemote, kind: ForgeKind) -> GitRemote:
    if not host_of(remote) or "/" not in repository_of(remote):
        raise InvalidRequest(
            f"the project's source {remote.url} is not the URL of a {kind.value} repository"
        )
    return remote
