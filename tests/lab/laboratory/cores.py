"""Which core is for whom. The switch gets one for itself, on which it never sleeps while frames come; nodes and servers
share the others. With a single core all share it, and the switch sleeps; likewise in a laboratory of a single node, whose
frames pass no switch: its ranks have all cores."""

import os

_ALL = sorted(os.sched_getaffinity(0))  # before anything here restricts it


def of_switch(nodes: int) -> int | None:
    """The core of the switch of so many nodes, servers among them; None when it has none of its own."""
    return _ALL[0] if len(_ALL) > 1 and nodes > 1 else None


def of_switch_and_nodes(nodes: int) -> tuple[int, int] | None:
    """The core of the switch and one of the others; None when the switch has none of its own."""
    return (_ALL[0], _ALL[1]) if of_switch(nodes) is not None else None


def of_nodes(nodes: int) -> list[int]:
    """Those that nodes and servers share."""
    return _ALL if of_switch(nodes) is None else _ALL[1:]


def leave_to_switch(nodes: int) -> None:
    """Keeps this process, and what it starts from now on, off the switch's core."""
    os.sched_setaffinity(0, of_nodes(nodes))
