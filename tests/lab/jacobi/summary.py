"""What runs and predictions say together."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from accuracy.summary import may_be_left_out
from jacobi.cases import Case
from jacobi.predict import point_ns
from jacobi.store import Prediction, Run, prediction_of, quiet, runs_of

CLOSE, GOOD = 0.05, 0.01  # the paper's claim: never beyond the first, mostly within the second


@dataclass(frozen=True)
class Row:
    """One case under one MPI. Times are of one iteration, in us."""
    case: Case
    mpi: str
    runs: int
    quiet: bool  # whether only runs count beside which nothing else ran
    median: float
    low: float  # holds the median with 95 % where there are six runs; else the least
    high: float
    predicted: dict[str, float]
    point_alone_ns: float
    point_ns: float  # in the runs, of rank 0
    waiting: float  # predicted, of a process
    transfer: float

    def error(self, way: str) -> float:
        """Predicted over measured, less 1."""
        return self.predicted[way] / self.median - 1

    @property
    def computing(self) -> tuple[float, float]:
        """Predicted and measured."""
        points = (self.case.columns - 2) * (self.case.rows // self.case.ranks)
        return self.point_alone_ns * points / 1000, self.point_ns * points / 1000


def rows(results: Sequence[Run | Prediction], cases: Sequence[Case], flavours: Sequence[str]) -> list[Row]:
    """Of all that are measured and predicted."""
    found = [_row(results, case, mpi) for case in cases for mpi in flavours]
    return [row for row in found if row]


def _row(results: Sequence[Run | Prediction], case: Case, mpi: str) -> Row | None:
    runs, predicted = runs_of(results, case, mpi), prediction_of(results, case, mpi)
    if not runs or not predicted or point_ns(results, case, mpi) is None:
        return None
    runs, each = quiet(runs), 1e6 / case.iterations
    seconds = sorted(run.seconds for run in runs)
    out = may_be_left_out(len(seconds))
    return Row(case, mpi, len(runs), all(run.quiet for run in runs), statistics.median(seconds) * each,
               seconds[out] * each, seconds[-1 - out] * each,
               {way: value * each for way, value in predicted.seconds.items()}, predicted.point_ns,
               statistics.median(run.point_ns for run in runs), predicted.waiting * each, predicted.transfer * each)


def within(found: Sequence[Row], way: str, limit: float) -> int:
    """How many are predicted as well as that."""
    return sum(abs(row.error(way)) <= limit for row in found)
