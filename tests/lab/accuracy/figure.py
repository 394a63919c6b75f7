"""The figure of docs/accuracy.md: of all methods the share of cells that are off by less than so much, and of ours each
cell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from accuracy import summary, table
from accuracy.summary import Row
from laboratory.svg import band, document, dot, line, text

_WIDTH, _LEFT, _RIGHT = 960, 190, 30
_CURVES, _ROW = 260, 18  # heights
_COLOURS = {"as run": "#1b6ca8", "as configured": "#5aa9e6", "plumbline": "#2a9d4a", "simgrid": "#d1495b", "hockney": "#8d6a9f",
            "openmpi": "#1b6ca8", "mpich": "#e07a1f"}
_LEAST_OFF, _MOST_OFF = 0.002, 2.0
_LEAST, _MOST = 0.25, 4.0  # observed over expected that is drawn; what is beyond stands at the edge


@dataclass(frozen=True)
class Scale:
    """Logarithmic, from the left to the right edge."""
    least: float
    most: float

    def x(self, value: float) -> float:
        """Pixels."""
        share = math.log(min(max(value, self.least), self.most) / self.least) / math.log(self.most / self.least)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def svg(found: Sequence[Row]) -> str:
    """Both parts, one below the other."""
    kinds = list(dict.fromkeys(row.cell.kind for row in found))
    below = _CURVES + 130
    height = below + _ROW * len(kinds) + 60
    return document(_WIDTH, height, [*_curves(found), *_dots(found, kinds, below)])


def offs(found: Sequence[Row]) -> dict[str, list[float]]:
    """How far off each cell is, ascending, by method."""
    result = {name: sorted(each.off for row in found if (each := ratio(row)) is not None)
              for name, ratio in table.EXPECTATIONS.items()}
    for name in table.models(found):
        result[name] = sorted(abs(row.models[name] - 1) for row in found if name in row.models)
    return {name: values for name, values in result.items() if values}


def _curves(found: Sequence[Row]) -> list[str]:
    scale, top = Scale(_LEAST_OFF, _MOST_OFF), 40
    parts = [text(_LEFT, 22, "Share of cells that are off by no more than so much", size=14)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = top + (1 - share) * _CURVES
        parts += [line(_LEFT, y, _WIDTH - _RIGHT, y), text(_LEFT - 8, y + 4, f"{100 * share:.0f} %", "end")]
    for off in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2):
        parts += [line(scale.x(off), top, scale.x(off), top + _CURVES),
                  text(scale.x(off), top + _CURVES + 16, f"{100 * off:g} %", "middle")]
    for number, (name, values) in enumerate(offs(found).items()):
        points = [(scale.x(_LEAST_OFF), top + float(_CURVES))]
        for rank, value in enumerate(values, 1):
            points += [(scale.x(value), points[-1][1]), (scale.x(value), top + (1 - rank / len(values)) * _CURVES)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        label = f"{table.NAMES.get(name, name)}{', from the start' if name in table.NAMES else ', anchored'} ({len(values)})"
        parts += [f'<polyline points="{path}" fill="none" stroke="{_COLOURS.get(name, "#666666")}" stroke-width="2"/>',
                  text(_LEFT + 12, top + 18 + 16 * number, label, colour=_COLOURS.get(name, "#666666"))]
    return parts


def _dots(found: Sequence[Row], kinds: Sequence[str], top: int) -> list[str]:
    scale = Scale(_LEAST, _MOST)
    bottom = top + _ROW * len(kinds)
    parts = [text(_LEFT, top - 22, "Observed over expected as run, each cell with its 95 % bounds", size=14)]
    parts.append(band(scale.x(1 - summary.FAR), top, scale.x(1 + summary.FAR), bottom, "#eef4ee"))
    for value in (0.25, 0.5, 0.8, 1, 1.25, 2, 4):
        parts += [line(scale.x(value), top, scale.x(value), bottom),
                  text(scale.x(value), bottom + 16, f"{value:g}", "middle")]
    for number, kind in enumerate(kinds):
        parts.append(text(_LEFT - 8, top + _ROW * number + 13, kind, "end"))
        mine = [row for row in found if row.cell.kind == kind]
        for place, row in enumerate(mine, 1):
            parts += _dot(row, scale, top + _ROW * number + _ROW * place / (len(mine) + 1))
    for number, mpi in enumerate(dict.fromkeys(row.mpi for row in found)):
        parts.append(text(_LEFT + 90 * number, bottom + 40, f"● {table.NAMES[mpi]}", colour=_COLOURS[mpi]))
    return parts


def _dot(row: Row, scale: Scale, y: float) -> list[str]:
    if row.as_run is None:
        return []
    value, colour = row.as_run, _COLOURS[row.mpi]
    title = f"{row.cell.name}, {table.NAMES[row.mpi]}: {table.ratio(value)}"
    return [line(scale.x(value.low), y, scale.x(value.high), y, colour),
            dot(scale.x(value.median), y, 2.5, f'fill="{colour}"', title)]
