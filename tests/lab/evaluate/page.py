"""The pages of an evaluation, a short one with its figure and one of all runs: what stands between their marks is made from the
results."""

import os
from collections.abc import Sequence
from pathlib import Path

from evaluate import figure, markdown, runs_page, table
from evaluate.causes import Cause
from evaluate.draw import can_be_drawn
from evaluate.programs import report
from evaluate.programs.store import Trial
from evaluate.results import Result
from evaluate.score import PairCount, Score, score
from laboratory.errors import BAD_INPUT, LabError
from laboratory.fault_table import FAULTS, MACHINE, SHAPES
from laboratory.paths import ROOT

PAGE = ROOT / "docs" / "detection.md"
EVERY = ROOT / "docs" / "notebook" / "detection-runs.md"
PUBLISHED = EVERY.with_suffix(".jsonl")  # the runs that the pages are made of
BEGIN = "<!-- made by `./dev lab evaluate report`; what is between this line and the end mark is written anew -->"
END = "<!-- end -->"

# Of pages that are not there yet; whoever writes more around the marks keeps it.
_NEW = f"""# How often faults are found

`plumbline validate --quick` on machines that were broken on purpose, without a word about what is broken
([how](reference/laboratory-evaluation.md#blind-evaluation)).

    $ ./dev lab evaluate            # makes the runs that are missing
    $ ./dev lab evaluate report     # makes the figure and the rest of this page again

{BEGIN}
{END}
"""
_NEW_OF_RUNS = f"""# Detection by fault and run

Beside [how often faults are found](../detection.md); what was found out about the causes is in `tests/lab/evaluate/causes.toml`.

{BEGIN}
{END}
"""

_EXPLAINED = (
    "*Found*: a finding says what is broken and where; of a fault that costs nothing there an observation does. *First*: "
    "the first finding does, of the runs whose fault costs something. *Named*: a finding or an observation does. *That "
    "peers show*: one of several like nodes, servers or cores is broken, so that the others show it; *the same everywhere*: "
    "nothing is left to compare with. *By*, what a finding rests on: *witness*, a setting, counter or fact that is read, or "
    "a run without it; *peers*, like nodes, servers or cores; *structure*, a faster form of the same calls; a *rule* that "
    "any library can keep; *nominal*, a data sheet; *baseline*, an earlier validation; an *observation* shows no cost. In "
    f"brackets Wilson's 95 % bounds; seconds are medians. Wanted: a lower bound of {100 * table.FOUND_WANTED:.0f} % of what "
    "is found.")


def write(results: Sequence[Result], known: Sequence[Cause], programs: Sequence[Trial] = (), page: Path = PAGE,
          every: Path = EVERY) -> list[Path]:
    """Writes both, and the figure beside the first; what is around the marks stays. The files that were written."""
    if not any(result.status is not None for result in (*results, *(trial.validated for trial in programs))):
        raise LabError("lab evaluate report", "nothing was run yet", "lab evaluate", BAD_INPUT)
    link = f"Each fault, each miss and each false finding: [runs]({os.path.relpath(every, page.parent)})."
    image = f"![What was found of each fault]({os.path.relpath(figure_of(page), page.parent)})\n\n" if results else ""
    texts = {page: _between_marks(page, _NEW.replace(BEGIN, image + BEGIN), f"{generated(results, programs)}\n\n{link}"),
             every: _between_marks(every, _NEW_OF_RUNS, runs_page.generated(results, known, programs))}
    if results:
        texts[figure_of(page)] = figure.svg(results)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(texts)


def figure_of(page: Path) -> Path:
    """Beside it."""
    return page.parent / "figures" / f"{page.stem}.svg"


def _between_marks(page: Path, new: str, made: str) -> str:
    """The page, or a new one, with what is made between its marks."""
    before, begin, rest = (page.read_text() if page.exists() else new).partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise LabError(str(page), "has not both marks", f"a line '{BEGIN}', and after it one '{END}'", BAD_INPUT)
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"


