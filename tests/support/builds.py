"""Builders for tests, which share one warm parent per process, and checks without builders."""

from __future__ import annotations

import atexit
from functools import cache
from pathlib import Path
from typing import Any

from docstead.accounts.tenancy import Tenancy
from docstead.agent.tools import WorkspaceChecker
from docstead.base.clock import Clock
from docstead.hosting.edition_site import show_home
from docstead.publishing.builders import BuilderLimits, BuilderPool, ForkServer
from docstead.publishing.edition_builds import EditionBuilds
from docstead.publishing.editions import EditionStore
from docstead.publishing.new_editions import NewEditions
from docstead.publishing.project_sources import ProjectSources
from docstead.publishing.publisher import Publisher
from docstead.publishing.remote_files import FetchAsset, RemoteReaders, no_assets
from docstead.publishing.storage_quota import StorageQuota
from docstead.publishing.update_records import UpdateRecords
from docstead.rendering import RenderingEngine
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from ready_children import forked_children
from ready_processes import is_distributed

TASKS = (
    "docstead.publishing.build_tasks",
    "docstead.loading.loader",
    "docstead.agent.tools.check_tasks",
    "docstead.agent.reviews.preview_task",
)


@cache
def fork_server() -> ForkServer:
    """Return the warm parent of this process's builders.

    In a distributed run it is forked, because the parent of other processes is there anyway.
    """
    parent = ForkServer(TASKS)
    atexit.register(parent.close)
    if is_distributed():
        with forked_children():
            parent.prepare()
    return parent


@cache
def shared_checker() -> WorkspaceChecker:
    """Return the checker of this process, which renders a page once for all workspaces."""
    return WorkspaceChecker(lambda: RenderingEngine(1, start=fork_server().start_worker))


def builders_in(folder: Path, limits: BuilderLimits | None = None) -> BuilderPool:
    return BuilderPool(folder / "builders", limits=limits, workers=1, parent=fork_server())


def builds_in(
    folder: Path, limits: BuilderLimits | None = None, fetch_asset: FetchAsset = no_assets
) -> EditionBuilds:
    return EditionBuilds(
        builders_in(folder, limits), folder / "builds", RemoteReaders(asset=fetch_asset)
    )


def publisher_in(
    folder: Path,
    database: Database,
    objects: ObjectStore,
    clock: Clock,
    editions: EditionStore,
    *,
    builds: EditionBuilds | None = None,
    quota: StorageQuota | None = None,
    **choices: Any,
) -> Publisher:
    """Return a publisher whose files are below a folder; `choices` are more of its arguments."""
    tenancy = Tenancy(database, clock)
    return Publisher(
        tenancy=tenancy,
        records=UpdateRecords(database, clock),
        sources=ProjectSources(tenancy, objects, folder / "workspace" / "sources"),
        builds=builds or builds_in(folder),
        editions=editions,
        new_editions=NewEditions(database, objects, editions, clock, show=show_home, quota=quota),
        **choices,
    )
