"""The arguments of `lab check`."""

import argparse

from laboratory.cells import FLAVOURS

_SLOW_PERCENT = 10  # EPYC: the arithmetic takes 25.4 to 27 us, and 28 to 42 beside a busy sibling

_HELP = """Measures the laboratory itself. Runs a fixed set of cells (point-to-point, collectives, MPI-IO) in rounds,
both MPIs in turn, and prints how steady each cell is. With --fault, runs with the fault follow healthy ones in every
round, and what the fault moved is printed: it counts as visible where every faulty run lies above all healthy ones.

  lab check                                     5 rounds, both MPIs, all cells; some 5 minutes
  lab check --rounds 100 --slow 4 --json steady.jsonl    for the spread of the minimum of five runs
  lab check --fault slow-link --fault latency   what these do, each against the healthy laboratory
  lab check --fault all --cells named           only what the faults should move; some 25 minutes
  lab check --mpi mpich --cells alltoall_16k,jacobi
  lab check --ranks-per-node 2 --fault tcp-only          what shows between ranks of a node: lab up --nodes 1 --servers 0
  lab check --analyse steady.jsonl              the tables again, without running anything
  lab check --analyse mon.jsonl tue.jsonl       of measurements at several times together

A run during which the machine itself was slow (see canary.py) is repeated, and counted as disturbed. Faults that are on
are taken off first. Status: 0; 1 when a run ended with another status than 0; 5 when the machine was too noisy for
a single run that counts.
"""


def parser() -> argparse.ArgumentParser:
    """Of all of the verb."""
    made = argparse.ArgumentParser(prog="lab check", description=_HELP, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--rounds", type=_count, default=5, metavar="N", help="(5)")
    made.add_argument("--mpi", choices=[*FLAVOURS, "both"], default="both", help="(both)")
    made.add_argument("--cells", default="", metavar="LIST",
                      help="names, or comm and io (all); named: those that the faults should move, of each its own")
    made.add_argument("--fault", action="append", default=[], metavar="NAME", help="may be repeated; or all")
    made.add_argument("--ranks-per-node", type=_count, default=1, metavar="N", help="(1)")
    made.add_argument("--slow", type=_count, default=_SLOW_PERCENT, metavar="PERCENT",
                      help=f"what was done beside a core so much slower than at full speed is done again ({_SLOW_PERCENT})")
    made.add_argument("--json", metavar="FILE", help="append every run with all its samples, one line of JSON each")
    made.add_argument("--analyse", metavar="FILE", nargs="+",
                      help="print the tables of such files; a repetition is never of two of them")
    return made


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return int(text)
