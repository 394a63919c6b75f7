"""Runs real programs plain and recorded and compares what they did (run.sh).  suites.py BUILD WORK SUITE .."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

BUILD, WORK = Path(sys.argv[1]), Path(sys.argv[2])
PLUMBLINE = str(BUILD / "bin/plumbline")
HERE = Path(__file__).resolve().parent
LAUNCHER = str(HERE / "mpirun.sh")
OPTIONS = {"openmpi": ["--allow-run-as-root", "--oversubscribe"], "mpich": []}
ONLY = os.environ.get("PLUMBLINE_SUITES_ONLY", "")  # a regular expression for names of cases
LIMIT = float(os.environ.get("PLUMBLINE_SUITES_LIMIT", "900"))  # seconds, of one case


@dataclass
class Outcome:
    status: int | None  # None: did not end in time
    seconds: float
    results: dict[str, str]  # name of a test: what came out
    spool_bytes: int = 0
    said: str = ""


@dataclass
class Case:
    """One command in a directory of its own. `results` reads out of that directory and stdout what came out."""
    name: str
    mpi: str
    ranks: int
    program: list[str]
    results: Callable[[Path], dict[str, str]]
    files: list[Path] = field(default_factory=list)  # copied there first
    environment: dict[str, str] = field(default_factory=dict)
    limit: float = LIMIT


def run_limited(command: list[str], directory: Path, environment: dict[str, str], limit: float) -> int | None:
    with open(directory / "stdout", "wb") as out, open(directory / "stderr", "wb") as err:
        process = subprocess.Popen(command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, start_new_session=True)
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            return None


def run(case: Case, recorded: bool) -> Outcome:
    directory = WORK / "run" / case.name / ("recorded" if recorded else "plain")
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for path in case.files:
        shutil.copy(path, directory)
    spools = directory.parent / "spools"
    shutil.rmtree(spools, ignore_errors=True)
    command = [LAUNCHER, *OPTIONS[case.mpi], "-n", str(case.ranks), *case.program]
    if recorded:
        command = [PLUMBLINE, "record", "--force", "-o", str(directory.parent / "observed"), "--spool", str(spools),
                   "--", *command]
    times = directory.parent / "times"
    times.unlink(missing_ok=True)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PLUMBLINE_SUITES_TIMES": str(times),
                   "PLUMBLINE_SUITES_LAUNCHER": f"mpirun.{case.mpi}", **case.environment}
    status = run_limited(command, directory, environment, case.limit)
    start, end = map(float, times.read_text().split()) if times.exists() else (0.0, 0.0)
    size = sum(path.stat().st_size for path in spools.glob("*.spool")) if recorded else 0
    said = [line for line in (directory / "stderr").read_text(errors="replace").splitlines()
            if line.startswith("plumbline:") and "kept in" not in line]
    shutil.rmtree(spools, ignore_errors=True)
    return Outcome(status, end - start, case.results(directory), size, "\n".join(said))


# ---- LAMMPS: the thermodynamic table of each example, and the bytes of every file that it wrote

EXAMPLES = Path("/usr/share/lammps/examples")
LAMMPS = ["melt/in.melt", "crack/in.crack", "dipole/in.dipole", "flow/in.flow.couette", "friction/in.friction",
          "indent/in.indent", "min/in.min", "obstacle/in.obstacle", "peptide/in.peptide", "shear/in.shear",
          "threebody/in.threebody", "flow/in.flow.pois", "rigid/in.rigid", "peri/in.peri.pmb",
          "micelle/in.micelle", "vashishta/in.vashishta.inp", "nemd/in.nemd", "gcmc/in.gcmc.lj", "pour/in.pour.2d",
          "body/in.body", "colloid/in.colloid"]


def lammps_results(directory: Path) -> dict[str, str]:
    log = directory / "log.lammps"
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    table = [line.strip() for line in lines if re.fullmatch(r"[\s\d.eE+-]+", line) and line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    written = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(directory.iterdir())
               if path.is_file() and path.name not in ("stdout", "stderr", "log.lammps", "log.cite")}
    good = bool(table) and not errors
    return {"run": ("passed " if good else "failed ") + json.dumps([table, errors, written])}


def lammps(mpi: str) -> list[Case]:
    program = "lmp" if mpi == "openmpi" else str(WORK / "lammps-src/src/lmp_mpi")
    cases = []
    for name in LAMMPS:
        script = EXAMPLES / name
        if script.exists():
            cases.append(Case(f"lammps.{mpi}/{script.name}", mpi, 2, [program, "-in", script.name], lammps_results,
                              [path for path in script.parent.iterdir() if path.is_file()]))
    return cases


# ---- HPCC: what each benchmark found right or wrong; its rates are left out

def hpcc_results(directory: Path) -> dict[str, str]:
    output = directory / "hpccoutf.txt"
    text = output.read_text(errors="replace") if output.exists() else ""
    results = {}
    for name, value in re.findall(r"^(\w+)=(\S+)$", text, re.MULTILINE):
        if re.search(r"[Ee]rror|Success|residual|_n$|_N$|CommWorldProcs|_nprow|_npcol", name):
            right = value == "1" if name == "Success" else not name.endswith(("Errors", "ErrorsFraction")) or float(value) == 0
            results[name] = f"{'passed' if right else 'failed'} {value}"
    for i, line in enumerate(re.findall(r"^.*(?:PASSED|FAILED).*$", text, re.MULTILINE)):
        results[f"check {i}"] = ("passed " if "PASSED" in line else "failed ") + " ".join(re.sub(r"\d+\.\d+", "#", line).split())
    return results


def hpcc(mpi: str) -> list[Case]:
    program = "hpcc" if mpi == "openmpi" else str(WORK / "hpcc-mpich/hpcc")
    return [Case(f"hpcc.{mpi}/hpcc", mpi, 2, [program], hpcc_results,
                 [HERE / "hpccinf.txt"])]


# ---- mpi4py: every test of its suite, on every rank

def mpi4py_results(directory: Path) -> dict[str, str]:
    results = {}
    for path in sorted(directory.glob("result.*.json")):
        rank = path.name.split(".")[1]
        for test, outcome in json.loads(path.read_text()).items():
            results[f"rank {rank} {test}"] = re.sub(r"0x[0-9a-f]+", "0x#", outcome)
    return results


def mpi4py(mpi: str) -> list[Case]:
    environment = {"PYTHONPATH": str(WORK / "mpi4py-mpich")} if mpi == "mpich" else {}
    program = ["/usr/bin/python3", str(HERE / "mpi4py_results.py"), str(WORK / "mpi4py-src/test"), "result"]
    cases = [Case(f"mpi4py.{mpi}/{ranks}", mpi, ranks, program, mpi4py_results, environment=environment)
             for ranks in (1, 2)]
    return [*cases, Case(f"mpi4py.{mpi}/spawn", mpi, 1, [*program, "spawn"], mpi4py_results, environment=environment)]


# ---- MPICH's own tests of an MPI library; they print "No Errors"

MPI_TESTS = ["coll", "io", "comm", "pt2pt", "threads/coll", "threads/comm", "threads/pt2pt"]


def mpi_test_results(directory: Path) -> dict[str, str]:
    text = (directory / "stdout").read_text(errors="replace")
    return {"run": "passed" if re.search(r"^ ?No Errors", text, re.MULTILINE) else "failed"}


def mpi_tests(mpi: str) -> list[Case]:
    """Those of the lists that need nothing but a number of ranks and arguments, and are expected to pass."""
    cases = []
    environment = {"LD_PRELOAD": str(WORK / "yield.so")} if mpi == "mpich" else {}
    for part in MPI_TESTS:
        directory = WORK / f"mpitests-{mpi}" / part
        listed = directory / "testlist"
        for number, line in enumerate(listed.read_text().splitlines() if listed.exists() else []):
            name, *words = line.split("#")[0].split() or [""]
            options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
            arguments = [word.split("=", 1)[1] for word in words[1:] if word.startswith("arg=")]
            if not words or not (directory / name).exists() or options.keys() - {"arg", "timeLimit", "mpiversion"}:
                continue
            cases.append(Case(f"mpitests.{mpi}/{part}/{name}.{number}", mpi, int(words[0]),
                              [str(directory / name), *arguments], mpi_test_results, environment=environment,
                              limit=min(LIMIT, 120)))
    return cases


# ---- The table

SUITES = {"lammps": lammps, "hpcc": hpcc, "mpi4py": mpi4py, "mpitests": mpi_tests}


def passed(outcome: Outcome) -> int:
    return sum(text.startswith("passed") for text in outcome.results.values())


def differences(plain: Outcome, recorded: Outcome) -> list[str]:
    found = [] if plain.status == recorded.status else [f"status {plain.status}, recorded {recorded.status}"]
    for name in sorted(plain.results.keys() | recorded.results.keys()):
        before, after = plain.results.get(name, "absent"), recorded.results.get(name, "absent")
        if before != after:
            found.append(f"{name}: {before[:300]} | recorded {after[:300]}")
    return found


def main() -> int:
    worst = 0
    print(f"{'suite':<16}{'tests':>8}{'plain':>8}{'recorded':>10}{'differ':>8}{'slowdown':>10}{'spools':>12}", flush=True)
    for suite in sys.argv[3:]:
        name, mpi = suite.split(".")
        tests = plain_passed = recorded_passed = differ = size = 0
        seconds = [0.0, 0.0]
        for case in SUITES[name](mpi):
            if not re.search(ONLY, case.name):
                continue
            plain = run(case, recorded=False)
            if plain.status is None:
                print(f"  {case.name}: left out, it does not end within {case.limit:.0f} s", file=sys.stderr, flush=True)
                continue
            recorded = run(case, recorded=True)
            found = differences(plain, recorded)
            tests += len(plain.results)
            plain_passed += passed(plain)
            recorded_passed += passed(recorded)
            differ += len(found)
            size += recorded.spool_bytes
            seconds = [seconds[0] + plain.seconds, seconds[1] + recorded.seconds]
            print(f"  {case.name}: {plain.seconds:.1f} s, recorded {recorded.seconds:.1f} s, spools {recorded.spool_bytes / 1e6:.0f} MB",
                  file=sys.stderr)
            for line in [*found, *recorded.said.splitlines()]:
                print(f"    {line}", file=sys.stderr, flush=True)
        slowdown = seconds[1] / seconds[0] if seconds[0] else 0
        print(f"{suite:<16}{tests:>8}{plain_passed:>8}{recorded_passed:>10}{differ:>8}{slowdown:>10.2f}{size / 1e6:>9.0f} MB",
              flush=True)
        worst = max(worst, differ)
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
