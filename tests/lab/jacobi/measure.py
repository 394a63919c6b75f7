"""The part that measures: campaigns and runs that are missing, until the time is over."""

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from accuracy.sitting import Site, last_words, run_campaign
from jacobi.cases import Case
from jacobi.store import Run, Store, runs_of
from laboratory import paths
from laboratory.errors import CANNOT_RUN_HERE, OWN_FAULT, LabError

_PRINTED = re.compile(r"^(\d+) ranks: ([0-9.]+) s, of which rank 0 computed [0-9.]+ s: ([0-9.]+) ns a point$", re.M)
_TIMEOUT = 120.0  # seconds of one start
_PATIENCE = 3  # starts in a row that fail
_TRIES = 4  # times as many runs as are wanted, on a machine that others use

Say = Callable[[str], None]
Wanted = tuple[Case, str, int]  # under this MPI, for the n-th time


def program(mpi: str) -> Path:
    """The example; LabError where it is not built."""
    path = (paths.build_directory() / "bin" / "examples" / f"jacobi1d-{mpi}").resolve()
    if not path.exists():
        raise LabError(str(path), "not built", "./dev build release", CANNOT_RUN_HERE)
    return path


def missing(store: Store, cases: Sequence[Case], flavours: Sequence[str], runs: int) -> list[Wanted]:
    """What `runs` quiet ones of each need at least, unless it was tried often enough. In the order in which they are made:
    each case under each MPI once before any comes again, so that what drifts falls upon all alike."""
    results = store.read()
    done = {(case.name, mpi): runs_of(results, case, mpi) for case in cases for mpi in flavours}
    return [(case, mpi, len(mine) + more) for more in range(runs) for case in cases for mpi in flavours
            for mine in [done[case.name, mpi]]
            if more < runs - sum(each.quiet for each in mine) and len(mine) + more < _TRIES * runs]


def sit(site: Site, store: Store, place: str, wanted: Callable[[], list[Wanted]], until: float, say: Say) -> None:
    """Does what is wanted, and again as long as something is, before `until` (of time.monotonic()); what was begun is ended."""
    for mpi in dict.fromkeys(mpi for _, mpi, _ in wanted()):
        if time.monotonic() < until and not store.campaign(place, mpi).exists():
            say(f"{place}, {mpi}: campaign")
            site.settle()
            campaign(site, store, place, mpi, until - time.monotonic())
    failed = 0
    while rest := wanted():
        for case, mpi, run in rest:
            if time.monotonic() >= until:
                return
            failed = _try(site, store, (case, mpi, run), failed, say)


def _try(site: Site, store: Store, wanted: Wanted, failed: int, say: Say) -> int:
    """One run; how many in a row have failed."""
    case, mpi, run = wanted
    try:
        say(f"{case.name}, {mpi}, run {run + 1}")
        site.settle()
        store.add(once(site, case, mpi, run))
        return 0
    except LabError as error:
        if failed + 1 == _PATIENCE:
            raise
        say(f"left for the next time: {error}")
        return failed + 1


def once(site: Site, case: Case, mpi: str, run: int) -> Run:
    """One start of the program."""
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    command = [f"mpirun.{mpi}", str(program(mpi)), *case.arguments]
    done, reading = site.watch(lambda: site.run(command, case.ranks, None, _TIMEOUT))
    found = _PRINTED.search(done.stdout or "")
    if done.returncode != 0 or not found or int(found[1]) != case.ranks:
        raise LabError(f"{case.name}, {mpi}", f"ended with status {done.returncode}: {last_words(done)}", "",
                       OWN_FAULT)
    return Run(case.name, mpi, run, float(found[2]), float(found[3]), case.iterations, when, reading)


def campaign(site: Site, store: Store, place: str, mpi: str, seconds: float) -> None:
    """Measures what platforms are made of, or goes on with it."""
    run_campaign(site, store.campaign(place, mpi), lambda: campaign_text(place, mpi, site.hosts), mpi, seconds)


def campaign_text(place: str, mpi: str, hosts: Sequence[str]) -> str:
    """The campaign that is committed, with what is this place's."""
    text = Path(__file__).with_name(f"machine-{place}.toml").read_text()
    body = text[text.index("[campaign]"):]
    for key, value in (("{mpi}", mpi), ("{hosts}", _quoted(hosts)), ("{half}", _quoted(hosts[:len(hosts) // 2]))):
        body = body.replace(key, value)
    return body


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
