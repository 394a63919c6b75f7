"""The file of results: one line of JSON for each run, appended as soon as it has ended."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evaluate.draw import Draw
from laboratory import json_lines
from laboratory.errors import BAD_INPUT, LabError

_KEPT = ("id", "component", "places", "cost_s", "one_of", "suppressed_by", "reference", "fatal")  # of a diagnosis


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

    def to_data(self) -> dict[str, Any]:
        """A line of the file."""
        return {"kind": "run", **asdict(self)}

    @staticmethod
    def from_data(data: dict[str, Any]) -> "Result":
        """What to_data made."""
        members = {key: value for key, value in data.items() if key not in ("kind", "draw")}
        return Result(draw=Draw(**data["draw"]), **members)


def of_report(text: str) -> list[dict[str, Any]] | None:
    """The diagnoses of a report of validate, without what is suppressed; None where it is none."""
    try:
        found = json.loads(text)["diagnoses"]
        kept = [{key: each[key] for key in _KEPT if key in each} for each in found if not each.get("suppressed_by")]
        return kept if all(isinstance(each["id"], str) for each in kept) else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def outside_the_tree(path: Path) -> Path:
    """The path, if it is not among the sources."""
    return json_lines.outside_the_tree(path, "--results FILE")


def read(path: Path) -> list[Result]:
    """All runs of the file; none where there is no file."""
    return json_lines.read(path, Result.from_data, "lab evaluate")


def append(path: Path, result: Result) -> None:
    """A whole line, on the disk."""
    json_lines.append(path, result.to_data())


def still_to_do(runs: Sequence[Draw], seed: int, done: Iterable[Result], path: Path) -> list[Draw]:
    """Those of this seed that the file does not have; LabError where it has another run of the same number."""
    known = {result.draw.index: result.draw for result in done if result.seed == seed}
    for run in runs:
        if known.get(run.index, run) != run:
            raise LabError(str(path), f"run {run.index} of seed {seed} is {known[run.index].text()} there, and "
                           f"{run.text()} now", "the faults or options have changed: give another --seed or --results",
                           BAD_INPUT)
    return [run for run in runs if run.index not in known]

