"""Commands of ours that call an MPI launcher by themselves, whose ranks need the settings of the laboratory, too."""

import itertools
import os

from laboratory.cells import FLAVOURS
from laboratory.errors import WRONG_USE, LabError
from laboratory.launch import find_launcher

_VERBS = ("validate", "bench")


def flavour_called(command: list[str]) -> str | None:
    """The flavour that `plumbline validate --mpi NAME` and `plumbline bench … --mpi NAME` are told to call; None of any other
    command. LabError where they are told none, or both: the ranks would spin on the core that all nodes share."""
    if os.path.basename(command[0]) != "plumbline" or not set(command[1:2]) & set(_VERBS) or "--help" in command:
        return None
    if find_launcher(command)[1]:
        return None
    words = [part for word in command for part in word.split("=", 1)]
    named = {value for option, value in itertools.pairwise(words) if option == "--mpi"}
    if len(named) == 1 and named <= set(FLAVOURS):
        return named.pop()
    raise LabError("lab run", "nothing says whose ranks it starts, and they need the settings of the laboratory",
                   f"lab run -- plumbline {command[1]} --mpi openmpi ...", WRONG_USE)
