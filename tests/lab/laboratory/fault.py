"""What a row of the table of faults is made of. The rows: machine_faults.py, setting_faults.py, single_machine_faults.py."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Parameter:
    """`kind` says what is allowed: node, compute, server, switch, core, rate, time, bytes, share, factor, count, mtu, or
    choices "a|b"."""
    kind: str
    default: str
    what: str


@dataclass(frozen=True)
class OnMachine:
    """What holds of a fault where the machine itself has it: ranks on its cores, in no laboratory. What costs nothing there
    is no finding, but validate must observe it."""
    free: Mapping[str, str] = field(default_factory=dict)  # flavour -> why it costs nothing; an observation must name it
    invisible: Mapping[str, str] = field(default_factory=dict)  # flavour -> why it shows nowhere
    named: tuple[tuple[str, str], ...] = ()  # beside those of the row


@dataclass(frozen=True)
class Fault:
    """One row. `effect` names the function of fault_effects.py that brings it about. `cells` name where `lab check` must
    see it and by which statistic: "median" or "tail" (the slowest hundredth)."""
    what: str
    component: str
    severity: str
    shows: str
    cells: tuple[str, ...]
    effect: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    statistic: str = "median"
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of launch faults, by flavour; see below
    invisible: Mapping[str, str] = field(default_factory=dict)  # flavour -> why it shows nowhere
    ends: Mapping[str, str] = field(default_factory=dict)  # flavour -> why no program starts
    shape: str = "cluster"  # of the laboratory in which it shows: one of SHAPES; MACHINE: in none
    machine: OnMachine | None = None  # None: the machine itself cannot have it
    # What `plumbline validate` may say to be right: the id of a check, and what its component or all of its places must
    # match as a regular expression, "" being anything. "{name}" stands for the value of a parameter.
    named: tuple[tuple[str, str], ...] = ()


# In `settings`, "{name}" stands for the value of a parameter. "romio" are hints of ROMIO, in both flavours.

NODE = Parameter("node", "n3", "whose cable, a compute node or a server")
COMPUTE = Parameter("compute", "n3", "a compute node")
FIRST = Parameter("compute", "n0", "a compute node")
SERVER = Parameter("server", "s0", "a server, or all")


FIRST_OR_LAST = ("first", "last")  # the values of a core
CORE = Parameter("core", "last", "the first or the last core that a process may use")

MACHINE = "machine"


@dataclass(frozen=True)
class Shape:
    """A laboratory: the options of `lab up`, and how many ranks a node has. Of the machine itself neither."""
    options: tuple[str, ...]
    ranks_per_node: int
    what: str


SHAPES = {
    "cluster": Shape((), 1, "eight nodes with a rank each, two servers"),
    "switches": Shape(("--switches", "2", "--uplink-rate", "100Mbit/s"), 1, "the same behind two switches"),
    "pair": Shape(("--nodes", "2", "--servers", "0"), 2, "two nodes with two ranks each"),
    "node": Shape(("--nodes", "1", "--servers", "0"), 2, "one node with two ranks, which has all cores"),
    MACHINE: Shape((), 0, "this machine itself, in no laboratory, with as many ranks as validate takes"),
}
