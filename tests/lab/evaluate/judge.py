"""What one run's answer was worth: which diagnoses and observations name what is broken, and what they accuse else."""

import re
from dataclasses import dataclass
from typing import Any

from evaluate import own
from evaluate.draw import Broken
from evaluate.results import Result
from laboratory.fault_table import FAULTS, is_free, named_in

NAMELESS = ("suite.slower",)  # it says that something is slow, and accuses nothing
OBSERVATION = "observation"  # beside the references of diagnoses: the fault is named, and no cost shown
TOO_NOISY, _CANNOT_RUN = 5, 6
_ENDINGS = (0, 1, TOO_NOISY)  # statuses of a validation that came to its end

# Checks that compare times: their observations are what did not hold when it was measured again, and name nothing.
TIMED = re.compile(r"rule\..*|data\.wrong|io\.hints\.(aggregators|split|collective-buffering)|mpi\.collective\.algorithm|"
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
    """Of a run with one fault."""
    (broken,) = result.draw.broken
    right = [each for each in result.diagnoses if accuses(result, each, broken)]
    seen = any(observes(result, each, broken) for each in result.observations)
    free = costs_nothing(result, broken)
    reference = (right[0].get("reference") or "not told") if right else OBSERVATION if seen else ""
    return Verdict(free, is_first(result, broken), bool(right) or free and seen, bool(right) or seen, reference)


def finds(result: Result, broken: Broken) -> bool:
    """Whether a diagnosis includes this fault; of what costs nothing an observation is enough."""
    return bool(_finds(result, broken))


def costs_nothing(result: Result, broken: Broken) -> bool:
    """By itself, where the run was."""
    return is_free(FAULTS[broken.fault], result.draw.shape, result.draw.mpi)


def is_first(result: Result, broken: Broken) -> bool:
    """Whether the first diagnosis names it, of those that count."""
    counted = [each for each in result.diagnoses if each not in own_findings(result)]
    return bool(counted) and names(counted[0], broken.fault, broken.parameters, result.draw.shape)


def accuses(result: Result, diagnosis: Diagnosis, broken: Broken) -> bool:
    """Whether it includes this fault."""
    return includes(diagnosis, broken.fault, broken.parameters, result.draw.shape)


def observes(result: Result, observation: Diagnosis, broken: Broken) -> bool:
    """Whether it names this fault. What the distribution's files have set is there in healthy runs as well."""
    from_system = str(observation.get("origin", {}).get("file", "")).startswith("/etc/")
    return not TIMED.fullmatch(observation["id"]) and not from_system and accuses(result, observation, broken)


@dataclass(frozen=True)
class PairVerdict:
    """What a run of two faults at once came to."""
    found: tuple[bool, bool]  # of each, as of one alone (Verdict.found)
    both: bool  # both, and each by something of its own
    first: bool  # the first diagnosis names either
    free: bool  # each costs nothing by itself


def judge_pair(result: Result) -> PairVerdict:
    """Of a run with two faults. What would name both counts for one of them only."""
    found = [_finds(result, broken) for broken in result.draw.broken]
    free = all(costs_nothing(result, broken) for broken in result.draw.broken)
    return PairVerdict((bool(found[0]), bool(found[1])), all(found) and len(found[0] | found[1]) > 1,
                       any(is_first(result, broken) for broken in result.draw.broken), free)


def _finds(result: Result, broken: Broken) -> set[tuple[str, int]]:
    """Which diagnoses, and where they are enough which observations."""
    found = {("diagnosis", i) for i, each in enumerate(result.diagnoses) if accuses(result, each, broken)}
    seen = {("observation", i) for i, each in enumerate(result.observations) if observes(result, each, broken)}
    return found | (seen if costs_nothing(result, broken) else set())


def is_right(result: Result, diagnosis: Diagnosis) -> bool:
    """Whether it includes something that is broken in this run."""
    return any(accuses(result, diagnosis, broken) for broken in result.draw.broken)


def own_findings(result: Result) -> list[Diagnosis]:
    """Diagnoses of what is true without a fault, and names none that is on."""
    return [each for each in result.diagnoses
            if own.is_own(each, result) and not is_right(result, each)]


def false_findings(result: Result) -> list[Diagnosis]:
    """Diagnoses of what is not broken: all in a healthy run, else those that accuse something else. That something is slow is
    right where a fault has a cost. What is true without the fault is not among them."""
    costs = not all(costs_nothing(result, broken) for broken in result.draw.broken)
    return [each for each in result.diagnoses
            if not is_right(result, each) and not (costs and each["id"] in NAMELESS)
            and each not in own_findings(result)]


def is_failure(result: Result) -> bool:
    """Whether it ended in another way than a validation should. Where a fault lets no program start, that it cannot run is
    a right answer if it says why."""
    if result.status in _ENDINGS:
        return False
    ends = any(result.draw.mpi in FAULTS[broken.fault].ends for broken in result.draw.broken)
    return not (result.status == _CANNOT_RUN and ends and any(is_right(result, each) for each in result.diagnoses))
