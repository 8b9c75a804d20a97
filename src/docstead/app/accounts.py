"""Organizations, deployments, keys and owners, for commands that need nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.owners import OwnerRecords
from docstead.accounts.renames import DeploymentRenames
from docstead.accounts.tenancy import Tenancy
from docstead.app.databases import opened_database
from docstead.app.keys import keyring_of
from docstead.base.clock import Clock, SystemClock
from docstead.limits import policies
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.keyring import Keyring
from docstead.storage.private_files import private_files


@dataclass(frozen=True)
class AccountServices:
    """Services for organizations, deployments and keys, over one database and one clock."""

    settings: Settings
    clock: Clock
    database: Database
    keyring: Keyring
    tenancy: Tenancy
    api_keys: ApiKeys
    owners: OwnerRecords
    renames: DeploymentRenames


@contextmanager
def open_accounts(settings: Settings) -> Iterator[AccountServices]:
    """Open the database and apply migrations; close it on exit.

    Raises:
        InvalidRequest: settings contradict each other.
        StoreUnavailable, UnusableDatabase: the database cannot be used.
    """
    with private_files(settings.data), opened_database(settings) as database:
        yield accounts_of(settings, database)


def accounts_of(settings: Settings, database: Database) -> AccountServices:
    """Return the account services of an open database.

    Raises:
        InvalidRequest: the secret is wrong, missing, empty or too short.
    """
    clock = SystemClock()
    keyring = keyring_of(settings, database, clock)
    tenancy = Tenancy(database, clock, keyring.vault)
    tenancy.seal_sources()
    limits = policies.checked(settings.limits)
    api_keys = ApiKeys(
        database, clock, keyring.pepper, creations_per_hour=limits.get("key-creation")
    )
    return AccountServices(
        settings=settings,
        clock=clock,
        database=database,
        keyring=keyring,
        tenancy=tenancy,
        api_keys=api_keys,
        owners=OwnerRecords(database, clock),
        renames=DeploymentRenames(database, tenancy, _configured(settings)),
    )


def _configured(settings: Settings) -> Mapping[str, Collection[str]]:
    """Return the domains that are named by each per-deployment setting."""
    return {
        "DOCSTEAD_DEPLOYMENTS": settings.deployments,
        "DOCSTEAD_DEPLOYMENT_MODELS": settings.deployment_models,
        "DOCSTEAD_DEPLOYMENT_SUPPORT": settings.deployment_support,
    }
