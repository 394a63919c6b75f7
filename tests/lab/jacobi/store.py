"""What is kept: campaigns and platforms in a directory, and runs and predictions as lines of JSON."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from jacobi.cases import Case
from laboratory import json_lines

_STOLEN, _OTHERS = 0.01, 0.02  # a rank of two cores then misses up to 4 % of its time
FEWEST = 6  # runs: of fewer there are no order statistics that hold the median with 95 %


@dataclass(frozen=True)
class Run:
    """One start of the program: what it printed."""
    case: str  # its name
    mpi: str
    run: int
    seconds: float  # all iterations
    point_ns: float  # of rank 0
    iterations: int
    when: str = ""
    reading: dict[str, float] = field(default_factory=dict)  # shares of the cores' time: `steal` by the hypervisor, `others`

    @property
    def quiet(self) -> bool:
        """Whether next to nothing else ran meanwhile."""
        return self.reading.get("steal", 0) <= _STOLEN and self.reading.get("others", 0) <= _OTHERS


@dataclass(frozen=True)
class Prediction:
    """Of all iterations of a case, in seconds."""
    case: str
    mpi: str
    point_ns: float  # what it was made with
    iterations: int
    plumbline: str  # version
    seconds: dict[str, float] = field(default_factory=dict)  # by what it was predicted from: predict.WAYS
    computing: float = 0  # of a process, on average, by distributions
    transfer: float = 0
    waiting: float = 0


@dataclass(frozen=True)
class Store:
    """The directory. A campaign is there whole or not at all."""
    directory: Path

    def campaign(self, place: str, mpi: str) -> Path:
        """What `plumbline bench` measured."""
        return self.directory / place / mpi / "machine.h5"

    def platform(self, place: str, mpi: str, network: str) -> Path:
        """What `plumbline calibrate --network` made of it."""
        return self.directory / place / mpi / f"{network}.xml"

    @property
    def results(self) -> Path:
        """Lines of JSON."""
        return self.directory / "jacobi.jsonl"

    def add(self, result: Run | Prediction) -> None:
        """Appends it."""
        json_lines.append(self.results, {"kind": type(result).__name__.lower(), **asdict(result)})

    def read(self) -> list[Run | Prediction]:
        """All, in order."""
        return json_lines.read(self.results, _from_data, "lab jacobi")


def _from_data(data: dict[str, Any]) -> Run | Prediction:
    members = {key: value for key, value in data.items() if key != "kind"}
    return {"run": Run, "prediction": Prediction}[data["kind"]](**members)


def runs_of(results: Iterable[Run | Prediction], case: Case, mpi: str) -> list[Run]:
    """Those of a case with as many iterations as it has now."""
    return [each for each in results if isinstance(each, Run) and (each.case, each.mpi) == (case.name, mpi)
            and each.iterations == case.iterations]


def quiet(runs: list[Run]) -> list[Run]:
    """Those beside which nothing else ran, where they are enough; else all."""
    found = [each for each in runs if each.quiet]
    return found if len(found) >= FEWEST else runs


def prediction_of(results: Iterable[Run | Prediction], case: Case, mpi: str) -> Prediction | None:
    """The last one."""
    found = [each for each in results if isinstance(each, Prediction) and (each.case, each.mpi) == (case.name, mpi)
             and each.iterations == case.iterations]
    return found[-1] if found else None
