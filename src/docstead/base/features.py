"""Features of a site by deployment type (docs/reference/features.mdx).

    feature      cloud   client-hosted   air-gapped
    search       yes     configurable    no
    assistant    yes     configurable    no
    analytics    yes     configurable    no
    playground   yes     yes             configurable

Configurable features have defaults: in bundles, assistant and analytics are off, because they need
a service; on the service they are on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from docstead.base.errors import InvalidRequest, Unavailable

#: Name of search in bundles before 0.1. Accepted in old bundles and configurations, without
#: effect.
FORMER_SEARCH = "browserSearch"


class DeploymentType(StrEnum):
    """Operator and network of a site."""

    CLOUD = "cloud"  #: Everything is available.
    CLIENT_HOSTED = "client-hosted"  #: The owner's network; the owner configures features.
    AIR_GAPPED = "air-gapped"  #: No search, no assistant and no analytics.


@dataclass(frozen=True, slots=True)
class Features:
    """Features that a site offers its readers."""

    search: bool
    assistant: bool
    analytics: bool
    playground: bool

    @classmethod
    def of(
        cls, deployment_type: DeploymentType, chosen: Mapping[str, bool] | None = None
    ) -> Features:
        """Return the features of a bundle with these choices by name.

        Raises:
            InvalidRequest: a feature is unknown, or fixed by the deployment type.
        """
        return cls._with(deployment_type, chosen or {}, _BUNDLE_DEFAULTS)

    @classmethod
    def on_service(
        cls, deployment_type: DeploymentType, chosen: Mapping[str, bool] | None = None
    ) -> Features:
        """Return the features of a site on the service. Raises the errors of `of`."""
        return cls._with(deployment_type, chosen or {}, _SERVICE_DEFAULTS)

    @classmethod
    def _with(
        cls,
        deployment_type: DeploymentType,
        chosen: Mapping[str, bool],
        defaults: Mapping[DeploymentType, Mapping[str, bool]],
    ) -> Features:
        for name, requested in chosen.items():
            _check(deployment_type, name, requested=requested)
        return cls(**{**defaults[deployment_type], **chosen})

    def by_name(self) -> dict[str, bool]:
        """Return the features by their names in configurations and bundles."""
        return {name: getattr(self, name) for name in FEATURES}

    def require(self, name: str) -> None:
        """Raise Unavailable if the feature is disabled."""
        if not getattr(self, name):
            raise Unavailable(_SWITCHED_OFF[name])


FEATURES = ("search", "assistant", "analytics", "playground")
ALL_FEATURES = Features(search=True, assistant=True, analytics=True, playground=True)
_SWITCHED_OFF = {
    "search": "Search is switched off here.",
    "assistant": "The assistant is switched off here.",
    "analytics": "Analytics are switched off here: readers are not counted.",
    "playground": "The API playground is switched off here.",
}
_WORDS = {"on": True, "true": True, "off": False, "false": False}

_FIXED: Mapping[DeploymentType, Mapping[str, bool]] = {
    DeploymentType.CLOUD: dict.fromkeys(FEATURES, True),
    DeploymentType.CLIENT_HOSTED: {"playground": True},
    DeploymentType.AIR_GAPPED: {"search": False, "assistant": False, "analytics": False},
}

_BUNDLE_DEFAULTS: Mapping[DeploymentType, Mapping[str, bool]] = {
    DeploymentType.CLOUD: dict.fromkeys(FEATURES, True),
    DeploymentType.CLIENT_HOSTED: {
        "search": True, "assistant": False, "analytics": False, "playground": True,
    },
    DeploymentType.AIR_GAPPED: dict.fromkeys(FEATURES, False),
}  # fmt: skip
_SERVICE_DEFAULTS: Mapping[DeploymentType, Mapping[str, bool]] = {
    **_BUNDLE_DEFAULTS,
    DeploymentType.CLIENT_HOSTED: dict.fromkeys(FEATURES, True),
}


@dataclass(frozen=True, slots=True)
class FeatureProfile:
    """A deployment type with valid features."""

    type: DeploymentType
    features: Features


@dataclass(frozen=True, slots=True)
class FeatureChoice:
    """Features chosen by a setting or option; `source` is its name for messages.

    `domain` is that of the only deployment it applies to, or "" for all.
    """

    source: str
    type: DeploymentType | None = None
    features: Mapping[str, bool] = field(default_factory=dict)
    domain: str = ""


def bundle_profile(choices: Sequence[FeatureChoice]) -> FeatureProfile:
    """Return the profile of a bundle. Each of `choices` overrides those before it.

    The last type applies. More general choices are dropped if the type fixes the feature.

    Raises:
        InvalidRequest: a choice contradicts the type; the message names the source.
    """
    kind, chosen = _resolved(choices)
    return FeatureProfile(kind, Features.of(kind, chosen))


def service_profile(choices: Sequence[FeatureChoice]) -> FeatureProfile:
    """Return the profile of a site on the service, like `bundle_profile`."""
    kind, chosen = _resolved(choices)
    return FeatureProfile(kind, Features.on_service(kind, chosen))


def _resolved(choices: Sequence[FeatureChoice]) -> tuple[DeploymentType, dict[str, bool]]:
    kind, domain, level = DeploymentType.CLIENT_HOSTED, "", 0
    for number, choice in enumerate(choices):
        if choice.type is not None:
            kind, domain, level = choice.type, choice.domain, number
    chosen: dict[str, bool] = {}
    for number, choice in enumerate(choices):
        is_inherited = number < level or (bool(domain) and not choice.domain)
        chosen |= _possible(kind, choice, is_inherited=is_inherited)
    return kind, chosen


def _possible(
    kind: DeploymentType, choice: FeatureChoice, *, is_inherited: bool
) -> dict[str, bool]:
    """Return the choices that the type allows; raise for others unless inherited."""
    possible: dict[str, bool] = {}
    for name, requested in choice.features.items():
        try:
            _check(kind, name, requested=requested)
        except InvalidRequest as error:
            if is_inherited and name in FEATURES:
                continue
            raise InvalidRequest(f"{choice.source}: {error.message}") from None
        possible[name] = requested
    return possible


def deployment_type_of(name: str, field: str = "deploymentType") -> DeploymentType:
    """Return the type with this name. Raises InvalidRequest with the `field`."""
    try:
        return DeploymentType(name)
    except ValueError:
        known = ", ".join(DeploymentType)
        raise InvalidRequest(f"{field}: must be one of {known}, not {name!r}") from None


def parsed_features(texts: Iterable[str]) -> dict[str, bool]:
    """Parse `name=on` and `name=off`. Raises InvalidRequest."""
    chosen: dict[str, bool] = {}
    for text in texts:
        name, _, word = text.partition("=")
        if word.strip().lower() not in _WORDS:
            raise InvalidRequest(f"{text!r} does not have the form search=off")
        chosen[name.strip()] = _WORDS[word.strip().lower()]
    return chosen


def _check(deployment_type: DeploymentType, name: str, *, requested: bool) -> None:
    if name == FORMER_SEARCH:
        raise InvalidRequest(
            f"features.{name}: no longer a feature; `search` switches search in the pages"
        )
    if name not in FEATURES:
        raise InvalidRequest(f"features.{name}: no such feature; there are {', '.join(FEATURES)}")
    fixed = _FIXED[deployment_type].get(name)
    if fixed is None or fixed is requested:
        return
    elsewhere = [each.value for each in DeploymentType if _FIXED[each].get(name) is not fixed]
    always = "always on" if fixed else "not available"
    choice = f"{'off' if fixed else 'on'} is possible with deploymentType {' or '.join(elsewhere)}"
    raise InvalidRequest(
        f"features.{name}: {always} where deploymentType is {deployment_type}; {choice}"
    )
