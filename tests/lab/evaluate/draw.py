"""What is broken in which run: a function of the seed, the number of the run and the table of faults alone, so that an
evaluation that was ended goes on, and another can be made again."""

import functools
import itertools
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from laboratory import arguments
from laboratory.cells import FLAVOURS
from laboratory.errors import WRONG_USE, LabError
from laboratory.fault import FIRST_OR_LAST
from laboratory.fault_pairs import why_not_both
from laboratory.fault_table import FAULTS, SHAPES, Parameter, invisible_in, named_in, parameters_in, shapes_of
from laboratory.plan import Options


@dataclass(frozen=True)
class Broken:
    """A fault with its parameters."""
    fault: str
    parameters: dict[str, str]

    def text(self) -> str:
        """For a person."""
        return " ".join([self.fault, *(f"{key}={value}" for key, value in self.parameters.items())])


@dataclass(frozen=True)
class Draw:
    """One run: a fault with its parameters, "" for none, under one MPI in a laboratory of one shape, or on the machine. There
    may be a second one."""
    index: int
    fault: str
    mpi: str
    shape: str
    parameters: dict[str, str]
    second: str = ""
    second_parameters: dict[str, str] = field(default_factory=dict)

    @property
    def broken(self) -> list[Broken]:
        """None, one or two."""
        both = Broken(self.fault, self.parameters), Broken(self.second, self.second_parameters)
        return [each for each in both if each.fault]

    def as_data(self) -> dict[str, Any]:
        """As in a line of the results."""
        return asdict(self)

    def text(self) -> str:
        """For a person."""
        return (" + ".join(each.text() for each in self.broken) or "healthy") + f", {self.mpi}, {self.shape}"


@dataclass(frozen=True)
class Choice:
    """Among what is drawn. `healthy` is the share of the runs without a fault, `pairs` that of those with two, in shapes that
    two can be told apart in."""
    faults: Sequence[str]
    flavours: Sequence[str]
    healthy: float
    shapes: Sequence[str] = tuple(SHAPES)
    pairs: float = 0.0


_Kind = tuple[str, str, str, str]  # the faults, the second being "" where there is none; MPI; shape


def can_be_named(fault: str, mpi: str, shape: str) -> bool:
    """Whether a validation can be held responsible: it shows there under this MPI, and something names it."""
    row = FAULTS[fault]
    return shape in shapes_of(row) and bool(named_in(row, shape)) and mpi not in invisible_in(row, shape)


def can_be_drawn(fault: str, shapes: Iterable[str]) -> bool:
    """Under some MPI, in one of these shapes."""
    return any(can_be_named(fault, mpi, shape) for mpi in FLAVOURS for shape in shapes)


@functools.cache
def options_of(shape: str) -> Options:
    """What `lab up` is asked for. Files are whole: a healthy cluster has right data."""
    return arguments.options_of(arguments.parser().parse_args(["up", "--whole-files", *SHAPES[shape].options]))


def draw(seed: int, count: int, choice: Choice) -> list[Draw]:
    """The runs 0 to count - 1. They come in blocks in which every fault is once in each of its shapes under each MPI, so that
    all are about as often there; which is next is at random, and so are places, and which faults make a pair."""
    single = [(fault, "", mpi, shape) for shape in choice.shapes for fault in choice.faults for mpi in choice.flavours
              if can_be_named(fault, mpi, shape)]
    if not single and choice.healthy < 1:
        raise LabError("lab evaluate", "none of these faults shows under these MPIs in these shapes",
                       "lab fault NAME says why", WRONG_USE)
    pairs = possible_pairs(choice) if choice.pairs else []
    runs: list[Draw] = []
    while len(runs) < count:
        runs += _block(seed, len(runs), single, pairs, choice)
    return runs[:count]


def possible_pairs(choice: Choice) -> list[_Kind]:
    """Two different faults that can be had at once; each two once in each shape under each MPI."""
    return [(one, other, mpi, shape) for shape in choice.shapes for mpi in choice.flavours
            for one, other in itertools.combinations(choice.faults, 2)
            if all(can_be_named(fault, mpi, shape) for fault in (one, other)) and not why_not_both(one, other, mpi, shape)]


def _block(seed: int, first: int, single: Sequence[_Kind], pairs: Sequence[_Kind], choice: Choice) -> list[Draw]:
    chance = random.Random(f"{seed}/block/{first}")
    broken = list(single) if choice.healthy < 1 else []
    with_pairs = {shape for *_, shape in pairs}
    broken += _pairs(seed, first, sum(shape in with_pairs for *_, shape in broken), pairs, choice)
    places = ([(mpi, shape) for *_, mpi, shape in single]
              or [(mpi, shape) for mpi in choice.flavours for shape in choice.shapes])
    count = round(len(broken) * choice.healthy / (1 - choice.healthy)) if broken else len(places)
    healthy = [("", "", *chance.choice(places)) for _ in range(count)]
    block = broken + healthy
    chance.shuffle(block)
    return [Draw(first + i, fault, mpi, shape, _parameters(f"{seed}/run/{first + i}", fault, shape), second,
                 _parameters(f"{seed}/run/{first + i}/second", second, shape))
            for i, (fault, second, mpi, shape) in enumerate(block)]


def _pairs(seed: int, first: int, single: int, pairs: Sequence[_Kind], choice: Choice) -> list[_Kind]:
    """As many as make their share beside `single` runs of one fault, each two as likely as any others."""
    if not pairs or not single:
        return []
    count = round(single * choice.pairs / (1 - choice.healthy - choice.pairs))
    return random.Random(f"{seed}/pairs/{first}").choices(pairs, k=count)


def _parameters(seed: str, fault: str, shape: str) -> dict[str, str]:
    if not fault:
        return {}
    chance, options = random.Random(seed), options_of(shape)
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
