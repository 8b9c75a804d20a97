"""Reset of a lost root secret."""

from __future__ import annotations

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Tenancy
from docstead.app.databases import opened_database
from docstead.app.keys import root_secrets_of
from docstead.base.clock import SystemClock
from docstead.secrets import RootSecretFile
from docstead.settings import Settings
from docstead.storage.keyring import Keyring
from docstead.storage.private_files import private_files
from docstead.webhooks.records import WebhookRecords


def reset_keyring(settings: Settings) -> None:
    """Replace the keyring because its secret is lost, and delete everything encrypted with it.

    Raises:
        InvalidRequest: an entry of the setting `secret` is empty or too short.
        StoreUnavailable: the database cannot be reached; the message names URL and setting.
        UnusableDatabase: an SQLite file is damaged or unusable.
    """
    clock, root_secrets = SystemClock(), root_secrets_of(settings)
    with private_files(settings.data), opened_database(settings) as database:
        if isinstance(root_secrets, RootSecretFile):
            root_secrets.create()
        Keyring(database, clock, root_secrets).reset()
        ApiKeys(database, clock, b"").revoke_all()
        Tenancy(database, clock).forget_credentials()
        WebhookRecords(database, clock).remove_all()
