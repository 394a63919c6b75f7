"""One run: a laboratory of its own, the fault, the command that is to find it, and its report."""

import shlex
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from evaluate.draw import Draw, options_of
from evaluate.results import Result, of_report
from laboratory import down, faults, launch, paths
from laboratory import up as bring_up
from laboratory.enter import on_node
from laboratory.errors import CANNOT_RUN_HERE, OWN_FAULT, WRONG_USE, LabError
from laboratory.fault_table import SHAPES
from laboratory.lock import exclusive
from laboratory.plan import Laboratory

COMMAND = "{plumbline} validate -o {out} --hosts {hosts} --per-node {per_node} --mpi {mpi} {io} --quick --json"


@dataclass(frozen=True)
class How:
    """What is run. `keep`: where the reports go, each named after its run; None for nowhere."""
    seed: int
    command: str = COMMAND
    timeout: float = 900.0  # seconds
    keep: Path | None = None


def check_command(template: str) -> None:
    """LabError when it cannot be filled in, or the program of the usual one is not built."""
    try:
        words(template, {"plumbline": "", "out": "", "hosts": "", "per_node": "", "mpi": ""}, [])
    except (ValueError, KeyError, IndexError) as error:
        raise LabError("--command", f"'{template}': {error}", "it may have {plumbline} {out} {hosts} {per_node} {mpi} {io}",
                       WRONG_USE) from error
    if "{plumbline}" in template and not _plumbline().exists():
        raise LabError(str(_plumbline()), "not built", "./dev build release", CANNOT_RUN_HERE)


def words(template: str, values: dict[str, str], io: list[str]) -> list[str]:
    """The command line. {io} is the option with the shared file system, or nothing where there is none."""
    filled: list[str] = []
    for word in shlex.split(template):
        filled += io if word == "{io}" else [word.format(**values)]
    return filled


def once(run: Draw, how: How) -> Result:
    """Brings a laboratory up, runs in it, and removes it. What cannot be brought on here is a result as well."""
    result = Result(how.seed, run)
    out = Path(tempfile.mkdtemp(prefix="plumbline-evaluate-"))
    try:
        lab, _ = bring_up.up(options_of(run.shape))
        with exclusive():
            if run.fault:
                faults.apply(lab, run.fault, run.parameters)
            _validate(lab, run, how, out, result)
    except LabError as error:
        if error.status == OWN_FAULT:
            raise
        result.error = str(error)
    finally:
        with exclusive():
            down.remove()
        shutil.rmtree(out, ignore_errors=True)
    return result


def _validate(lab: Laboratory, run: Draw, how: How, out: Path, result: Result) -> None:
    line = words(how.command, _values(lab, run, out), _io(lab))
    started = time.monotonic()
    done = launch.run(lab, line, ranks_per_node=SHAPES[run.shape].ranks_per_node, calls=run.mpi, capture=True,
                      timeout=how.timeout)
    result.status, result.seconds = done.returncode, round(time.monotonic() - started, 1)
    report = (out / "out" / "report.json")
    said = done.stdout or ""
    found = of_report(said)
    if found is None and report.exists():
        said = report.read_text()
        found = of_report(said)
    result.reported, result.diagnoses = found is not None, found or []
    if found is None:
        result.error = (done.stderr or "").strip()[-400:] or "it printed no report"
    elif how.keep:
        how.keep.mkdir(parents=True, exist_ok=True)
        (how.keep / f"{how.seed}-{run.index}.json").write_text(said)


def _values(lab: Laboratory, run: Draw, out: Path) -> dict[str, str]:
    hosts = out / "hosts"
    hosts.write_text("".join(f"{name}\n" for name in lab.placement or [node.name for node in lab.compute]))
    return {"plumbline": str(_plumbline()), "out": str(out / "out"), "hosts": str(hosts), "mpi": run.mpi,
            "per_node": str(SHAPES[run.shape].ranks_per_node)}


def _io(lab: Laboratory) -> list[str]:
    if not lab.servers:
        return []
    directory = lab.shared / "validate"
    on_node(lab, lab.compute[0], ["mkdir", "-p", str(directory)], capture=True, timeout=60)
    return ["--io", str(directory)]


def _plumbline() -> Path:
    return (paths.build_directory() / "bin" / "plumbline").resolve()
