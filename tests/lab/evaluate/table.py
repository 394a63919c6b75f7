"""The table of an evaluation, as text."""

from collections.abc import Sequence

from evaluate.results import Result
from evaluate.score import Count, PairCount, Score, score
from laboratory.statistics import wilson

FOUND_WANTED = 0.88  # of the faults: what Wilson's lower bound of the share that is found is to reach, as 140 of 150 do
BOTH_WANTED = 0.7  # of two faults at once: the share of runs in which both are to be found

_HEAD = ("first: the first diagnosis names the fault, of those that cost something; found: a diagnosis does, or of a fault that "
         "costs nothing an observation; named: either; in brackets Wilson's 95 % bounds")


def text(results: Sequence[Result]) -> str:
    """Everything, for a person."""
    found = score(results)
    seeds = sorted({result.seed for result in results})
    head = f"{found.runs} runs (seed{'s' * (len(seeds) != 1)} {', '.join(map(str, seeds))}); {_HEAD}"
    lines = [head, "", f"{'fault':38} {'n':>4}  {'first':22} {'found':22} {'named':>5} {'s':>5}  by"]
    lines += [_row(name, count) for name, count in found.faults.items()]
    groups = {"in laboratories": found.laboratory, "on one machine": found.machine, "of one of several like": found.like,
              "the same everywhere": found.uniform, "all": found.broken}
    lines += ["", *(_row(name, count) for name, count in groups.items()), ""]
    lines += [_row(f"seed {seed}", score([each for each in results if each.seed == seed]).broken) for seed in seeds]
    return "\n".join([*lines, "", *_pairs(found.pairs)] + _totals(found))


def _pairs(count: PairCount) -> list[str]:
    if not count.runs:
        return []
    return [f"two faults at once, {what}: {value}" for what, value in pairs(count).items()] + [""]


def pairs(count: PairCount) -> dict[str, str]:
    """Of runs with two faults."""
    return {"both found": f"{of(count.both, count.runs)}; wanted: {100 * BOTH_WANTED:.0f} %",
            "one of them": of(count.one, count.runs), "the first finding is right": of(count.first, count.costly)}


def references(count: Count) -> str:
    """How often which reference named it."""
    return ", ".join(f"{name} {times}" for name, times in count.references.items())


def _row(name: str, count: Count) -> str:
    named = str(count.named) if count.runs else ""
    seconds = f"{count.seconds:.0f}" if count.runs else ""
    return (f"{name:38} {count.runs:4}  {share(count.first, count.costly):22} {share(count.found, count.runs):22} {named:>5} "
            f"{seconds:>5}  {references(count)}").rstrip()


def _totals(found: Score) -> list[str]:
    lines = [f"{what}: {value}" for what, value in totals(found).items()]
    lines += [f"could not be brought on here, not counted: {found.not_on}"] if found.not_on else []
    return lines


def totals(found: Score) -> dict[str, str]:
    """What is no matter of single faults."""
    lines = {"named first, of what costs something and was found": of(found.broken.first, found.broken.found_costly),
             "named components that are right": of(found.right, found.named),
             "healthy runs with a finding": of(found.accused, found.healthy),
             "too noisy to tell (status 5)": of(found.too_noisy, found.runs)}
    if found.own:
        lines["with a finding that is true without a fault, too, counted nowhere"] = of(found.own, found.runs)
    if found.failed:
        lines["ended with another status than 0, 1 and 5"] = of(found.failed, found.runs)
    return lines


def of(count: int, total: int) -> str:
    """"3 of 4" with the share and its bounds."""
    return f"{count} of {total}  {share(count, total)}".rstrip()


def share(count: int, total: int) -> str:
    """In percent, with Wilson's 95 % bounds; nothing of nothing."""
    if total == 0:
        return ""
    low, high = wilson(count, total)
    return f"{100 * count / total:5.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
