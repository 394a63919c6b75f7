"""The section about real programs, in the page of the blind evaluation and as text."""

from collections.abc import Callable, Iterator, Sequence

from evaluate.judge import TOO_NOISY
from evaluate.markdown import cell, table
from evaluate.programs.score import SLOWED, VALIDATE, Count, is_slowed, of_comparison, of_validation, score, times
from evaluate.programs.store import WAYS, OfProgram, Said, Trial
from evaluate.table import of

_HEAD = "| answer | program | runs | named | slowed by it | of these named | of these first | by | too noisy | healthy with a finding |"
_EXPLAINED = (
    "Programs of `evaluate/programs/programs.toml` in clusters that were broken on purpose, recorded by `plumbline validate "
    "--quick --program`. *Compare*: the recording is replayed on a platform, and a finding names the part of the machine that is "
    "broken; it knows no counters and no settings. *Platform of the healthy cluster*: measured before anything was broken, a "
    "baseline. *Made under the fault*: the fault is calibrated in. *Validate*: as in the blind evaluation, of the suite and the "
    f"programs together. *Slowed*: took {SLOWED:g} times as long as in the healthy cluster, or did not end. In brackets Wilson's "
    "95 % bounds.")


def section(trials: Sequence[Trial]) -> list[str]:
    """Blocks of Markdown; none where nothing was run."""
    if not any(trial.validated.status is not None for trial in trials):
        return []
    rows = [[_answer(way), program, count.runs, of(count.named, count.runs), count.slowed, of(count.named_slowed, count.slowed),
             of(count.first, count.slowed), _references(count), of(count.noisy, count.runs), of(count.accused, count.healthy)]
            for (way, program), count in score(trials).items()]
    return ["## Real programs under faults", _EXPLAINED, table(_HEAD, rows)]


def runs(trials: Sequence[Trial]) -> list[str]:
    """The same of single runs: what nobody named, and what was said in healthy clusters."""
    if not section(trials):
        return []
    unnamed, accused = [*_unnamed(trials)], [*_accused(trials)]
    return ["## Real programs: slowed, and named by none of the three",
            table("| run | fault | program | times as long | said |", unnamed) if unnamed else "None.",
            "## Real programs: findings in healthy clusters",
            table("| run | was | answer | said |", accused) if accused else "None."]


def text(trials: Sequence[Trial]) -> str:
    """For a person who runs it."""
    lines = [f"{len(trials)} runs", f"{'answer':42} {'program':12} {'n':>4}  {'named':26} {'slowed':>6}  {'named then':26} by"]
    lines += [f"{_answer(way):42} {program:12} {count.runs:4}  {of(count.named, count.runs):26} {count.slowed:6}  "
              f"{of(count.named_slowed, count.slowed):26} {_references(count)}".rstrip()
              for (way, program), count in score(trials).items()]
    return "\n".join(lines)


def line(trial: Trial) -> str:
    """What came of one run, for who waits."""
    return "; ".join([f"{name} {_times(program)}: {_said(program)}" for name, program in trial.programs.items()]
                     + [f"validate: {_first([each['id'] for each in trial.validated.diagnoses])}"])


def _answer(way: str) -> str:
    return WAYS.get(way, VALIDATE)


def _references(count: Count) -> str:
    return ", ".join(f"{name} {number}" for name, number in count.references.items())


def _unnamed(trials: Sequence[Trial]) -> Iterator[list[str]]:
    for trial in _in_order(trials, lambda each: bool(each.validated.draw.fault)):
        if of_validation(trial).named:
            continue
        for name, program in trial.programs.items():
            if is_slowed(program) and not any(of_comparison(trial, said.findings).named for said in program.said.values()):
                yield [trial.validated.name, trial.validated.draw.text(), name, _times(program), _said(program)]


def _accused(trials: Sequence[Trial]) -> Iterator[list[str]]:
    for trial in _in_order(trials, lambda each: not each.validated.draw.fault):
        told = [trial.validated.name, trial.validated.draw.text()]
        for name, program in trial.programs.items():
            for way, said in program.said.items():
                if said.findings:
                    yield [*told, f"{name}: {_answer(way)}", _first([each["component"] for each in said.findings])]
        if trial.validated.diagnoses:
            yield [*told, VALIDATE, _first([each["id"] for each in trial.validated.diagnoses])]


def _times(program: OfProgram) -> str:
    if program.error:
        return "did not end"
    return f"{times(program):.2f}" if times(program) else "not known"


def _said(program: OfProgram) -> str:
    words = [f"{way}: {_compared(said)}" for way, said in program.said.items()]
    return ", ".join(words) or cell(program.error) or "nothing"


def _compared(said: Said) -> str:
    return "too noisy to tell" if said.status == TOO_NOISY and not said.findings else _first(
        [each["component"] for each in said.findings])


def _first(found: Sequence[str]) -> str:
    """The first, and how many more there are."""
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return cell(found[0]) + more if found else "nothing"


def _in_order(trials: Sequence[Trial], wanted: Callable[[Trial], bool]) -> list[Trial]:
    made = [trial for trial in trials if trial.validated.status is not None and wanted(trial)]
    return sorted(made, key=lambda trial: (trial.validated.seed, trial.validated.draw.index))
