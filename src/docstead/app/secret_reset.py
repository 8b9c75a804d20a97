"""Begin with a new secret where the old one is lost."""

from __future__ import annotations

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Tenancy
from docstead.agent.webhooks.records import WebhookRecords
from docstead.app.databases import database_url
from docstead.app.keys import root_secrets_of
from docstead.base.clock import SystemClock
from docstead.secrets import RootSecretFile
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.keyring import Keyring
from docstead.storage.private_files import private_files


def reset_keyring(settings: Settings) -> None:
    """Replace the keyring because its secret is lost, and remove all that it opened.

    Raises:
        InvalidRequest: the setting `secret` has an entry that is empty or too short.
    """
    clock, root_secrets = SystemClock(), root_secrets_of(settings)
    with private_files(settings.data):
        database = Database(database_url(settings))
        try:
            database.migrate()
            if isinstance(root_secrets, RootSecretFile):
                root_secrets.create()
            Keyring(database, clock, root_secrets).reset()
            ApiKeys(database, clock, b"").revoke_all()
            Tenancy(database, clock).forget_credentials()
            WebhookRecords(database, clock).remove_all()
        finally:
            database.close()
