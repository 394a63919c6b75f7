"""The page of single faults and runs: by fault, each miss and each false finding with its cause, as far as it is known."""

import re
from collections.abc import Callable, Sequence

from evaluate import causes, markdown, table
from evaluate.causes import Cause
from evaluate.judge import false_findings, judge, judge_pair
from evaluate.programs import report
from evaluate.programs.store import Trial
from evaluate.results import Result
from evaluate.score import Count, score

_KINDS = " ".join(f"*{kind.capitalize()}*: {meaning}." for kind, meaning in causes.KINDS.items())
_MOST_SAID = 3  # findings of a run that missed its fault


def generated(results: Sequence[Result], known: Sequence[Cause], programs: Sequence[Trial] = ()) -> str:
    """Markdown."""
    told = _Told(known)
    parts = ["## By fault", counts(score(results).faults), "## Missed", _missed(results, told), "## False findings",
             _false(results, told), *told.notes(), *report.runs(programs)]
    return "\n\n".join(parts)


class _Told:
    """The causes that were told, each once with its number."""

    def __init__(self, known: Sequence[Cause]) -> None:
        self.known = known
        self.numbers: dict[Cause, int] = {}

    def of(self, run: str, check: str) -> str:
        """For a cell of a table."""
        cause = causes.of(self.known, run, check)
        return f"{cause.kind}, {self.numbers.setdefault(cause, len(self.numbers) + 1)}" if cause else causes.UNKNOWN

    def notes(self) -> list[str]:
        """What the numbers stand for."""
        lines = [f"{number}. {cause.cause.rstrip('.')}." for cause, number in self.numbers.items()]
        return [f"## Causes\n\n{_KINDS}\n\n" + "\n".join(lines)] if lines else []


def counts(found: dict[str, Count]) -> str:
    """A table with a row for each name."""
    return markdown.table("| faults | runs | found | first | named | by | s |",
                          [[name, each.runs, table.share(each.found, each.runs), table.share(each.first, each.costly),
                            table.share(each.named, each.runs), table.references(each), f"{each.seconds:.0f}" if each.runs else ""]
                           for name, each in found.items()])


def _missed(results: Sequence[Result], told: _Told) -> str:
    missed = [result for result in _in_order(results, lambda each: bool(each.draw.fault)) if _is_missed(result)]
    rows = [[result.name, result.draw.text(), _said(result), told.of(result.name, "")] for result in missed]
    return markdown.table("| run | fault | said | cause |", rows) if rows else "None."


def _is_missed(result: Result) -> bool:
    return not (judge_pair(result).both if result.draw.second else judge(result).found)


def component_of(diagnosis: dict) -> str:
    """Without the directory that the run was in, which is gone and another each time."""
    return re.sub(r"/\S*/plumbline-evaluate-\w+/(work/)?(\./)?", "", diagnosis.get("component", ""))


def _said(result: Result) -> str:
    """What was said instead."""
    said = [f"{each['id']} ({component_of(each)})" for each in result.diagnoses]
    more = [f"and {len(said) - _MOST_SAID} more"] if len(said) > _MOST_SAID else []
    words = said[:_MOST_SAID] + more or [markdown.cell(result.error) or "nothing"]
    return f"status {result.status}: " + ", ".join(words + _besides(result))


def _besides(result: Result) -> list[str]:
    """What speaks for a run that has missed something."""
    if not result.draw.second:
        return ["an observation names it"] if judge(result).named else []
    found = [each.fault for each, is_found in zip(result.draw.broken, judge_pair(result).found, strict=True) if is_found]
    return [f"{' and '.join(found)} found" + (", by one finding" if len(found) == 2 else "")] if found else []


def _false(results: Sequence[Result], told: _Told) -> str:
    rows = [[result.name, result.draw.text(), f"{each['id']} ({markdown.cell(component_of(each))})", _cost(each),
             told.of(result.name, each["id"])]
            for result in _in_order(results, lambda _: True) for each in false_findings(result)]
    return markdown.table("| run | was | said | cost | cause |", rows) if rows else "None."


def _cost(diagnosis: dict[str, object]) -> str:
    share = diagnosis.get("cost_share")
    return f"{100 * share:.1f} %" if isinstance(share, float | int) else ""


def _in_order(results: Sequence[Result], wanted: Callable[[Result], bool]) -> list[Result]:
    made = [result for result in results if result.status is not None and wanted(result)]
    return sorted(made, key=lambda result: (result.seed, result.draw.index))
