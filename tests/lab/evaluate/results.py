"""The file of results: one line of JSON for each run, appended as soon as it has ended."""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evaluate.draw import Draw
from laboratory import json_lines
from laboratory.errors import BAD_INPUT, LabError

_KEPT = ("id", "component", "places", "cost_s", "one_of", "suppressed_by", "reference", "fatal",
         "cost_share")  # of a diagnosis
_OBSERVED = ("id", "component", "places", "origin")  # of an observation


@dataclass
class Result:
    """What one run came to."""
    seed: int
    draw: Draw
    status: int | None = None  # of the command; None: the fault could not be brought on
    seconds: float = 0.0
    diagnoses: list[dict[str, Any]] = field(default_factory=list)  # as the report has them, greatest cost first
    reported: bool = False  # whether there was a report that could be read
    error: str = ""  # why there is none, or why the fault was not on
    observations: list[dict[str, Any]] = field(default_factory=list)  # facts that the report names without a cost
    lost: float = 0.0  # share of the time of its cores that this machine took away by itself, before the fault was on
    when: str = field(default_factory=lambda: time.strftime("%Y-%m-%d", time.gmtime()))

    @property
    def name(self) -> str:
        """As in tables, in the file of causes, and of the report that was kept."""
        return f"{self.seed}-{self.draw.index}"

    def to_data(self) -> dict[str, Any]:
        """A line of the file."""
        return {"kind": "run", **asdict(self)}

    @staticmethod
    def from_data(data: dict[str, Any]) -> "Result":
        """What to_data made."""
        members = {key: value for key, value in data.items() if key not in ("kind", "draw")}
        return Result(draw=Draw(**data["draw"]), **{"when": "", **members})


@dataclass(frozen=True)
class Said:
    """What a report says is wrong, and what it has seen besides."""
    diagnoses: list[dict[str, Any]]
    observations: list[dict[str, Any]]


def of_report(text: str) -> Said | None:
    """Of a report of validate, without what is suppressed; None where it is none. It may have no observations."""
    try:
        data = json.loads(text)
        diagnoses = _kept(data["diagnoses"], _KEPT)
        observations = _kept(data.get("observations", []), _OBSERVED)
        return Said(diagnoses, observations) if all(isinstance(each["id"], str) for each in diagnoses + observations) else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _kept(found: list[dict[str, Any]], keys: Sequence[str]) -> list[dict[str, Any]]:
    return [{key: each[key] for key in keys if key in each} for each in found if not each.get("suppressed_by")]


def outside_the_tree(path: Path) -> Path:
    """The path, if it is not among the sources."""
    return json_lines.outside_the_tree(path, "--results FILE")


def read(path: Path) -> list[Result]:
    """All runs of the file; none where there is no file."""
    return json_lines.read(path, Result.from_data, "lab evaluate")


def append(path: Path, result: Result) -> None:
    """A whole line, on the disk."""
    json_lines.append(path, result.to_data())


def published(path: Path, done: Sequence[Result]) -> list[Result]:
    """What was published before and what was done since, which counts where both have a run; in order. The file has them all
    then: pages can be made again on another machine."""
    of_run = {(result.seed, result.draw.index): result for result in [*read(path), *done]}
    merged = [of_run[key] for key in sorted(of_run)]
    if merged:
        json_lines.rewrite(path, (result.to_data() for result in merged))
    return merged


def still_to_do(runs: Sequence[Draw], seed: int, done: Iterable[Result], path: Path) -> list[Draw]:
    """Those of this seed that the file does not have; LabError where it has another run of the same number."""
    known = {result.draw.index: result.draw for result in done if result.seed == seed}
    for run in runs:
        if known.get(run.index, run) != run:
            raise LabError(
                str(path), f"run {run.index} of seed {seed} is {known[run.index].text()} there, and {run.text()} now",
                "the faults or options have changed: give another --seed, or another place for results", BAD_INPUT)
    return [run for run in runs if run.index not in known]

