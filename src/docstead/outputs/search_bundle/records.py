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
        before = self._cut(bisect_right(self.starts, start) - 1)
        number = self.sections
        for file in range(len(before.starts)):
            if number >= end and self.open_bytes > _FILE_BYTES:
                self._append(before, file)  # the rest is divided as before
                return
            for known, entry in before.entries(file):
                if number == start:
                    for each in entries:
                        self.add(page, each)
                if not start <= number < end:
                    self.add(known, entry)
                number += 1

    def entries(self, file: int) -> Iterator[tuple[_Page, Entry]]:
        """Yield page and entry of each section in a file."""
        if file == len(self.packed):
            yield from ((page, entry) for page, entries in self.open for entry in entries)
            return
        for *page, entries in json.loads(zlib.decompress(self.packed[file])):
            for anchor, headings, excerpt in entries:
                yield tuple(page), (anchor, headings, excerpt)

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

    def _cut(self, first: int) -> SectionRecords:
        """Remove the files from this one on, and return them."""
        rest = SectionRecords(
            self.packed[first:], self.starts[first:], self.sections, self.open, self.open_bytes
        )
        del self.packed[first:], self.starts[first + 1 :]
        self.sections, self.open, self.open_bytes = self.starts[first], [], 0
        return rest

    def _append(self, rest: SectionRecords, first: int) -> None:
        """Add the files of others from this one on, whose sections follow."""
        self._pack()
        self.packed += rest.packed[first:]
        self.starts += rest.starts[first:]
        self.sections, self.open, self.open_bytes = rest.sections, rest.open, rest.open_bytes
