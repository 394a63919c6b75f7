"""Operations of a recording beside what was expected of them, from what `plumbline` and `otf2-print` print. Times are whole
picoseconds."""

import csv
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from laboratory.errors import BAD_INPUT, LabError

_EXPECTED = re.compile(r'"PLUMBLINE::(EXPECTED|EXPECTED_UPPER|AS_RUN|AS_RUN_UPPER|AS_CONFIGURED|AS_CONFIGURED_UPPER)"'
                       r' <\d+>; UINT64; (\d+)')
_TIMES = b"PLTIMES1"


@dataclass(frozen=True)
class Bracket:
    """Least and greatest expected duration; equal where no cache is involved."""
    lower: int
    upper: int


@dataclass(frozen=True)
class Operation:
    """A call of one rank."""
    call: str
    site: str  # function (file:line)
    peer: int | None
    tag: int | None
    bytes: int
    begin: int
    observed: int
    judged: bool
    reason: str  # why not
    as_run: Bracket
    as_configured: Bracket
    free: tuple[int, int] = (0, 0)  # begin and end in the free replay, as configured

    @property
    def end(self) -> int:
        """Observed."""
        return self.begin + self.observed

    @property
    def file(self) -> str:
        """The source file of its call site."""
        return self.site.rpartition("(")[2].partition(":")[0]


Ranks = list[list[Operation]]


def of_texts(table: str, printed: Iterable[str], times: bytes) -> Ranks:
    """By rank and in order. `table`: of `plumbline convert --to csv`; `printed`: the lines of `otf2-print` of the expected
    archive; `times`: the file of `plumbline replay --times`. LabError where they do not belong together."""
    rows = _rows(table)
    expected = expected_of(printed)
    free = times_of(times)
    counts = [len(rank) for rank in rows]
    for what, found in (("expected archive", [len(rank) for rank in expected]), ("times", [len(rank) for rank in free])):
        if found != counts:
            raise LabError(what, f"has {found} operations of its ranks, and the recording {counts}",
                           "they are of different versions of plumbline", BAD_INPUT)
    return [[_operation(row, attributes, span) for row, attributes, span in zip(*rank)]
            for rank in zip(rows, expected, free)]


def _rows(table: str) -> list[list[dict[str, str]]]:
    rows: list[list[dict[str, str]]] = []
    for row in csv.DictReader(table.splitlines()):
        while len(rows) <= int(row["rank"]):
            rows.append([])
        rows[int(row["rank"])].append(row)
    return rows


def _operation(row: dict[str, str], expected: dict[str, int], free: tuple[int, int]) -> Operation:
    lower = expected["EXPECTED"]
    upper = expected.get("EXPECTED_UPPER", lower)
    if row["lower_ps"] and int(row["lower_ps"]) != lower:
        raise LabError("expected archive", f"expects {lower} ps of operation {row['operation']} of rank {row['rank']}, and "
                       f"its table {row['lower_ps']}", "operations are not in the same order", BAD_INPUT)
    configured = Bracket(expected.get("AS_CONFIGURED", lower), expected.get("AS_CONFIGURED_UPPER", upper))
    as_run = Bracket(expected.get("AS_RUN", configured.lower), expected.get("AS_RUN_UPPER", configured.upper))
    return Operation(row["call"], row["site"], _number(row["peer"]), _number(row["tag"]), int(row["bytes"] or 0),
                     int(row["begin_ps"]), int(row["observed_ps"]), row["judged"] == "1", row["reason"], as_run, configured,
                     free)


def _number(text: str) -> int | None:
    return int(text) if text else None


def expected_of(printed: Iterable[str]) -> list[list[dict[str, int]]]:
    """The attributes of each operation, by rank: ranks are the locations with operations, in the order of their numbers."""
    found: dict[int, list[dict[str, int]]] = {}
    location = -1
    for line in printed:
        if line.startswith("LEAVE "):
            location = int(line.split(None, 2)[1])
        elif location >= 0 and "PLUMBLINE::EXPECTED\"" in line:
            values = {key: int(value) for key, value in _EXPECTED.findall(line)}
            found.setdefault(location, []).append(values)
            location = -1
        elif not line.startswith(" "):
            location = -1
    return [found[key] for key in sorted(found)]


def times_of(data: bytes) -> list[list[tuple[int, int]]]:
    """Begin and end of each operation, by rank (docs/reference/replay.md)."""
    if data[:8] != _TIMES:
        raise LabError("plumbline replay --times", "wrote no file of times", "another version of plumbline", BAD_INPUT)
    _, ranks, _ = struct.unpack_from("<3Q", data, 8)
    counts = struct.unpack_from(f"<{ranks}Q", data, 32)
    at, found = 32 + 8 * ranks, []
    for count in counts:
        numbers = struct.unpack_from(f"<{2 * count}q", data, at)
        at += 16 * count
        found.append(list(zip(numbers[::2], numbers[1::2])))
    return found


def parts_of(rank: Sequence[Operation]) -> list[list[Operation]]:
    """What lies between the barriers with which the suite begins its timed parts; without what is before the first."""
    parts: list[list[Operation]] = []
    for operation in rank:
        if operation.call == "MPI_Barrier" and operation.site.startswith("begin ("):
            parts.append([])
        elif parts:
            parts[-1].append(operation)
    return parts
