"""What a recording says of its cells: by repetition what was observed and what was expected, by the models of others too."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from accuracy.cells import Cell, Start
from accuracy.operations import Bracket, Operation, Ranks, parts_of
from laboratory.errors import OWN_FAULT, LabError

_NOT_TIMED = ("main.c", "data.c")  # calls of the suite itself
_US = 1_000_000  # ps
_JUDGED = 0.95  # of the time of a repetition: with less of it the repetition says nothing


@dataclass
class Measured:
    """One cell in one recording. Lists have an entry for each repetition: sums over the judged calls of all ranks, in us."""
    observed: list[float] = field(default_factory=list)
    as_run: list[tuple[float, float]] = field(default_factory=list)  # lower and upper, anchored
    as_configured: list[tuple[float, float]] = field(default_factory=list)
    left_out: int = 0  # repetitions of which less than 95 % of the time is judged
    reason: str = ""  # that most of it was not judged for
    length: float = 0.0  # of one repetition: first begin to last end over how many there were, in us
    free: float = 0.0  # the same in the free replay as configured
    models: dict[str, float] = field(default_factory=dict)  # the same by the models of others, by name

    def to_data(self) -> dict[str, Any]:
        """In a line of the results."""
        return asdict(self)

    @staticmethod
    def from_data(data: dict[str, Any]) -> "Measured":
        """What to_data made."""
        brackets = {key: [(lower, upper) for lower, upper in data[key]] for key in ("as_run", "as_configured")}
        return Measured(**{**data, **brackets})


def measured(start: Start, ranks: Ranks) -> dict[str, Measured]:
    """The cells of a start, by name."""
    return {cell.name: _of_cell(cell, calls) for cell, calls in calls_of(start, ranks)}


def calls_of(start: Start, ranks: Ranks) -> list[tuple[Cell, list[list[Operation]]]]:
    """Each cell with its calls by rank."""
    parts = [parts_of(rank) for rank in ranks]
    at, place = 0, {}
    for suite in start.suite:
        at += next(cell.parts for cell in start.cells if cell.suite == suite)
        place[suite] = at - 1
    if any(len(mine) != at for mine in parts):
        raise LabError(start.name, f"has {[len(mine) for mine in parts]} timed parts, not {at}",
                       "the suite's program is of another version, or ended early", OWN_FAULT)
    return [(cell, [_counted(cell, mine[place[cell.suite]]) for mine in parts]) for cell in start.cells]


def _counted(cell: Cell, part: Sequence[Operation]) -> list[Operation]:
    calls = [each for each in part if each.call in cell.calls and each.file not in _NOT_TIMED]
    if len(calls) % cell.repetitions:
        raise LabError(cell.name, f"a rank has {len(calls)} calls in {cell.repetitions} repetitions", "cells.toml", OWN_FAULT)
    return calls


def _of_cell(cell: Cell, ranks: Sequence[Sequence[Operation]]) -> Measured:
    result = Measured(length=_length(cell, ranks, lambda each: (each.begin, each.end)),
                      free=_length(cell, ranks, lambda each: each.free))
    reasons: dict[str, int] = {}
    for number in range(cell.repetitions):
        calls = [each for rank in ranks for each in _repetition(rank, number, cell.repetitions)]
        judged = [each for each in calls if each.judged]
        for each in calls:
            if not each.judged:
                reasons[each.reason] = reasons.get(each.reason, 0) + each.observed
        observed = sum(each.observed for each in judged)
        if not judged or observed < _JUDGED * sum(each.observed for each in calls):
            result.left_out += 1
            continue
        result.observed.append(_us(observed))
        result.as_run.append(_sum(each.as_run for each in judged))
        result.as_configured.append(_sum(each.as_configured for each in judged))
    result.reason = max(reasons, key=lambda reason: reasons[reason]) if result.left_out and reasons else ""
    return result


def _repetition(rank: Sequence[Operation], number: int, repetitions: int) -> Sequence[Operation]:
    each = len(rank) // repetitions
    return rank[number * each:(number + 1) * each]


def _length(cell: Cell, ranks: Sequence[Sequence[Operation]], span: Callable[[Operation], tuple[int, int]]) -> float:
    spans = [span(each) for rank in ranks for each in rank]
    whole = max(end for _, end in spans) - min(begin for begin, _ in spans) if spans else 0
    return _us(whole / cell.repetitions)


def _sum(brackets: "Sequence[Bracket] | Any") -> tuple[float, float]:
    listed = list(brackets)
    return _us(sum(each.lower for each in listed)), _us(sum(each.upper for each in listed))


def _us(ps: float) -> float:
    return round(ps / _US, 3)
