"""The list of programs: read from programs.toml."""

import os
import shlex
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from laboratory import paths
from laboratory.errors import BAD_INPUT, CANNOT_RUN_HERE, LabError

LIST = Path(__file__).with_name("programs.toml")
_TEXTS = ("name", "example", "what")


@dataclass(frozen=True)
class Program:
    """One start of an example. "{directory}" in its arguments is one that all nodes see."""
    name: str
    example: str
    arguments: tuple[str, ...]
    what: str

    def command(self, mpi: str, ranks: int, directory: Path) -> str:
        """With its launcher, as `plumbline validate --program` takes it."""
        filled = [word.replace("{directory}", str(directory)) for word in self.arguments]
        return shlex.join([f"mpirun.{mpi}", "-n", str(ranks), str(self.file(mpi)), *filled])

    def file(self, mpi: str) -> Path:
        """What was built for an MPI."""
        return (paths.build_directory() / "bin" / "examples" / f"{self.example}-{mpi}").resolve()


def read(path: Path = LIST) -> list[Program]:
    """All of them, in the order of the file; LabError with all that is wrong in it."""
    try:
        rows = tomllib.loads(path.read_text())["programs"]
        faults = [f"row {number}: {fault}" for number, row in enumerate(rows, 1) for fault in _faults(row)]
        names = [row.get("name") for row in rows]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise LabError(str(path), f"is no list of programs: {error}", f"see {LIST}", BAD_INPUT) from error
    faults += [f"row {number}: there are two '{name}'" for number, name in enumerate(names, 1) if names.index(name) + 1 < number]
    if faults:
        raise LabError(str(path), "; ".join(faults), f"see {LIST}", BAD_INPUT)
    return [Program(row["name"], row["example"], tuple(row["arguments"]), row["what"]) for row in rows]


def _faults(row: dict[str, object]) -> list[str]:
    found = [f"there is no key '{key}'" for key in row if key not in (*_TEXTS, "arguments")]
    found += [f"'{key}' is missing, or no text" for key in _TEXTS if not isinstance(row.get(key), str) or not row[key]]
    arguments = row.get("arguments")
    if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
        found.append("'arguments' is missing, or no list of texts")
    return found


def chosen(listed: Sequence[Program], names: Sequence[str]) -> list[Program]:
    """Those of these names, all where there are none."""
    known = [program.name for program in listed]
    for name in names:
        if name not in known:
            raise LabError("--program", f"there is no program '{name}'", "one of " + ", ".join(known), BAD_INPUT)
    return [program for program in listed if not names or program.name in names]


def check_built(programs: Sequence[Program], flavours: Sequence[str]) -> None:
    """LabError with all that are missing."""
    missing = [str(program.file(mpi)) for program in programs for mpi in flavours if not os.access(program.file(mpi), os.X_OK)]
    if missing:
        raise LabError(", ".join(missing), "not built", "./dev build release", CANNOT_RUN_HERE)
