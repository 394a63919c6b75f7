"""The arguments of each verb, with help that teaches, and what they mean."""

import argparse
import re
from collections.abc import Callable

from laboratory.errors import BAD_INPUT, LabError
from laboratory.plan import Options
from laboratory.quantity import parse_duration, parse_rate

_MAIN = """A cluster with known faults on one machine: nodes are namespaces, the switch is a program, MPI and the
parallel file system are real.

  lab up                                       8 compute nodes and 2 servers at 100 Mbit/s; about 1 s
  lab run -- mpirun.openmpi ./program          one rank on each node
  lab fault slow-link on                       break something; `lab fault` lists what can be broken
  lab run -- mpirun.openmpi ./program          the same program, now slower
  lab fault all off
  lab status                                   what is up, and which faults are on
  lab down

Verbs: up, run, fault, check, evaluate, accuracy, jacobi, status, shell, down. Each has its own --help.
Exit status: 0 done, 2 wrong use, 3 bad input, 6 cannot run here (says why), 70 a fault of ours; `run` and `shell` end
with the status of the program. docs/internals/laboratory.md says how it works, docs/reference/laboratory.md what
it cannot show.
"""

_UP = """Brings a laboratory up; one that this user had before is removed first.

  lab up
  lab up --nodes 4 --servers 0                 without storage: needs neither FUSE nor root
  lab up --rate 50Mbit/s --latency 1ms         slower cables, farther apart
  lab up --switches 2 --uplink-rate 200Mbit/s  n0-n3 and s0 on one switch, the others on a second
  lab up --clock-offset n3=5s                  n3's CLOCK_MONOTONIC is 5 s ahead

The way from node to node takes time beside the switch: kernels, wake-ups. `up` measures it, and the switch takes that
allowance off the latency, so that messages take what was asked for.
"""

_RUN = """Runs a command in the laboratory. An MPI launcher (mpirun.openmpi, mpirun.mpich and their relatives) is
started on n0, one rank on each compute node, with the settings that make it steady here; your own options win over
them. Other commands run on n0 alone. Output, exit status and Ctrl-C pass through. The directory is the one you are in.

  lab run -- mpirun.mpich ./program
  lab run --nodes n0,n3 -- mpirun.openmpi -n 2 ./program
  lab run --on n3 -- ping -c 3 n0
  lab run -- plumbline record -o observed -- mpirun.openmpi ./program
  lab run --timeout 60 -- mpirun.mpich ./program      ends it after 60 s, with status 124
  lab run -- plumbline validate --mpi mpich ...       ranks that plumbline starts have the settings, too
  lab run --mpi mpich -- ./my-check                   and those of another command that starts its ranks by itself

The shared file system is at the path that `lab status` prints, the same on every compute node.
"""

_STATUS = """Says what is up: nodes, switch, storage, faults that are on, and how late the switch was.

  lab status
  lab status --json | python3 -m json.tool     the same for programs
"""

_DOWN = """Removes the laboratory with everything in it: processes, interfaces, mounts, loop devices, control groups.
Also finds what a laboratory left whose `lab up` was killed.

  lab down
"""

_SHELL = """A shell on a node, in your directory; or one command.

  lab shell n3
  lab shell s0 -- ss -tn
"""


