"""docs/notebook/jacobi.md: what stands between its marks is made from the results, and its figure too."""

from collections.abc import Sequence
from pathlib import Path

from jacobi import figure, summary
from jacobi.predict import WAYS
from jacobi.summary import CLOSE, GOOD, Row
from laboratory.errors import BAD_INPUT, LabError
from laboratory.paths import ROOT

PAGE = ROOT / "docs" / "notebook" / "jacobi.md"
FIGURE = ROOT / "docs" / "figures" / "jacobi-measured.svg"
BEGIN = "<!-- made by `./dev lab jacobi --page`; what is between this line and the end mark is written anew -->"
END = "<!-- end -->"
NAMES = {"openmpi": "Open MPI", "mpich": "MPICH", "here": "this machine", "laboratory": "laboratory"}


def write(found: Sequence[Row], page: Path = PAGE, picture: Path = FIGURE) -> list[Path]:
    """Writes both; what is around the marks stays. The files that were written."""
    if not found:
        raise LabError("lab jacobi --page", "nothing is measured and predicted yet", "lab jacobi", BAD_INPUT)
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise LabError(str(page), "has not both marks", f"a line '{BEGIN}', and after it one '{END}'", BAD_INPUT)
    page.write_text(f"{before}{BEGIN}\n\n{generated(found)}\n\n{END}{after}")
    picture.write_text(figure.svg(found))
    return [page, picture]


def generated(found: Sequence[Row]) -> str:
    """Markdown."""
    return "\n\n".join([_claim(found), _errors(found), _parts(found)])


def _claim(found: Sequence[Row]) -> str:
    lines = [f"| predicted from | configurations | within {100 * GOOD:.0f} % | within {100 * CLOSE:.0f} % | largest error |",
             "|---|---|---|---|---|"]
    for way, name in WAYS.items():
        worst = max((row.error(way) for row in found), key=abs)
        lines.append(f"| {name} | {len(found)} | {summary.within(found, way, GOOD)} | {summary.within(found, way, CLOSE)} | "
                     f"{percent(worst)} |")
    return "\n".join(lines)


def _errors(found: Sequence[Row]) -> str:
    lines = [f"| | MPI | row | ranks | measured, an iteration | 95 % | runs | {' | '.join(WAYS.values())} |",
             "|---" * (7 + len(WAYS)) + "|"]
    for row in found:
        errors = " | ".join(percent(row.error(way)) for way in WAYS)
        lines.append(f"| {place(row)} | {NAMES[row.mpi]} | {size(row)} | {row.case.ranks} | {time(row.median)} | "
                     f"{time(row.low)} to {time(row.high)} | {row.runs}{'' if row.quiet else ' *'} | {errors} |")
    return "\n".join(lines)


def _parts(found: Sequence[Row]) -> str:
    lines = ["| | MPI | row | ranks | computing, predicted | measured | rest, predicted | measured |", "|---" * 8 + "|"]
    for row in found:
        predicted, measured = row.computing
        lines.append(f"| {place(row)} | {NAMES[row.mpi]} | {size(row)} | {row.case.ranks} | {time(predicted)} | "
                     f"{time(measured)} | {time(row.predicted['distributions'] - predicted)} | {time(row.median - measured)} |")
    return "\n".join(lines)


def place(row: Row) -> str:
    """With its series."""
    return f"{NAMES[row.case.place]}, {row.case.series}"


def size(row: Row) -> str:
    """Of a message."""
    return f"{row.case.message_bytes // 1024} KiB"


def percent(value: float) -> str:
    """With its sign."""
    return f"{100 * value:+.1f} %".replace("-", "−")


def time(us: float) -> str:
    """Of four digits."""
    return f"{us / 1000:.4g} ms" if us >= 1000 else f"{us:.4g} µs"
