"""The part that needs no laboratory: replays what a run has recorded on both platforms, and asks what a comparison says."""

import json
import statistics as std
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import CompletedProcess

from evaluate.programs.store import HEALTHY, OWN, OfProgram, Said, Store, Trial, of_report
from evaluate.results import Result
from laboratory.errors import OWN_FAULT, LabError

_ANSWERS = (0, 1, 4, 5)  # statuses of `compare`: as expected, findings, not comparable, too noisy to tell

Run = Callable[[list[str]], CompletedProcess[str]]


def trial(kept: Store, validated: Result, programs: Sequence[str], run: Run, version: str) -> Trial:
    """Of a run. `run` starts a verb of plumbline: words behind its name. What left no report has recorded no program."""
    directory, healthy = kept.run(validated.seed, validated.draw), kept.healthy(validated.draw.mpi)
    platforms = {HEALTHY: healthy / "platform.xml", OWN: directory / "platform.xml"}
    if not directory.exists():
        lost = {name: OfProgram(0.0, _length(healthy / name)[0], error=validated.error or "it was not run") for name in programs}
        return Trial(validated, lost, version)
    found = {name: _program(directory / name, healthy / name, platforms, run) for name in programs
             if (directory / name / "facts.json").exists()}
    return Trial(validated, found, version)


def _program(directory: Path, healthy: Path, platforms: dict[str, Path], run: Run) -> OfProgram:
    seconds, error = _length(directory)
    result = OfProgram(seconds, _length(healthy)[0], error=error)
    if (directory / "observed").is_dir():
        result.said = {way: _compared(directory / "observed", platform, run) for way, platform in platforms.items()
                       if platform.exists()}
    return result


def _length(directory: Path) -> tuple[float, str]:
    """Of a program, median of its runs, and why there is none."""
    try:
        facts = json.loads((directory / "facts.json").read_text())
    except OSError:
        return 0.0, "it was not run"
    lengths = [each for each in [facts["observed_s"], *facts["again_s"]] if each]
    return (round(std.median(lengths), 6) if lengths else 0.0), facts["fault"]


def _compared(observed: Path, platform: Path, run: Run) -> Said:
    with tempfile.TemporaryDirectory(prefix="plumbline-programs-") as work:
        expected, report = Path(work) / "expected", Path(work) / "report.json"
        _checked(run, ["replay", str(observed), "-p", str(platform), "-o", str(expected)], (0,))
        status = _checked(run, ["compare", str(observed), str(expected), "--json", str(report)], _ANSWERS)
        return Said(status, of_report(json.loads(report.read_text())) if report.exists() else [])


def _checked(run: Run, words: list[str], good: tuple[int, ...]) -> int:
    done = run(words)
    if done.returncode not in good:
        said = f"ended with status {done.returncode}: {done.stderr.strip()[-400:]}"
        raise LabError(" ".join(["plumbline", *words[:2]]), said, "", OWN_FAULT)
    return done.returncode
