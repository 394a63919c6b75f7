"""docs/accuracy.md and the list of its cells: what stands between their marks is made from the results, and the figure too."""

from collections.abc import Sequence
from pathlib import Path

from accuracy import causes, figure, summary, table
from accuracy.causes import Cause
from accuracy.cells import Cell
from accuracy.store import Result
from accuracy.summary import FAR, Row, Share
from laboratory.errors import BAD_INPUT, LabError
from laboratory.paths import ROOT

PAGE = ROOT / "docs" / "accuracy.md"
CELLS = ROOT / "docs" / "notebook" / "accuracy-cells.md"
PUBLISHED = CELLS.with_suffix(".jsonl")  # the results that all three are made of
FIGURE = ROOT / "docs" / "figures" / "accuracy.svg"
BEGIN = "<!-- made by `./dev lab accuracy --page`; what is between this line and the end mark is written anew -->"
END = "<!-- end -->"
_OF_MODELS = ("Whole repetitions are predicted here without the observed begin of each call, so Plumbline is further off than "
              "above.")
_SHARE = "cells | off by, median | 95th percentile | within 5 % | within 15 % or twice their spread"


def write(results: Sequence[Result], listed: Sequence[Cell], page: Path = PAGE, every: Path = CELLS,
          picture: Path = FIGURE) -> list[Path]:
    """Writes all three; what is around the marks of the pages stays. The files that were written."""
    found = summary.rows(results, listed)
    if not found:
        raise LabError("lab accuracy --page", "nothing was measured yet", "lab accuracy", BAD_INPUT)
    texts = [(page, _between_marks(page, generated(results, found, causes.read()))),
             (every, _between_marks(every, f"{_head(results, found)}\n\n{_cells(found)}\n"))]
    for path, text in [*texts, (picture, figure.svg(found))]:
        path.write_text(text)
    return [page, every, picture]


def _between_marks(page: Path, made: str) -> str:
    """The page with what is made between its marks."""
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise LabError(str(page), "has not both marks", f"a line '{BEGIN}', and after it one '{END}'", BAD_INPUT)
    return f"{before}{BEGIN}\n\n{made}\n{END}{after}"


def generated(results: Sequence[Result], found: Sequence[Row], known: list[Cause]) -> str:
    """Markdown."""
    parts = [_head(results, found), _shares(found), "## Against other models", _OF_MODELS, _models(found),
             f"## Cells off by more than {100 * FAR:.0f} %", _far(found, known)]
    return "\n\n".join(parts) + "\n"


def _head(results: Sequence[Result], found: Sequence[Row]) -> str:
    when = sorted({result.when[:10] for result in results if result.when})
    return f"{table.head(results, found)}" + (f" Recorded on {' to '.join(dict.fromkeys((when[0], when[-1])))}." if when else "")


def _shares(found: Sequence[Row]) -> str:
    lines = [f"| expectation | MPI | {_SHARE} |", "|---|---|---|---|---|---|---|"]
    for name, ratio in table.EXPECTATIONS.items():
        for mpi in table.flavours(found):
            mine = [row for row in found if not mpi or row.mpi == mpi]
            for what, some in (("all", mine), ("messages and collectives", [row for row in mine if not row.cell.is_io]),
                               ("files", [row for row in mine if row.cell.is_io])):
                share = summary.share_of(some, ratio)
                if share and (what == "all" or share.cells != len(mine)):
                    lines.append(f"| {name}, {what} | {table.NAMES.get(mpi, 'both')} | {_share(share)} |")
    return "\n".join(lines)


def _share(share: Share) -> str:
    return (f"{share.cells} | {_percent(share.median)} | {_percent(share.p95)} | {_percent(share.close / share.cells, 0)} | "
            f"{_percent(share.allowed / share.cells, 0)}")


def _percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f} %"


def _models(found: Sequence[Row]) -> str:
    lines = [f"| model | {_SHARE} |", "|---|---|---|---|---|---|"]
    for name in table.models(found):
        share = summary.share_of_model(found, name)
        if share:
            lines.append(f"| {table.NAMES.get(name, name)} | {_share(share)} |")
    fewer = table.of_fewer(found)
    return "\n".join(lines + (["", fewer] if fewer else []))


def _far(found: Sequence[Row], known: list[Cause]) -> str:
    far = [row for row in found if row.as_run and row.as_run.off > FAR]
    if not far:
        return "None."
    lines, told = ["| cell | MPI | as run | as configured | cause |", "|---|---|---|---|---|"], dict[str, int]()
    for row in sorted(far, key=lambda row: -row.as_run.off if row.as_run else 0.0):
        assert row.as_run is not None
        cause = causes.of(known, row.cell.name, row.mpi, row.as_run.median)
        number = "" if cause == causes.UNKNOWN else f"{told.setdefault(cause, len(told) + 1)}"
        lines.append(f"| {row.cell.name} | {table.NAMES[row.mpi]} | {table.as_run(row)} | {table.ratio(row.as_configured)} | "
                     f"{number or cause} |")
    return "\n".join([*lines, *([""] if told else []), *(f"{number}. {cause}." for cause, number in told.items())])


def _cells(found: Sequence[Row]) -> str:
    names = table.models(found)
    lines = ["| cell | MPI | observed | runs, repetitions | spread | as run | as configured | "
             + " | ".join(f"{table.NAMES.get(name, name)}, from the start" for name in names) + " |",
             "|---" * (7 + len(names)) + "|"]
    for row in found:
        models = " | ".join(f"{row.models[name]:.2f}" if name in row.models else "" for name in names)
        lines.append(f"| {row.cell.name} | {table.NAMES[row.mpi]} | {table.duration(row.observed)} | "
                     f"{row.runs}, {row.repetitions} | {_percent(row.spread)} | {table.as_run(row)} | "
                     f"{table.ratio(row.as_configured)} | {models} |")
    return "\n".join(lines)
