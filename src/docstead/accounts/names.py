"""Validation of user-supplied names."""

from __future__ import annotations

import re

from docstead.base.errors import InvalidRequest

_NAME_LENGTH = 200
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(_LABEL)
_HOSTNAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_HOSTNAME_LENGTH = 253


def checked_name(field: str, value: str) -> str:
    """Return a display name: not blank, one line, at most 200 characters."""
    name = value.strip()
    if not name:
        raise InvalidRequest(f"{field}: must not be empty")
    if len(name) > _NAME_LENGTH or not name.isprintable():
        raise InvalidRequest(f"{field}: must have at most {_NAME_LENGTH} printable characters")
    return name


def checked_domain(value: str) -> str:
    """Return the identifier of a deployment: lower-case letters, digits and hyphens, at most 63."""
    if not _DOMAIN.fullmatch(value):
        raise InvalidRequest(
            "domain: must be 1 to 63 lower-case letters, digits and hyphens, "
            f"without a hyphen at either end, not {value!r}"
        )
    return value


def checked_hostname(value: str) -> str:
    """Return a hostname (RFC 1123) in lower case: no scheme, port, path or trailing dot."""
    hostname = value.lower()
    if len(hostname) > _HOSTNAME_LENGTH or not _HOSTNAME.fullmatch(hostname):
        raise InvalidRequest(
            "hostname: must be a host name such as docs.example.com, "
            f"without scheme, port or path, not {value!r}"
        )
    return hostname
