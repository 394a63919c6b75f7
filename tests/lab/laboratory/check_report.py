"""The tables of `lab check`."""

import statistics as std
from collections import Counter
from collections.abc import Iterable, Sequence

from laboratory.cells import Run
from laboratory.fault_table import FAULTS
from laboratory.statistics import Effect, effect, summarise, tail

_SMALL = ("pingpong_8", "pingpong_1k", "allreduce_8", "bcast_1k", "compute_allreduce", "jacobi", "small_messages",
          "io_small", "io_open", "io_close")  # messages and requests below 8 KiB
_SINGLE_SMALL, _SINGLE, _OF_MINIMA = 0.06, 0.03, 0.015  # the spreads that the laboratory must keep


def tables(runs: Sequence[Run]) -> str:
    """Everything, as text."""
    parts = [_statuses(runs)]
    for ranks, mpi in sorted({(-run.ranks_per_node, run.mpi) for run in runs}, reverse=True):
        mine = [run for run in runs if (-run.ranks_per_node, run.mpi) == (ranks, mpi) and run.counts]
        healthy = [run for run in mine if not run.faults]
        mpi += f", {-ranks} ranks a node" if ranks < -1 else ""
        parts.append(_steadiness(mpi, healthy))
        for name in _in_order(",".join(run.faults) for run in mine if run.faults):
            parts.append(_fault(mpi, name, healthy, [run for run in mine if ",".join(run.faults) == name]))
    return "\n\n".join(parts)


def _in_order(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _statuses(runs: Sequence[Run]) -> str:
    lines = [f"{len(runs)} runs, {sum(bool(run.disturbed) for run in runs)} of them disturbed and repeated"]
    for mpi in sorted({run.mpi for run in runs}, reverse=True):
        counted = Counter(run.status for run in runs if run.mpi == mpi)
        said = [f"status {status} in {count}" for status, count in sorted(counted.items())]
        lines.append(f"  {mpi}: " + ", ".join(said))
    reasons = Counter(part.split(":")[0] for run in runs if run.disturbed for part in run.disturbed.split("; "))
    lines += [f"  {reason}: {count} times" for reason, count in reasons.most_common()]
    return "\n".join(lines)


def _cells(runs: Sequence[Run]) -> list[str]:
    return _in_order(cell for run in runs for cell in run.samples)


def _samples(runs: Sequence[Run], cell: str) -> list[list[float]]:
    return [run.samples[cell] for run in runs if run.samples.get(cell)]


def _measurements(runs: Sequence[Run], cell: str) -> list[list[list[float]]]:
    numbers = sorted({run.measurement for run in runs})
    return [_samples([run for run in runs if run.measurement == number], cell) for number in numbers]


def _runs_of_a_cell(runs: Sequence[Run]) -> int:
    return max((len(_samples(runs, cell)) for cell in _cells(runs)), default=0)


def _percent(value: float | None, limit: float) -> str:
    return "-" if value is None else f"{100 * value:.2f}{'!' if value > limit else ' '}"


def _steadiness(mpi: str, healthy: Sequence[Run]) -> str:
    lines = [f"{mpi}, healthy, {_runs_of_a_cell(healthy)} runs (us; ! is more than the laboratory must keep)",
             f"  {'cell':20} {'median':>11} {'CV run %':>9} {'CV min5 %':>9} {'CV inter %':>10} {'of':>3} {'outliers':>8} {'p99':>11} {'max':>11}"]
    for cell in _cells(healthy):
        row = summarise(*_measurements(healthy, cell))
        single = _SINGLE_SMALL if cell in _SMALL else _SINGLE
        lines.append(f"  {cell:20} {row.median:11.1f} {_percent(row.variation, single):>9} "
                     f"{_percent(row.variation_of_minima, _OF_MINIMA):>9} "
                     f"{_percent(row.variation_interleaved, _OF_MINIMA):>10} {row.repetitions:3} {row.outliers:8} {row.p99:11.1f} "
                     f"{row.maximum:11.1f}")
    return "\n".join(lines)


def _fault(mpi: str, name: str, healthy: Sequence[Run], faulty: Sequence[Run]) -> str:
    expected = {cell for one in name.split(",") if one in FAULTS for cell in FAULTS[one].cells}
    lines = [f"{mpi}, {name}, {_runs_of_a_cell(faulty)} runs against {_runs_of_a_cell(healthy)} healthy (* should show it)",
             f"  {'cell':20} {'median':>11} {'ratio':>8} {'above all':>10} {'tail ratio':>11} {'above all':>10}"]
    for cell in _cells(faulty):
        base, now = _samples(healthy, cell), _samples(faulty, cell)
        if not base or not now:
            continue
        middle = effect([std.median(one) for one in base], [std.median(one) for one in now])
        slowest = effect([tail(one) for one in base], [tail(one) for one in now])
        mark = "*" if cell in expected else " "
        lines.append(f"{mark} {cell:20} {std.median(std.median(one) for one in now):11.1f} {middle.ratio:8.2f} "
                     f"{_above(middle):>10} {slowest.ratio:11.2f} {_above(slowest):>10}")
    return "\n".join(lines)


def _above(found: Effect) -> str:
    return f"{found.above}/{found.runs}" + (" yes" if found.visible else "    ")
