"""The ping-pong of the calibration's campaign, which the models of others are calibrated by as well."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from laboratory.errors import BAD_INPUT, LabError

_MOST_OFF = 0.03  # of a size by the line of its piece
_MOST_PIECES = 12


@dataclass(frozen=True)
class Point:
    """A message between two nodes: half of a round trip."""
    bytes: int
    seconds: float


@dataclass(frozen=True)
class Line:
    """seconds = fixed + bytes * each, from `first` bytes on."""
    first: int
    fixed: float
    each: float

    def at(self, size: int) -> float:
        """Seconds."""
        return self.fixed + size * self.each


def of_table(table: str) -> list[Point]:
    """From `plumbline bench show --csv`: round trips of one message, of the first two ranks."""
    found: dict[int, float] = {}
    for row in csv.DictReader(table.splitlines()):
        words = row["parameters"].split()
        single = (row["operation"] == "prtt" and {"messages=1", "delay_ns=0", "part=one"} <= set(words)
                  or row["operation"] == "pairs" and "in_flight=1" in words)
        if single and "ranks=0-1" in words and row["per_node"] == "1":
            found.setdefault(int(row["bytes"]), float(row["median_s"]) / 2)
    if len(found) < 3:
        raise LabError("campaign", f"has {len(found)} sizes of a ping-pong between two nodes", "measure prtt and pairs",
                       BAD_INPUT)
    return [Point(size, found[size]) for size in sorted(found)]


def eager_limit(platform: str) -> int:
    """The greatest size between nodes whose send does not wait for its receiver, from the platform's text; 0: all wait."""
    between = platform.partition("<between")[2].partition("</between>")[0]
    limits = [int(limit) for limit in re.findall(r'<range upto="(\d+)B" protocol="eager"', between)]
    return max(limits, default=0)


def line_through(points: Sequence[Point]) -> Line:
    """Least squares of relative errors; neither number below 0."""
    weights = [1 / point.seconds ** 2 for point in points]
    total = sum(weights)
    x = sum(w * point.bytes for w, point in zip(weights, points)) / total
    y = sum(w * point.seconds for w, point in zip(weights, points)) / total
    spread = sum(w * (point.bytes - x) ** 2 for w, point in zip(weights, points))
    slope = (sum(w * (point.bytes - x) * (point.seconds - y) for w, point in zip(weights, points)) / spread) if spread else 0.0
    if slope <= 0:
        return Line(points[0].bytes, y, 0.0)
    if y - slope * x >= 0:
        return Line(points[0].bytes, y - slope * x, slope)
    slope = (sum(w * point.bytes * point.seconds for w, point in zip(weights, points))
             / sum(w * point.bytes ** 2 for w, point in zip(weights, points)))
    return Line(points[0].bytes, 0.0, slope)


def pieces(points: Sequence[Point]) -> list[Line]:
    """As few lines as come within 3 % of every size, each of two sizes and more; by dynamic programming."""
    best: list[tuple[int, float, list[Line]]] = [(0, 0.0, [])]
    for end in range(1, len(points) + 1):
        found: list[tuple[int, float, list[Line]]] = []
        for begin in range(end):
            if end - begin < 2 and end != 1 or not best[begin][2] and begin:
                continue
            line = line_through(points[begin:end])
            off = max(abs(line.at(point.bytes) / point.seconds - 1) for point in points[begin:end])
            count, sum_off, lines = best[begin]
            found.append((count + 1 + (_MOST_PIECES if off > _MOST_OFF else 0), sum_off + off, [*lines, line]))
        best.append(min(found, key=lambda each: each[:2], default=(10 * _MOST_PIECES, 0.0, [])))
    return best[-1][2]
