"""lab evaluate programs: real programs under faults."""

import argparse
import functools
import hashlib
import math
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess

from evaluate import results, run
from evaluate.draw import Choice, Draw, draw
from evaluate.options import share
from evaluate.programs import listed, replayed, report
from evaluate.programs.listed import Program
from evaluate.programs.names import NAMED
from evaluate.programs.store import Store, check_whole, keep
from evaluate.sequence import one_after_the_other
from laboratory import json_lines
from laboratory import up as bring_up
from laboratory.cells import FLAVOURS
from laboratory.errors import BAD_INPUT, OWN_FAULT, LabError
from laboratory.fault_table import FAULTS
from laboratory.sittings import minutes, say

SHAPE = "cluster"
COMMAND = "{plumbline} validate -o {out} {where} --mpi {mpi} {io} --quick --json {programs}"

_HELP = """Real programs under faults: draws faults, and healthy runs among them, from the table of faults of a cluster, and runs
`plumbline validate --program` there with the programs of a list (tests/lab/evaluate/programs/programs.toml). What it has recorded
is replayed on the platform of a healthy cluster, which is measured first, and on the one that was made under the fault; scored is
whether compare and validate name the fault. Recordings, platforms and results are kept in a directory.

  lab evaluate programs --minutes 60             a sitting of at most so long; again: goes on with what is missing
  lab evaluate programs --fault slow-link --program jacobi --mpi openmpi
  lab evaluate programs --replay --again         no laboratory: all recordings with today's plumbline
  lab evaluate programs --table                  runs nothing, prints the table of the results that are there
  lab evaluate report                            writes the page of the blind evaluation, with a section about these

A run takes ten minutes and more. Ctrl-C ends it; the run under way is not counted. Status 0, whatever was found.
"""


def main(argv: list[str]) -> int:
    """The verb `lab evaluate programs`; its exit status."""
    options = _parser().parse_args(argv)
    kept = Store(json_lines.outside_the_tree(Path(options.directory), "--directory DIR").absolute())
    if not options.table:
        programs = listed.chosen(listed.read(Path(options.programs)), options.program)
        how = run.How(options.seed, options.command, options.timeout,
                      plumbline=Path(options.plumbline) if options.plumbline else None,
                      programs=lambda mpi, ranks, directory: _words(programs, mpi, ranks, directory))
        runs = _drawn(options)
        if not options.replay:
            for number in (signal.SIGTERM, signal.SIGHUP):  # as Ctrl-C: everything is removed
                signal.signal(number, lambda number, _: sys.exit(128 + number))
            _sit(kept, programs, runs, how, time.monotonic() + 60 * options.minutes)
        _replay(kept, programs, how, options.again)
    print(report.text(kept.trials()))
    return 0


def _words(programs: Sequence[Program], mpi: str, ranks: int, directory: Path) -> list[str]:
    return [word for program in programs for word in ("--program", program.command(mpi, ranks, directory))]


def _drawn(options: argparse.Namespace) -> list[Draw]:
    for name in options.fault:
        if name not in NAMED:
            raise LabError("--fault", f"no comparison could name '{name}'", "one of " + ", ".join(NAMED), BAD_INPUT)
    flavours = list(FLAVOURS) if options.mpi == "both" else [options.mpi]
    faults = [name for name in FAULTS if name in (options.fault or NAMED)]
    return draw(options.seed, options.runs, Choice(faults, flavours, share("--healthy", options.healthy), [SHAPE]))


def _sit(kept: Store, programs: Sequence[Program], runs: Sequence[Draw], how: run.How, until: float) -> None:
    """What is missing: first a healthy cluster for each MPI, then runs."""
    missing = results.still_to_do(runs, how.seed, kept.validations(), kept.directory)
    if not missing:
        return
    flavours = list(dict.fromkeys(each.mpi for each in missing))
    run.check_command(how)
    listed.check_built(programs, flavours)
    bring_up.require_none("lab evaluate programs")
    for mpi in flavours:
        if kept.healthy(mpi).exists():
            check_whole(kept.healthy(mpi), [program.name for program in programs])
        elif time.monotonic() < until:
            say(f"healthy, {mpi}")
            _measure_healthy(kept, programs, mpi, how)
    possible = [each for each in missing if kept.healthy(each.mpi).exists()]
    one_after_the_other(possible, lambda each: _one(kept, programs, each, how), until)


