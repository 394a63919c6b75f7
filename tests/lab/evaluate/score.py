"""How good the answers were: which diagnoses and observations name the fault, and how often."""

import re
import statistics as std
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluate.results import Result
from laboratory.fault_table import FAULTS, MACHINE, SHAPES, is_free, named_in, place_of

NAMELESS = ("suite.slower",)  # it says that something is slow, and accuses nothing
OBSERVATION = "observation"  # beside the references of diagnoses: the fault is named, and no cost shown
_TOO_NOISY, _CANNOT_RUN = 5, 6
_ENDINGS = (0, 1, _TOO_NOISY)  # statuses of a validation that came to its end

# Checks that compare times: their observations are what did not hold when it was measured again, and name nothing.
TIMED = re.compile(r"rule\..*|data\.wrong|io\.hints\.(split|collective-buffering)|mpi\.collective\.algorithm|"
                   r"net\.(link\.rate|latency|backplane)|(node|rank|server|storage)\.slow|suite\.slower")

Diagnosis = dict[str, Any]


def names(diagnosis: Diagnosis, fault: str, parameters: dict[str, str], shape: str = "") -> bool:
    """Whether it says what is broken, and where: by its component, or because all places that it names are there."""
    return any(diagnosis["id"] == check and _is_there(diagnosis, _filled(pattern, parameters))
               for check, pattern in named_in(FAULTS[fault], shape))


def includes(diagnosis: Diagnosis, fault: str, parameters: dict[str, str], shape: str = "") -> bool:
    """The same, or one of several that it cannot tell apart."""
    return names(diagnosis, fault, parameters, shape) or any(
        names({**diagnosis, "component": one, "places": []}, fault, parameters, shape)
        for one in diagnosis.get("one_of", []))


def _filled(pattern: str, parameters: dict[str, str]) -> str:
    """Where all are broken, any place is right."""
    used = [value for key, value in parameters.items() if f"{{{key}}}" in pattern]
    return "" if "all" in used else pattern.format(**{key: re.escape(value) for key, value in parameters.items()})


def _is_there(diagnosis: Diagnosis, pattern: str) -> bool:
    places = diagnosis.get("places", [])
    return bool(re.search(pattern, diagnosis.get("component", ""))
                or places and all(re.search(pattern, place) for place in places))


@dataclass(frozen=True)
class Verdict:
    """What a run of a fault came to."""
    free: bool  # the fault costs nothing there
    first: bool  # the first diagnosis names it
    found: bool  # a diagnosis includes it; of what costs nothing an observation is enough
    named: bool  # a diagnosis or an observation does
    reference: str  # of the first of these, or OBSERVATION; "" where there is none


def judge(result: Result) -> Verdict:
    """Of a run with a fault."""
    draw = result.draw
    free = is_free(FAULTS[draw.fault], draw.shape, draw.mpi)
    right = [each for each in result.diagnoses if is_right(result, each)]
    seen = any(_observes(each, result) for each in result.observations)
    first = bool(result.diagnoses) and names(result.diagnoses[0], draw.fault, draw.parameters, draw.shape)
    reference = (right[0].get("reference") or "not told") if right else OBSERVATION if seen else ""
    return Verdict(free, first, bool(right) or free and seen, bool(right) or seen, reference)


def is_right(result: Result, diagnosis: Diagnosis) -> bool:
    """Whether it includes what is broken in this run."""
    draw = result.draw
    return bool(draw.fault) and includes(diagnosis, draw.fault, draw.parameters, draw.shape)


def _observes(observation: Diagnosis, result: Result) -> bool:
    """What the distribution's files have set is there in healthy runs as well."""
    from_system = str(observation.get("origin", {}).get("file", "")).startswith("/etc/")
    return not TIMED.fullmatch(observation["id"]) and not from_system and is_right(result, observation)


def false_findings(result: Result) -> list[Diagnosis]:
    """Diagnoses of what is not broken: all in a healthy run, else those that accuse something else. That something is slow is
    right where the fault has a cost."""
    costs = bool(result.draw.fault) and not judge(result).free
    return [each for each in result.diagnoses
            if not is_right(result, each) and not (costs and each["id"] in NAMELESS)]


def is_failure(result: Result) -> bool:
    """Whether it ended in another way than a validation should. Where the fault lets no program start, that it cannot run is
    a right answer if it says why."""
    if result.status in _ENDINGS:
        return False
    ends = bool(result.draw.fault) and result.draw.mpi in FAULTS[result.draw.fault].ends
    return not (result.status == _CANNOT_RUN and ends and judge(result).found)


@dataclass(frozen=True)
class Count:
    """Of runs with a fault: how many there are, and in how many that was so (Verdict)."""
    runs: int = 0
    first: int = 0
    found: int = 0
    named: int = 0
    costly: int = 0  # runs whose fault has a cost: only these can have a first diagnosis that names it
    found_costly: int = 0  # of these
    references: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0  # of a run, median


@dataclass(frozen=True)
class Score:
    """Over all runs that were made. A run without a report is a fault that was not found."""
    faults: dict[str, Count]  # by label, in the order of the table
    like: Count  # faults of one of several like nodes or cores
    uniform: Count  # faults that are the same everywhere
    broken: Count  # all
    named: int  # diagnoses that name a component, in all runs
    right: int  # of them
    healthy: int  # runs
    accused: int  # of them, with a diagnosis
    runs: int
    too_noisy: int  # ended with status 5
    failed: int  # ended in another way than a validation should
    not_on: int  # could not be brought on, and is in none of the others
    seconds: float  # of a run, median


def label(fault: str, shape: str) -> str:
    """Of a row of the tables."""
    return f"{fault} (machine)" if shape == MACHINE else fault


def score(results: Iterable[Result]) -> Score:
    """Counts."""
    everything = list(results)
    made = [result for result in everything if result.status is not None]
    broken = [result for result in made if result.draw.fault]
    healthy = [result for result in made if not result.draw.fault]
    accusing = [(result, each) for result in made for each in result.diagnoses if each["id"] not in NAMELESS]
    return Score(
        _by_label(broken), count([result for result in broken if _has_peers(result)]),
        count([result for result in broken if not _has_peers(result)]), count(broken),
        len(accusing), sum(is_right(result, each) for result, each in accusing),
        len(healthy), sum(bool(result.diagnoses) for result in healthy),
        len(made), sum(result.status == _TOO_NOISY for result in made), sum(map(is_failure, made)),
        len(everything) - len(made), std.median(result.seconds for result in made) if made else 0.0)


def _by_label(broken: Sequence[Result]) -> dict[str, Count]:
    labels = dict.fromkeys(label(fault, shape) for fault in FAULTS for shape in SHAPES)
    mine = {name: [result for result in broken if label(result.draw.fault, result.draw.shape) == name] for name in labels}
    return {name: count(some) for name, some in mine.items() if some}


def _has_peers(result: Result) -> bool:
    return place_of(FAULTS[result.draw.fault], result.draw.shape) is not None


def count(results: Sequence[Result]) -> Count:
    """Of runs with a fault."""
    if not results:
        return Count()
    verdicts = [judge(result) for result in results]
    costly = [verdict for verdict in verdicts if not verdict.free]
    return Count(len(verdicts), sum(each.first for each in costly), sum(each.found for each in verdicts),
                 sum(each.named for each in verdicts), len(costly), sum(each.found for each in costly),
                 dict(Counter(each.reference for each in verdicts if each.reference).most_common()),
                 std.median(result.seconds for result in results))
