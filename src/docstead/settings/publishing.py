"""Settings of sources, builds, editions, exports and features."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from docstead.base.sandbox import SandboxMode
from docstead.base.units import DAY_SECONDS, GIB, MIB, MINUTE_SECONDS
from docstead.settings.values import (
    CommaSeparated,
    DeploymentTypeName,
    Networks,
    without_commas,
)


class DeploymentSettings(BaseModel):
    """Table `[deployments.DOMAIN]`: features of one deployment and of its bundles."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    deployment_type: DeploymentTypeName | None = None
    """Deployment type of the site; by default that of the service."""

    features: tuple[str, ...] = ()
    """Features of the site that the type leaves open; by default those of the service."""

    export_deployment_type: DeploymentTypeName | None = None
    """Deployment type of its bundles; by default that of the site."""

    export_features: tuple[str, ...] = ()
    """Features of its bundles."""

    @field_validator("features", "export_features", mode="before")
    @classmethod
    def _split_commas(cls, value: object) -> object:
        return without_commas(value)


class PublishingSettings(BaseModel, defer_build=True):
    """Settings of sources, builds, editions, exports and features."""

    bundle_link_seconds: int = Field(default=DAY_SECONDS, ge=MINUTE_SECONDS, le=7 * DAY_SECONDS)
    """Life of an export's download link, in seconds; at most seven days."""

    exports_kept: Annotated[int, Field(ge=0)] | Literal["all"] = 10
    """Newest exports kept for each deployment, or `all`; 0 leaves it to their age."""

    exports_kept_days: int = Field(default=1, ge=1, le=36_500)
    """Days after their end for which exports are kept, however many there are."""

    organization_bytes: int = Field(default=100 * GIB, ge=MIB)
    """Most bytes that one organization stores: editions, their files, archives and bundles."""

    editions_kept: int = Field(default=10, ge=2)
    """Editions kept of each project, the current one and the one before it among them."""

    deployment_type: DeploymentTypeName = "client-hosted"
    """Deployment type of sites and their bundles: decides which features they may have."""

    features: CommaSeparated = ()
    """Features that the type leaves open, such as `analytics=off`. On the service they are on
    unless named; in bundles the assistant and analytics are off unless named."""

    export_deployment_type: DeploymentTypeName | None = None
    """Deployment type of exported bundles, where it is another than that of the sites."""

    export_features: CommaSeparated = ()
    """Features of exported bundles, where they are others than those of the sites."""

    deployments: dict[str, DeploymentSettings] = {}
    """The same four settings for one deployment, as tables `[deployments.DOMAIN]` (JSON in the
    environment)."""

    render_workers: int = Field(default=2, ge=1, le=64)
    """Engine processes that render pages while something is published."""

    source_bytes: int = Field(default=GIB, ge=MIB)
    """Most bytes that the commit of a git source unpacks to."""

    source_pack_bytes: int = Field(default=2 * GIB, ge=MIB)
    """Most bytes of a file that git writes while it fetches a source, such as a pack."""

    source_files: int = Field(default=100_000, ge=1)
    """Most files of a source, of a folder without those that are ignored."""

    source_depth: int = Field(default=64, ge=1)
    """Most folders within each other in a source."""

    sandbox: SandboxMode = SandboxMode.AUTO
    """Sandbox of processes that work on repositories: `required`, `auto` or `off`."""

    build_seconds: int = Field(default=300, ge=1)
    """Time in which a small repository is read and built; each five files add a second."""

    build_memory_mb: int = Field(default=2_048, ge=64, le=1_000_000)
    """Memory of the process that reads and builds a repository."""

    chromium: Path | None = None
    """Chromium or Chrome, for PDFs and screenshots; the one on the `PATH` by default."""

    specification_networks: Networks = ()
    """Networks (CIDR, comma-separated) that OpenAPI files, logos and fonts may be fetched from
    although they are private."""

    remote_assets: bool = True
    """Whether publishing fetches logos, favicons and fonts of other hosts; never if the service
    or a deployment of the project is `air-gapped`."""

    def fetches_assets(self, domains: Iterable[str] = ()) -> bool:
        """Report whether publishing fetches files of other hosts that `docs.json` uses.

        `domains` are the deployments that show the edition.
        """
        own = (self.deployments[each] for each in domains if each in self.deployments)
        kinds = {self.deployment_type, *(each.deployment_type for each in own)}
        return self.remote_assets and "air-gapped" not in kinds
