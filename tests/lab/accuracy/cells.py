"""The list of cells: read from cells.toml, and put together into starts of the suite's program."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laboratory.errors import BAD_INPUT, LabError

LIST = Path(__file__).with_name("cells.toml")
_KEYS = {"suite", "calls", "start", "ranks", "sizes", "size", "count", "rest", "parts", "name"}
_NEEDED = ("suite", "calls", "start", "ranks", "sizes")


@dataclass(frozen=True)
class Cell:
    """One call, at one size, on so many ranks. `size` is the suite's parameter, of most cells bytes."""
    kind: str  # the suite's cell, or what it is called where that has two
    suite: str  # as on the command line of the suite's program
    calls: tuple[str, ...]
    start: str
    ranks: int
    size: int
    repetitions: int
    parts: int

    @property
    def name(self) -> str:
        """The same in all results, whatever else the list has."""
        return f"{self.kind}/{self.size}/{self.ranks}"

    @property
    def is_io(self) -> bool:
        """Whether files are accessed."""
        return any(call.startswith("MPI_File") for call in self.calls)


@dataclass(frozen=True)
class Start:
    """One start of the suite's program, with the cells that it runs."""
    name: str
    ranks: int
    cells: tuple[Cell, ...]

    @property
    def suite(self) -> list[str]:
        """What the program is asked for, each once, in order."""
        return list(dict.fromkeys(cell.suite for cell in self.cells))

    @property
    def is_io(self) -> bool:
        """Whether it needs a directory."""
        return any(cell.is_io for cell in self.cells)


def read(path: Path = LIST) -> list[Cell]:
    """All cells, in the order of the file; LabError with all that is wrong in it."""
    try:
        rows = tomllib.loads(path.read_text())["cells"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise LabError(str(path), f"is no list of cells: {error}", "see tests/lab/accuracy/cells.toml", BAD_INPUT) from error
    faults = [fault for number, row in enumerate(rows, 1) for fault in _faults(number, row)]
    if faults:
        raise LabError(str(path), "; ".join(faults), "see the head of tests/lab/accuracy/cells.toml", BAD_INPUT)
    cells = [cell for row in rows for cell in _cells_of(row)]
    twice = {cell.name for cell in cells if sum(other.name == cell.name for other in cells) > 1}
    if twice:
        raise LabError(str(path), f"has these cells twice: {', '.join(sorted(twice))}", "give one a 'name'", BAD_INPUT)
    return cells


def _faults(number: int, row: dict[str, Any]) -> list[str]:
    where = f"row {number}"
    found = [f"{where}: there is no key '{key}'" for key in row if key not in _KEYS]
    found += [f"{where}: '{key}' is missing" for key in _NEEDED if key not in row]
    if found:
        return found
    if not all(isinstance(ranks, int) and ranks >= 1 for ranks in row["ranks"]):
        found.append(f"{where}: 'ranks' are whole numbers from 1 on")
    if not all(size.isdigit() and isinstance(count, int) and count >= 1 for size, count in row["sizes"].items()):
        found.append(f"{where}: 'sizes' are numbers, each with how often from 1 on")
    return found


def _cells_of(row: dict[str, Any]) -> list[Cell]:
    return [Cell(row.get("name", row["suite"]), _suite(row, size, count), tuple(row["calls"]),
                 f"{row['start']}-{ranks}", ranks, int(size), count, row.get("parts", 1))
            for ranks in row["ranks"] for size, count in row["sizes"].items()]


def _suite(row: dict[str, Any], size: str, count: int) -> str:
    parameters = [f"{row.get('size', 'bytes')}={size}"] if row["suite"] != "barrier" else []
    parameters += [f"{row.get('count', 'repetitions')}={count}"] + ([row["rest"]] if "rest" in row else [])
    return f"{row['suite']}:{','.join(parameters)}"


def starts(cells: Sequence[Cell]) -> list[Start]:
    """The starts that run them all, in the order of the list, those of fewest ranks first."""
    names = dict.fromkeys(cell.start for cell in sorted(cells, key=lambda cell: cell.ranks))
    return [Start(name, mine[0].ranks, mine) for name in names
            if (mine := tuple(cell for cell in cells if cell.start == name))]
