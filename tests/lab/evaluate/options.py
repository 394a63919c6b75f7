"""Options that `lab evaluate` and `lab evaluate programs` have in common."""

from laboratory.errors import BAD_INPUT, LabError
from laboratory.quantity import parse_fraction


def share(option: str, text: str) -> float:
    """Of the runs, from 0 to 1."""
    value = parse_fraction(text, option) if text != "0" else 0.0
    if value > 1:
        raise LabError(option, f"'{text}' is more than all", "0 to 100%", BAD_INPUT)
    return value
