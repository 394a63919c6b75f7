"""The table of an evaluation, as text."""

from collections.abc import Sequence

from evaluate.results import Result
from evaluate.score import Count, Score, score
from laboratory.statistics import wilson


def text(results: Sequence[Result]) -> str:
    """Everything, for a person."""
    found = score(results)
    seeds = sorted({result.seed for result in results})
    head = (f"{found.runs} runs (seed{'s' * (len(seeds) != 1)} {', '.join(map(str, seeds))}); "
            "first: the first diagnosis names the fault; found: one of them does; in brackets Wilson's 95 % bounds")
    lines = [head, "", f"{'fault':27} {'n':>4}  {'first':22} found"]
    lines += [_row(name, count) for name, count in found.faults.items()]
    lines += ["", _row("of one of several like", found.like), _row("the same everywhere", found.uniform), ""]
    return "\n".join(lines + _totals(found))


def _row(name: str, count: Count) -> str:
    return f"{name:27} {count.runs:4}  {_share(count.first, count.runs):22} {_share(count.found, count.runs)}".rstrip()


def _totals(found: Score) -> list[str]:
    lines = [f"named components that are right: {_of(found.right, found.named)}",
             f"healthy runs with a finding: {_of(found.accused, found.healthy)}",
             f"too noisy to tell (status 5): {_of(found.too_noisy, found.runs)}"]
    lines += [f"ended with another status than 0, 1 and 5: {_of(found.failed, found.runs)}"] if found.failed else []
    lines += [f"could not be brought on here, not counted: {found.not_on}"] if found.not_on else []
    return lines


def _of(count: int, total: int) -> str:
    return f"{count} of {total}  {_share(count, total)}".rstrip()


def _share(count: int, total: int) -> str:
    if total == 0:
        return ""
    low, high = wilson(count, total)
    return f"{100 * count / total:5.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
