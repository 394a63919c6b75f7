"""How good the answers about real programs were: which name the fault, and how often, of all runs and of those that it slowed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluate.judge import TOO_NOISY, judge
from evaluate.programs.names import names
from evaluate.programs.store import WAYS, OfProgram, Trial

VALIDATE = "validate --program"  # the third answer, one for all programs of a run
ALL = "all"  # in place of a program
SLOWED = 1.1  # times as long as in the healthy cluster: from there on the fault has cost the program something


@dataclass(frozen=True)
class Answer:
    """Of one run to one question."""
    named: bool  # the fault
    first: bool  # by the first finding
    reference: str  # of what names it; "" where nothing does


def of_comparison(trial: Trial, findings: Sequence[dict[str, Any]]) -> Answer:
    """Of a run with a fault."""
    (broken,) = trial.validated.draw.broken
    right = [each for each in findings if names(each["component"], broken.fault, broken.parameters)]
    return Answer(bool(right), bool(right) and right[0] is findings[0], right[0]["reference"] if right else "")


def of_validation(trial: Trial) -> Answer:
    """The same of validate, judged as in the blind evaluation."""
    verdict = judge(trial.validated)
    return Answer(verdict.found, verdict.first, verdict.reference if verdict.found else "")


def times(program: OfProgram) -> float:
    """How many times as long as in the healthy cluster it took; 0 where that is not known."""
    return program.seconds / program.healthy_seconds if program.healthy_seconds else 0.0


def is_slowed(program: OfProgram) -> bool:
    """Whether the fault has cost it something, or everything."""
    return times(program) >= SLOWED or bool(program.error)


@dataclass(frozen=True)
class Count:
    """Of one answer about one program, or all."""
    runs: int = 0  # with a fault
    named: int = 0
    slowed: int = 0  # runs
    named_slowed: int = 0  # of these
    first: int = 0  # of these
    healthy: int = 0  # runs without a fault
    accused: int = 0  # of these, with a finding
    noisy: int = 0  # runs with a fault of which it could not be told: status 5
    references: Mapping[str, int] = field(default_factory=dict)  # of what names it, in all runs


@dataclass(frozen=True)
class _Asked:
    """One answer to one question about one run."""
    findings: Sequence[dict[str, Any]]
    status: int | None  # of the verb; None: it was not asked
    slowed: bool
    answer: Answer | None  # None: nothing was broken


def score(trials: Iterable[Trial]) -> dict[tuple[str, str], Count]:
    """By answer, of WAYS and VALIDATE, and program; ALL adds the programs up. Runs that were not brought on do not count."""
    made = [trial for trial in trials if trial.validated.status is not None]
    programs = list(dict.fromkeys(name for trial in made for name in trial.programs))
    counts: dict[tuple[str, str], Count] = {}
    for way in WAYS:
        asked = {name: [_compared(trial, trial.programs[name], way) for trial in made if name in trial.programs]
                 for name in programs}
        counts |= {(way, name): _count(mine) for name, mine in asked.items()}
        counts[way, ALL] = _count([each for mine in asked.values() for each in mine])
    counts[VALIDATE, ALL] = _count([_validated(trial) for trial in made])
    return counts


def _compared(trial: Trial, program: OfProgram, way: str) -> _Asked:
    """A program without a recording, or a platform, has no findings."""
    said = program.said.get(way)
    findings = said.findings if said else []
    answer = of_comparison(trial, findings) if trial.validated.draw.fault else None
    return _Asked(findings, said.status if said else None, is_slowed(program), answer)


def _validated(trial: Trial) -> _Asked:
    slowed = any(is_slowed(program) for program in trial.programs.values())
    answer = of_validation(trial) if trial.validated.draw.fault else None
    return _Asked(trial.validated.diagnoses, trial.validated.status, slowed, answer)


def _count(asked: Sequence[_Asked]) -> Count:
    healthy = [each for each in asked if each.answer is None]
    answers = [each.answer for each in asked if each.answer]
    slowed = [each.answer for each in asked if each.answer and each.slowed]
    return Count(len(answers), sum(answer.named for answer in answers), len(slowed), sum(answer.named for answer in slowed),
                 sum(answer.first for answer in slowed), len(healthy), sum(bool(each.findings) for each in healthy),
                 sum(each.status == TOO_NOISY for each in asked if each.answer),
                 dict(Counter(answer.reference for answer in answers if answer.reference).most_common()))
