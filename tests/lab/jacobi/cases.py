"""The list of configurations: read from cases.toml."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from laboratory.errors import BAD_INPUT, LabError

LIST = Path(__file__).with_name("cases.toml")
PLACES = ("here", "laboratory")
_NEEDED = {"place": str, "series": str, "ranks": list, "columns": int, "iterations": int}
_EITHER = ("rows", "each")
_FLOAT_BYTES = 4


@dataclass(frozen=True)
class Case:
    """One start of the program, or, with one rank, of its computation alone."""
    place: str
    series: str
    ranks: int
    columns: int
    rows: int  # of the grid; each rank has as many
    iterations: int
    waited_ns: float = 0  # of a point; 0: ranks compute

    @property
    def name(self) -> str:
        """The same in all results, whatever else the list has."""
        return f"{self.place}/{self.series}/{self.columns}/{self.ranks}"

    @property
    def message_bytes(self) -> int:
        """A row."""
        return self.columns * _FLOAT_BYTES

    @property
    def alone(self) -> "Case":
        """The rows of one rank, on one rank: what the time of a point is from."""
        return replace(self, series=f"{self.series}/{self.rows // self.ranks} rows", ranks=1, rows=self.rows // self.ranks)

    @property
    def arguments(self) -> list[str]:
        """Of the program."""
        return [str(self.iterations), str(self.columns), str(self.rows), f"{self.waited_ns:g}"]


def read(path: Path = LIST) -> list[Case]:
    """All of them, in the order of the file; LabError with all that is wrong in it."""
    try:
        rows = tomllib.loads(path.read_text())["cases"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise LabError(str(path), f"is no list of cases: {error}", f"see {LIST}", BAD_INPUT) from error
    faults = [f"row {number}: {fault}" for number, row in enumerate(rows, 1) for fault in _faults(row)]
    if faults:
        raise LabError(str(path), "; ".join(faults), f"see {LIST}", BAD_INPUT)
    return [case for row in rows for case in _cases_of(row)]


def with_computation_alone(cases: list[Case]) -> list[Case]:
    """Each, and behind them what the times of their points are from, each once."""
    return [*cases, *dict.fromkeys(case.alone for case in cases)]


def _faults(row: dict[str, Any]) -> list[str]:
    found = [f"there is no key '{key}'" for key in row if key not in (*_NEEDED, *_EITHER, "waited")]
    found += [f"'{key}' is missing, or not of its kind" for key, kind in _NEEDED.items() if not isinstance(row.get(key), kind)]
    if found:
        return found
    if row["place"] not in PLACES:
        found.append(f"'place' is {' or '.join(PLACES)}")
    if not all(isinstance(ranks, int) and ranks >= 2 for ranks in row["ranks"]):
        return [*found, "'ranks' are whole numbers from 2 on"]
    if sum(key in row for key in _EITHER) != 1:
        found.append("has either 'rows' or 'each'")
    elif not all(rows >= ranks and rows % ranks == 0 for ranks, rows in _rows(row)):
        found.append("'rows' are not as many for each rank")
    return found


def _rows(row: dict[str, Any]) -> list[tuple[int, int]]:
    return [(ranks, row["rows"] if "rows" in row else row["each"] * ranks) for ranks in row["ranks"]]


def _cases_of(row: dict[str, Any]) -> list[Case]:
    return [Case(row["place"], row["series"], ranks, row["columns"], rows, row["iterations"], row.get("waited", 0))
            for ranks, rows in _rows(row)]
