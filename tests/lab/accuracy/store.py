"""What is kept of all sittings: campaigns, platforms and recordings in a directory, and results as lines of JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from accuracy.cells import Start
from accuracy.measured import Measured
from laboratory import json_lines


@dataclass(frozen=True)
class Recording:
    """One start of the suite's program under one MPI, for the n-th time."""
    mpi: str
    start: Start
    run: int

    def text(self) -> str:
        """For a person."""
        return f"{self.mpi}, {self.start.name}, run {self.run + 1}"


@dataclass(frozen=True)
class Store:
    """The directory. A recording and a platform are there whole or not at all."""
    directory: Path

    def campaign(self, mpi: str) -> Path:
        """What `plumbline bench` measured."""
        return self.directory / mpi / "machine.h5"

    def platform(self, mpi: str) -> Path:
        """What `plumbline calibrate` made of it."""
        return self.directory / mpi / "platform.xml"

    def recording(self, each: Recording) -> Path:
        """A directory with `observed` and `facts.json`."""
        return self.directory / each.mpi / "recordings" / each.start.name / f"run-{each.run}"

    def has(self, each: Recording) -> bool:
        """Whether it was made."""
        return self.recording(each).is_dir()

    @property
    def results(self) -> Path:
        """Lines of JSON."""
        return self.directory / "accuracy.jsonl"


def all_recordings(flavours: Sequence[str], starts: Sequence[Start], runs: int) -> list[Recording]:
    """In the order in which they are made: each start under each MPI once before any comes again."""
    return [Recording(mpi, start, run) for run in range(runs) for start in starts for mpi in flavours]


@dataclass
class Result:
    """What one recording says, by one version of plumbline."""
    mpi: str
    start: str
    run: int
    plumbline: str  # version
    when: str = ""  # it was recorded
    reading: dict[str, float] = field(default_factory=dict)  # of the signs of disturbance (laboratory/canary.py)
    cells: dict[str, Measured] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """A line of the file."""
        return {"kind": "recording", **asdict(self)}

    @staticmethod
    def from_data(data: dict[str, Any]) -> "Result":
        """What to_data made."""
        members = {key: value for key, value in data.items() if key not in ("kind", "cells")}
        return Result(cells={name: Measured.from_data(each) for name, each in data["cells"].items()}, **members)


def read(path: Path) -> list[Result]:
    """All lines."""
    return json_lines.read(path, Result.from_data, "lab accuracy")


def published(path: Path, done: Iterable[Result]) -> list[Result]:
    """What was published before and what was done since, which counts where both have a recording; in order. The file has them
    all then: pages can be made again on another machine."""
    merged = sorted(newest([*read(path), *done]), key=lambda result: (result.mpi, result.start, result.run))
    if merged:
        json_lines.rewrite(path, (result.to_data() for result in merged))
    return merged


def newest(results: Iterable[Result]) -> list[Result]:
    """Of each recording the last one: it was replayed again by a newer version, or on another platform."""
    return list({(result.mpi, result.start, result.run): result for result in results}.values())
