"""Records of sections, in files of some kilobytes: titles, URLs and excerpts."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import sub

import msgspec

from docstead.outputs.search_bundle.contributions import Entry
from docstead.outputs.search_bundle.json_texts import json_text

_FILE_BYTES = 20_000  # a query reads two to five files
_QUOTES = 10  # overhead of an entry
_QUICK = 1  # level of zlib

_Page = tuple[str, ...]


class SectionRecords(msgspec.Struct, array_like=True):
    """Complete files are compressed, because a large site has many."""

    packed: list[bytes] = []
    starts: list[int] = msgspec.field(default_factory=lambda: [0])  # first section of each file
    sections: int = 0
    open: list[tuple[_Page, list[Entry]]] = []
    open_bytes: int = 0

    def add(self, page: _Page, entry: Entry) -> None:
        """Add the record of the next section of a page."""
        if self.open_bytes > _FILE_BYTES:
            self.starts.append(self.sections)
            self._pack()
        self.sections += 1
        if not self.open or self.open[-1][0] != page:
            self.open.append((page, []))
            self.open_bytes += sum(map(len, page))
        self.open[-1][1].append(entry)
        self.open_bytes += sum(map(len, entry)) + _QUOTES

    def replace(self, start: int, page: _Page, entries: Sequence[Entry]) -> None:
        """Replace the records from section `start` by as many others."""
        end = start + len(entries)
        first = bisect_right(self.starts, start) - 1
        number = self.starts[first]
        later = list(self._taken_from(first))
        for known, entry in later:
            if number == start:
                for each in entries:
                    self.add(page, each)
            if not start <= number < end:
                self.add(known, entry)
            number += 1

    @property
    def distances(self) -> list[int]:
        """First section of each file, as distance from the previous file's."""
        return list(map(sub, self.starts, (0, *self.starts)))

    def files(self) -> Iterator[str]:
        """Yield the JSON of each file, and free it."""
        self._pack()
        self.packed.reverse()
        while self.packed:
            yield zlib.decompress(self.packed.pop()).decode()

    def _pack(self) -> None:
        text = json_text([[*page, entries] for page, entries in self.open])
        self.packed.append(zlib.compress(text.encode(errors="replace"), _QUICK))
        self.open, self.open_bytes = [], 0

    def _taken_from(self, first: int) -> Iterator[tuple[_Page, Entry]]:
        """Yield page and entry of each section from this file on, and forget them."""
        packed, last = self.packed[first:], self.open
        self.sections = self.starts[first]
        del self.packed[first:], self.starts[first + 1 :]
        self.open, self.open_bytes = [], 0
        for data in packed:
            for *page, entries in json.loads(zlib.decompress(data)):
                for anchor, headings, excerpt in entries:
                    yield tuple(page), (anchor, headings, excerpt)
        for page, entries in last:
            for entry in entries:
                yield page, entry
