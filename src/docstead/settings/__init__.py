"""Every setting of the service: one typed object, from `DOCSTEAD_*` and `docstead.toml`.

The environment wins over the file; the file is `docstead.toml` in the working
directory, or the one that `DOCSTEAD_CONFIG` names. Only the composition root and the
commands read this object; other packages take plain values.
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
