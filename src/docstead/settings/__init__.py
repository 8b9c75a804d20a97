"""Settings of the service: one typed object, from `DOCSTEAD_*` and `docstead.toml`.

The environment overrides the file, which is `docstead.toml` in the working directory or the one
named by `DOCSTEAD_CONFIG`. Only the composition root and commands read this object; other packages
take plain values.
"""

from __future__ import annotations

from docstead.settings.agent import ForgeCredential
from docstead.settings.loading import load_settings, unknown_variables
from docstead.settings.models import ModelSettings
from docstead.settings.publishing import DeploymentSettings
from docstead.settings.service import Settings

__all__ = [
    "DeploymentSettings",
    "ForgeCredential",
    "ModelSettings",
    "Settings",
    "load_settings",
    "unknown_variables",
]
