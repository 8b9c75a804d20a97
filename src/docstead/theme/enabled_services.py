"""External services that pages use, as far as the features of the site allow them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlsplit

from docstead.base.features import Features
from docstead.content.config import SiteConfig
from docstead.theme.external_services import AssistantLink, ExternalServices, ReadersLink
from docstead.theme.integrations import ThirdPartyScripts
from docstead.theme.links import marked


@dataclass(frozen=True)
class EnabledServices:
    """The assistant, the collector of reader events and feedback, and third-party scripts."""

    assistant: AssistantLink | None
    readers: ReadersLink | None
    third_party: ThirdPartyScripts

    @classmethod
    def of(
        cls, services: ExternalServices, features: Features, config: SiteConfig, *, is_shared: bool
    ) -> EnabledServices:
        """Return the services of a site, which has its own host unless it `is_shared`."""
        is_counted = features.analytics and config.telemetry
        is_allowed = services.integrations and features.analytics and not is_shared
        # Air-gapped sites have none of these features.
        has_network = features.search or features.assistant or features.analytics
        trusted = services.script_hosts if has_network and not is_shared else ()
        return cls(
            assistant=services.assistant if features.assistant else None,
            readers=services.readers if is_counted else None,
            third_party=ThirdPartyScripts.of(
                config.integrations, allowed=is_allowed, trusted=trusted
            ),
        )

    @property
    def connects(self) -> tuple[str, ...]:
        """Other origins to which scripts of the pages send requests."""
        readers = self.readers.events if self.readers else ""
        assistant = self.assistant.url if self.assistant else ""
        asked = (urlsplit(each) for each in (assistant, readers) if "://" in each)
        own = (f"{each.scheme}://{each.netloc}" for each in asked)
        return tuple(dict.fromkeys((*own, *self.third_party.connects)))

    @cached_property
    def marked_readers(self) -> ReadersLink | None:
        """Endpoints for reader events; URLs of the site itself are relative links."""
        link = self.readers
        if link is None or not link.events.startswith("/"):
            return link
        return replace(link, events=marked(link.events), feedback=marked(link.feedback))
