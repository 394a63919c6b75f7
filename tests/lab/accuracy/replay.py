"""The part that needs no laboratory: replays recordings on the platform, and works out what each says of its cells."""

import functools
import hashlib
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from accuracy import hockney, ping_pong, smpi, store
from accuracy.measured import measured
from accuracy.operations import Ranks, of_texts
from accuracy.ping_pong import Line
from accuracy.sitting import plumbline
from accuracy.store import Recording, Result, Store
from laboratory.errors import OWN_FAULT, LabError

_FINDINGS = 1  # status of `plumbline calibrate`


@dataclass(frozen=True)
class Machine:
    """What one MPI's calibration gives: to our replay, and to the models of others."""
    platform: Path
    line: Line  # Hockney's
    smpi: smpi.Calibration | None  # None: smpirun is not installed


def calibrated(kept: Store, mpi: str, again: bool) -> Machine:
    """Makes the platform of the campaign, where it is missing or `again`."""
    platform, campaign = kept.platform(mpi), kept.campaign(mpi)
    if again or not platform.exists():
        _run([str(plumbline()), "calibrate", str(campaign), "-o", str(platform), "--force"], (0, _FINDINGS))
    points = ping_pong.of_table(_run([str(plumbline()), "bench", "show", str(campaign), "--csv"]))
    simgrid = smpi.Calibration(ping_pong.pieces(points), ping_pong.eager_limit(platform.read_text()), mpi)
    return Machine(platform, ping_pong.line_through(points), simgrid if smpi.is_there() else None)


def once(kept: Store, each: Recording, machine: Machine) -> Result:
    """Replays a recording."""
    directory = kept.recording(each)
    facts = json.loads((directory / "facts.json").read_text())
    ranks = operations(directory / "observed", machine.platform, each.mpi)
    cells = measured(each.start, ranks)
    for cell in each.start.cells:
        seconds = hockney.seconds(cell, machine.line)
        if seconds is not None:
            cells[cell.name].models["hockney"] = round(seconds * 1e6, 3)
    if machine.smpi:
        for name, length in smpi.lengths(each.start, ranks, machine.smpi).items():
            cells[name].models["simgrid"] = length
    return Result(each.mpi, each.start.name, each.run, version(), facts["when"], facts["reading"], cells)


def operations(observed: Path, platform: Path, mpi: str) -> Ranks:
    """All operations of a recording, with what is expected of them on the platform."""
    program = str(plumbline())
    with tempfile.TemporaryDirectory(prefix="plumbline-accuracy-") as work:
        expected, times = Path(work) / "expected", Path(work) / "times"
        _run([program, "replay", str(observed), "-p", str(platform), "-o", str(expected)])
        table = _run([program, "convert", str(observed), str(expected), "--to", "csv", "-o", "-"])
        # What is set is what is so: --times needs a setting.
        _run([program, "replay", str(observed), "-p", str(platform), "--json", "--set", f"library={mpi}", "--times",
              str(times)])
        printed = _run(["otf2-print", str(expected / "traces.otf2")])
        return of_texts(table, printed.splitlines(), times.read_bytes())


def _run(command: list[str], good: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    if done.returncode not in good:
        raise LabError(" ".join(command[:3]), f"ended with status {done.returncode}: {done.stderr.strip()[-400:]}", "",
                       OWN_FAULT)
    return done.stdout


@functools.cache
def version() -> str:
    """Of plumbline, with a part of the hash of its program: versions are seldom counted, and models change often."""
    said = _run([str(plumbline()), "--version"]).splitlines()
    return f"{said[0].strip()} ({hashlib.sha256(plumbline().read_bytes()).hexdigest()[:8]})"


def missing(kept: Store, wanted: list[Recording], again: bool) -> list[Recording]:
    """Recordings that are there and have no result, or all that are there."""
    done = set() if again else {(result.mpi, result.start, result.run) for result in store.read(kept.results)}
    return [each for each in wanted if kept.has(each) and (each.mpi, each.start.name, each.run) not in done]
