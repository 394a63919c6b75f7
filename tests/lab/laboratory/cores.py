"""Which core is for whom. The switch gets one for itself, on which it never sleeps while frames come; nodes and servers
share the others. Where all share all of them, the switch sleeps between frames: with a single core, in a laboratory of a
single node, whose frames pass no switch, and where the laboratory was asked for it (`lab up --share-cores`), so that two
nodes have a core each on a machine of two."""

import os

from laboratory.plan import Options

_ALL = sorted(os.sched_getaffinity(0))  # before anything here restricts it


def every() -> list[int]:
    """Those that the laboratory has in all."""
    return _ALL


def of_switch(options: Options) -> int | None:
    """The core of the switch; None when it has none of its own."""
    has_own = len(_ALL) > 1 and options.nodes + options.servers > 1 and not options.share_cores
    return _ALL[0] if has_own else None


def of_switch_and_nodes(options: Options) -> tuple[int, int] | None:
    """The core of the switch and one of the others; None when the switch has none of its own."""
    return (_ALL[0], _ALL[1]) if of_switch(options) is not None else None


def of_nodes(options: Options) -> list[int]:
    """Those that nodes and servers share."""
    return _ALL if of_switch(options) is None else _ALL[1:]


def of_each_node(options: Options) -> dict[str, int]:
    """The core of each compute node, in turn, where they share all; else none: a node has what all nodes have. It is an
    affinity: a launcher that binds its ranks goes by the control group, and has to be told not to (`--bind-to none`)."""
    if not options.share_cores or options.nodes + options.servers == 1:
        return {}
    return {f"n{i}": _ALL[i % len(_ALL)] for i in range(options.nodes)}


def leave_to_switch(options: Options) -> None:
    """Keeps this process, and what it starts from now on, off the switch's core."""
    os.sched_setaffinity(0, of_nodes(options))
