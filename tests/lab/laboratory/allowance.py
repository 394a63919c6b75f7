"""The allowance: what the way from node to node takes beside the switch's model, which it takes off the latency.

An echo between pairs of nodes is timed, and the same on one node through its loopback, between programs that have waited
for it as long. Half of the difference is one way; what is beyond the latency and the rates that were asked for is spent in kernels, TAP devices, wake-ups and the
switch.
"""

import contextlib
import math
import statistics as std
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from laboratory import namespaces
from laboratory.control import ask
from laboratory.errors import OWN_FAULT, LabError
from laboratory.plan import Allowance, Laboratory, Node, Options
from laboratory.quantity import format_duration

_PAYLOAD = 8  # bytes
FRAME = 14 + 20 + 32 + _PAYLOAD  # Ethernet, IP, TCP with time stamps (network.SETTINGS)
_WIRE = FRAME + 24  # as the switch counts it
_PAIRS = 4
_BLOCKS = 3  # of each pair
_BLOCK = 40  # milliseconds
_LEAST_TRIPS = 5  # of a block
_WAIT = 100  # microseconds, before each message through the loopback
_MOST = 100_000  # ns; two wake-ups of a core that sleeps take less, so this is another program at work
_NOISY = 0.1  # of the latency: what is measured less surely is not used
_NEVER_NOISY = 2_000  # ns
_MAD_TO_SD = 1.4826
_PATIENCE = 10.0  # seconds


@dataclass(frozen=True)
class Block:
    """Medians of round trips in ns: between two nodes, and through the loopback of one of them; and what was asked for
    one way."""
    between: int
    loopback: int
    asked: int

    @property
    def excess(self) -> float:
        """One way beyond what was asked."""
        return (self.between - self.loopback) / 2 - self.asked


def asked_one_way(options: Options, uplinks: int) -> int:
    """What the switch is to make of a frame of the echo, in ns: cables and uplinks, each its latency and its wire."""
    wire = 8 * _WIRE * 10**9
    return (2 + uplinks) * (options.latency // 2) + 2 * wire // options.rate + uplinks * (wire // options.uplink_rate)


def pairs(nodes: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Disjoint pairs of one switch; where no two nodes share one, the first two; none of a single node."""
    found = []
    for name in sorted({node.switch for node in nodes}):
        here = [node for node in nodes if node.switch == name]
        found += list(zip(here[0::2], here[1::2]))
    return (found or list(zip(nodes, nodes[1:])))[:_PAIRS]


def can_be_measured(options: Options) -> bool:
    """Whether there is a latency to take it off, and a block has enough round trips to tell."""
    return 0 < options.latency and 2 * asked_one_way(options, 1) * _LEAST_TRIPS < _BLOCK * 10**6


def measure(lab: Laboratory, program: Path) -> list[Block]:
    """Times the echo (lab-echo) between pairs of nodes, with the allowance in force. Runs inside the laboratory."""
    blocks = []
    for one, other in pairs(lab.nodes):
        asked = asked_one_way(lab.options, int(one.switch != other.switch))
        with _serving(program, one), _serving(program, other):
            medians = _ask(program, one, [f"127.0.0.1@{_WAIT}", other.address])
        blocks += [Block(between, loopback, asked) for loopback, between in zip(medians[0::2], medians[1::2])]
    return blocks


def decide(blocks: Sequence[Block], latency: int) -> Allowance:
    """The median over blocks, unless they say too different things. Never more than there is latency."""
    excess = [block.excess for block in blocks]
    middle = std.median(excess)
    spread = _MAD_TO_SD * std.median(abs(value - middle) for value in excess)
    measured = Allowance(0, round(middle), math.ceil(spread), len(blocks))
    if middle > _MOST or spread > max(_NOISY * latency, _NEVER_NOISY):
        measured.note = (f"allowance: none, the machine is too busy to measure it ({_us(middle)} ± {_us(spread)}): "
                         f"latencies are longer than asked for by that; lab up again, or --allowance TIME")
        return measured
    measured.ns = min(max(0, measured.found), latency)
    if middle > latency:
        measured.note = (f"allowance: the way from node to node takes {_us(middle)} beside the switch; "
                         f"--latency {format_duration(latency)} is less and cannot be reached")
    return measured


def settle(lab: Laboratory, program: Path) -> Allowance:
    """Brings the allowance that the options ask for into force. Runs inside the laboratory, before anybody uses it."""
    asked = lab.options.allowance
    if asked is not None:
        return Allowance(asked)  # the switch was started with it
    if not can_be_measured(lab.options) or not pairs(lab.nodes):
        return Allowance()
    try:
        chosen = decide(measure(lab, program), lab.options.latency)
    except LabError as error:  # without it the laboratory is as good as any that is further away
        return Allowance(note=f"allowance: none, the echo failed ({error.where}: {error.what}): latencies are longer "
                              "than asked for; lab up again, or --allowance TIME")
    put(lab, chosen.ns)
    return chosen


def put(lab: Laboratory, ns: int) -> None:
    """The switch allows so much from now on."""
    ask(lab.switch_socket, {"do": "set", "allowance": format_duration(ns)})


def text(allowance: Allowance) -> str:
    """What it is and where it comes from, for a person."""
    if allowance.blocks == 0:
        return f"allowance {_us(allowance.ns)}" if allowance.ns else "no allowance"
    return f"allowance {_us(allowance.ns)} (measured {_us(allowance.found)} ± {_us(allowance.spread)})"


def _us(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e3:.1f}us"


@contextlib.contextmanager
def _serving(program: Path, node: Node) -> Iterator[None]:
    with _start(program, node, ["serve"]) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise LabError(f"node {node.name}", f"lab-echo: {_error_of(process)}", "", OWN_FAULT)
            yield
        finally:
            process.kill()


def _ask(program: Path, node: Node, addresses: list[str]) -> list[int]:
    """The medians of the blocks, address by address in turn."""
    with _start(program, node, ["ask", str(_BLOCKS), str(_BLOCK), str(_PAYLOAD), *addresses]) as process:
        try:
            out, error = process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise LabError(f"node {node.name}", "lab-echo does not end", "lab up again", OWN_FAULT) from None
    if process.returncode != 0:
        raise LabError(f"node {node.name}", error.strip(), "lab up --allowance 0 works without", OWN_FAULT)
    return [int(line.split()[1]) for line in out.splitlines()]


def _start(program: Path, node: Node, arguments: list[str]) -> "subprocess.Popen[str]":
    def on_node() -> None:
        namespaces.die_with_parent()
        namespaces.enter(node.inner_pid, ("net",))

    return subprocess.Popen([str(program), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, preexec_fn=on_node)


def _error_of(process: "subprocess.Popen[str]") -> str:
    process.kill()
    return (process.communicate()[1] or "").strip() or "it ended without a word"
