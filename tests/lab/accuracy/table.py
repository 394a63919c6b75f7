"""The tables of results, as text for a terminal."""

from collections.abc import Callable, Sequence

from accuracy import summary
from accuracy.cells import Cell
from accuracy.store import Result
from accuracy.summary import Ratio, Row, Share

NAMES = {"openmpi": "Open MPI", "mpich": "MPICH", "simgrid": "SimGrid", "hockney": "Hockney", "plumbline": "Plumbline"}
_BRACKET = 1.005  # upper over lower, beyond which it is told
_OF_CACHES = "; 'of N': what a cache may hold leaves an interval, whose upper end is N times the lower"
EXPECTATIONS: dict[str, Callable[[Row], Ratio | None]] = {
    "as run": lambda row: row.as_run, "as configured": lambda row: row.as_configured}


def text(results: Sequence[Result], listed: Sequence[Cell]) -> str:
    """Everything."""
    found = summary.rows(results, listed)
    if not found:
        return "nothing was measured yet"
    lines = [head(results, found), "",
             f"{'cell':30} {'MPI':8} {'observed':>9} {'n':>5}  {'as run':22} {'as configured':22} spread",
             *(_row(row) for row in found), "", *shares(found), "",
             "From the start, whole repetitions, observed over expected:",
             f"{'cell':30} {'MPI':8}" + "".join(f"{NAMES.get(name, name):>11}" for name in models(found)),
             *(_models(row, models(found)) for row in found if row.models), "", *shares_of_models(found)]
    return "\n".join(lines)


def head(results: Sequence[Result], found: Sequence[Row]) -> str:
    """How much there is, how quiet the machine was, and what is in brackets."""
    versions = sorted({result.plumbline for result in results})
    return (f"{len(results)} recordings, replayed by {', '.join(versions)}; {summary.disturbed(results)} of them on a machine "
            f"that others used. In brackets 95 % bounds{_OF_CACHES if any(map(_has_bracket, found)) else ''}.")


def _has_bracket(row: Row) -> bool:
    return row.as_run is not None and row.bracket > _BRACKET


def shares(found: Sequence[Row]) -> list[str]:
    """A line for each MPI and expectation, and of both together."""
    lines = []
    for name, ratio in EXPECTATIONS.items():
        for mpi in flavours(found):
            mine = [row for row in found if not mpi or row.mpi == mpi]
            lines.append(f"{name}, {NAMES.get(mpi, 'all')}: {said(summary.share_of(mine, ratio))}")
    return lines


def flavours(found: Sequence[Row]) -> list[str]:
    """Of which there are shares; "" for both together."""
    names = list(dict.fromkeys(row.mpi for row in found))
    return [*names, ""] if len(names) > 1 else names


def shares_of_models(found: Sequence[Row]) -> list[str]:
    """A line for each model, over the cells that all have something to say about."""
    lines = [f"{NAMES.get(name, name)}: {said(summary.share_of_model(found, name))}" for name in models(found)]
    return lines + list(filter(None, [of_fewer(found)]))


def of_fewer(found: Sequence[Row]) -> str:
    """What the comparison leaves out; empty where that is nothing."""
    count = summary.without_all_models(found)
    return f"Not compared, as smpirun crashed there: {count} more cell{'s' * (count != 1)}." if count else ""


def said(share: Share | None) -> str:
    """In words."""
    if share is None:
        return "no cell is judged"
    return (f"{share.cells} cells, off by {100 * share.median:.1f} % (median), {100 * share.p95:.1f} % (95th percentile); "
            f"within 5 %: {share.close}; within 15 % or twice their spread: {share.allowed}")


def models(found: Sequence[Row]) -> list[str]:
    """Ours first."""
    return sorted({name for row in found for name in row.models}, key=lambda name: (name != summary.OURS, name))


def duration(us: float) -> str:
    """With three digits."""
    return f"{us:.3g} µs" if us < 1000 else f"{us / 1000:.3g} ms" if us < 1e6 else f"{us / 1e6:.3g} s"


def ratio(value: Ratio | None) -> str:
    """With its bounds."""
    return f"{value.median:.3f} [{value.low:.3f}, {value.high:.3f}]" if value else "not judged"


def as_run(row: Row) -> str:
    """Of a cell, with the bracket where there is one: within it any time is as expected."""
    return ratio(row.as_run) + (f" of {row.bracket:.2f}" if _has_bracket(row) else "")


def _row(row: Row) -> str:
    left = f"  {row.left_out} left out: {row.reason}" if row.left_out else ""
    each = row.repetitions // max(row.runs, 1)
    return (f"{row.cell.name:30} {NAMES[row.mpi]:8} {duration(row.observed):>9} {row.runs:2}x{each:<3} {as_run(row):22} "
            f"{ratio(row.as_configured):22} {100 * row.spread:4.1f} %{left}")


def _models(row: Row, names: Sequence[str]) -> str:
    return f"{row.cell.name:30} {NAMES[row.mpi]:8}" + "".join(
        f"{row.models[name]:11.3f}" if name in row.models else f"{'-':>11}" for name in names)