def generated(results: Sequence[Result], programs: Sequence[Trial] = ()) -> str:
    """Markdown of the first."""
    found = score(results)
    of_runs = [_head(results, found), _EXPLAINED, "## Rounds", _rounds(results), "## All runs", _overall(found),
               _totals(found), *_not_drawn(results), "## Two faults at once", _pairs(results, found.pairs)] if results else []
    return "\n\n".join([*of_runs, *report.section(programs)])


def _head(results: Sequence[Result], found: Score) -> str:
    when = sorted({result.when for result in results if result.when})
    dates = (f", on {when[0]}" if when[0] == when[-1] else f", from {when[0]} to {when[-1]}") if when else ""
    not_on = f" {found.not_on} more could not be brought on." if found.not_on else ""
    two = f" and {found.pairs.runs} with two faults" if found.pairs.runs else ""
    return f"{found.runs} runs, {found.healthy} of them healthy{two}, of {found.seconds:.0f} s in the median{dates}.{not_on}"


def _rounds(results: Sequence[Result]) -> str:
    rows = []
    for seed in sorted({result.seed for result in results}):
        some = [result for result in results if result.seed == seed]
        mine = score(some)
        rows.append([seed, where(some), mine.broken.runs, table.of(mine.broken.found, mine.broken.runs),
                     table.of(mine.broken.first, mine.broken.costly), table.of(mine.broken.named, mine.broken.runs),
                     table.of(mine.like.found, mine.like.runs), table.of(mine.uniform.found, mine.uniform.runs),
                     table.of(mine.accused, mine.healthy)])
    return markdown.table("| round (seed) | of | faults | found | first | named | found, that peers show | "
                          "found, the same everywhere | healthy with a finding |", rows)


def where(results: Sequence[Result]) -> str:
    """Of what the runs of a round were."""
    machine = {result.draw.shape == MACHINE for result in results if result.status is not None}
    names = {"laboratories": False in machine, "one machine": True in machine}
    return " and ".join(name for name, is_there in names.items() if is_there)


def _overall(found: Score) -> str:
    return runs_page.counts({"in laboratories": found.laboratory, "on one machine": found.machine, "that peers show": found.like,
                             "the same everywhere": found.uniform, "all": found.broken})


def _not_drawn(results: Sequence[Result]) -> list[str]:
    """What could be drawn and of which nothing is known; nothing where every fault was on."""
    drawn = {broken.fault for result in results if result.status is not None for broken in result.draw.broken}
    possible = [fault for fault in FAULTS if can_be_drawn(fault, SHAPES)]
    names = [fault for fault in possible if fault not in drawn]
    never = f"Never drawn in these rounds, {len(names)} of {len(possible)} faults: {', '.join(names)}."
    return [never + _in_laboratories(results)] if names else []


def _in_laboratories(results: Sequence[Result]) -> str:
    shapes = [shape for shape in SHAPES if shape != MACHINE]
    drawn = {broken.fault for result in results if result.status is not None and result.draw.shape in shapes
             for broken in result.draw.broken}
    possible = sum(can_be_drawn(fault, shapes) for fault in FAULTS)
    return f" Of the {possible} that laboratories can have, {len(drawn)} were drawn there."


def _totals(found: Score) -> str:
    return markdown.table("| | |", list(table.totals(found).items()))


_PAIRS_EXPLAINED = (
    "Each fault is found as one alone would be, and each by something of its own; what costs nothing by itself need only be "
    f"observed. Wanted: both in {100 * table.BOTH_WANTED:.0f} % of the runs. *First*: the first finding names one of them, of "
    "the runs in which one has a cost. Faults that take away what the other needs, or that one finding could both be of, are not "
    "drawn together.")


def _pairs(results: Sequence[Result], all_of_them: PairCount) -> str:
    if not all_of_them.runs:
        return "Not drawn yet."
    rounds = {str(seed): score([result for result in results if result.seed == seed]).pairs
              for seed in sorted({result.seed for result in results})}
    rows = [[name, each.runs, table.of(each.both, each.runs), table.of(each.one, each.runs), table.of(each.first, each.costly),
             f"{each.seconds:.0f}"] for name, each in {**rounds, "**all**": all_of_them}.items() if each.runs]
    head = "| round (seed), two faults at once | runs | both found | one found | first | s |"
    return f"{_PAIRS_EXPLAINED}\n\n{markdown.table(head, rows)}"
