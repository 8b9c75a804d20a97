"""Features of each deployment, resolved once from the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docstead.base.errors import InvalidRequest
from docstead.base.features import (
    FEATURES,
    DeploymentType,
    FeatureChoice,
    FeatureProfile,
    Features,
    bundle_profile,
    parsed_features,
    service_profile,
)
from docstead.settings import DeploymentSettings, Settings

if TYPE_CHECKING:  # also imported by commands without a database
    from docstead.accounts.tenancy import Deployment

_Choices = list[FeatureChoice]


@dataclass(frozen=True)
class FeatureProfiles:
    """Feature profiles by deployment; deployments without their own have `default`."""

    default: FeatureProfile
    by_domain: Mapping[str, FeatureProfile]

    def of(self, deployment: Deployment) -> FeatureProfile:
        return self.by_domain.get(deployment.domain, self.default)

    def features(self, deployment: Deployment) -> Features:
        return self.of(deployment).features

    @property
    def anywhere(self) -> Features:
        """Features that are enabled for at least one deployment."""
        every = [each.features.by_name() for each in (self.default, *self.by_domain.values())]
        return Features(**{name: any(one[name] for one in every) for name in FEATURES})


def service_profiles(settings: Settings) -> FeatureProfiles:
    """Return the features of sites on the service.

    Raises:
        InvalidRequest: settings contradict each other; the message names them.
    """
    return _profiles(settings, service_profile, lambda own: [*_general(settings), *own[:1]])


def bundle_profiles(settings: Settings) -> FeatureProfiles:
    """Return the features of exported bundles. Raises the errors of `service_profiles`."""
    *general, exports = bundle_choices(settings)
    return _profiles(settings, bundle_profile, lambda own: [*general, *own[:1], exports, *own[1:]])


def bundle_choices(settings: Settings) -> Sequence[FeatureChoice]:
    """Return the settings for bundles that apply to every deployment, for options to refine."""
    exports = _choice("EXPORT_FEATURES", settings.export_deployment_type, settings.export_features)
    return [*_general(settings), exports]


def _profiles(
    settings: Settings,
    resolve: Callable[[_Choices], FeatureProfile],
    choices: Callable[[_Choices], _Choices],
) -> FeatureProfiles:
    by_domain = {
        domain: resolve(choices(_own(domain, each)))
        for domain, each in settings.deployments.items()
    }
    return FeatureProfiles(resolve(choices([])), by_domain)


def _general(settings: Settings) -> Iterator[FeatureChoice]:
    """Yield choices that apply to every deployment; `*_ENABLED` are aliases of two features."""
    named = _choice("FEATURES", settings.deployment_type, settings.features)
    yield named
    for name, is_on in (
        ("assistant", settings.assistant_enabled),
        ("analytics", settings.analytics_enabled),
    ):
        if is_on is None:
            continue
        setting = f"DOCSTEAD_{name.upper()}_ENABLED"
        if named.features.get(name, is_on) is not is_on:
            raise InvalidRequest(
                f"settings: {setting} and DOCSTEAD_FEATURES disagree about {name}: "
                f"{str(is_on).lower()} and {name}={'off' if is_on else 'on'}; remove one of them"
            )
        source = f"settings: {setting} and DOCSTEAD_DEPLOYMENT_TYPE"
        yield FeatureChoice(source, None, {name: is_on})


def _own(domain: str, given: DeploymentSettings) -> _Choices:
    """Return the choices for one deployment, for the service and for its bundles."""
    table, exported = f"DEPLOYMENTS: {domain}: ", given.export_deployment_type
    return [
        _choice(f"{table}features", given.deployment_type, given.features, domain),
        _choice(f"{table}export_features", exported, given.export_features, domain),
    ]


def _choice(
    setting: str, kind: str | None, features: Iterable[str], domain: str = ""
) -> FeatureChoice:
    source = f"settings: DOCSTEAD_{setting}"
    try:
        named = parsed_features(features)
    except InvalidRequest as error:
        raise InvalidRequest(f"{source}: {error.message}") from None
    return FeatureChoice(source, DeploymentType(kind) if kind else None, named, domain)
