"""The figure of docs/detection.md: of each round the share of faults that were found, and of each fault each run."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluate.draw import Broken, can_be_drawn
from evaluate.judge import costs_nothing, finds, is_first, observes
from evaluate.results import Result
from evaluate.score import Count, score
from evaluate.table import FOUND_WANTED, of
from laboratory.fault_table import FAULTS, MACHINE, SHAPES
from laboratory.statistics import wilson
from laboratory.svg import band, cross, document, dot, line, text

_WIDTH, _LEFT, _RIGHT, _GAP = 960, 220, 20, 30
_ROW, _HEAD = 18, 70  # heights: of a fault or round, of what stands above the first
_FAR = 15  # between two runs of a fault, at most
_FAINT = "#999999"


@dataclass(frozen=True)
class Mark:
    """What a run's answer was worth to one of its faults, and how it is drawn: signs differ by more than their colour."""
    words: str
    sign: str  # in the legend: of a dot, a small dot, a ring or a cross
    colour: str

    def at(self, x: float, y: float, title: str) -> str:
        """The sign around a point."""
        if self.sign == "✕":
            return cross(x, y, 4, self.colour, title)
        fill = "#ffffff" if self.sign == "○" else self.colour
        return dot(x, y, 2.5 if self.sign == "•" else 5, f'fill="{fill}" stroke="{self.colour}" stroke-width="2"', title)


FIRST = Mark("found and named first", "●", "#1b6ca8")
FOUND = Mark("found", "○", "#1b6ca8")
OBSERVED = Mark("observed only", "•", "#e07a1f")
MISSED = Mark("missed", "✕", "#d1495b")


def mark_of(result: Result, broken: Broken) -> Mark:
    """The best that its report says of this fault. A fault that costs nothing is not expected to be the first finding."""
    if is_first(result, broken) and not costs_nothing(result, broken):
        return FIRST
    if finds(result, broken):
        return FOUND
    return OBSERVED if any(observes(result, each, broken) for each in result.observations) else MISSED


def svg(results: Sequence[Result]) -> str:
    """Both parts, one below the other."""
    made = [result for result in results if result.status is not None]
    counts = {f"round {seed}": score([result for result in made if result.seed == seed]).broken
              for seed in sorted({result.seed for result in made})} | {"all": score(made).broken}
    rounds = {name: count for name, count in counts.items() if count.runs}
    below = _HEAD + _ROW * len(rounds) + 50
    return document(_WIDTH, below + _HEAD + _ROW * len(FAULTS) + 20, [*_shares(rounds), *_runs(made, below)])


def _shares(rounds: dict[str, Count]) -> list[str]:
    bottom = _HEAD + _ROW * len(rounds)
    parts = [text(_LEFT, 22, "Faults that were found, with Wilson's 95 % bounds; one fault at a time", size=14)]
    for percent in range(0, 101, 20):
        at = _x(percent / 100)
        parts += [line(at, _HEAD, at, bottom), text(at, bottom + 16, f"{percent} %", "middle")]
    wanted = _x(FOUND_WANTED)
    parts += [line(wanted, _HEAD - 6, wanted, bottom, _FAINT),
              text(wanted, _HEAD - 10, f"wanted as the lower bound: {100 * FOUND_WANTED:.0f} %", "middle", colour=_FAINT)]
    for number, (name, count) in enumerate(rounds.items()):
        y, (low, high) = _HEAD + _ROW * (number + 0.5), wilson(count.found, count.runs)
        title = f"{name}: {of(count.found, count.runs)}"
        label = f"{name}, {count.runs} run{'s' * (count.runs != 1)}"
        parts += [text(_LEFT - 8, y + 4, label, "end"), line(_x(low), y, _x(high), y, _FAINT, 3),
                  FIRST.at(_x(count.found / count.runs), y, title)]
    return parts


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _runs(made: Sequence[Result], top: int) -> list[str]:
    width = (_WIDTH - _LEFT - _RIGHT - _GAP) / 2
    columns = {"in laboratories": (_LEFT, [shape for shape in SHAPES if shape != MACHINE]),
               "on one machine": (_LEFT + width + _GAP, [MACHINE])}
    parts = [text(_LEFT, top + 22, "Each run of each fault, round by round; grey: it cannot occur or be seen there", size=14)]
    parts += [text(_LEFT + 180 * number, top + 42, f"{mark.sign} {mark.words}", colour=mark.colour)
              for number, mark in enumerate((FIRST, FOUND, OBSERVED, MISSED))]
    for name, (left, shapes) in columns.items():
        parts.append(text(left, top + 62, name, colour=_FAINT))
        for number, fault in enumerate(FAULTS):
            parts += _row(made, fault, shapes, left, width, top + _HEAD + _ROW * number)
    return parts + [text(_LEFT - 8, top + _HEAD + _ROW * number + 13, fault, "end") for number, fault in enumerate(FAULTS)]


def _row(made: Sequence[Result], fault: str, shapes: Sequence[str], left: float, width: float, top: float) -> list[str]:
    if not can_be_drawn(fault, shapes):
        return [band(left, top, left + width, top + _ROW, "#f4f4f4")]
    mine = [(result, broken) for result in made if result.draw.shape in shapes for broken in result.draw.broken
            if broken.fault == fault]
    if not mine:
        return [text(left, top + 13, "not drawn", colour=_FAINT)]
    step = min(_FAR, (width - 10) / len(mine))
    return [_dot(result, broken, left + 5 + step * number, top + _ROW / 2) for number, (result, broken) in enumerate(mine)]


def _dot(result: Result, broken: Broken, x: float, y: float) -> str:
    mark = mark_of(result, broken)
    return mark.at(x, y, f"{result.name}, {result.draw.text()}: {mark.words}")
