"""Validation of the options of `export`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.accounts.names import checked_domain
from docstead.base.api_keys import KeyKind, kind_of
from docstead.base.errors import InvalidRequest
from docstead.base.features import (
    DeploymentType,
    FeatureChoice,
    bundle_profile,
    deployment_type_of,
    parsed_features,
)
from docstead.content.config import SiteConfig
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.filtering import is_visible_to
from docstead.content.pages import Site
from docstead.export.options import (
    ExportOptions,
    checked_base_path,
    checked_base_url,
    checked_version,
)
from docstead.publishing.sources import DocumentationSource
from docstead.theme.external_services import (
    NOTHING,
    AssistantLink,
    ExternalServices,
    ForgeRepository,
    ReadersLink,
)

if TYPE_CHECKING:
    from docstead.publishing.edition import Edition

_OPTION = "--feature"
_SERVICE_OPTIONS = "--service-url, --service-domain and --service-key"
_NOBODY_COUNTS = (
    "analytics=on requires a service that counts readers "
    f"({_SERVICE_OPTIONS}) or integrations in docs.json"
)
_BASE_URL = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+(/[A-Za-z0-9._~/-]*)?")


@dataclass(frozen=True, slots=True)
class ExportFlags:
    """Options of the command line about the bundle, as given."""

    base_url: str = ""
    base_path: str | None = None
    version: str | None = None
    deployment_type: str | None = None
    features: Sequence[str] = ()
    groups: Sequence[str] = ()


def export_options(
    flags: ExportFlags,
    external_services: ExternalServices = NOTHING,
    general: Sequence[FeatureChoice] = (),
) -> ExportOptions:
    """Validate the options; `general` are the settings for bundles.

    Raises:
        InvalidRequest: an option is invalid; the message names it.
    """
    kind = None
    if flags.deployment_type:
        kind = deployment_type_of(flags.deployment_type, "--deployment-type")
    try:
        asked = parsed_features(flags.features)
        inherited = [_answered(each, external_services) for each in general]
        profile = bundle_profile([*inherited, FeatureChoice(_OPTION, kind, asked)])
        _check_service(asked, external_services)
    except InvalidRequest as error:
        is_named = error.message.startswith((_OPTION, "settings: "))
        raise InvalidRequest(error.message if is_named else f"{_OPTION}: {error.message}") from None
    return ExportOptions(
        base_url=checked_base_url(flags.base_url),
        base_path=_checked_base_path(flags),
        version=checked_version(flags.version),
        deployment_type=profile.type,
        features=profile.features,
        external_services=external_services,
        groups=tuple(flags.groups),
    )


def _checked_base_path(flags: ExportFlags) -> str | None:
    return None if flags.base_path is None else checked_base_path(flags.base_path, flags.base_url)


def _answered(choice: FeatureChoice, external_services: ExternalServices) -> FeatureChoice:
    """Drop features that the settings enable but that need a service this bundle lacks."""
    named = {"assistant": external_services.assistant, "analytics": external_services.readers}
    features = {
        name: is_on
        for name, is_on in choice.features.items()
        if not is_on or name not in named or named[name] is not None
    }
    return replace(choice, features=features)


def _check_service(asked: Mapping[str, bool], external_services: ExternalServices) -> None:
    if external_services.assistant is not None:
        return
    if asked.get("assistant"):
        raise InvalidRequest(f"assistant=on requires a service that answers: {_SERVICE_OPTIONS}")
    if asked.get("analytics") and not external_services.integrations:
        raise InvalidRequest(_NOBODY_COUNTS)


def check_counting(options: ExportOptions, config: SiteConfig) -> None:
    """Validate the analytics option.

    Raises:
        InvalidRequest: analytics were requested, but no service receives reader events.
    """
    is_asked = options.features.analytics and options.deployment_type is not DeploymentType.CLOUD
    readers = options.external_services.readers if options.external_services else None
    if is_asked and readers is None and not config.integrations.vendors:
        raise InvalidRequest(f"--feature: {_NOBODY_COUNTS}")


def external_services_of(
    url: str, domain: str, key: str, source: DocumentationSource
) -> ExternalServices:
    """Return the service that pages use, if all three options are given.

    Raises:
        InvalidRequest: an option is missing or invalid; the message names it.
    """
    repository = ForgeRepository.of(source.location, source.ref, source.root)
    given = {"--service-url": url, "--service-domain": domain, "--service-key": key}
    if not any(given.values()):
        return ExternalServices(repository=repository, integrations=True)
    missing = next((name for name, value in given.items() if not value), None)
    if missing:
        raise InvalidRequest(f"{missing}: is required with {', '.join(set(given) - {missing})}")
    if not _BASE_URL.fullmatch(url.rstrip("/")):
        raise InvalidRequest(f"--service-url: {url!r} is not a URL such as https://docs.example")
    if kind_of(key) is not KeyKind.ASSISTANT:
        raise InvalidRequest("--service-key: must be an assistant key, which begins with svc_dsc_")
    link = AssistantLink(f"{url.rstrip('/')}/discovery", checked_domain(domain), key)
    return ExternalServices(link, ReadersLink.of_service(link), repository, integrations=True)


def left_out(options: ExportOptions) -> tuple[Diagnostic, ...]:
    """Return warnings for enabled features without a service."""
    has = options.external_services or NOTHING
    requested = (
        ("assistant", options.features.assistant, has.assistant),
        ("analytics", options.features.analytics, has.readers),
    )
    return tuple(_left_out(name) for name, is_on, link in requested if is_on and link is None)


def without_url(options: ExportOptions) -> tuple[Diagnostic, ...]:
    """Return a note on parts that a bundle without a base URL lacks."""
    if options.base_url:
        return ()
    message = "without --base-url the site has no sitemap, canonical links, feeds or previews"
    hint = "Set the public URL: --base-url https://docs.example.com."
    return (Diagnostic("", 0, 0, Severity.INFO, "no-address", message, hint),)


def excluded_pages(options: ExportOptions, site: Site) -> tuple[Diagnostic, ...]:
    """Return notes on pages that are restricted to groups and therefore not exported."""
    pages = (meta for meta in site.pages.values() if any(meta.groups))
    left = [meta for meta in pages if not is_visible_to(meta, options.groups)]
    hint = "Include it with --groups {}; everyone with the bundle can then read it."
    return tuple(
        Diagnostic(
            meta.file, 1, 1, Severity.INFO, "page-for-groups",
            f"the page is restricted to {', '.join(meta.groups)} and not in the bundle",
            hint.format(meta.groups[0]),
        )
        for meta in left
    )  # fmt: skip


def own_output(output: Path, source: Path, edition: Edition) -> tuple[Diagnostic, ...]:
    """Return a warning if a bundle contains its predecessor, which was written into the source."""
    path = os.path.relpath(output.resolve(), source.resolve())
    if edition.asset(path) is None:
        return ()
    message = "the bundle contains the previous one, and the next will contain both"
    hint = "Write it outside of the source, or list it in .docsignore."
    return (Diagnostic(path, 1, 1, Severity.WARNING, "own-output", message, hint),)


def _left_out(name: str) -> Diagnostic:
    message = f"the feature {name!r} is on, but no service is configured for it"
    hint = f"Configure one with {_SERVICE_OPTIONS}."
    return Diagnostic("", 0, 0, Severity.WARNING, "feature-left-out", message, hint)


def listed(values: Iterable[str]) -> list[str]:
    """Split values that are repeated or comma-separated."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]
