"""Search in the reader's browser: an index in small script files, without a server.

Scripts and not data, because a page opened from a disk may load nothing else. All that
the size of a site, a query reads a few files of some kilobytes: the manifest of its
language and version, the parts of the vocabulary that its words stand in, and the records
of the sections that are shown.
"""

from docstead.outputs.search_bundle.bundle import FOLDER, SearchBundle, Tokenizer
from docstead.outputs.search_bundle.joined import INDEX, announcing, joined

__all__ = ["FOLDER", "INDEX", "SearchBundle", "Tokenizer", "announcing", "joined"]
