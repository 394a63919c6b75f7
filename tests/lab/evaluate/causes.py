"""Why faults were missed and healthy things accused: what somebody found out and wrote into causes.toml."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from laboratory.errors import BAD_INPUT, LabError

FILE = Path(__file__).with_name("causes.toml")
# What they mean is told on the page of runs.
KINDS = {"measurement": "what was run did not show the fault, or showed something else", "model": "the expected time was wrong",
         "statistics": "chance or noise", "blame": "the wrong part was accused of a true loss",
         "wording": "it was said, but cannot be understood", "no check": "nothing looked for it",
         "table": "the fault's own entry was wrong"}
UNKNOWN = "not known"
_RUN = re.compile(r"-?\d+-\d+")


@dataclass(frozen=True)
class Cause:
    """A row of the file."""
    runs: tuple[str, ...]
    check: str
    kind: str
    cause: str

    def fits(self, run: str, check: str) -> bool:
        """`check` is the finding's that is false, "" of a fault that was missed."""
        return run in self.runs and fnmatchcase(check, self.check)


def read(path: Path = FILE) -> list[Cause]:
    """All rows; none where there is no file. LabError with all that is wrong."""
    if not path.exists():
        return []
    try:
        rows = tomllib.loads(path.read_text()).get("causes", [])
        found = [_of_row(row) for row in rows]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise LabError(str(path), f"is no list of causes: {error}", "see its head", BAD_INPUT) from error
    wrong = [f"row {number}: {fault}" for number, cause in enumerate(found, 1) for fault in _faults(cause)]
    if wrong:
        raise LabError(str(path), "; ".join(wrong), f"runs are SEED-RUN, kinds {', '.join(KINDS)}", BAD_INPUT)
    return found


def _of_row(row: dict[str, Any]) -> Cause:
    return Cause(tuple(row["runs"]), row.get("check", "*"), row["kind"], row["cause"])


def _faults(cause: Cause) -> list[str]:
    return [f"'{run}' is no run" for run in cause.runs if not _RUN.fullmatch(str(run))] + (
        [] if cause.kind in KINDS else [f"no kind '{cause.kind}'"])


def of(causes: Sequence[Cause], run: str, check: str) -> Cause | None:
    """What is known of a miss or a false finding: the first row that fits."""
    return next((each for each in causes if each.fits(run, check)), None)
