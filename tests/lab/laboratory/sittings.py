"""What the verbs share that measure in sittings, lab accuracy and lab jacobi: they go on where they were stopped."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from laboratory import arguments, down
from laboratory import up as bring_up
from laboratory.errors import BAD_INPUT, LabError
from laboratory.lock import exclusive
from laboratory.plan import Laboratory


def say(text: str) -> None:
    """A line with the time of day, for who waits."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def minutes(example: str) -> Callable[[str], float]:
    """The type of the option --minutes; `example`: what to write instead of what is none."""
    def positive(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 0 < value < float("inf"):
            raise LabError("--minutes", f"'{text}' is no time above 0", f"--minutes {example}", BAD_INPUT)
        return value
    return positive


@contextmanager
def laboratory_for(verb: str, *options: str) -> Iterator[Laboratory]:
    """A laboratory of its own, with options of `lab up`; it is removed in the end, however that comes."""
    bring_up.require_none(verb)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # as Ctrl-C: the laboratory is removed
    lab, _ = bring_up.up(arguments.options_of(arguments.parser().parse_args(["up", *options])))
    try:
        yield lab
    finally:
        with exclusive():
            down.remove()
