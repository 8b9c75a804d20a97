"""Which features a site has where it is deployed (interface, "Feature availability").

    feature         cloud   client-hosted   air-gapped
    search          yes     configurable    no
    assistant       yes     configurable    no
    analytics       yes     configurable    no
    playground      yes     yes             configurable
    browserSearch   configurable everywhere

`browserSearch` is an index inside the bundle, which needs no service; the table's search is
the service's own. What is configurable and not configured has the value of `_DEFAULTS`: an
assistant and analytics wait for their owner's word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from docstead.base.errors import InvalidRequest


class DeploymentType(StrEnum):
    """Who runs a site, and what it can reach."""

    CLOUD = "cloud"  #: The whole service is at hand.
    CLIENT_HOSTED = "client-hosted"  #: In its owner's network, which decides what is on.
    AIR_GAPPED = "air-gapped"  #: Without a connection to anything.


@dataclass(frozen=True, slots=True)
class Features:
    """What the pages of a site offer their readers."""

    search: bool
    assistant: bool
    analytics: bool
    playground: bool
    browser_search: bool

    @classmethod
    def of(
        cls, deployment_type: DeploymentType, chosen: Mapping[str, bool] | None = None
    ) -> Features:
        """The features of a deployment, with those that were chosen by their public names.

        Raises:
            InvalidRequest: no such feature, or one that this type of deployment fixes.
        """
        chosen = chosen or {}
        for name, wanted in chosen.items():
            _check(deployment_type, name, wanted=wanted)
        defaults = _DEFAULTS[deployment_type]
        return cls(**{_FIELDS[name]: chosen.get(name, defaults[name]) for name in FEATURES})

    def by_name(self) -> dict[str, bool]:
        """By the names that configurations and bundles use."""
        return {name: getattr(self, field) for name, field in _FIELDS.items()}


_FIELDS: Mapping[str, str] = {
    "search": "search",
    "assistant": "assistant",
    "analytics": "analytics",
    "playground": "playground",
    "browserSearch": "browser_search",
}
FEATURES = tuple(_FIELDS)
_WORDS = {"on": True, "true": True, "off": False, "false": False}

_FIXED: Mapping[DeploymentType, Mapping[str, bool]] = {
    DeploymentType.CLOUD: {
        "search": True, "assistant": True, "analytics": True, "playground": True,
    },
    DeploymentType.CLIENT_HOSTED: {"playground": True},
    DeploymentType.AIR_GAPPED: {"search": False, "assistant": False, "analytics": False},
}  # fmt: skip

_DEFAULTS: Mapping[DeploymentType, Mapping[str, bool]] = {
    DeploymentType.CLOUD: {**_FIXED[DeploymentType.CLOUD], "browserSearch": True},
    DeploymentType.CLIENT_HOSTED: {
        "search": True, "assistant": False, "analytics": False, "playground": True,
        "browserSearch": True,
    },
    DeploymentType.AIR_GAPPED: {
        **_FIXED[DeploymentType.AIR_GAPPED], "playground": False, "browserSearch": False,
    },
}  # fmt: skip


def deployment_type_of(name: str, field: str = "deploymentType") -> DeploymentType:
    """The type of this name. Raises InvalidRequest, naming `field`."""
    try:
        return DeploymentType(name)
    except ValueError:
        known = ", ".join(DeploymentType)
        raise InvalidRequest(f"{field}: {name!r} is none of {known}") from None


def parsed_features(texts: Iterable[str]) -> dict[str, bool]:
    """Features as `name=on` and `name=off`, by their names. Raises InvalidRequest."""
    chosen: dict[str, bool] = {}
    for text in texts:
        name, _, word = text.partition("=")
        if word.strip().lower() not in _WORDS:
            raise InvalidRequest(f"{text!r} is no choice such as search=off")
        chosen[name.strip()] = _WORDS[word.strip().lower()]
    return chosen


def _check(deployment_type: DeploymentType, name: str, *, wanted: bool) -> None:
    if name not in _FIELDS:
        raise InvalidRequest(f"features.{name}: no such feature; there are {', '.join(FEATURES)}")
    fixed = _FIXED[deployment_type].get(name)
    if fixed is None or fixed is wanted:
        return
    elsewhere = [each.value for each in DeploymentType if _FIXED[each].get(name) is not fixed]
    always = "always on" if fixed else "not available"
    choice = f"{'off' if fixed else 'on'} is possible with deploymentType {' or '.join(elsewhere)}"
    raise InvalidRequest(
        f"features.{name}: {always} where deploymentType is {deployment_type}; {choice}"
    )
