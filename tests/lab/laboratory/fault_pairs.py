"""Which two faults a laboratory, or the machine itself, can have at once, so that each of them can be told: neither takes
away what the other needs, and no finding could name either."""

from collections.abc import Mapping

from laboratory.fault import MACHINE, Fault
from laboratory.fault_table import FAULTS, named_in

# What a fault leaves unused, and without what a fault shows nowhere: parts of an MPI library, or of the machine.
_LEAVES_UNUSED: Mapping[str, tuple[str, ...]] = {
    "tcp-only": ("shared memory",), "small-shm": ("shared memory",), "segments-on-disk": ("/dev/shm",),
    "wrong-transport": ("shared memory", "TCP of ob1"), "other-io-library": ("OMPIO",), "hints-file": ("OMPIO",),
    "no-tuned-collectives": ("tuned",), "one-core": ("other cores",)}
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "no-single-copy": ("shared memory",), "absurd-memory-eager-limit": ("shared memory",),
    "segments-on-disk": ("shared memory",), "small-shm": ("/dev/shm",), "nagle": ("TCP of ob1",),
    "absurd-eager-limit": ("TCP of ob1",), "lock-algorithm": ("OMPIO",), "bad-allreduce": ("tuned",),
    "bad-bcast": ("tuned",), "bad-alltoall": ("tuned",), "busy-core": ("other cores",), "periodic-work": ("other cores",)}
_MANY_AT_ONCE = ("launch", "busy")  # effects; there is one of each other at a time


def why_not_both(one: str, other: str, mpi: str, shape: str = MACHINE) -> str:
    """Why these two cannot be had there, or not be told apart, under this MPI; "" where they can."""
    first, second = FAULTS[one], FAULTS[other]
    if one == other:
        return "they are the same"
    if mpi in first.ends or mpi in second.ends:
        return "no program starts"
    if first.effect == second.effect and first.effect not in _MANY_AT_ONCE:
        return f"there is one {first.effect} at a time"
    return _settings(first, second, mpi) or _parts(one, other) or _parts(other, one) or _names(first, second, shape)


def _settings(first: Fault, second: Fault, mpi: str) -> str:
    if "romio" in first.settings and "romio" in second.settings:
        return "there is one file of hints"
    mine, others = first.settings.get(mpi, {}), second.settings.get(mpi, {})
    differ = [name for name in mine if others.get(name, mine[name]) != mine[name]]
    return f"both set {', '.join(differ)}" if differ else ""


def _parts(one: str, other: str) -> str:
    missing = set(_LEAVES_UNUSED.get(one, ())) & set(_NEEDS.get(other, ()))
    return f"{one} leaves {', '.join(sorted(missing))} unused, which {other} needs" if missing else ""


def _names(first: Fault, second: Fault, shape: str) -> str:
    """A check names either where one of them takes it with any component, or both with the same."""
    for check, pattern in named_in(first, shape):
        for another, others in named_in(second, shape):
            if check == another and (pattern == others or not pattern or not others):
                return f"{check} may name either"
    return ""


assert _LEAVES_UNUSED.keys() | _NEEDS.keys() <= FAULTS.keys()
