"""Results of hostile repositories, kept in a file from one run to the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

_SHARED_MB = 64  # of a builder in addition to its limit: what it shares with its parent


class Bars(msgspec.Struct, frozen=True):
    p99: float  # seconds
    growth: int  # MB of the service
    build_memory: int  # MB of a builder


class Result(msgspec.Struct, frozen=True):
    """One case; `status` is success, failure, or what the script says: "never ended", "lost"."""

    title: str
    status: str
    summary: str
    began: float
    seconds: float
    peak_mb: int
    breaches: tuple[str, ...] = ()

    @property
    def ended(self) -> bool:
        return self.status in ("success", "failure")


class Piece(msgspec.Struct, frozen=True):
    """The service and the innocent site while some of the cases were published."""

    cases: int
    milliseconds: tuple[int, ...]  # of each request to the innocent site
    lost: tuple[str, ...]  # the cases during which a request timed out, one for each request
    wrong: tuple[str, ...]  # likewise of answers other than 200
    growth: int  # MB
    stopped: bool  # the service ended by itself once it was asked to
    orphans: int  # processes that it left behind


class Results(msgspec.Struct):
    """Everything known so far; a case that was run again counts once."""

    cases: dict[str, Result] = {}
    pieces: list[Piece] = []

    @classmethod
    def load(cls, path: Path | None) -> Results:
        if path is None or not path.exists():
            return cls()
        return msgspec.json.decode(path.read_bytes(), type=cls)

    def save(self, path: Path | None) -> None:
        if path is not None:
            path.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1))

    def add(self, results: Sequence[Result], piece: Piece) -> None:
        self.cases |= {each.title: each for each in results}
        self.pieces.append(piece)

    def judge(self, bars: Bars) -> int:
        """Print the figures and each bar that was missed; the exit status."""
        self._print_figures()
        missed = [*self._missed_by_cases(bars), *self._missed_by_pieces(bars)]
        for message in missed:
            print(f"MISSED: {message}")
        return int(bool(missed))

    def _print_figures(self) -> None:
        times, cases = self._times(), list(self.cases.values())
        ended = {kind: sum(c.status == kind for c in cases) for kind in ("success", "failure")}
        print(
            f"{len(cases)} cases: {ended['success']} published, {ended['failure']} refused, "
            f"{len(cases) - sum(ended.values())} without an end"
        )
        print(
            f"innocent site: {len(times)} requests, {len(self._each('lost'))} time-outs, "
            f"{len(self._each('wrong'))} wrong answers"
        )
        p50, p99 = _percentile(times, 0.5), _percentile(times, 0.99)
        print(f"p50 {p50} ms, p99 {p99} ms, most {times[-1]} ms")
        print(
            f"service memory {max((p.growth for p in self.pieces), default=0):+} MB at most, "
            f"largest process of a build {max((c.peak_mb for c in cases), default=0)} MB"
        )

    def _missed_by_cases(self, bars: Bars) -> list[str]:
        cases, most = self.cases.values(), bars.build_memory + _SHARED_MB
        large = [f"{c.title} {c.peak_mb} MB" for c in cases if c.peak_mb > most]
        endless = [f"{c.title} {c.status}" for c in cases if not c.ended]
        escaped = [f"{c.title} {', '.join(c.breaches)}" for c in cases if c.breaches]
        return [
            *(f"a builder took too much memory: {each}" for each in large),
            *(f"a build did not end: {each}" for each in endless),
            *(f"a repository broke out: {each}" for each in escaped),
        ]

    def _missed_by_pieces(self, bars: Bars) -> list[str]:
        times = self._times()
        lost, wrong = self._each("lost"), self._each("wrong")
        missed = {
            f"{len(lost)} requests timed out: {_counted(lost)}": lost,
            f"{len(wrong)} answers were wrong: {_counted(wrong)}": wrong,
            f"p99 above {bars.p99} s": _percentile(times, 0.99) > bars.p99 * 1000,
            f"the service grew by more than {bars.growth} MB": any(
                each.growth > bars.growth for each in self.pieces
            ),
            "the service had to be killed": not all(each.stopped for each in self.pieces),
            "processes stayed": any(each.orphans for each in self.pieces),
        }
        return [message for message, is_missed in missed.items() if is_missed]

    def _times(self) -> list[int]:
        return sorted(each for piece in self.pieces for each in piece.milliseconds) or [0]

    def _each(self, kind: str) -> list[str]:
        return [title for piece in self.pieces for title in getattr(piece, kind)]


def _percentile(times: Sequence[int], part: float) -> int:
    return times[min(len(times) - 1, int(len(times) * part))]


def _counted(titles: Sequence[str]) -> str:
    return ", ".join(f"{each} ({titles.count(each)})" for each in sorted(set(titles)))
