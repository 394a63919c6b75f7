"""lab check: runs the cells again and again, healthy and broken in turn; says how steady they are and what moved."""

import argparse
import itertools
import json
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TextIO

from laboratory import canary, cells, check_arguments, check_report, faults
from laboratory.cells import FLAVOURS, Run, Speed
from laboratory.errors import BAD_INPUT, TOO_NOISY, LabError
from laboratory.lock import exclusive
from laboratory.plan import Laboratory
from laboratory.supervisor import current

_REPEATS = 1  # of a run that was disturbed, before its place stays empty
_CALIBRATION_RUNS = 3  # of each flavour
_CELLS_OF_A_RUN = 5
_SLOW_CACHE = 1.2  # times a load from the second-level cache; EPYC: 4.1 to 4.8 ns, beside a sibling that fills it 5.3 to 17
_DRIFT = 1.1  # times the full speed at the start: what it comes to by itself, by how much the host has to do

RunOnce = Callable[[str, int, Sequence[str]], Run]  # (flavour, round, cells) under the faults that are on
CellsUnder = Callable[[str, Sequence[str]], list[str]]  # (fault, or "", part of the cells): those to be run
Say = Callable[[str], None]


def main(argv: list[str]) -> int:
    """The verb `lab check`; its exit status."""
    options = check_arguments.parser().parse_args(argv)
    if options.analyse:
        runs = read_all(options.analyse)
    else:
        for name in options.fault:
            faults.named(name)
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # as Ctrl-C: faults are taken off
        lab = current()
        with exclusive(), _raw(options.json) as raw:
            runs = measure(lab, options, raw)
    print(check_report.tables(runs))
    return status_of(runs)


def status_of(runs: Sequence[Run]) -> int:
    """The exit status: 1 when a run failed, 5 when a flavour has no run that counts, else 0."""
    if any(run.status != 0 for run in runs):
        return 1
    quiet = {run.mpi for run in runs if run.counts}
    return 0 if quiet == {run.mpi for run in runs} else TOO_NOISY


def _raw(path: str | None) -> TextIO:
    return open(path or "/dev/null", "a", encoding="utf-8")


