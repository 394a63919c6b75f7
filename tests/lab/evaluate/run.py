"""One run: a laboratory of its own, or the machine itself; the fault, the command that is to find it, and its report."""

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

from evaluate.draw import Draw, options_of
from evaluate.results import Result, of_report
from laboratory import cores, down, faults, launch, machine_effects, machine_run, paths
from laboratory import taken as machine_taken
from laboratory import up as bring_up
from laboratory.enter import on_node
from laboratory.errors import CANNOT_RUN_HERE, OWN_FAULT, WRONG_USE, LabError, NoLaboratory
from laboratory.fault_table import MACHINE, SHAPES
from laboratory.lock import exclusive
from laboratory.plan import Laboratory

COMMAND = "{plumbline} validate -o {out} {where} --mpi {mpi} {io} --quick --json"
_MOST_RANKS = 16  # that validate takes by itself
_ON_MACHINE, _IN_LABORATORY = 900.0, 1800.0  # seconds of a run
_OPTIONS = ("{where}", "{io}", "{programs}")

Programs = Callable[[str, int, Path], list[str]]  # options for an MPI, a number of ranks, and a directory for files
Taken = Callable[[Path], None]  # what the command has written, before it is removed


@dataclass(frozen=True)
class How:
    """What is run. `keep`: where the reports go, each named after its run; None for nowhere. `timeout`: of a run, in seconds;
    None: 15 minutes on the machine itself and 30 in a laboratory, where a slow network stretches everything."""
    seed: int
    command: str = COMMAND
    timeout: float | None = None
    keep: Path | None = None
    plumbline: Path | None = None  # None: that of the build tree
    programs: Programs | None = None  # what {programs} stands for in a laboratory

    @property
    def program(self) -> Path:
        """What {plumbline} stands for."""
        return (self.plumbline or paths.build_directory() / "bin" / "plumbline").resolve()

    def seconds(self, shape: str) -> float:
        """The timeout there."""
        return self.timeout or (_ON_MACHINE if shape == MACHINE else _IN_LABORATORY)


def check_command(how: How) -> None:
    """LabError when it cannot be filled in, or the program of the usual one is not built."""
    try:
        words(how.command, {"plumbline": "", "out": "", "hosts": "", "per_node": "", "mpi": ""}, {})
    except (ValueError, KeyError, IndexError) as error:
        raise LabError("--command", f"'{how.command}': {error}",
                       "it may have {plumbline} {out} {where} {hosts} {per_node} {mpi} {io} {programs}", WRONG_USE) from error
    if "{plumbline}" in how.command and not os.access(how.program, os.X_OK):
        raise LabError(str(how.program), "not built", "./dev build release, or --plumbline FILE", CANNOT_RUN_HERE)


def words(template: str, values: dict[str, str], options: dict[str, list[str]]) -> list[str]:
    """The command line. {where}, {io} and {programs} are options, or nothing where `options` has none for them."""
    filled: list[str] = []
    for word in shlex.split(template):
        filled += options.get(word, []) if word in _OPTIONS else [word.format(**values)]
    return filled


def once(run: Draw, how: How, taken: Taken = lambda _: None) -> Result:
    """Brings the fault on, runs under it, and removes everything. A fault that cannot be brought on here is a result as well;
    NoLaboratory where there is none to bring it on in."""
    result = Result(how.seed, run, lost=round(machine_taken.share(), 4))
    out = Path(tempfile.mkdtemp(prefix="plumbline-evaluate-"))
    try:
        (_on_machine if run.shape == MACHINE else _in_laboratory)(run, how, out, result)
        if result.reported:
            taken(out / "out")
    except LabError as error:
        if error.status == OWN_FAULT or isinstance(error, NoLaboratory):
            raise
        result.error = str(error)
    finally:
        shutil.rmtree(out, ignore_errors=True)
    return result


def _in_laboratory(run: Draw, how: How, out: Path, result: Result) -> None:
    try:
        lab = _laboratory(run.shape)
        with exclusive():
            for each in run.broken:
                faults.apply(lab, each.fault, each.parameters)
            hosts, per_node = lab.placement or [node.name for node in lab.compute], SHAPES[run.shape].ranks_per_node
            line = _line(run, how, out, hosts, per_node, _options(lab, run, how, len(hosts) * per_node))
            started = time.monotonic()
            done = launch.run(lab, line, ranks_per_node=per_node, calls=run.mpi, capture=True, timeout=how.seconds(run.shape))
            _take(result, done, time.monotonic() - started, out, how)
    finally:
        with exclusive():
            down.remove()


def _laboratory(shape: str) -> Laboratory:
    try:
        return bring_up.up(options_of(shape))[0]
    except LabError as error:  # whatever keeps it from coming up, it says nothing of the fault
        raise NoLaboratory(error.where, error.what, error.hint, error.status) from error


def _on_machine(run: Draw, how: How, out: Path, result: Result) -> None:
    """Its files are in a directory of their own, where it is started, unless the fault has another for them."""
    work = out / "work"
    work.mkdir()
    with exclusive():
        wanted = machine_effects.together(machine_effects.conditions(each.fault, each.parameters, run.mpi, out)
                                          for each in run.broken)
        ranks = min(len(cores.every()), _MOST_RANKS)
        line = _line(run, how, out, [os.uname().nodename], ranks, {"{io}": ["--io", str(wanted.io)]} if wanted.io else {})
        started = time.monotonic()
        done = machine_run.run(line, wanted, work, how.seconds(run.shape))
        _take(result, done, time.monotonic() - started, out, how)


def _line(run: Draw, how: How, out: Path, hosts: list[str], per_node: int, options: dict[str, list[str]]) -> list[str]:
    file = out / "hosts"
    file.write_text("".join(f"{name}\n" for name in hosts))
    values = {"plumbline": str(how.program), "out": str(out / "out"), "hosts": str(file), "mpi": run.mpi,
              "per_node": str(per_node)}
    where = [] if run.shape == MACHINE else ["--hosts", str(file), "--per-node", str(per_node)]
    return words(how.command, values, {"{where}": where, **options})


def _take(result: Result, done: "CompletedProcess[str]", seconds: float, out: Path, how: How) -> None:
    """What the command has printed, or written as {out}/report.json."""
    result.status, result.seconds = done.returncode, round(seconds, 1)
    report = out / "out" / "report.json"
    said = done.stdout or ""
    found = of_report(said)
    if found is None and report.exists():
        said = report.read_text()
        found = of_report(said)
    result.reported = found is not None
    if found is None:
        result.error = (done.stderr or "").strip()[-400:] or "it printed no report"
        return
    result.diagnoses, result.observations = found.diagnoses, found.observations
    if how.keep:
        how.keep.mkdir(parents=True, exist_ok=True)
        (how.keep / f"{result.name}.json").write_text(said)


def _options(lab: Laboratory, run: Draw, how: How, ranks: int) -> dict[str, list[str]]:
    """Where files belong, and programs to be validated as well."""
    directory = lab.shared / "validate"
    if lab.servers:
        on_node(lab, lab.compute[0], ["mkdir", "-p", str(directory)], capture=True, timeout=60)
    return {"{io}": ["--io", str(directory)] if lab.servers else [],
            "{programs}": how.programs(run.mpi, ranks, directory) if how.programs else []}
