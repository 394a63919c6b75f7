"""Quantities as people write them, in the grammar of base/quantity.hpp: 100Mbit/s, 25us, 4MB, 1%; 0 needs no unit."""

import re
from fractions import Fraction

from laboratory.errors import LabError

_TIMES = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
_BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
          "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_BITS = {"bit": 1, "kbit": 10**3, "Mbit": 10**6, "Gbit": 10**9, "Tbit": 10**12}
_NUMBER = re.compile(r"(\d+(?:\.\d+)?) ?(.*)", re.DOTALL)


def _parse(text: str, units: dict[str, Fraction | int], where: str, example: str) -> Fraction:
    match = _NUMBER.fullmatch(text.strip())
    if match and match[2] in units:
        return Fraction(match[1]) * units[match[2]]
    if match and not match[2] and Fraction(match[1]) == 0:
        return Fraction(0)
    raise LabError(where, f"'{text}' is not a quantity of this kind", f"write a number with a unit, such as {example}")


def parse_duration(text: str, where: str = "duration") -> int:
    """Nanoseconds, rounded."""
    return round(_parse(text, _TIMES, where, "50us, 2ms or 1.5s"))


def parse_bytes(text: str, where: str = "size") -> int:
    """Bytes, rounded."""
    return round(_parse(text, _BYTES, where, "9000B, 64KiB or 4MB"))


def parse_rate(text: str, where: str = "rate") -> int:
    """Bits per second, rounded. The "/s" may be left out."""
    units: dict[str, Fraction | int] = {}
    for name, factor in _BITS.items():
        units[name] = units[name + "/s"] = factor
    for name, factor in _BYTES.items():
        units[name + "/s"] = 8 * factor
    return round(_parse(text, units, where, "100Mbit/s or 40MB/s"))


def parse_fraction(text: str, where: str = "fraction") -> float:
    """1% -> 0.01."""
    return float(_parse(text, {"%": Fraction(1, 100)}, where, "1% or 0.1%"))


def format_rate(bits_per_second: int) -> str:
    """The shortest exact text that parse_rate reads back."""
    for name, factor in reversed(_BITS.items()):
        if bits_per_second and bits_per_second % factor == 0:
            return f"{bits_per_second // factor}{name}/s"
    return "0"


def format_duration(nanoseconds: int) -> str:
    """The shortest exact text that parse_duration reads back."""
    for name in ("s", "ms", "us", "ns"):
        if nanoseconds and nanoseconds % _TIMES[name] == 0:
            return f"{nanoseconds // _TIMES[name]}{name}"
    return "0"