def read(path: Path) -> list[Run]:
    """The runs of a file that --json wrote."""
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
        runs = [Run.from_data(line) for line in lines if line["kind"] == "run"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LabError(str(path), f"is not a file of lab check --json: {error}", "", BAD_INPUT) from error
    if not runs:
        raise LabError(str(path), "holds no run", "lab check --json FILE writes one", BAD_INPUT)
    return runs


def read_all(paths: Sequence[str]) -> list[Run]:
    """The runs of several such files, each a measurement of its own."""
    return [replace(run, measurement=number) for number, path in enumerate(paths) for run in read(Path(path))]


def measure(lab: Laboratory, options: argparse.Namespace, raw: TextIO) -> list[Run]:
    """All rounds. The healthy laboratory is what is left behind."""
    flavours = list(FLAVOURS) if options.mpi == "both" else [options.mpi]
    broken = list(faults.FAULTS) if "all" in options.fault else options.fault
    named = options.cells == "named"
    chosen = cells_of(broken) if named else [name for name in options.cells.split(",") if name]
    cells.check_names(flavours[0], chosen)
    faults.remove_all(lab)
    directory = cells.io_directory(lab)
    everything = cells.expand(flavours[0], chosen, directory is not None)
    print("calibrating the canary", file=sys.stderr)
    at_start = cells.canary_at_full_speed(lab)
    quiet = slow_above(options.slow, at_start, at_start)
    limits = calibrate(lab, flavours, quiet, options.ranks_per_node)
    near = canary.near(lab, limits)
    raw.write(json.dumps({"kind": "limits", "canary_us": quiet.us, "canary_cache_ns": quiet.cache_ns, **asdict(limits), "laboratory": asdict(lab.options)}) + "\n")

    def cells_under(fault: str, part: Sequence[str]) -> list[str]:
        return [cell for cell in part if not (named and fault) or cell in cells_of([fault])]

    def once(mpi: str, number: int, wanted: Sequence[str]) -> Run:
        nonlocal quiet
        canary.bring_cores_back(lab, limits)
        run, reading = canary.watch(lab, lambda: cells.run(lab, mpi, wanted, directory, number, quiet=quiet, near=near,
                                                               ranks_per_node=options.ranks_per_node))
        run.reading, run.disturbed = canary.as_data(reading), canary.complaint(reading, limits)
        if run.slow:
            run.disturbed = "; ".join(filter(None, [run.disturbed, f"the core was slow, or moved, in iterations: {run.slow}"]))
            quiet = slow_above(options.slow, at_start, cells.canary_at_full_speed(lab))
        if run.status != 0:
            canary.keep_awake(lab, near)
        raw.write(run.to_json() + "\n")
        raw.flush()
        return run

    try:
        return rounds(lab, options.rounds, flavours, possible(lab, broken, options.ranks_per_node), in_parts(everything), cells_under, once, _say)
    finally:
        faults.remove_all(lab)
        canary.keep_awake(lab, near)


def slow_above(percent: int, at_start: Speed, now: Speed) -> Speed:
    """What the canary must not exceed, from what it takes at full speed: the limit follows a host that has more to do by
    and by, but not a core that shares with a busy sibling."""
    times = 1 + percent / 100
    return Speed(min(times * now.us, max(times, _DRIFT) * at_start.us), _SLOW_CACHE * min(now.cache_ns, at_start.cache_ns))


def cells_of(names: Iterable[str]) -> list[str]:
    """What these faults should move, without repetition; all cells where they name none."""
    return list(dict.fromkeys(cell for name in names for cell in faults.FAULTS[name].cells))


def in_parts(names: Sequence[str]) -> list[list[str]]:
    """What one run has of the cells: some seconds of work, for what disturbs a run costs all of it."""
    return [list(names[i:i + _CELLS_OF_A_RUN]) for i in range(0, len(names), _CELLS_OF_A_RUN)]


def possible(lab: Laboratory, names: Iterable[str], ranks_per_node: int = 1) -> list[str]:
    """Those that this laboratory can have and so many ranks a node show; the others are said."""
    found = []
    for name in names:
        shape = faults.SHAPES[faults.FAULTS[name].shape]
        try:
            if faults.FAULTS[name].shape != faults.MACHINE and shape.ranks_per_node != ranks_per_node:
                raise LabError(name, f"shows in {shape.what}", f"lab up {' '.join(shape.options)}; "
                               f"lab check --ranks-per-node {shape.ranks_per_node} --fault {name}")
            faults.check_possible(lab, name)
            found.append(name)
        except LabError as error:
            print(f"left out: {error}", file=sys.stderr)
    return found


def startable(names: Iterable[str], mpi: str) -> list[str]:
    """Those under which programs of this flavour start."""
    return [name for name in names if mpi not in faults.FAULTS[name].ends]


def calibrate(lab: Laboratory, flavours: Sequence[str], quiet: Speed, ranks_per_node: int = 1) -> canary.Reading:
    """The limits of the canary, from short runs of the communication cells that look at it as all do."""
    apart = canary.draw_cores(lab, lambda _: False)
    near = canary.near(lab)
    readings = [canary.watch(lab, lambda mpi=mpi: cells.run(lab, mpi, ["comm"], None, 0, 0.4, quiet, near, ranks_per_node))[1]  # type: ignore[misc]
                for _ in range(_CALIBRATION_RUNS) for mpi in flavours]
    return canary.limits_from(readings, apart)


def rounds(lab: Laboratory, count: int, flavours: Sequence[str], broken: Sequence[str], parts: Sequence[Sequence[str]],
           cells_under: CellsUnder, once: RunOnce, say: Say) -> list[Run]:
    """Two rounds at a time, part by part of the cells and flavour by flavour: healthy and under each fault, and then in the
    opposite order. So what is compared lies seconds apart, and a drift of the machine favours nobody."""
    runs: list[Run] = []
    for first in range(0, count, 2):
        pair = range(first, min(first + 2, count))
        for index, part in enumerate(parts):
            for mpi, number in itertools.product(flavours, pair):
                for fault in _in_turn(["", *startable(broken, mpi)], number):
                    if wanted := cells_under(fault, part):
                        runs += under(lab, fault, lambda mpi=mpi, number=number, wanted=wanted: once(mpi, number, wanted), say)  # type: ignore[misc]
            say(f"{' and '.join(f'round {number + 1}' for number in pair)} of {count}: part {index + 1} of {len(parts)}")
    return runs


def _in_turn(names: list[str], number: int) -> list[str]:
    return names if number % 2 == 0 else names[::-1]


def under(lab: Laboratory, fault: str, once: Callable[[], Run], say: Say) -> list[Run]:
    """The runs of one place, with the fault on for as long as they take; "" is none."""
    if fault:
        faults.apply(lab, fault)
    runs = undisturbed(once, say)
    if fault:
        faults.remove(lab, fault)
    return runs


def undisturbed(once: Callable[[], Run], say: Say) -> list[Run]:
    """Runs until a run counts, at most twice; all of them, the disturbed ones too."""
    tried: list[Run] = []
    while len(tried) <= _REPEATS:
        run = once()
        tried.append(run)
        if run.status != 0:
            say(f"{run.mpi}, {'+'.join(run.faults) or 'healthy'}: status {run.status}: {run.error}")
        if not run.disturbed:
            break
        say(f"{run.mpi}, {'+'.join(run.faults) or 'healthy'}: repeated: {run.disturbed}")
    return tried


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
