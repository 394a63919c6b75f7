"""Figures of pages: what a picture is made of, as elements of SVG. Lengths are pixels, y goes down."""

from collections.abc import Iterable
from html import escape

INK, RULE = "#222222", "#dddddd"  # of text, and of the lines of a scale


def document(width: float, height: float, parts: Iterable[str]) -> str:
    """A whole file: these elements in this order on white."""
    size = f'width="{width}" height="{height}"'
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}" font-family="sans-serif" '
            f'font-size="12" fill="{INK}">')
    return "\n".join([head, f'<rect {size} fill="#ffffff"/>', *parts, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, anchor: str = "start", size: int = 12, colour: str = INK) -> str:
    """Begins, has its middle or ends at x, by the anchor; y is its base line."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str = RULE, width: float = 1) -> str:
    """A straight line between two points."""
    stroke = f' stroke-width="{width:g}"' if width != 1 else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{stroke}/>'


def band(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    """A filled rectangle between two corners."""
    return f'<rect x="{x1:.1f}" y="{y1:.1f}" width="{x2 - x1:.1f}" height="{y2 - y1:.1f}" fill="{colour}"/>'


def dot(x: float, y: float, radius: float, paint: str, title: str) -> str:
    """A circle that says its title to whoever points at it. Paint: attributes such as 'fill="#222222"'."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {paint}><title>{escape(title)}</title></circle>'


def cross(x: float, y: float, half: float, colour: str, title: str) -> str:
    """Two diagonals of a square with sides of twice `half`, that say a title likewise."""
    path = f"M{x - half:.1f} {y - half:.1f}l{2 * half:g} {2 * half:g}M{x - half:.1f} {y + half:.1f}l{2 * half:g} {-2 * half:g}"
    return f'<path d="{path}" stroke="{colour}" stroke-width="2.5"><title>{escape(title)}</title></path>'
