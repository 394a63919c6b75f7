"""How good the answers were: which diagnoses name the fault, and how often."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evaluate.results import Result
from laboratory.fault_table import FAULTS, place_of

NAMELESS = ("suite.slower",)  # it says that something is slow, and accuses nothing
_TOO_NOISY = 5
_ENDINGS = (0, 1, _TOO_NOISY)  # statuses of a validation that came to its end

Diagnosis = dict[str, Any]


def names(diagnosis: Diagnosis, fault: str, parameters: dict[str, str]) -> bool:
    """Whether it says what is broken, and where: by its component, or because all places that it names are there."""
    return any(diagnosis["id"] == check and _is_there(diagnosis, _filled(pattern, parameters))
               for check, pattern in FAULTS[fault].named)


def includes(diagnosis: Diagnosis, fault: str, parameters: dict[str, str]) -> bool:
    """The same, or one of several that it cannot tell apart."""
    return names(diagnosis, fault, parameters) or any(
        names({**diagnosis, "component": one, "places": []}, fault, parameters) for one in diagnosis.get("one_of", []))


def _filled(pattern: str, parameters: dict[str, str]) -> str:
    """Where all are broken, any place is right."""
    used = [value for key, value in parameters.items() if f"{{{key}}}" in pattern]
    return "" if "all" in used else pattern.format(**{key: re.escape(value) for key, value in parameters.items()})


def _is_there(diagnosis: Diagnosis, pattern: str) -> bool:
    places = diagnosis.get("places", [])
    return bool(re.search(pattern, diagnosis.get("component", ""))
                or places and all(re.search(pattern, place) for place in places))


@dataclass(frozen=True)
class Count:
    """Of runs: how many there are, and in how many that was so."""
    runs: int = 0
    first: int = 0  # the first diagnosis names the fault
    found: int = 0  # one of them includes it


@dataclass(frozen=True)
class Score:
    """Over all runs that were made. A run without a report is a fault that was not found."""
    faults: dict[str, Count]  # in the order of the table
    like: Count  # faults of one of several like nodes
    uniform: Count  # faults that are the same everywhere
    named: int  # diagnoses that name a component, in all runs
    right: int  # of them
    healthy: int  # runs
    accused: int  # of them, with a diagnosis
    runs: int
    too_noisy: int  # ended with status 5
    failed: int  # ended with another status than 0, 1 and 5
    not_on: int  # could not be brought on, and is in none of the others


def score(results: Iterable[Result]) -> Score:
    """Counts."""
    everything = list(results)
    made = [result for result in everything if result.status is not None]
    broken = [result for result in made if result.draw.fault]
    healthy = [result for result in made if not result.draw.fault]
    accusing = [(result, each) for result in made for each in result.diagnoses if each["id"] not in NAMELESS]
    by_fault = {name: [result for result in broken if result.draw.fault == name] for name in FAULTS}
    return Score(
        {name: _count(mine) for name, mine in by_fault.items() if mine},
        _count([result for result in broken if place_of(FAULTS[result.draw.fault])]),
        _count([result for result in broken if not place_of(FAULTS[result.draw.fault])]),
        len(accusing), sum(_is_right(result, each) for result, each in accusing),
        len(healthy), sum(bool(result.diagnoses) for result in healthy),
        len(made), sum(result.status == _TOO_NOISY for result in made),
        sum(result.status not in _ENDINGS for result in made), len(everything) - len(made))


def _is_right(result: Result, diagnosis: Diagnosis) -> bool:
    return bool(result.draw.fault) and includes(diagnosis, result.draw.fault, result.draw.parameters)


def _count(results: Sequence[Result]) -> Count:
    first = [result for result in results if result.diagnoses
             and names(result.diagnoses[0], result.draw.fault, result.draw.parameters)]
    return Count(len(results), len(first),
                 sum(any(_is_right(result, each) for each in result.diagnoses) for result in results))
