"""The page of an evaluation: what stands between its marks is made from the results and the file of causes."""

from collections.abc import Callable, Sequence
from pathlib import Path

from evaluate import causes, table
from evaluate.causes import Cause
from evaluate.judge import false_findings, judge, judge_pair
from evaluate.results import Result
from evaluate.score import Count, PairCount, Score, score
from laboratory.errors import BAD_INPUT, LabError
from laboratory.paths import ROOT

PAGE = ROOT / "docs" / "detection.md"
BEGIN = "<!-- made by `./dev lab evaluate report`; what is between this line and the end mark is written anew -->"
END = "<!-- end -->"
_MOST_SAID = 3  # findings of a run that missed its fault

# Of a page that is not there yet; whoever writes more around the marks keeps it.
_NEW = f"""# How often faults are found

`plumbline validate --quick` on machines that were broken on purpose, without a word about what is broken
([how](reference/laboratory-evaluation.md#blind-evaluation)).

    $ ./dev lab evaluate            # makes the runs that are missing
    $ ./dev lab evaluate report     # makes the rest of this page again

{BEGIN}
{END}
"""

_EXPLAINED = ("*Found*: a finding says what is broken and where; of a fault that costs nothing there an observation does. "
              "*First*: the first finding does, of the runs whose fault costs something. *Named*: a finding or an observation "
              "does. *By*: the reference of what names it. In brackets Wilson's 95 % bounds; seconds are medians.")


def write(results: Sequence[Result], known: Sequence[Cause], page: Path = PAGE) -> Path:
    """Writes it; what is around the marks stays."""
    if not any(result.status is not None for result in results):
        raise LabError("lab evaluate report", "nothing was run yet", "lab evaluate", BAD_INPUT)
    before, begin, rest = (page.read_text() if page.exists() else _NEW).partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise LabError(str(page), "has not both marks", f"a line '{BEGIN}', and after it one '{END}'", BAD_INPUT)
    page.write_text(f"{before}{BEGIN}\n\n{generated(results, known)}\n\n{END}{after}")
    return page


def generated(results: Sequence[Result], known: Sequence[Cause]) -> str:
    """Markdown."""
    found, told = score(results), _Told(known)
    parts = [_head(results, found), _EXPLAINED, "## Rounds", _rounds(results), "## All runs", _overall(found),
             _totals(found), "## Two faults at once", _pairs(results, found.pairs), "## By fault", _counts(found.faults),
             "## Missed", _missed(results, told), "## False findings", _false(results, told)]
    return "\n\n".join(parts + told.notes())


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
        return ["## Causes\n\n" + "\n".join(lines)] if lines else []


def _head(results: Sequence[Result], found: Score) -> str:
    when = sorted({result.when for result in results if result.when})
    dates = f", on {' to '.join(dict.fromkeys((when[0], when[-1])))}" if when else ""
    not_on = f" {found.not_on} more could not be brought on." if found.not_on else ""
    two = f" and {found.pairs.runs} with two faults" if found.pairs.runs else ""
    return f"{found.runs} runs, {found.healthy} of them healthy{two}, of {found.seconds:.0f} s in the median{dates}.{not_on}"


def _table(head: str, rows: Sequence[Sequence[object]]) -> str:
    lines = [head, "|---" * (head.count("|") - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(" ".join(str(cell).split()) for cell in row) + " |" for row in rows])


def _rounds(results: Sequence[Result]) -> str:
    rows = []
    for seed in sorted({result.seed for result in results}):
        mine = score([result for result in results if result.seed == seed])
        rows.append([seed, mine.broken.runs, table.of(mine.broken.found, mine.broken.runs),
                     table.of(mine.broken.first, mine.broken.costly), table.of(mine.broken.named, mine.broken.runs),
                     table.of(mine.like.found, mine.like.runs), table.of(mine.uniform.found, mine.uniform.runs),
                     table.of(mine.accused, mine.healthy)])
    return _table("| round (seed) | faults | found | first | named | found, that peers show | found, the same everywhere | "
                  "healthy with a finding |", rows)


