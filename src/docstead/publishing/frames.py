"""Cached page chrome of an edition, reused by the next edition if only page bodies changed.

On a large site, rendering the chrome takes longer than rendering a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from docstead.base.features import ALL_FEATURES, Features
from docstead.content.filtering import visible_to
from docstead.content.generated_files import FileOrigin
from docstead.content.pages import Site
from docstead.outputs.generated_texts import GeneratedTexts
from docstead.publishing.edition import Edition
from docstead.theme.document import PageShell
from docstead.theme.external_services import ExternalServices
from docstead.theme.mode import ShellMode


@dataclass(frozen=True)
class ShellInputs:
    """Inputs of the page chrome. Equal inputs render equally."""

    site: Site
    mode: ShellMode
    own_files: tuple[str, ...]
    utilities: str
    page_features: tuple[str, ...]
    external_services: ExternalServices
    features: Features
    logo: bytes = b""  # file for the link preview of a bundle

    @classmethod
    def of(
        cls,
        edition: Edition,
        mode: ShellMode,
        external_services: ExternalServices,
        features: Features = ALL_FEATURES,
    ) -> ShellInputs:
        return cls(
            visible_to(edition.site),
            mode,
            own_files=tuple(asset.path for asset in edition.assets()),
            utilities=edition.utilities.css,
            page_features=edition.page_features,
            external_services=external_services,
            features=features,
        )

    @cached_property
    def shell(self) -> PageShell:
        return PageShell(
            self.site,
            self.mode,
            self.own_files,
            utilities=self.utilities,
            page_features=self.page_features,
            external_services=self.external_services,
            features=self.features,
            logo=self.logo,
        )

    @cached_property
    def generated(self) -> GeneratedTexts:
        return GeneratedTexts(self.shell)

    @cached_property
    def assets(self) -> Mapping[str, bytes]:
        """Style sheets, scripts and fonts, by path."""
        return self.shell.assets()

    @cached_property
    def texts(self) -> Mapping[str, bytes]:
        """Text files that depend on site metadata only, such as `sitemap.xml` and `llms.txt`."""
        return self.generated.texts()

    @cached_property
    def parts(self) -> Mapping[str, bytes]:
        """Machine-readable index of each part of the site."""
        return self.generated.texts(FileOrigin.PART)
