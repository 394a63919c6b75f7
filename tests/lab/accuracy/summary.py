"""What results say: of each cell observed over expected with its interval, and over all cells how far off that is."""

import random
import statistics as std
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from accuracy.cells import Cell
from accuracy.measured import Measured
from accuracy.store import Result
from laboratory.statistics import percentile

CLOSE, FAR = 0.05, 0.10  # half of the cells are to be within the first; beyond the second the cause is asked for
ALLOWED = 0.15  # 95 % of the cells are to be within this, or within twice the cell's own spread
OURS = "plumbline"
_MAD_TO_SD = 1.4826  # of a normal distribution
_ORDER_FROM = 6  # runs: of fewer there are no order statistics whose interval has 95 %
_DRAWS = 1000  # of the bootstrap
_STOLEN, _OTHERS = 0.01, 0.05  # shares of the cores' time beyond which a recording was disturbed


@dataclass(frozen=True)
class Ratio:
    """Observed over expected: the median over runs of the median of each, with 95 % bounds."""
    median: float
    low: float
    high: float

    @property
    def off(self) -> float:
        """How far from what was expected."""
        return abs(self.median - 1)


@dataclass(frozen=True)
class Row:
    """One cell under one MPI."""
    cell: Cell
    mpi: str
    runs: int
    repetitions: int
    observed: float  # us of a repetition: median over runs
    spread: float  # of single repetitions in a run, robust standard deviation over median
    as_run: Ratio | None  # None: not judged
    as_configured: Ratio | None
    bracket: float  # upper over lower of what is expected as run; 1 where no cache is involved
    left_out: int  # repetitions
    reason: str  # they were left out for
    models: dict[str, float] = field(default_factory=dict)  # observed over expected, whole repetitions from the start

    @property
    def allowed(self) -> float:
        """How far off it may be."""
        return max(ALLOWED, 2 * self.spread)


@dataclass(frozen=True)
class Share:
    """Over cells."""
    cells: int
    median: float  # of how far off they are
    p95: float
    close: int  # cells within 5 %
    allowed: int  # cells within what is allowed; of models 15 %


def over(observed: float, lower: float, upper: float) -> float:
    """Observed over expected; 1 within the bracket."""
    if observed > upper:
        return observed / upper if upper else float("inf")
    return observed / lower if observed < lower else 1.0


def rows(results: Sequence[Result], listed: Sequence[Cell]) -> list[Row]:
    """Of all cells that were measured, in the order of the list, for each MPI."""
    flavours = sorted({result.mpi for result in results}, reverse=True)
    found = []
    for mpi in flavours:
        for cell in listed:
            runs = [result.cells[cell.name] for result in results if result.mpi == mpi and cell.name in result.cells]
            if runs:
                found.append(_row(cell, mpi, runs))
    return found


def _row(cell: Cell, mpi: str, runs: Sequence[Measured]) -> Row:
    judged = [run for run in runs if run.observed]
    models = {OURS: std.median(run.length / run.free for run in runs)} if all(run.free > 0 for run in runs) else {}
    for name in sorted({name for run in runs for name in run.models}):
        ratios = [run.length / run.models[name] for run in runs if run.models.get(name, 0) > 0]
        if ratios:
            models[name] = std.median(ratios)
    return Row(cell, mpi, len(judged), sum(len(run.observed) for run in judged), std.median(run.length for run in runs),
               std.median(_spread(run.observed) for run in judged) if judged else 0.0,
               _ratio(cell.name + mpi, judged, lambda run: run.as_run),
               _ratio(cell.name + mpi, judged, lambda run: run.as_configured),
               std.median(upper / lower if lower else 1.0 for run in judged for lower, upper in run.as_run) if judged else 1.0,
               sum(run.left_out for run in runs), next((run.reason for run in runs if run.reason), ""),
               {} if cell.is_io else models)


def _spread(values: Sequence[float]) -> float:
    middle = std.median(values)
    return _MAD_TO_SD * std.median(abs(value - middle) for value in values) / middle if middle else 0.0


def _ratio(seed: str, runs: Sequence[Measured], expected: Callable[[Measured], list[tuple[float, float]]]) -> Ratio | None:
    ratios = [[over(observed, *bracket) for observed, bracket in zip(run.observed, expected(run))] for run in runs]
    return ratio_of(ratios, seed) if ratios else None


def ratio_of(runs: Sequence[Sequence[float]], seed: str) -> Ratio:
    """From the ratios of the repetitions of each run. Bounds: of six runs and more by order statistics of their medians; of
    fewer by a bootstrap that draws runs, and repetitions in them. Of one run they know nothing of other runs."""
    medians = sorted(std.median(run) for run in runs)
    middle = std.median(medians)
    if len(medians) >= _ORDER_FROM:
        low = may_be_left_out(len(medians))
        return Ratio(middle, medians[low], medians[-1 - low])
    chance = random.Random(seed)
    drawn = sorted(std.median(std.median(chance.choices(run, k=len(run))) for run in chance.choices(runs, k=len(runs)))
                   for _ in range(_DRAWS))
    return Ratio(middle, drawn[int(0.025 * _DRAWS)], drawn[int(0.975 * _DRAWS) - 1])


def may_be_left_out(count: int) -> int:
    """How many of the least and of the greatest of `count` values may be left out so that what is between holds the median
    with 95 %: by the binomial distribution of values below it."""
    tail, chance, left_out = 0.0, 0.5 ** count, -1
    for k in range(count // 2):
        tail += chance
        if 2 * tail > 0.05:
            break
        left_out = k
        chance *= (count - k) / (k + 1)
    return max(left_out, 0)


def share(found: Sequence[tuple[float, float]]) -> Share | None:
    """Of cells, each with how far off it is and may be; None of none."""
    if not found:
        return None
    offs = [off for off, _ in found]
    return Share(len(offs), std.median(offs), percentile(offs, 0.95), sum(off <= CLOSE for off in offs),
                 sum(off <= allowed for off, allowed in found))


def share_of(found: Sequence[Row], ratio: Callable[[Row], Ratio | None]) -> Share | None:
    """Over rows that have this ratio."""
    return share([(each.off, row.allowed) for row in found if (each := ratio(row)) is not None])


def share_of_model(found: Sequence[Row], name: str) -> Share | None:
    """Over rows that every model has something to say about."""
    names = {each for row in found for each in row.models}
    return share([(abs(row.models[name] - 1), row.allowed) for row in found if names and names <= set(row.models)])


def without_all_models(found: Sequence[Row]) -> int:
    """Rows that a model has something to say about, and another one has not."""
    names = {each for row in found for each in row.models}
    return sum(0 < len(row.models) < len(names) for row in found)


def disturbed(results: Sequence[Result]) -> int:
    """Recordings beside which others used the cores, or the hypervisor took them away."""
    return sum(result.reading.get("steal", 0) > _STOLEN or result.reading.get("others", 0) > _OTHERS for result in results)
