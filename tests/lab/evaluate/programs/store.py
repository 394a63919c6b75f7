"""What is kept of all sittings: recordings and platforms in a directory, and results as lines of JSON."""

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evaluate.draw import Draw
from evaluate.results import Result
from laboratory import json_lines
from laboratory.errors import OWN_FAULT, WRONG_USE, LabError

_WHOSE = "lab evaluate programs"
HEALTHY, OWN = "healthy", "own"  # whose platform a run was held against
WAYS = {HEALTHY: "compare, platform of the healthy cluster", OWN: "compare, platform made under the fault"}
_FACTS = ("observed_s", "again_s", "fault")  # of an entry of a validation's suite
_NOT_RUN = {"archive": "", "observed_s": 0.0, "again_s": [], "fault": "it was not run"}
_KEPT = ("component", "reference", "title", "cost_s", "share")  # of a finding of `compare`


@dataclass(frozen=True)
class Said:
    """What `plumbline compare` said of a recording on one platform."""
    status: int
    findings: list[dict[str, Any]]  # the most expensive first, without those that are withheld


@dataclass
class OfProgram:
    """One program in one run."""
    seconds: float = 0.0  # its length: median of what the validation ran
    healthy_seconds: float = 0.0  # the same in the healthy cluster
    said: dict[str, Said] = field(default_factory=dict)  # by way; empty where it did not end
    error: str = ""  # why there is no recording


@dataclass
class Trial:
    """A run: what the validation said, and what each program's comparisons did."""
    validated: Result
    programs: dict[str, OfProgram] = field(default_factory=dict)
    plumbline: str = ""  # version that replayed

    def to_data(self) -> dict[str, Any]:
        """A line of the file."""
        return {"kind": "trial", "validated": self.validated.to_data(), "plumbline": self.plumbline,
                "programs": {name: asdict(each) for name, each in self.programs.items()}}

    @staticmethod
    def from_data(data: dict[str, Any]) -> "Trial":
        """What to_data made."""
        programs = {name: OfProgram(**{**each, "said": {way: Said(**said) for way, said in each["said"].items()}})
                    for name, each in data["programs"].items()}
        return Trial(Result.from_data(data["validated"]), programs, data["plumbline"])


@dataclass(frozen=True)
class Store:
    """The directory. A run is there whole or not at all."""
    directory: Path

    def healthy(self, mpi: str) -> Path:
        """A run in a healthy cluster, whose platform the others are held against."""
        return self.directory / "healthy" / mpi

    def run(self, seed: int, draw: Draw) -> Path:
        """One that was drawn."""
        return self.directory / "runs" / f"{seed}-{draw.index}"

    def validations(self) -> list[Result]:
        """What the validations of all runs said, in the order in which they were made."""
        return json_lines.read(self.directory / "validations.jsonl", Result.from_data, _WHOSE)

    def add_validation(self, result: Result) -> None:
        """Appends it."""
        json_lines.append(self.directory / "validations.jsonl", result.to_data())

    @property
    def results(self) -> Path:
        """Lines of JSON."""
        return self.directory / "programs.jsonl"

    def add(self, trial: Trial) -> None:
        """Appends it."""
        json_lines.append(self.results, trial.to_data())

    def trials(self) -> list[Trial]:
        """Of each run the last one: it was replayed again by a newer version."""
        return newest(json_lines.read(self.results, Trial.from_data, _WHOSE))


def newest(trials: Iterable[Trial]) -> list[Trial]:
    """Of each run the last one."""
    return list({trial.validated.name: trial for trial in trials}.values())


def keep(validation: Path, names: Sequence[str], target: Path) -> None:
    """Of what `validate` has written: the platform, if it could make one, and of each program, in the order of --program, its
    recording; as a whole."""
    if not (validation / "report.json").exists():
        raise LabError("--command", "it writes no {out}/report.json, which tells where recordings are", "validate -o {out}", WRONG_USE)
    report = json.loads((validation / "report.json").read_text())
    platform = validation / report["platform"]
    part = target.with_name(target.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    if platform.is_file():
        shutil.copy(platform, part / "platform.xml")
    runs = {entry["name"]: entry for entry in report["suite"]}
    for number, name in enumerate(names, 1):
        _keep_program(validation, runs.get(f"program-{number}", _NOT_RUN), part / name)
    shutil.rmtree(target, ignore_errors=True)
    part.rename(target)


def _keep_program(validation: Path, entry: dict[str, Any], target: Path) -> None:
    target.mkdir()
    if entry["archive"]:
        shutil.copytree(validation / entry["archive"], target / "observed")
    (target / "facts.json").write_text(json.dumps({key: entry[key] for key in _FACTS}))


def check_whole(kept: Path, names: Sequence[str]) -> None:
    """LabError unless a healthy run has a platform, and a recording of each program: what others are held against."""
    missing = [name for name in ("platform.xml", *(f"{name}/observed" for name in names)) if not (kept / name).exists()]
    if missing:
        raise LabError(str(kept), f"has no {', '.join(missing)}", "facts.json of a program says why; remove the directory to "
                       "measure it again, or name another with --directory", OWN_FAULT)


def of_report(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The findings of `compare --json` that are stated."""
    return [{key: each[key] for key in _KEPT} for each in report["findings"] if not each["withheld"]]