def parser() -> argparse.ArgumentParser:
    """The parser of all verbs except fault, check, evaluate, accuracy and jacobi, which have their own."""
    top = _parser(argparse.ArgumentParser, prog="lab", description=_MAIN, usage="lab VERB ...")
    verbs = top.add_subparsers(prog="lab", dest="verb", required=True, metavar="VERB", help=argparse.SUPPRESS)

    up = _parser(verbs.add_parser, name="up", description=_UP)
    up.add_argument("--nodes", default=8, type=int, metavar="N", help="compute nodes, 1 to 64 (8)")
    up.add_argument("--servers", default=2, type=int, metavar="N", help="servers of the file system, 0 to 16 (2)")
    up.add_argument("--rate", default="100Mbit/s", help="of every cable, both ways (100Mbit/s)")
    up.add_argument("--latency", default="50us", help="one way, from node to node through one switch (50us)")
    up.add_argument("--mtu", default=9000, type=int, help="bytes, 576 to 9000 (9000)")
    up.add_argument("--switches", default=1, type=int, help="1, or 2 with half of the nodes on each (1)")
    up.add_argument("--uplink-rate", metavar="RATE", help="between the two switches (as --rate)")
    up.add_argument("--disk-rate", default="40MB/s", metavar="RATE", help="of each server's disk; 0: no limit (40MB/s)")
    up.add_argument("--whole-files", action="store_true",
                    help="each file on one server; large files are else in shards, which GlusterFS does not keep right "
                         "where several nodes write parts of a block (data sieving)")
    up.add_argument("--share-cores", action="store_true",
                    help="no core for the switch alone, and one of all for each node in turn: it sleeps between frames, and "
                         "hands them on less steadily; for what needs a core for each rank on a machine of few")
    up.add_argument("--clock-offset", default=[], action="append", metavar="NODE=TIME",
                    help="monotonic clock of a node against the others, such as n3=5s or n3=-2ms; may be repeated")
    up.add_argument("--allowance", default="auto", metavar="TIME",
                    help="what the way takes beside the switch; 0: add the latency to it; auto: as measured (auto)")

    run = _parser(verbs.add_parser, name="run", description=_RUN)
    run.add_argument("--ranks-per-node", default=1, type=int, metavar="N", help="(1)")
    run.add_argument("--nodes", metavar="LIST", help="hosts in the order of ranks: n0,n3 or n4-n7 (all)")
    run.add_argument("--mpi", choices=["openmpi", "mpich"],
                     help="whose launcher the command calls by itself, so that its ranks have the settings, too")
    run.add_argument("--on", metavar="NODE", help="start the command on this node (n0)")
    run.add_argument("--timeout", type=float, metavar="SECONDS", help="end it after so long, with status 124")
    run.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND ...", help="what to run")

    status = _parser(verbs.add_parser, name="status", description=_STATUS)
    status.add_argument("--json", action="store_true", help="for programs: the state file, and whether it is alive")
    _parser(verbs.add_parser, name="down", description=_DOWN)
    shell = _parser(verbs.add_parser, name="shell", description=_SHELL)
    shell.add_argument("node", help="n0, s0, ...")
    shell.add_argument("command", nargs=argparse.REMAINDER, metavar="[-- COMMAND ...]", help="instead of a shell")
    return top


def _parser(make: Callable[..., argparse.ArgumentParser], **kw: str) -> argparse.ArgumentParser:
    return make(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **kw)


def options_of(parsed: argparse.Namespace) -> Options:
    """The checked options of `lab up`."""
    _within("--nodes", parsed.nodes, 1, 64)
    _within("--servers", parsed.servers, 0, 16)
    _within("--switches", parsed.switches, 1, 2)
    _within("--mtu", parsed.mtu, 576, 9000)
    rate = _rate("--rate", parsed.rate)
    uplink = rate if parsed.uplink_rate is None else _rate("--uplink-rate", parsed.uplink_rate)
    options = Options(parsed.nodes, parsed.servers, rate, parse_duration(parsed.latency, "--latency"), parsed.mtu,
                      parsed.switches, uplink, parse_rate(parsed.disk_rate, "--disk-rate") // 8)
    options.whole_files = parsed.whole_files
    options.share_cores = parsed.share_cores
    if parsed.uplink_rate is not None and parsed.switches == 1:
        raise LabError("--uplink-rate", "there is no uplink with one switch", "add --switches 2")
    if parsed.switches > parsed.nodes:
        raise LabError("--switches", "there are more switches than nodes", "use --nodes 2 or more")
    if parsed.allowance != "auto":
        options.allowance = parse_duration(parsed.allowance, "--allowance")
        _within("--allowance (ns)", options.allowance, 0, options.latency)
    options.clock_offsets = dict(_clock_offset(text, options) for text in parsed.clock_offset)
    return options


def node_list(text: str) -> list[str]:
    """n0,n3 or n4-n7, or both."""
    names: list[str] = []
    for part in text.split(","):
        span = re.fullmatch(r"([ns])(\d+)-([ns])(\d+)", part)
        if span and span[1] == span[3] and int(span[2]) <= int(span[4]) < 1000:
            names += [f"{span[1]}{i}" for i in range(int(span[2]), int(span[4]) + 1)]
        elif re.fullmatch(r"[ns]\d+", part):
            names.append(part)
        else:
            raise LabError("--nodes", f"'{part}' is not a node or a range of nodes", "write n0,n3 or n4-n7")
    return names


def _within(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise LabError(name, f"{value} is out of range", f"{low} to {high}", BAD_INPUT)


def _rate(name: str, text: str) -> int:
    rate = parse_rate(text, name)
    _within(f"{name} (bit/s)", rate, 1_000_000, 10_000_000_000)
    return rate


def _clock_offset(text: str, options: Options) -> tuple[str, int]:
    match = re.fullmatch(r"([ns])(\d+)=(-?)(.+)", text)
    if not match:
        raise LabError("--clock-offset", f"'{text}' is not NODE=TIME", "write n3=5s")
    if int(match[2]) >= (options.nodes if match[1] == "n" else options.servers):
        raise LabError("--clock-offset", f"there is no node {match[1]}{match[2]}", "nodes count from 0")
    offset = parse_duration(match[4], "--clock-offset")
    return f"{match[1]}{int(match[2])}", -offset if match[3] else offset
