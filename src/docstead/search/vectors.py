"""Vectors of passages: a file that is written once and memory-mapped.

8 bytes  "DSVECS01"
8 bytes  length of the facts
facts    JSON: space, rows, dimensions; padded with spaces to a multiple of 64
rows     digests, 8 bytes each, ascending; padded with zeros to a multiple of 64
rows     unit vectors, 32-bit floats, little-endian
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from docstead.base.decoders import json_decoder
from docstead.base.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
    Rows: TypeAlias = NDArray[np.intp]

_MAGIC = b"DSVECS01"
_UNIT = 64
_AFTER = slice(30, 60)  # ranks compared with the nearest
_NAME_SHARE = 0.3  # weight of title and headings, by measurement


class _VectorHeader(msgspec.Struct):
    space: str
    rows: int
    dimensions: int


_FACTS = json_decoder(_VectorHeader)


class DamagedVectors(Unavailable):
    """A file of vectors is damaged."""


class VectorFile:
    """Vectors of a file by digest. Thread-safe.

    Raises:
        DamagedVectors: the file is damaged.
        Unavailable: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        import numpy as np

        try:
            with path.open("rb") as file:
                head = file.read(16)
                length = int.from_bytes(head[8:], "little")
                facts = _FACTS.decode(file.read(length))
            digests_at = 16 + length
            matrix_at = digests_at + _padded(8 * facts.rows)
            shape = (facts.rows, facts.dimensions)
            if head[:8] != _MAGIC or path.stat().st_size != matrix_at + 4 * shape[0] * shape[1]:
                raise ValueError("not a file of vectors")  # noqa: TRY301 - as the others here
            # empty parts cannot be mapped
            self._digests: NDArray[np.uint64] = np.fromfile(
                path, "<u8", facts.rows, offset=digests_at
            )
            self._matrix: NDArray[np.float32] = (
                np.asarray(np.memmap(path, "<f4", "r", matrix_at, shape))
                if facts.rows
                else np.empty(shape, np.float32)
            )
        except OSError as error:
            raise Unavailable(f"{path.name} cannot be read") from error
        except (ValueError, OverflowError, msgspec.DecodeError) as error:
            raise DamagedVectors(f"{path.name} holds no vectors") from error
        self.space = facts.space
        self._last: tuple[Vector, Vector] | None = None

    def __len__(self) -> int:
        return len(self._digests)

    def nearest(self, vector: Vector, count: int) -> list[int]:
        """Return the digests of the nearest vectors, unordered."""
        import numpy as np

        cosines = self._all_cosines(vector)
        if count >= len(cosines):
            return [int(each) for each in self._digests]
        rows = np.argpartition(-cosines, count)[:count]
        return [int(each) for each in self._digests[rows]]

    def lead(self, vector: Vector, among: Rows | None = None) -> float:
        """Return the gap between the nearest vector and the following ranks, `among` some rows."""
        import numpy as np

        rows = len(self) if among is None else len(among)
        if not rows:
            return 0.0
        cosines = self._all_cosines(vector)
        if among is not None:
            cosines = cosines[among]
        count = min(rows, _AFTER.stop)
        best = np.sort(np.partition(cosines, -count)[-count:])[::-1]
        after = best[_AFTER] if count > _AFTER.start else best[-1:]
        return float(best[0] - after.mean())

    def cosines(self, vector: Vector, digests: Sequence[int]) -> list[float | None]:
        """Return the cosine of each digest's vector with this one, or None without a vector."""
        cosines = self._all_cosines(vector)
        return [None if row is None else float(cosines[row]) for row in self._rows(digests)]

    def _all_cosines(self, vector: Vector) -> Vector:
        """Return the cosines of all rows, cached because a question uses them several times."""
        last = self._last
        if last is None or last[0] is not vector:
            last = self._last = (vector, self._matrix @ vector)
        return last[1]

    def get(self, digests: Sequence[int]) -> list[Vector | None]:
        return [None if row is None else self._matrix[row] for row in self._rows(digests)]

    def rows(self, digests: Sequence[int]) -> Rows:
        """Return the rows of the vectors that these digests have."""
        import numpy as np

        return np.array([row for row in self._rows(digests) if row is not None], np.intp)

    def _rows(self, digests: Sequence[int]) -> list[int | None]:
        import numpy as np

        if not len(self):
            return [None] * len(digests)
        requested = np.array(digests, np.uint64)
        rows = np.searchsorted(self._digests, requested)
        is_known = self._digests.take(rows, mode="clip") == requested
        return [
            row if known else None
            for row, known in zip(rows.tolist(), is_known.tolist(), strict=True)
        ]

    def by_digest(self) -> dict[int, Vector]:
        return {int(each): self._matrix[row] for row, each in enumerate(self._digests)}


def write_vectors(path: Path, space: str, vectors: Mapping[int, Vector]) -> None:
    import numpy as np

    digests = sorted(vectors)
    rows = [vectors[each] for each in digests]
    matrix = np.stack(rows).astype("<f4") if rows else np.empty((0, 0), "<f4")
    facts = msgspec.json.encode(_VectorHeader(space, *matrix.shape))
    facts = facts.ljust(_padded(16 + len(facts)) - 16)
    stored = np.array(digests, "<u8").tobytes()
    with path.open("wb") as file:
        file.write(_MAGIC + len(facts).to_bytes(8, "little") + facts)
        file.write(stored.ljust(_padded(len(stored)), b"\0"))
        file.write(matrix.tobytes())


def passage_vector(of_text: Vector, of_name: Vector) -> Vector:
    """Return the vector of a passage from those of its text and its name."""
    import numpy as np

    mixed = (1 - _NAME_SHARE) * of_text + _NAME_SHARE * of_name
    return np.asarray(mixed / np.linalg.norm(mixed), np.float32)


def _padded(size: int) -> int:
    return -(-size // _UNIT) * _UNIT
