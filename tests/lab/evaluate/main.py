"""lab evaluate: the blind evaluation of `plumbline validate`."""

import argparse
import math
import signal
import sys
import time
from pathlib import Path

from accuracy import main as of_times
from evaluate import causes, page, results, run, table
from evaluate.draw import Choice, Draw, draw
from evaluate.options import share
from evaluate.programs import main as of_programs
from evaluate.programs.store import Store
from evaluate.sequence import one_after_the_other
from laboratory import faults, json_lines
from laboratory import up as bring_up
from laboratory.cells import FLAVOURS
from laboratory.errors import BAD_INPUT, LabError
from laboratory.fault_table import FAULTS, MACHINE, SHAPES
from laboratory.sittings import minutes

_HELP = """The blind evaluation: draws faults, and healthy runs among them, from the table of faults; brings each on, in a
laboratory of its own or on this machine itself, and runs `plumbline validate` there, which is told nothing. Each run is one
line of JSON in a file; at the end a table says how often the fault was found, and how often something healthy was accused.

  lab evaluate                                  150 runs of seed 1; again: those that are missing
  lab evaluate --shape machine                  no laboratories: about a minute a run instead of ten
  lab evaluate --runs 300                       goes on with the same evaluation
  lab evaluate --shape cluster --minutes 60     faults of a whole cluster, as many runs as an hour has
  lab evaluate --seed 2 --mpi openmpi --fault slow-link --fault slow-disk
  lab evaluate --table                          the table again, without running anything
  lab evaluate report                           the same as a page, with all misses and false findings, and the page of
                                                `lab accuracy` where it has kept something
  lab evaluate programs --help                  real programs under faults, and what compare and validate say of them
  lab evaluate --command './my-check {hosts} {per_node} {mpi}'

One run in six has two faults at once. A seed is a round: other shapes, faults or shares of healthy runs and of
pairs need another, or another file of results. A command may have
{plumbline}, {out} (a directory), {hosts} (a file with a name a line), {per_node}, {mpi}, and the words {where}, which is
--hosts FILE --per-node N in a laboratory, and {io}, which is --io DIR where files belong in a certain directory. Its report is
what it prints, or {out}/report.json. Ctrl-C ends it; the run under way is not counted. Status 0, whatever they found.
"""


def main(argv: list[str]) -> int:
    """The verb `lab evaluate`; its exit status."""
    if argv[:1] == ["programs"]:
        return of_programs.main(argv[1:])
    options = _parser().parse_args(argv)
    path = results.outside_the_tree(Path(options.results))
    done = results.read(path)
    if options.verb == "report":
        done = results.published(Path(options.published), done)
        written = page.write(done, causes.read(Path(options.causes)), Store(Path(options.programs)).trials(), Path(options.page),
                             Path(options.every))
        written += of_times.publish(Path(options.accuracy))
        print(f"written: {', '.join(map(str, written))}", file=sys.stderr)
    elif not options.table:
        for number in (signal.SIGTERM, signal.SIGHUP):  # as Ctrl-C: everything is removed
            signal.signal(number, lambda number, _: sys.exit(128 + number))
        done += _evaluate(options, path, done)
    print(table.text(done))
    return 0


def _evaluate(options: argparse.Namespace, path: Path, done: list[results.Result]) -> list[results.Result]:
    how = run.How(options.seed, options.command, options.timeout, Path(options.keep).absolute() if options.keep else None,
                  Path(options.plumbline) if options.plumbline else None)
    run.check_command(how)
    for name in options.fault:
        faults.named(name)
    wanted = list(FAULTS) if not options.fault or "all" in options.fault else options.fault
    flavours = list(FLAVOURS) if options.mpi == "both" else [options.mpi]
    shapes = [shape for shape in SHAPES if not options.shape or shape in options.shape]
    healthy, pairs = share("--healthy", options.healthy), share("--pairs", options.pairs)
    if healthy < 1 <= healthy + pairs:
        raise LabError("--pairs", "no run with one fault is left", "less of --healthy or of --pairs", BAD_INPUT)
    runs = draw(options.seed, options.runs, Choice(wanted, flavours, healthy, shapes, pairs))
    missing = results.still_to_do(runs, options.seed, done, path)
    bring_up.require_none("lab evaluate")
    return one_after_the_other(missing, lambda each: _next(each, how, path, len(runs)), time.monotonic() + 60 * options.minutes)


def _next(each: Draw, how: run.How, path: Path, count: int) -> results.Result:
    result = run.once(each, how)
    results.append(path, result)
    said = ", ".join(diagnosis["id"] for diagnosis in result.diagnoses) or result.error.partition("\n")[0] or "nothing"
    print(f"run {result.name} of {count}: {each.text()}: status {result.status}, {result.seconds:.0f} s: {said}",
          file=sys.stderr, flush=True)
    return result


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="lab evaluate", description=_HELP, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("verb", nargs="?", choices=["run", "report"], default="run", help="report: run nothing, write the page")
    made.add_argument("--results", default=str(json_lines.state_directory() / "evaluation.jsonl"), metavar="FILE",
                      help="(%(default)s)")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="of what is drawn (1)")
    made.add_argument("--runs", type=int, default=150, metavar="N", help="of this seed, with those that are there (150)")
    made.add_argument("--mpi", choices=[*FLAVOURS, "both"], default="both", help="(both)")
    made.add_argument("--fault", action="append", default=[], metavar="NAME", help="may be repeated (all)")
    made.add_argument("--shape", action="append", default=[], choices=list(SHAPES),
                      help=f"what is broken; may be repeated (all). {MACHINE}: {SHAPES[MACHINE].what}")
    made.add_argument("--healthy", default="25%", metavar="SHARE", help="of the runs (25%%)")
    made.add_argument("--pairs", default="16.7%", metavar="SHARE",
                      help="of the runs: with two faults at once, where two can be told apart (16.7%%, one in six)")
    made.add_argument("--minutes", type=minutes("60"), default=math.inf, metavar="M", help="begin nothing after so long (no end)")
    made.add_argument("--command", default=run.COMMAND, metavar="LINE", help="(%(default)s)")
    made.add_argument("--plumbline", metavar="FILE", help="what {plumbline} stands for (bin/plumbline of the build)")
    made.add_argument("--timeout", type=float, metavar="SECONDS", help="of one run (900 on the machine, 1800 in a laboratory)")
    made.add_argument("--keep", metavar="DIR", help="keep the report of each run there, as SEED-RUN.json")
    made.add_argument("--table", action="store_true", help="run nothing")
    made.add_argument("--page", default=str(page.PAGE), metavar="FILE", help="of report (docs/detection.md)")
    made.add_argument("--every", default=str(page.EVERY), metavar="FILE",
                      help="of report: by fault, misses and false findings (docs/notebook/detection-runs.md)")
    made.add_argument("--published", default=str(page.PUBLISHED), metavar="FILE",
                      help="of report: the runs that it was made of before, to which those of --results are added "
                           "(docs/notebook/detection-runs.jsonl)")
    made.add_argument("--programs", default=str(json_lines.state_directory() / "programs"), metavar="DIR",
                      help="of report: what `lab evaluate programs` has kept (%(default)s)")
    made.add_argument("--accuracy", default=str(of_times.DIRECTORY), metavar="DIR",
                      help="of report: what `lab accuracy` has kept, of which its page is made (%(default)s)")
    made.add_argument("--causes", default=str(causes.FILE), metavar="FILE", help="of report (evaluate/causes.toml)")
    return made
