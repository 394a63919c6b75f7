"""How the machine itself has a fault: for one command and what it starts, in no laboratory. Nothing of the machine is
changed that others see, but for the core that a busy program takes."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from laboratory import cgroups, cores
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.fault_table import FAULTS
from laboratory.paths import NAME, tool
from laboratory.quantity import parse_bytes, parse_duration, parse_fraction

NODE = "machine"  # in the names of groups and images, where those of a laboratory have the name of a node
NOT_MOUNTED = 125  # status of the words in front of the command when they fail
_DISK_BYTES = 8 << 30  # of the file system in a file, sparse, in memory
_INODES = 20_000

# $1 is how many bytes, or which share, /dev/shm is to have.
_SMALL_SHM = 'mount -n -t tmpfs -o "size=$1,mode=1777" tmpfs /dev/shm || exit 125; shift; exec "$@"'

# $1: where; $2: name of the image; $3, $4: its bytes and inodes; $5: options of mount; $6: percent of it that are taken.
# All of it goes with the last process of the namespace: the image is on a file system that only they see.
_NEW_DISK = """
mkdir -p "$1/disk" "$1/io" && mount -n -t tmpfs -o mode=700 tmpfs "$1/disk" && truncate -s "$3" "$1/disk/$2" &&
mkfs.ext4 -q -F -m 0 -N "$4" -E nodiscard,lazy_itable_init=0 "$1/disk/$2" &&
mount -n -o "loop,$5" "$1/disk/$2" "$1/io" &&
{ [ "$6" = 0 ] || fallocate -l $(( $(stat -f -c '%a * %S' "$1/io") / 100 * $6 )) "$1/io/old"; } || exit 125
shift 6
exec "$@"
"""


@dataclass(frozen=True)
class Busy:
    """A program that takes a core: all the time, or `work` of every `period`, in seconds."""
    core: int
    work: float = 0.0
    period: float = 0.0


@dataclass
class Conditions:
    """What a command has under a fault."""
    environment: dict[str, str] = field(default_factory=dict)
    prefix: list[str] = field(default_factory=list)  # words in front of it
    share: float = 0.0  # of one core, that it may have with all that it starts; 0: as much as there is
    busy: list[Busy] = field(default_factory=list)
    io: Path | None = None  # where its files are to be; None: where it runs


def conditions(fault: str, parameters: dict[str, str], mpi: str, directory: Path) -> Conditions:
    """Of a fault. `directory` is for the files that it needs. LabError where this machine cannot have it."""
    return _EFFECTS[FAULTS[fault].effect](fault, parameters, mpi, directory)


def together(of_each: Iterable[Conditions]) -> Conditions:
    """Of several faults that do not exclude each other (fault_pairs.py); of none, those of a healthy machine."""
    found = Conditions()
    for each in of_each:
        found = Conditions({**found.environment, **each.environment}, [*found.prefix, *each.prefix], found.share or each.share,
                           [*found.busy, *each.busy], found.io or each.io)
    return found


def _launch(fault: str, parameters: dict[str, str], mpi: str, directory: Path) -> Conditions:
    values = {key: str(parse_bytes(value)) for key, value in parameters.items()}
    filled = {target: {key: value.format(**values) for key, value in settings.items()}
              for target, settings in FAULTS[fault].settings.items()}
    environment = dict(filled.get(mpi, {}))
    if "romio" in filled:
        hints = directory / "hints"
        hints.write_text("".join(f"{key} {value}\n" for key, value in filled["romio"].items()))
        environment["ROMIO_HINTS"] = str(hints)
    return Conditions(environment)


def _binding(fault: str, _parameters: dict[str, str], _mpi: str, _directory: Path) -> Conditions:
    if len(cores.every()) < 2:
        raise LabError(fault, "this machine has one core anyway", "", CANNOT_RUN_HERE)
    return Conditions(prefix=[_needed(fault, "taskset"), "-c", str(cores.every()[0])])


def _shm(fault: str, parameters: dict[str, str], _mpi: str, _directory: Path) -> Conditions:
    return Conditions(prefix=[*_apart(fault), _SMALL_SHM, "sh", str(parse_bytes(parameters["size"]))])


def _mount(fault: str, parameters: dict[str, str], _mpi: str, directory: Path) -> Conditions:
    _needed(fault, "mkfs.ext4")
    options = "noatime,sync,dirsync" if parameters.get("mode") == "sync" else "noatime"
    full = round(100 * parse_fraction(parameters["full"])) if "full" in parameters else 0
    image = f"{NAME}-{os.getuid()}-{NODE}.img"  # `lab down` looks for such
    return Conditions(prefix=[*_apart(fault), _NEW_DISK, "sh", str(directory), image, str(_DISK_BYTES), str(_INODES), options,
                              str(full)], io=directory / "io")


def _quota(fault: str, parameters: dict[str, str], _mpi: str, _directory: Path) -> Conditions:
    if os.getuid() != 0 or not cgroups.can_limit_processor({name: "" for name in cgroups.hierarchies()}):
        raise LabError(fault, "limits of processors need root and the control group cpu", "", CANNOT_RUN_HERE)
    return Conditions(share=parse_fraction(parameters["share"]))


def _busy(_fault: str, parameters: dict[str, str], _mpi: str, _directory: Path) -> Conditions:
    core = cores.every()[0 if parameters["core"] == "first" else -1]
    work, period = (parse_duration(parameters.get(key, "0")) / 1e9 for key in ("work", "period"))
    return Conditions(busy=[Busy(core, work, period)])


def _apart(fault: str) -> list[str]:
    """The words that run a script of sh(1), which follows them, in mounts of its own."""
    if os.getuid() != 0:
        raise LabError(fault, "mounts need root", "", CANNOT_RUN_HERE)
    return [_needed(fault, "unshare"), "--mount", "--propagation", "private", "--", "sh", "-c"]


def _needed(fault: str, name: str) -> str:
    found = tool(name)
    if found is None:
        raise LabError(fault, f"needs {name}", "install util-linux and e2fsprogs", CANNOT_RUN_HERE)
    return found


_EFFECTS: dict[str, Callable[[str, dict[str, str], str, Path], Conditions]] = {
    "launch": _launch, "binding": _binding, "shm": _shm, "mount": _mount, "quota": _quota, "busy": _busy}

assert {fault.effect for fault in FAULTS.values() if fault.machine} <= _EFFECTS.keys()
