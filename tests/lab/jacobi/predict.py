"""The part that predicts: platforms of the campaigns, and on them the model in the comments of the program."""

import csv
import io
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from accuracy.replay import version
from accuracy.sitting import plumbline
from jacobi.cases import Case
from jacobi.store import Prediction, Run, Store, quiet, runs_of
from laboratory.errors import OWN_FAULT, LabError
from laboratory.paths import ROOT

MODEL = ROOT / "examples" / "jacobi1d" / "jacobi1d.c"
WAYS = {"distributions": "distributions", "means_nxp": "means, n × p", "means_2x1": "means, 2 × 1",
        "least_2x1": "least, 2 × 1", "loggp": "LogGP", "packets": "packets"}  # what it is predicted from, and its name in tables
_NETWORKS = ("sampled", "loggp", "store-and-forward")
_FINDINGS = 1  # status of `plumbline calibrate`


def point_ns(results: Sequence[Run | Prediction], case: Case, mpi: str) -> float | None:
    """What a point takes a process that computes alone: the median of its runs."""
    found = [each.point_ns for each in quiet(runs_of(results, case.alone, mpi))]
    return statistics.median(found) if found else None


def calibrate(store: Store, place: str, mpi: str) -> None:
    """Makes the platforms of a campaign."""
    for network in _NETWORKS:
        _run([str(plumbline()), "calibrate", str(store.campaign(place, mpi)), "--network", network, "-o",
              str(store.platform(place, mpi, network)), "--force"], (0, _FINDINGS))


def once(store: Store, case: Case, mpi: str, point: float) -> Prediction:
    """On the platforms that calibrate() made."""
    sampled = _predict(store, case, mpi, point, "sampled", ["--by-averages"])
    loggp = _predict(store, case, mpi, point, "loggp", [])
    packets = _predict(store, case, mpi, point, "store-and-forward", [])
    seconds = {"distributions": float(sampled["median_s"]), "means_nxp": float(sampled["means_nxp_s"]),
               "means_2x1": float(sampled["means_2x1_s"]), "least_2x1": float(sampled["least_2x1_s"]),
               "loggp": float(loggp["median_s"]), "packets": float(packets["median_s"])}
    return Prediction(case.name, mpi, point, case.iterations, version(), seconds, float(sampled["computing_s"]),
                      float(sampled["transfer_s"]), float(sampled["waiting_s"]))


def _predict(store: Store, case: Case, mpi: str, point: float, network: str, more: list[str]) -> dict[str, str]:
    constants = {"iterations": case.iterations, "xsize": case.columns, "rows": case.rows, "point": f"{1000 * point:.0f}ps"}
    placed = ["--per-node", str(case.ranks)] if case.place == "here" else ["--per-node", "1"]
    with tempfile.TemporaryDirectory(prefix="plumbline-jacobi-") as work:
        table = Path(work) / "predicted.csv"
        _run([str(plumbline()), "predict", str(MODEL), "-p", str(store.platform(case.place, mpi, network)), "-n",
              str(case.ranks), *placed, *(word for key, value in constants.items() for word in ("--set", f"{key}={value}")),
              "--csv", str(table), *more])
        return next(csv.DictReader(io.StringIO(table.read_text())))


def _run(command: list[str], good: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode not in good:
        raise LabError(" ".join(command[:3]), f"ended with status {done.returncode}: {done.stderr.strip()[-400:]}", "",
                       OWN_FAULT)
    return done.stdout
