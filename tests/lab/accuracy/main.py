"""lab accuracy: how true expected times are, in a healthy laboratory."""

import argparse
import time
from pathlib import Path

from accuracy import cells, page, replay, sitting, store, table
from accuracy.store import Recording, Store
from laboratory import json_lines
from laboratory.cells import FLAVOURS
from laboratory.errors import WRONG_USE, LabError
from laboratory.sittings import laboratory_for, minutes, say

DIRECTORY = json_lines.state_directory() / "accuracy"

_HELP = """How true expected times are: in a healthy laboratory, calibrates by messages between two nodes and the I/O of one
client, records programs of the cells of a list (tests/lab/accuracy/cells.toml), replays them, and holds what was observed
against what was expected; beside it a Hockney model and, where smpirun is installed (Debian: libsimgrid-dev), SimGrid's SMPI, both
calibrated by the same ping-pong. Campaigns, recordings and results are kept in a directory.

  lab accuracy --minutes 14                     a sitting of at most so long; again: goes on with what is missing
  lab accuracy --mpi openmpi --start messages-2 only this part of it
  lab accuracy --replay --again                 no laboratory: replays all recordings with today's plumbline
  lab accuracy --table                          the tables of the results that are there
  lab accuracy --page                           writes docs/accuracy.md, its list of cells and its figure from them
  lab accuracy --list                           the cells

A start that was interrupted is made again, a campaign goes on. Status 0 when all went well, however true times are.
"""


def main(argv: list[str]) -> int:
    """The verb `lab accuracy`; its exit status."""
    options = _parser().parse_args(argv)
    listed = cells.read(Path(options.cells))
    if options.list:
        print("\n".join(f"{cell.name:32} {cell.start:20} {cell.suite}" for cell in listed))
        return 0
    kept = Store(json_lines.outside_the_tree(Path(options.directory), "--directory DIR").absolute())
    wanted = _wanted(options, listed)
    if not options.table and not options.page:
        if not options.replay:
            _sit(kept, wanted, options.minutes)
        _replay(kept, wanted, options.again)
    results = store.read(kept.results)
    if options.page:
        written = page.write(store.published(Path(options.published), results), listed)
        print("\n".join(map(str, written)))
    else:
        print(table.text(store.newest(results), listed))
    return 0


def publish(directory: Path) -> list[Path]:
    """As `lab accuracy --page`, if the directory has results; the files that were written."""
    results = store.read(Store(directory).results)
    return page.write(store.published(page.PUBLISHED, results), cells.read()) if results else []


def _wanted(options: argparse.Namespace, listed: list[cells.Cell]) -> list[Recording]:
    starts = cells.starts(listed)
    names = [start.name for start in starts]
    for name in options.start:
        if name not in names:
            raise LabError("--start", f"there is no start '{name}'", "one of " + ", ".join(names), WRONG_USE)
    flavours = list(FLAVOURS) if options.mpi == "both" else [options.mpi]
    return store.all_recordings(flavours, [start for start in starts if not options.start or start.name in options.start],
                                options.runs)


def _sit(kept: Store, wanted: list[Recording], minutes: float) -> None:
    """A laboratory, for as long as there is something to do and time for it."""
    until = time.monotonic() + minutes * 60
    if all(kept.has(each) for each in wanted):
        return
    for mpi in {each.mpi for each in wanted}:
        sitting.suite(mpi)
    sitting.plumbline()
    with laboratory_for("lab accuracy", "--whole-files") as lab:
        missing = [each for each in wanted if not kept.has(each)]
        sitting.sit(sitting.InLaboratory.of(lab), kept, missing, until, say)


def _replay(kept: Store, wanted: list[Recording], again: bool) -> None:
    todo = replay.missing(kept, wanted, again)
    machines = {mpi: replay.calibrated(kept, mpi, again) for mpi in dict.fromkeys(each.mpi for each in todo)}
    if any(machine.smpi is None for machine in machines.values()):
        say("without SimGrid: smpirun is not installed (Debian: libsimgrid-dev)")
    for each in todo:
        say(f"replaying {each.text()}")
        json_lines.append(kept.results, replay.once(kept, each, machines[each.mpi]).to_data())


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="lab accuracy", description=_HELP, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--directory", default=str(DIRECTORY), metavar="DIR",
                      help="of all that is kept (%(default)s)")
    made.add_argument("--cells", default=str(cells.LIST), metavar="FILE", help="the list (%(default)s)")
    made.add_argument("--mpi", choices=[*FLAVOURS, "both"], default="both", help="(both)")
    made.add_argument("--start", action="append", default=[], metavar="NAME", help="may be repeated; --list has them (all)")
    made.add_argument("--runs", type=int, default=5, metavar="N", help="recordings of each start, with those there (5)")
    made.add_argument("--minutes", type=minutes("14"), default=60.0, metavar="M",
                      help="begin nothing after so long in the laboratory (60)")
    made.add_argument("--replay", action="store_true", help="measure nothing; replay what has no result yet")
    made.add_argument("--again", action="store_true", help="replay all recordings, on platforms made again")
    made.add_argument("--table", action="store_true", help="run nothing")
    made.add_argument("--page", action="store_true", help="run nothing; write docs/accuracy.md, its list of cells and its figure")
    made.add_argument("--published", default=str(page.PUBLISHED), metavar="FILE",
                      help="of --page: the results that it was made of before, to which those of --directory are added "
                           "(docs/notebook/accuracy-cells.jsonl)")
    made.add_argument("--list", action="store_true", help="print the cells")
    return made
