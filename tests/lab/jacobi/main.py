"""lab jacobi: the Jacobi of Grove and Coddington, measured on this machine and in the laboratory, against its predictions."""

import argparse
import functools
import time
from collections.abc import Callable
from pathlib import Path

from accuracy.sitting import InLaboratory, plumbline
from jacobi import cases, measure, page, predict, summary
from jacobi.cases import Case
from jacobi.here import Here
from jacobi.store import Store, prediction_of
from laboratory import json_lines
from laboratory.cells import FLAVOURS
from laboratory.sittings import laboratory_for, minutes, say

_HELP = """How well a program is predicted before it runs: examples/jacobi1d, measured on this machine (2 ranks) and in the
laboratory (2, 4 and 8 nodes), against `plumbline predict` on platforms of campaigns of the same places: from distributions of
message times, from their means and least times, and on networks of LogGP and of packets. Campaigns and results are kept in a directory.

  lab jacobi --minutes 7                        a sitting of at most so long; again: goes on with what is missing
  lab jacobi --place here --mpi openmpi         only this part of it
  lab jacobi --predict                          measures nothing: platforms and predictions again, by today's plumbline
  lab jacobi --page                             writes docs/notebook/jacobi.md and its figure from the results
  lab jacobi --list                             the configurations

A run that was interrupted is made again, a campaign goes on. Status 0 when all went well, however true predictions are.
"""
_AHEAD = "5us"  # of the latency, for kernels and wake-ups: fixed, so that all sittings have the same


def main(argv: list[str]) -> int:
    """The verb `lab jacobi`; its exit status."""
    options = _parser().parse_args(argv)
    listed = [case for case in cases.read(Path(options.cases)) if options.place in ("both", case.place)]
    flavours = list(FLAVOURS) if options.mpi == "both" else [options.mpi]
    if options.list:
        print("\n".join(f"{case.name:32} {' '.join(case.arguments)}" for case in listed))
        return 0
    kept = Store(json_lines.outside_the_tree(Path(options.directory), "--directory DIR").absolute())
    if not options.page:
        if not options.predict:
            _measure(kept, listed, flavours, options)
        _predict(kept, listed, flavours, options.predict)
    found = summary.rows(kept.read(), listed, flavours)
    if options.page:
        print("\n".join(str(path) for path in page.write(found)))
    else:
        print(page.generated(found) if found else "nothing is measured and predicted yet")
    return 0


def _measure(kept: Store, listed: list[Case], flavours: list[str], options: argparse.Namespace) -> None:
    until = time.monotonic() + options.minutes * 60
    plumbline()
    for mpi in flavours:
        measure.program(mpi)
    for place in dict.fromkeys(case.place for case in listed):
        mine = cases.with_computation_alone([case for case in listed if case.place == place])
        wanted = functools.partial(measure.missing, kept, mine, flavours, options.runs)
        if not wanted() or time.monotonic() >= until:
            continue
        if place == "here":
            measure.sit(Here(kept.directory), kept, place, wanted, until, say)
        else:
            _in_laboratory(kept, wanted, until)


def _in_laboratory(kept: Store, wanted: Callable[[], list[measure.Wanted]], until: float) -> None:
    with laboratory_for("lab jacobi", "--servers", "0", "--allowance", _AHEAD) as lab:
        measure.sit(InLaboratory.of(lab), kept, "laboratory", wanted, until, say)


def _predict(kept: Store, listed: list[Case], flavours: list[str], again: bool) -> None:
    """What is measured and has no prediction with the point that is known now, or all."""
    results, calibrated = kept.read(), set[tuple[str, str]]()
    for case in listed:
        for mpi in flavours:
            point = predict.point_ns(results, case, mpi)
            last = prediction_of(results, case, mpi)
            if point is None or not kept.campaign(case.place, mpi).exists() or (last and last.point_ns == point and not again):
                continue
            if (case.place, mpi) not in calibrated:
                predict.calibrate(kept, case.place, mpi)
                calibrated.add((case.place, mpi))
            say(f"predicting {case.name}, {mpi}")
            kept.add(predict.once(kept, case, mpi, point))


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="lab jacobi", description=_HELP, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--directory", default=str(json_lines.state_directory() / "jacobi"), metavar="DIR",
                      help="of all that is kept (%(default)s)")
    made.add_argument("--cases", default=str(cases.LIST), metavar="FILE", help="the list (%(default)s)")
    made.add_argument("--place", choices=[*cases.PLACES, "both"], default="both", help="(both)")
    made.add_argument("--mpi", choices=[*FLAVOURS, "both"], default="both", help="(both)")
    made.add_argument("--runs", type=int, default=7, metavar="N", help="of each configuration, with those there (7)")
    made.add_argument("--minutes", type=minutes("7"), default=60.0, metavar="M", help="begin nothing after so long (60)")
    made.add_argument("--predict", action="store_true", help="measure nothing; predict all again")
    made.add_argument("--page", action="store_true", help="run nothing; write the page and its figure")
    made.add_argument("--list", action="store_true", help="print the configurations")
    return made
