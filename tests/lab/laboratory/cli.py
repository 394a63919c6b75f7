"""The command line: one function per verb that parses, calls and prints."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable

from laboratory import arguments, callers, launch, report, supervisor
from laboratory import down as bring_down
from laboratory import up as bring_up
from laboratory.enter import on_node
from laboratory.errors import WRONG_USE, LabError
from laboratory.lock import exclusive
from laboratory.plan import Laboratory

Handler = Callable[[argparse.Namespace], int]


def main(argv: list[str]) -> int:
    """The exit status of `lab argv`."""
    verb = argv[0] if argv else "--help"
    try:
        if verb in ("fault", "check", "evaluate", "accuracy", "jacobi"):
            return _other_verb(verb, argv[1:])
        parsed = arguments.parser().parse_args(argv or ["--help"])
        return _VERBS[parsed.verb](parsed)
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("lab: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


def _other_verb(verb: str, argv: list[str]) -> int:
    """These parse their own arguments: main(argv) -> exit status."""
    if verb == "fault":
        from laboratory import faults as module
    elif verb == "evaluate":
        from evaluate import main as module
    elif verb == "jacobi":
        from jacobi import main as module
    elif verb == "accuracy":
        from accuracy import main as module
    else:
        from laboratory import check as module
    return int(module.main(argv))


def _up(parsed: argparse.Namespace) -> int:
    options = arguments.options_of(parsed)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # as Ctrl-C: what is half up is removed
    started = time.monotonic()
    lab, removed = bring_up.up(options)
    if removed:
        print("lab: removed an earlier laboratory", file=sys.stderr)
    for note in lab.notes:
        print(f"lab: {note}", file=sys.stderr)
    print(report.summary(lab, time.monotonic() - started))
    return 0


def _down(_: argparse.Namespace) -> int:
    with exclusive():
        removed = bring_down.remove()
    print("laboratory removed" if removed else "no laboratory was up")
    return 0


def _run(parsed: argparse.Namespace) -> int:
    command = parsed.command[1:] if parsed.command[:1] == ["--"] else parsed.command
    if not command:
        raise LabError("lab run", "no command", "lab run -- mpirun.mpich ./program", WRONG_USE)
    lab = supervisor.current()
    names = None if parsed.nodes is None else arguments.node_list(parsed.nodes)
    done = launch.run(lab, command, ranks_per_node=parsed.ranks_per_node, nodes=names, on=parsed.on,
                      timeout=parsed.timeout, calls=parsed.mpi or callers.flavour_called(command))
    if done.returncode == launch.TIMED_OUT and parsed.timeout is not None:
        print(f"lab: ended after {parsed.timeout:g} s", file=sys.stderr)
    return 128 - done.returncode if done.returncode < 0 else done.returncode


def _shell(parsed: argparse.Namespace) -> int:
    lab = supervisor.current()
    node = lab.node(parsed.node)
    shell = os.environ.get("SHELL") or "/bin/sh"
    done = on_node(lab, node, parsed.command or [shell], env={"PS1": f"{node.name}:\\w\\$ "})
    return 128 - done.returncode if done.returncode < 0 else done.returncode


def _status(parsed: argparse.Namespace) -> int:
    lab = Laboratory.load()
    left = supervisor.left_over()
    print(report.status_json(lab, left) if parsed.json else report.status_text(lab, left))
    return 0


_VERBS: dict[str, Handler] = {"up": _up, "run": _run, "status": _status, "down": _down, "shell": _shell}
