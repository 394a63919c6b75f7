"""How good the answers were: how often what is broken was found, and something healthy accused."""

import statistics as std
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evaluate.judge import (NAMELESS, TOO_NOISY, false_findings, is_failure, is_right, judge, judge_pair,
                            own_findings)
from evaluate.results import Result
from laboratory.fault_table import FAULTS, MACHINE, SHAPES, place_of


@dataclass(frozen=True)
class Count:
    """Of runs with one fault: how many there are, and in how many that was so (Verdict)."""
    runs: int = 0
    first: int = 0
    found: int = 0
    named: int = 0
    costly: int = 0  # runs whose fault has a cost: only these can have a first diagnosis that names it
    found_costly: int = 0  # of these
    references: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0  # of a run, median


@dataclass(frozen=True)
class PairCount:
    """Of runs with two faults."""
    runs: int = 0
    both: int = 0  # found
    one: int = 0  # of the two
    costly: int = 0  # runs in which one of them has a cost
    first: int = 0  # of these: the first diagnosis names one of them
    seconds: float = 0.0  # of a run, median


def count_pairs(results: Sequence[Result]) -> PairCount:
    """Of runs with two faults."""
    verdicts = [judge_pair(result) for result in results]
    costly = [verdict for verdict in verdicts if not verdict.free]
    return PairCount(len(verdicts), sum(each.both for each in verdicts),
                     sum(any(each.found) and not each.both for each in verdicts), len(costly),
                     sum(each.first for each in costly), std.median(result.seconds for result in results) if results else 0.0)


@dataclass(frozen=True)
class Score:
    """Over all runs that were made. A run without a report is a fault that was not found."""
    faults: dict[str, Count]  # by label, in the order of the table
    laboratory: Count  # runs with one fault: in laboratories
    machine: Count  # on one machine
    like: Count  # faults of one of several like nodes, servers or cores
    uniform: Count  # faults that are the same everywhere
    broken: Count  # all of them
    pairs: PairCount  # runs with two
    named: int  # diagnoses that name a component, in all runs
    right: int  # of them
    healthy: int  # runs
    accused: int  # of them, with a false finding
    runs: int
    own: int  # with a finding that is true of the laboratory without a fault
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
    broken, pairs, healthy = ([result for result in made if len(result.draw.broken) == count] for count in (1, 2, 0))
    accusing = [(result, each) for result in made for each in result.diagnoses
                if each["id"] not in NAMELESS and each not in own_findings(result)]
    return Score(
        _by_label(broken), count([result for result in broken if result.draw.shape != MACHINE]),
        count([result for result in broken if result.draw.shape == MACHINE]),
        count([result for result in broken if _has_peers(result)]),
        count([result for result in broken if not _has_peers(result)]), count(broken), count_pairs(pairs),
        len(accusing), sum(is_right(result, each) for result, each in accusing),
        len(healthy), sum(bool(false_findings(result)) for result in healthy),
        len(made), sum(bool(own_findings(result)) for result in made),
        sum(result.status == TOO_NOISY for result in made), sum(map(is_failure, made)),
        len(everything) - len(made), std.median(result.seconds for result in made) if made else 0.0)


def _by_label(broken: Sequence[Result]) -> dict[str, Count]:
    labels = dict.fromkeys(label(fault, shape) for fault in FAULTS for shape in SHAPES)
    mine = {name: [result for result in broken if label(result.draw.fault, result.draw.shape) == name] for name in labels}
    return {name: count(some) for name, some in mine.items() if some}


def _has_peers(result: Result) -> bool:
    """Where all servers are broken none is left to compare with."""
    place = place_of(FAULTS[result.draw.fault], result.draw.shape)
    return place is not None and result.draw.parameters.get(place) != "all"


def count(results: Sequence[Result]) -> Count:
    """Of runs with one fault."""
    if not results:
        return Count()
    verdicts = [judge(result) for result in results]
    costly = [verdict for verdict in verdicts if not verdict.free]
    return Count(len(verdicts), sum(each.first for each in costly), sum(each.found for each in verdicts),
                 sum(each.named for each in verdicts), len(costly), sum(each.found for each in costly),
                 dict(Counter(each.reference for each in verdicts if each.reference).most_common()),
                 std.median(result.seconds for result in results))
