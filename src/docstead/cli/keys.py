"""Implementation of the `keys` commands: create, list, rotate and revoke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

import msgspec
import typer
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from docstead.accounts.key_records import KeyRecord
from docstead.app.accounts import open_accounts
from docstead.base.api_keys import KeyKind
from docstead.base.clock import rfc3339
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from docstead.cli.installation import account_settings
from docstead.cli.tenants import deployment, organization

_OPTIONS = {"scopes": "--scope", "allowlist": "--allow", "origins": "--origin"}  # by field
_WIDEST = 1_000  # columns of a table that is not printed to a terminal


def create(
    kind_name: str,
    *,
    domain: str | None,
    name: str,
    expires_in_days: int | None,
    scopes: Sequence[str] | None,
    allowlist: Sequence[str] | None,
    origins: Sequence[str] | None,
    as_json: bool,
) -> None:
    kind = _kind(kind_name)
    if kind is KeyKind.ADMIN and domain is not None:
        raise InvalidRequest("--domain: an admin key works on every deployment; leave it out")
    with open_accounts(account_settings()) as accounts, _named_by_option():
        created = accounts.api_keys.create(
            organization(accounts).id,
            kind,
            name,
            deployment_id=deployment(accounts, domain).id if kind is KeyKind.ASSISTANT else None,
            scopes=scopes or None,
            allowlist=allowlist or None,
            origins=origins or None,
            expires_at=_days_from(accounts.clock.now(), expires_in_days),
        )
    if as_json:
        typer.echo(msgspec.json.encode({"id": created.record.id, "key": created.key}).decode())
        return
    typer.echo(created.key)
    typer.echo(f"{created.record.id}: save this key now; it is not shown again.", err=True)


def list_all(*, as_json: bool) -> None:
    with open_accounts(account_settings()) as accounts:
        records = accounts.api_keys.list(organization(accounts).id)
        domains = {each.id: each.domain for each in accounts.tenancy.deployments()}
    if as_json:
        typer.echo(msgspec.json.encode([_wire(record, domains) for record in records]).decode())
    elif not records:
        typer.echo("There are no keys. Create one: docstead keys create admin", err=True)
    else:
        _print(_table(records, domains))


def revoke(key_id: str) -> None:
    with open_accounts(account_settings()) as accounts:
        try:
            accounts.api_keys.revoke(organization(accounts).id, key_id)
        except NotFound as error:
            raise NotFound(
                f"ID: there is no key {key_id!r}; docstead keys list shows the ids"
            ) from error
        except Conflict as error:
            raise Conflict(f"ID: the key {key_id!r} is already revoked") from error
    typer.echo(f"{key_id} is revoked.", err=True)


def rotate_site(domain: str | None) -> None:
    with open_accounts(account_settings()) as accounts:
        target = deployment(accounts, domain)
        before = accounts.api_keys.rotate_site_key(target)
        accounts.api_keys.site_key(target)
    typer.echo(f"The pages of {target.domain} have a new key.", err=True)
    if before is not None:
        typer.echo(
            "Exported bundles still use the previous key. After replacing them, run: "
            f"docstead keys revoke {before}",
            err=True,
        )


def rotate_webhook(domain: str | None) -> None:
    from docstead.agent.forge_hook_secrets import ForgeHookSecrets

    with open_accounts(account_settings()) as accounts:
        target = deployment(accounts, domain)
        secrets = ForgeHookSecrets(accounts.database, accounts.keyring.hooks_key)
        secret = secrets.rotate(target.project_id)
    typer.echo(
        f"The previous secret of the webhook of {target.domain} is refused. "
        "Enter the new one in the webhook on the forge:",
        err=True,
    )
    typer.echo(secret)


@contextmanager
def _named_by_option() -> Iterator[None]:
    """Name the option in messages that begin with the field of a key."""
    try:
        yield
    except InvalidRequest as error:
        field, separator, reason = error.detail.partition(": ")
        name = _OPTIONS.get(field, field)
        raise InvalidRequest(f"{name}{separator}{reason}") from error


def _kind(name: str) -> KeyKind:
    try:
        return KeyKind(name)
    except ValueError as error:
        raise InvalidRequest(f"{name!r} is not a kind of key; use admin or assistant") from error


def _days_from(now: datetime, days: int | None) -> datetime | None:
    return None if days is None else now + timedelta(days=days)


def _print(table: Table) -> None:
    """Print a table, in full width unless to a terminal."""
    console = Console(soft_wrap=True)
    if not console.is_terminal:
        options = console.options.update(max_width=_WIDEST)
        console.width = max(console.width, Measurement.get(console, options, table).maximum)
    console.print(table)


def _wire(record: KeyRecord, domains: Mapping[str, str]) -> dict[str, object]:
    return {
        "id": record.id,
        "kind": record.kind,
        "domain": domains.get(record.deployment_id or ""),
        "name": record.name,
        "hint": record.hint,
        "scopes": record.scopes,
        "allowlist": record.allowlist,
        "origins": record.origins,
        "createdAt": rfc3339(record.created_at),
        "expiresAt": record.expires_at and rfc3339(record.expires_at),
        "lastUsedAt": record.last_used_at and rfc3339(record.last_used_at),
    }


def _table(records: Sequence[KeyRecord], domains: Mapping[str, str]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("ID", no_wrap=True, min_width=len(records[0].id))  # id for `revoke`
    table.add_column("Kind")
    table.add_column("Domain", overflow="fold")
    table.add_column("Name", overflow="fold")
    table.add_column("Key", no_wrap=True, min_width=max(len(each.hint) for each in records))
    table.add_column("Expires")
    table.add_column("Last used")
    for record in records:
        table.add_row(
            record.id,
            record.kind,
            domains.get(record.deployment_id or "", "all"),
            record.name,
            record.hint,
            _day(record.expires_at, "never"),
            _day(record.last_used_at, "not yet"),
        )
    return table


def _day(moment: datetime | None, otherwise: str) -> str:
    return otherwise if moment is None else f"{moment:%Y-%m-%d}"
