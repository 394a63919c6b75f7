"""What is broken in which run: a function of the seed, the number of the run and the table of faults alone, so that an
evaluation that was ended goes on, and another can be made again."""

import functools
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from laboratory import arguments
from laboratory.errors import WRONG_USE, LabError
from laboratory.fault import FIRST_OR_LAST
from laboratory.fault_table import FAULTS, SHAPES, Parameter, invisible_in, named_in, parameters_in, shapes_of
from laboratory.plan import Options


@dataclass(frozen=True)
class Draw:
    """One run: a fault with its parameters, "" for none, under one MPI in a laboratory of one shape, or on the machine."""
    index: int
    fault: str
    mpi: str
    shape: str
    parameters: dict[str, str]

    def as_data(self) -> dict[str, Any]:
        """As in a line of the results."""
        return asdict(self)

    def text(self) -> str:
        """For a person."""
        words = [f"{key}={value}" for key, value in self.parameters.items()]
        return " ".join([self.fault or "healthy", *words]) + f", {self.mpi}, {self.shape}"


@dataclass(frozen=True)
class Choice:
    """Among what is drawn. `healthy` is the share of the runs without a fault."""
    faults: Sequence[str]
    flavours: Sequence[str]
    healthy: float
    shapes: Sequence[str] = tuple(SHAPES)


def can_be_named(fault: str, mpi: str, shape: str) -> bool:
    """Whether a validation can be held responsible: it shows there under this MPI, and something names it."""
    row = FAULTS[fault]
    return shape in shapes_of(row) and bool(named_in(row, shape)) and mpi not in invisible_in(row, shape)


@functools.cache
def options_of(shape: str) -> Options:
    """What `lab up` is asked for. Files are whole: a healthy cluster has right data."""
    return arguments.options_of(arguments.parser().parse_args(["up", "--whole-files", *SHAPES[shape].options]))


def draw(seed: int, count: int, choice: Choice) -> list[Draw]:
    """The runs 0 to count - 1. They come in blocks in which every fault is once in each of its shapes under each MPI, so that
    all are about as often there; which is next is at random, and so are places."""
    possible = [(fault, mpi, shape) for shape in choice.shapes for fault in choice.faults for mpi in choice.flavours
                if can_be_named(fault, mpi, shape)]
    if not possible and choice.healthy < 1:
        raise LabError("lab evaluate", "none of these faults shows under these MPIs in these shapes",
                       "lab fault NAME says why", WRONG_USE)
    runs: list[Draw] = []
    while len(runs) < count:
        runs += _block(seed, len(runs), possible, choice)
    return runs[:count]


def _block(seed: int, first: int, possible: Sequence[tuple[str, str, str]], choice: Choice) -> list[Draw]:
    chance = random.Random(f"{seed}/block/{first}")
    broken = list(possible) if choice.healthy < 1 else []
    places = ([(mpi, shape) for _, mpi, shape in possible]
              or [(mpi, shape) for mpi in choice.flavours for shape in choice.shapes])
    count = round(len(broken) * choice.healthy / (1 - choice.healthy)) if broken else len(places)
    healthy = [("", *chance.choice(places)) for _ in range(count)]
    block = broken + healthy
    chance.shuffle(block)
    return [Draw(first + i, fault, mpi, shape, _parameters(seed, first + i, fault, shape))
            for i, (fault, mpi, shape) in enumerate(block)]


def _parameters(seed: int, index: int, fault: str, shape: str) -> dict[str, str]:
    if not fault:
        return {}
    chance, options = random.Random(f"{seed}/run/{index}"), options_of(shape)
    return {key: _value(chance, parameter, options) for key, parameter in parameters_in(FAULTS[fault], shape).items()}


def _value(chance: random.Random, parameter: Parameter, options: Options) -> str:
    """Places and choices at random; how bad it is, is the table's."""
    if parameter.kind in ("node", "compute"):
        return f"n{chance.randrange(options.nodes)}"
    if parameter.kind == "server" and parameter.default != "all":
        return f"s{chance.randrange(options.servers)}"
    if parameter.kind == "core":
        return chance.choice(FIRST_OR_LAST)
    return chance.choice(parameter.kind.split("|")) if "|" in parameter.kind else parameter.default
