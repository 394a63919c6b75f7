"""The page of an evaluation: what stands between its marks is made from the results and the file of causes."""

from collections.abc import Callable, Sequence
from pathlib import Path

from evaluate import causes, table
from evaluate.causes import Cause
from evaluate.results import Result
from evaluate.score import Count, Score, false_findings, judge, score
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
             _totals(found), "## By fault", _counts(found.faults), "## Missed", _missed(results, told),
             "## False findings", _false(results, told)]
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
    return f"{found.runs} runs, {found.healthy} of them healthy, of {found.seconds:.0f} s in the median{dates}.{not_on}"


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


def _missed(results: Sequence[Result], told: _Told) -> str:
    missed = [result for result in _in_order(results, lambda each: bool(each.draw.fault)) if not judge(result).found]
    rows = [[result.name, result.draw.text(), _said(result), told.of(result.name, "")] for result in missed]
    return _table("| run | fault | said | cause |", rows) if rows else "None."


def _said(result: Result) -> str:
    """What was said instead."""
    said = [f"{each['id']} ({each.get('component', '')})" for each in result.diagnoses]
    more = [f"and {len(said) - _MOST_SAID} more"] if len(said) > _MOST_SAID else []
    words = said[:_MOST_SAID] + more or [_cell(result.error) or "nothing"]
    named = ["an observation names it"] if judge(result).named else []
    return f"status {result.status}: " + ", ".join(words + named)


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