def _measure_healthy(kept: Store, programs: Sequence[Program], mpi: str, how: run.How) -> None:
    """Kept under another name until it is known to be whole."""
    names, first = [program.name for program in programs], kept.healthy(mpi).with_suffix(".first")
    result = run.once(Draw(-1, "", mpi, SHAPE, {}), how, lambda out: keep(out, names, first))
    say(f"healthy, {mpi}: {_what_came(result)}")
    if not result.reported:
        raise LabError(f"healthy, {mpi}", _what_came(result), "", OWN_FAULT)
    check_whole(first, names)
    first.rename(kept.healthy(mpi))


def _one(kept: Store, programs: Sequence[Program], each: Draw, how: run.How) -> results.Result:
    say(f"run {each.index}: {each.text()}")
    names, target = [program.name for program in programs], kept.run(how.seed, each)
    result = run.once(each, how, lambda out: keep(out, names, target))
    kept.add_validation(result)
    say(f"run {each.index}: {_what_came(result)}")
    return result


def _what_came(result: results.Result) -> str:
    said = ", ".join(diagnosis["id"] for diagnosis in result.diagnoses) or result.error.partition("\n")[0] or "nothing"
    return f"status {result.status}, {result.seconds:.0f} s: {said}"


def _replay(kept: Store, programs: Sequence[Program], how: run.How, again: bool) -> None:
    """What has no result yet, or all."""
    known = {trial.validated.name for trial in kept.trials()}
    names = [program.name for program in programs]
    for validated in kept.validations():
        if validated.name in known and not again:
            continue
        trial = replayed.trial(kept, validated, names, functools.partial(_plumbline, how.program), _version(how.program))
        kept.add(trial)
        say(f"run {validated.draw.index}: {report.line(trial)}")


def _plumbline(program: Path, words: list[str]) -> "CompletedProcess[str]":
    return subprocess.run([str(program), *words], capture_output=True, text=True, check=False, timeout=1800)


@functools.cache
def _version(program: Path) -> str:
    """With a part of the hash of the program: versions are seldom counted, and models change often."""
    said = _plumbline(program, ["--version"]).stdout.splitlines()
    return f"{said[0].strip() if said else ''} ({hashlib.sha256(program.read_bytes()).hexdigest()[:8]})"


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="lab evaluate programs", description=_HELP, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--directory", default=str(json_lines.state_directory() / "programs"), metavar="DIR",
                      help="of all that is kept (%(default)s)")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="of what is drawn (1)")
    made.add_argument("--runs", type=int, default=60, metavar="N", help="of this seed, with those that are there (60)")
    made.add_argument("--mpi", choices=[*FLAVOURS, "both"], default="both", help="(both)")
    made.add_argument("--fault", action="append", default=[], metavar="NAME",
                      help="may be repeated (all that a comparison can name)")
    made.add_argument("--programs", default=str(listed.LIST), metavar="FILE", help="the list (%(default)s)")
    made.add_argument("--program", action="append", default=[], metavar="NAME", help="of the list; may be repeated (all)")
    made.add_argument("--healthy", default="25%", metavar="SHARE", help="of the runs (25%%)")
    made.add_argument("--minutes", type=minutes("60"), default=math.inf, metavar="M", help="begin nothing after so long (no end)")
    made.add_argument("--command", default=COMMAND, metavar="LINE", help="(%(default)s)")
    made.add_argument("--plumbline", metavar="FILE", help="what {plumbline} stands for (bin/plumbline of the build)")
    made.add_argument("--timeout", type=float, metavar="SECONDS", help="of one run (1800)")
    made.add_argument("--replay", action="store_true", help="measure nothing; replay what has no result yet")
    made.add_argument("--again", action="store_true", help="replay all recordings")
    made.add_argument("--table", action="store_true", help="run nothing")
    return made
