"""What the options of `export` say, as values."""

from __future__ import annotations

from collections.abc import Iterable

from docstead.base.errors import InvalidRequest
from docstead.base.features import Features, deployment_type_of, parsed_features
from docstead.export.options import ExportOptions, checked_base_path, checked_version


def export_options(
    base_url: str,
    base_path: str | None,
    version: str | None,
    deployment_type: str,
    features: Iterable[str],
) -> ExportOptions:
    """Raises InvalidRequest, naming the option."""
    kind = deployment_type_of(deployment_type, "--deployment-type")
    try:
        chosen = Features.of(kind, parsed_features(features))
    except InvalidRequest as error:
        raise InvalidRequest(f"--feature: {error.message}") from None
    return ExportOptions(
        base_url=base_url,
        base_path=None if base_path is None else checked_base_path(base_path, base_url),
        version=checked_version(version),
        deployment_type=kind,
        features=chosen,
    )


def listed(values: Iterable[str]) -> list[str]:
    """Several values, given one by one or by commas."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]
