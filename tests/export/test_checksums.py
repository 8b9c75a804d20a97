"""Checksums of data in parts."""

from __future__ import annotations

import random
import zlib

import pytest

from docstead.export.checksums import combined_crc


@pytest.mark.parametrize("sizes", [(0, 0), (0, 5), (5, 0), (1, 1), (1000, 70_001), (3, 2**20)])
def test_the_checksum_of_two_parts_is_that_of_both(sizes: tuple[int, int]) -> None:
    first, second = map(random.Random(7).randbytes, sizes)
    crcs = zlib.crc32(first), zlib.crc32(second)
    assert combined_crc(*crcs, len(second)) == zlib.crc32(first + second)
