"""Search in the browser: an index in small script files, without a server.

Scripts rather than data, because pages opened from a disk may load nothing else. For sites of any
size, a query loads a few files of some kilobytes: the list of indexes with their manifests, the
parts of the vocabulary with its words, and records of the displayed sections.
"""

from docstead.outputs.search_bundle.bundle import (
    FOLDER,
    BundleState,
    ScopeKey,
    SearchBundle,
    Tokenizer,
    scope_key,
)
from docstead.outputs.search_bundle.contributions import PageContribution
from docstead.outputs.search_bundle.joined import INDEX, announcing, joined

__all__ = [
    "FOLDER",
    "INDEX",
    "BundleState",
    "PageContribution",
    "ScopeKey",
    "SearchBundle",
    "Tokenizer",
    "announcing",
    "joined",
    "scope_key",
]
