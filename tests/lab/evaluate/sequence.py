"""Runs one after the other, in laboratories that may not come up, for as long as there is time."""

import math
import sys
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from evaluate.draw import Draw
from laboratory.errors import LabError

_PATIENCE = 3  # laboratories in a row that do not come up
T = TypeVar("T")


def one_after_the_other(missing: Sequence[Draw], once: Callable[[Draw], T], until: float = math.inf) -> list[T]:
    """None is begun after `until` (of time.monotonic()). Where a laboratory does not come up the run stays missing, and three
    in a row end it."""
    made: list[T] = []
    failed = 0
    for each in missing:
        if time.monotonic() >= until:
            break
        try:
            made.append(once(each))
            failed = 0
        except LabError as error:
            failed += 1
            if failed == _PATIENCE:
                raise
            print(f"run {each.index}: left for the next time: {error}", file=sys.stderr, flush=True)
    return made
