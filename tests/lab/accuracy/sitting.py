"""The part that needs a laboratory: calibrates and records what is missing, until the time is over."""

import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Protocol

from accuracy.store import Recording, Store
from laboratory import canary, launch, paths
from laboratory.enter import on_node
from laboratory.errors import CANNOT_RUN_HERE, OWN_FAULT, LabError
from laboratory.plan import Laboratory

_CAMPAIGN = Path(__file__).with_name("machine.toml")
_PATIENCE = 3  # starts in a row that fail
_TIMEOUT = 240.0  # seconds of one start
_MOVED = 2.5  # times as far as when they were drawn together: beyond that they share no cache any more
_NOT_ALL = 5  # status of bench


class Site(Protocol):
    """Where programs are started. `nodes`: on so many, a rank each."""

    @property
    def shared(self) -> Path:
        """A directory that all nodes share."""

    @property
    def hosts(self) -> list[str]:
        """Names of all nodes."""

    def settle(self) -> None:
        """Called before each measurement."""

    def run(self, command: list[str], nodes: int, calls: str | None, timeout: float) -> CompletedProcess[str]:
        """With what it printed. `calls`: the MPI whose launcher the command starts by itself."""

    def watch(self, work: Callable[[], CompletedProcess[str]]) -> tuple[CompletedProcess[str], dict[str, float]]:
        """Does it, and reads the signs of disturbance over it."""


@dataclass(frozen=True)
class InLaboratory:
    """The site that is meant. `near_ns`: what a cache line takes between the switch's core and the nodes' when the host of a
    virtual machine has been made to put them together (docs/internals/laboratory-check.md)."""
    lab: Laboratory
    near_ns: float

    @staticmethod
    def of(lab: Laboratory) -> "InLaboratory":
        """Draws the cores together."""
        return InLaboratory(lab, min(canary.draw_cores(lab, lambda _: False)))

    def settle(self) -> None:
        """Draws them together again, if the host has moved them."""
        if canary.apart_ns(self.lab) > _MOVED * self.near_ns:
            canary.draw_cores(self.lab, lambda apart: apart <= _MOVED * self.near_ns)

    @property
    def shared(self) -> Path:
        """Made if need be."""
        directory = self.lab.shared / "accuracy"
        on_node(self.lab, self.lab.compute[0], ["mkdir", "-p", str(directory)], capture=True, timeout=60)
        return directory

    @property
    def hosts(self) -> list[str]:
        """Of compute nodes."""
        return [node.name for node in self.lab.compute]

    def run(self, command: list[str], nodes: int, calls: str | None, timeout: float) -> CompletedProcess[str]:
        """On the first nodes."""
        return launch.run(self.lab, command, nodes=self.hosts[:nodes], calls=calls, capture=True, timeout=timeout)

    def watch(self, work: Callable[[], CompletedProcess[str]]) -> tuple[CompletedProcess[str], dict[str, float]]:
        """By the switch and the kernel's counters."""
        done, reading = canary.watch(self.lab, work)
        return done, canary.as_data(reading)


def plumbline() -> Path:
    """The program; LabError where it is not built."""
    program = (paths.build_directory() / "bin" / "plumbline").resolve()
    if not program.exists():
        raise LabError(str(program), "not built", "./dev build release", CANNOT_RUN_HERE)
    return program


def suite(mpi: str) -> Path:
    """The suite's program of an MPI."""
    program = (paths.build_directory() / "lib" / "plumbline" / f"plumbline-suite-{mpi}").resolve()
    if not program.exists():
        raise LabError(str(program), "not built", "./dev build release", CANNOT_RUN_HERE)
    return program


Say = Callable[[str], None]


def sit(site: Site, store: Store, wanted: Sequence[Recording], until: float, say: Say) -> None:
    """Does what is missing before `until` (of time.monotonic()); a start that was begun is ended."""
    for mpi in dict.fromkeys(each.mpi for each in wanted):
        if time.monotonic() < until and not store.campaign(mpi).exists():
            say(f"calibrating, {mpi}")
            site.settle()
            measure_machine(site, store, mpi, until - time.monotonic())
    failed = 0
    for each in wanted:
        if time.monotonic() >= until:
            return
        if not store.campaign(each.mpi).exists():
            continue
        try:
            say(each.text())
            site.settle()
            record(site, store, each)
            failed = 0
        except LabError as error:
            failed += 1
            if failed == _PATIENCE:
                raise
            say(f"{each.text()}: left for the next time: {error}")


def measure_machine(site: Site, store: Store, mpi: str, seconds: float) -> None:
    """Runs the campaign, or goes on with it. What the time does not suffice for is measured the next time."""
    run_campaign(site, store.campaign(mpi), lambda: campaign_text(mpi, site.hosts, site.shared), mpi, seconds)


def run_campaign(site: Site, result: Path, text: Callable[[], str], mpi: str, seconds: float) -> None:
    """A campaign of `text` into `result`, or what is missing of it: after `seconds` the rest is left for the next time."""
    result.parent.mkdir(parents=True, exist_ok=True)
    description = result.with_suffix(".toml")
    if not description.exists():
        description.write_text(text())
    part = result.with_suffix(".part.h5")
    begun = Path(f"{part}.parts").exists()
    command = [str(plumbline()), "bench", str(description), "-o", str(part), "--resume" if begun else "--force"]
    done = site.run(command, len(site.hosts), mpi, seconds)
    if done.returncode == launch.TIMED_OUT:
        return
    if done.returncode not in (0, _NOT_ALL):
        raise LabError("plumbline bench", f"ended with status {done.returncode}: {last_words(done)}", "", OWN_FAULT)
    part.rename(result)


def campaign_text(mpi: str, hosts: Sequence[str], shared: Path) -> str:
    """The campaign that is committed, with what is this laboratory's."""
    text = _CAMPAIGN.read_text()
    body = text[text.index("[campaign]"):]
    for key, value in (("{mpi}", mpi), ("{hosts}", ", ".join(f'"{host}"' for host in hosts)),
                       ("{first}", hosts[0]), ("{directory}", json.dumps(str(shared)))):
        body = body.replace(key, value)
    return body


def record(site: Site, store: Store, each: Recording) -> None:
    """Makes a recording; nothing of it stays when it fails."""
    target = store.recording(each)
    part = target.with_name(target.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    program = [str(suite(each.mpi)), *(["--directory", str(site.shared)] if each.start.is_io else []), *each.start.suite]
    command = [str(plumbline()), "record", "-o", str(part / "observed"), "--", f"mpirun.{each.mpi}", *program]
    started, when = time.monotonic(), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    done, reading = site.watch(lambda: site.run(command, each.start.ranks, None, _TIMEOUT))
    if done.returncode != 0 or not (part / "observed").is_dir():
        shutil.rmtree(part, ignore_errors=True)
        raise LabError(each.text(), f"ended with status {done.returncode}: {last_words(done)}", "", OWN_FAULT)
    facts = {"when": when, "seconds": round(time.monotonic() - started, 1), "reading": reading}
    (part / "facts.json").write_text(json.dumps(facts))
    part.rename(target)


def last_words(done: CompletedProcess[str]) -> str:
    return ((done.stderr or "") + (done.stdout or "")).strip()[-400:]
