"""The figure of docs/notebook/jacobi.md: how far off each prediction of each configuration is."""

from collections.abc import Sequence
from html import escape

from jacobi import page
from jacobi.predict import WAYS
from jacobi.summary import CLOSE, GOOD, Row

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
    size = f'width="{_WIDTH}" height="{bottom + 40}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_WIDTH} {bottom + 40}" '
             'font-family="sans-serif" font-size="12" fill="#222222">', f'<rect {size} fill="#ffffff"/>',
             _text(_LEFT, 22, "Predicted over measured, less 1; grey: 5 and 1 %, bar: 95 % interval of what was measured", "start",
                   14), *_legend(), *_band(CLOSE, bottom, "#eef4ee"), *_band(GOOD, bottom, "#d5e6d5")]
    for percent in range(-50, 51, 10):
        at = x(percent / 100)
        parts += [f'<line x1="{at:.1f}" y1="{_TOP}" x2="{at:.1f}" y2="{bottom}" stroke="#dddddd"/>',
                  _text(at, bottom + 18, f"{percent:+d} %", "middle")]
    for number, row in enumerate(found):
        parts += _row(row, _TOP + _LINE * number + _LINE / 2)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend() -> list[str]:
    return [_text(_LEFT + 100 * number, 46, f"● {name}", "start", 12, _COLOURS[way])
            for number, (way, name) in enumerate(WAYS.items())]


def _band(limit: float, bottom: float, colour: str) -> list[str]:
    return [f'<rect x="{x(-limit):.1f}" y="{_TOP}" width="{x(limit) - x(-limit):.1f}" height="{bottom - _TOP}" '
            f'fill="{colour}"/>']


def _row(row: Row, y: float) -> list[str]:
    label = f"{page.place(row)}, {page.NAMES[row.mpi]}, {page.size(row)}, {row.case.ranks} ranks"
    low, high = x(row.low / row.median - 1), x(row.high / row.median - 1)
    parts = [_text(_LEFT - 8, y + 4, label, "end"),
             f'<line x1="{low:.1f}" y1="{y:.1f}" x2="{high:.1f}" y2="{y:.1f}" stroke="#999999" stroke-width="5"/>']
    for way in reversed(WAYS):
        title = escape(f"{label}: {WAYS[way]} {page.percent(row.error(way))}")
        parts.append(f'<circle cx="{x(row.error(way)):.1f}" cy="{y:.1f}" r="4" fill="{_COLOURS[way]}" fill-opacity="0.85">'
                     f'<title>{title}</title></circle>')
    return parts


def _text(at: float, y: float, text: str, anchor: str, size: int = 12, colour: str = "#222222") -> str:
    return (f'<text x="{at:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{escape(text)}</text>')