def _overall(found: Score) -> str:
    return _counts({"that peers show": found.like, "the same everywhere": found.uniform, "all": found.broken})


def _counts(counts: dict[str, Count]) -> str:
    return _table("| faults | runs | found | first | named | by | s |",
                  [[name, each.runs, table.share(each.found, each.runs), table.share(each.first, each.costly),
                    table.share(each.named, each.runs), table.references(each), f"{each.seconds:.0f}" if each.runs else ""]
                   for name, each in counts.items()])


def _totals(found: Score) -> str:
    return _table("| | |", list(table.totals(found).items()))


_PAIRS_EXPLAINED = (
    "Each fault is found as one alone would be, and each by something of its own; what costs nothing by itself need only be "
    f"observed. Wanted: both in {100 * table.BOTH_WANTED:.0f} % of the runs. *First*: the first finding names one of them, of the "
    "runs in which one has a cost. Faults that take away what the other needs, or that one finding could both be of, are not "
    "drawn together.")


def _pairs(results: Sequence[Result], all_of_them: PairCount) -> str:
    if not all_of_them.runs:
        return "Not drawn yet."
    rounds = {str(seed): score([result for result in results if result.seed == seed]).pairs
              for seed in sorted({result.seed for result in results})}
    rows = [[name, each.runs, table.of(each.both, each.runs), table.of(each.one, each.runs), table.of(each.first, each.costly),
             f"{each.seconds:.0f}"] for name, each in {**rounds, "**all**": all_of_them}.items() if each.runs]
    head = "| round (seed), two faults at once | runs | both found | one found | first | s |"
    return f"{_PAIRS_EXPLAINED}\n\n{_table(head, rows)}"


def _missed(results: Sequence[Result], told: _Told) -> str:
    missed = [result for result in _in_order(results, lambda each: bool(each.draw.fault)) if _is_missed(result)]
    rows = [[result.name, result.draw.text(), _said(result), told.of(result.name, "")] for result in missed]
    return _table("| run | fault | said | cause |", rows) if rows else "None."


def _is_missed(result: Result) -> bool:
    return not (judge_pair(result).both if result.draw.second else judge(result).found)


def _said(result: Result) -> str:
    """What was said instead."""
    said = [f"{each['id']} ({each.get('component', '')})" for each in result.diagnoses]
    more = [f"and {len(said) - _MOST_SAID} more"] if len(said) > _MOST_SAID else []
    words = said[:_MOST_SAID] + more or [_cell(result.error) or "nothing"]
    return f"status {result.status}: " + ", ".join(words + _besides(result))


def _besides(result: Result) -> list[str]:
    """What speaks for a run that has missed something."""
    if not result.draw.second:
        return ["an observation names it"] if judge(result).named else []
    found = [each.fault for each, is_found in zip(result.draw.broken, judge_pair(result).found, strict=True) if is_found]
    return [f"{' and '.join(found)} found" + (", by one finding" if len(found) == 2 else "")] if found else []


def _false(results: Sequence[Result], told: _Told) -> str:
    rows = [[result.name, result.draw.text(), f"{each['id']} ({_cell(each.get('component', ''))})", _cost(each),
             told.of(result.name, each["id"])]
            for result in _in_order(results, lambda _: True) for each in false_findings(result)]
    return _table("| run | was | said | cost | cause |", rows) if rows else "None."


def _cost(diagnosis: dict[str, object]) -> str:
    share = diagnosis.get("cost_share")
    return f"{100 * share:.1f} %" if isinstance(share, float | int) else ""


def _cell(text: str) -> str:
    return text.partition("\n")[0].replace("|", "/")


def _in_order(results: Sequence[Result], wanted: Callable[[Result], bool]) -> list[Result]:
    made = [result for result in results if result.status is not None and wanted(result)]
    return sorted(made, key=lambda result: (result.seed, result.draw.index))
