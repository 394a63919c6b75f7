"""The figure of docs/notebook/jacobi.md: how far off each prediction of each configuration is."""

from collections.abc import Sequence

from jacobi import page
from jacobi.predict import WAYS
from jacobi.summary import CLOSE, GOOD, Row
from laboratory.svg import band, document, dot, line, text

_WIDTH, _LEFT, _RIGHT, _TOP, _LINE = 960, 330, 30, 70, 20
_MOST = 0.5  # error that is drawn; what is beyond stands at the edge
_COLOURS = {"distributions": "#1b6ca8", "means_nxp": "#2a9d4a", "means_2x1": "#e07a1f", "least_2x1": "#d1495b",
            "loggp": "#7a7a7a", "packets": "#8d6a9f"}


def x(error: float) -> float:
    """Pixels."""
    return _LEFT + (min(max(error, -_MOST), _MOST) + _MOST) / (2 * _MOST) * (_WIDTH - _LEFT - _RIGHT)


def svg(found: Sequence[Row]) -> str:
    """A line for each configuration."""
    bottom = _TOP + _LINE * len(found)
    parts = [text(_LEFT, 22, "Predicted over measured, less 1; grey: 5 and 1 %, bar: 95 % interval of what was measured",
                  size=14),
             *_legend(), _band(CLOSE, bottom, "#eef4ee"), _band(GOOD, bottom, "#d5e6d5")]
    for percent in range(-50, 51, 10):
        at = x(percent / 100)
        parts += [line(at, _TOP, at, bottom), text(at, bottom + 18, f"{percent:+d} %", "middle")]
    for number, row in enumerate(found):
        parts += _row(row, _TOP + _LINE * number + _LINE / 2)
    return document(_WIDTH, bottom + 40, parts)


def _legend() -> list[str]:
    return [text(_LEFT + 100 * number, 46, f"● {name}", colour=_COLOURS[way])
            for number, (way, name) in enumerate(WAYS.items())]


def _band(limit: float, bottom: float, colour: str) -> str:
    return band(x(-limit), _TOP, x(limit), bottom, colour)


def _row(row: Row, y: float) -> list[str]:
    label = f"{page.place(row)}, {page.NAMES[row.mpi]}, {page.size(row)}, {row.case.ranks} ranks"
    low, high = x(row.low / row.median - 1), x(row.high / row.median - 1)
    parts = [text(_LEFT - 8, y + 4, label, "end"), line(low, y, high, y, "#999999", 5)]
    for way in reversed(WAYS):
        title = f"{label}: {WAYS[way]} {page.percent(row.error(way))}"
        parts.append(dot(x(row.error(way)), y, 4, f'fill="{_COLOURS[way]}" fill-opacity="0.85"', title))
    return parts
