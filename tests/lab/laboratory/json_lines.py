"""Files of results: a line of JSON for each, appended as soon as it is known, so that work of days goes on where it ended."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from laboratory.errors import BAD_INPUT, WRONG_USE, LabError
from laboratory.paths import ROOT

T = TypeVar("T")


def outside_the_tree(path: Path, option: str) -> Path:
    """The path, if it is not among the sources: results of days are not to be lost with a clone, or committed."""
    if path.resolve().is_relative_to(ROOT):
        raise LabError(str(path), "is inside of the source tree", f"name a place elsewhere: {option}", WRONG_USE)
    return path


def state_directory() -> Path:
    """Where results of this user are by default."""
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "plumbline"


def read(path: Path, from_data: Callable[[dict[str, Any]], T], whose: str) -> list[T]:
    """All lines of the file; none where there is no file. A line that was cut short by the end of a run is cut off."""
    if not path.exists():
        return []
    _mend(path)
    results = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            results.append(from_data(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LabError(f"{path}:{number}", f"is not a result of {whose}: {error}",
                           "remove the line, or name another file", BAD_INPUT) from error
    return results


def append(path: Path, data: dict[str, Any]) -> None:
    """A whole line, on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(data) + "\n")
        file.flush()
        os.fsync(file.fileno())


def rewrite(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """A file of these lines instead of the one that is there, which an interrupt leaves as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".new")
    whole.write_text("".join(json.dumps(line) + "\n" for line in lines))
    whole.replace(path)


def _mend(path: Path) -> None:
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        os.truncate(path, data.rfind(b"\n") + 1)
