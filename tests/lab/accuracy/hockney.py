"""A Hockney model: a message of n bytes takes a + n b. Collectives cost what textbooks say, with the algorithms and limits
of Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH" (2005); arithmetic is free."""

import math
from collections.abc import Callable

from accuracy.cells import Cell
from accuracy.ping_pong import Line

_SHORT_BCAST = 12 * 1024  # bytes: binomial up to here, and with fewer than eight ranks
_LEAST_SCATTER_RANKS = 8
_LONG_BCAST = 512 * 1024
_SHORT_REDUCE = 2 * 1024
_LONG_ALLGATHER = 512 * 1024  # of all ranks
_SHORT_ALLTOALL = 256
_LONG_REDUCE_SCATTER = 512 * 1024
_SUM_EVERY = 10  # steps of a halo exchange
_WINDOW = 16  # messages of a stream


def seconds(cell: Cell, line: Line) -> float | None:
    """Of one repetition; None for what the model has nothing to say about."""
    formula = _FORMULAS.get(cell.kind)
    return formula(cell.ranks, cell.size, line.fixed, line.each) if formula else None


def _steps(p: int) -> int:
    return math.ceil(math.log2(p))


def _ping_pong(p: int, n: int, a: float, b: float) -> float:
    return 2 * (a + n * b)


def _exchange(p: int, n: int, a: float, b: float) -> float:
    return a + n * b


def _stream(p: int, n: int, a: float, b: float) -> float:
    return a + _WINDOW * n * b + a


def _barrier(p: int, n: int, a: float, b: float) -> float:
    return _steps(p) * a


def _bcast(p: int, n: int, a: float, b: float) -> float:
    if n < _SHORT_BCAST or p < _LEAST_SCATTER_RANKS:
        return _steps(p) * (a + n * b)
    gather = _steps(p) if n < _LONG_BCAST else p - 1  # recursive doubling, or a ring
    return (_steps(p) + gather) * a + 2 * (p - 1) / p * n * b


def _reduce(p: int, n: int, a: float, b: float) -> float:
    if n <= _SHORT_REDUCE:
        return _steps(p) * (a + n * b)
    return 2 * _steps(p) * a + 2 * (p - 1) / p * n * b


def _gather(p: int, n: int, a: float, b: float) -> float:
    return _steps(p) * a + (p - 1) * n * b


def _allgather(p: int, n: int, a: float, b: float) -> float:
    return (_steps(p) if n * p < _LONG_ALLGATHER else p - 1) * a + (p - 1) * n * b


def _alltoall(p: int, n: int, a: float, b: float) -> float:
    if n <= _SHORT_ALLTOALL:
        return _steps(p) * (a + n * p / 2 * b)
    return (p - 1) * (a + n * b)


def _reduce_scatter(p: int, n: int, a: float, b: float) -> float:
    return (_steps(p) if n * p < _LONG_REDUCE_SCATTER else p - 1) * a + (p - 1) * n * b


def _scan(p: int, n: int, a: float, b: float) -> float:
    return _steps(p) * (a + n * b)


def _halo(p: int, side: int, a: float, b: float) -> float:
    """The rank with most neighbours sends its edges one after the other, and a sum of 8 bytes now and then."""
    rows, columns = min(((p // k, k) for k in range(1, p + 1) if p % k == 0), key=lambda grid: abs(grid[0] - grid[1]))
    neighbours = min(2, rows - 1) + min(2, columns - 1)
    return a + neighbours * 8 * side * b + _reduce(p, 8, a, b) / _SUM_EVERY


_FORMULAS: dict[str, Callable[[int, int, float, float], float]] = {
    "ping_pong": _ping_pong, "exchange": _exchange, "stream": _stream, "barrier": _barrier, "bcast": _bcast,
    "reduce": _reduce, "allreduce": _reduce, "gather": _gather, "scatter": _gather, "allgather": _allgather,
    "alltoall": _alltoall, "reduce_scatter_block": _reduce_scatter, "scan": _scan, "halo": _halo,
}
