"""Why cells are off: what somebody found out and wrote into causes.toml."""

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from laboratory.cells import FLAVOURS
from laboratory.errors import BAD_INPUT, LabError

FILE = Path(__file__).with_name("causes.toml")
UNKNOWN = "not known"


@dataclass(frozen=True)
class Cause:
    """A row of the file."""
    cells: tuple[str, ...]
    mpi: str
    side: str  # "slower", "faster", "any"
    cause: str

    def fits(self, cell: str, mpi: str, ratio: float) -> bool:
        """Of observed over expected."""
        side = "slower" if ratio > 1 else "faster"
        return (self.mpi in ("both", mpi) and self.side in ("any", side)
                and any(fnmatchcase(cell, pattern) for pattern in self.cells))


def read(path: Path = FILE) -> list[Cause]:
    """All rows; LabError with what is wrong."""
    try:
        rows = tomllib.loads(path.read_text()).get("causes", [])
        return [_of_row(path, number, row) for number, row in enumerate(rows, 1)]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise LabError(str(path), f"is no list of causes: {error}", "see its head", BAD_INPUT) from error


def _of_row(path: Path, number: int, row: dict[str, Any]) -> Cause:
    cause = Cause(tuple(row["cells"]), row.get("mpi", "both"), row.get("side", "any"), row["cause"])
    if cause.mpi not in ("both", *FLAVOURS) or cause.side not in ("slower", "faster", "any"):
        raise LabError(f"{path}: row {number}", f"mpi '{cause.mpi}', side '{cause.side}'", "see its head", BAD_INPUT)
    return cause


def of(causes: list[Cause], cell: str, mpi: str, ratio: float) -> str:
    """What is known of a cell."""
    return next((each.cause for each in causes if each.fits(cell, mpi, ratio)), UNKNOWN)
