"""Which core is for whom. The switch gets one for itself, on which it never sleeps while frames come; nodes and servers
share the others. With a single core all share it, and the switch sleeps."""

import os

_ALL = sorted(os.sched_getaffinity(0))  # before anything here restricts it


def of_switch() -> int | None:
    """The core of the switch; None when there is no second one."""
    return _ALL[0] if len(_ALL) > 1 else None


def of_switch_and_nodes() -> tuple[int, int] | None:
    """The core of the switch and one of the others; None with a single core."""
    return (_ALL[0], _ALL[1]) if len(_ALL) > 1 else None


def leave_to_switch() -> None:
    """Keeps this process, and what it starts from now on, off the switch's core."""
    if len(_ALL) > 1:
        os.sched_setaffinity(0, _ALL[1:])
