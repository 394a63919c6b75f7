"""The allowance in a laboratory that is up: with it messages take what was asked for, and the state says what it is."""

import statistics as std
import unittest

from core_support import lab, need, status
from laboratory import allowance, cores, paths, supervisor
from laboratory.allowance import Block
from laboratory.control import ask
from laboratory.plan import Options
from laboratory.quantity import parse_duration

SHAPE = ("--nodes", "4", "--servers", "0")
ROUNDS = 4


def setUpModule() -> None:
    need(Options(nodes=4, servers=0))


class ALaboratoryWithALatency(unittest.TestCase):
    def tearDown(self) -> None:
        lab("down")

    def up(self, *options: str) -> None:
        done = lab("up", *SHAPE, *options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def in_force(self) -> int:
        return parse_duration(ask(status()["switch_socket"], {"do": "show"})["allowance"])

    def excess_with(self, ns: int) -> float:
        """How much longer than asked for the echo takes one way, with such an allowance."""
        laboratory = supervisor.current()
        program = paths.program("lab-echo")

        def work() -> list[float]:
            cores.leave_to_switch(laboratory.options)
            allowance.put(laboratory, ns)
            return [block.excess for block in allowance.measure(laboratory, program)]

        return std.median(supervisor.inside(laboratory, work))

    def test_it_takes_that_much_off_the_way_from_node_to_node(self) -> None:
        self.up("--latency", "2ms", "--allowance", "0")
        taken = 1_000_000  # ns, far above what an echo varies by on a busy machine: tens of microseconds
        less = [self.excess_with(0) - self.excess_with(taken) for _ in range(ROUNDS)]
        self.assertLess(abs(std.median(less) - taken), 0.25 * taken, less)

    def test_up_measures_it_puts_it_into_force_and_says_so(self) -> None:
        self.up()
        state = status()["allowance"]
        self.assertEqual(state["blocks"], 6)
        if state["note"]:
            self.assertEqual(state["ns"], min(max(0, state["found"]), 50_000) if "cannot be reached" in state["note"]
                             else 0)
            self.assertIn(state["note"], lab("status").stdout)
        else:
            self.assertEqual(state["ns"], max(0, state["found"]))  # the ways may differ by nothing
        self.assertEqual(self.in_force(), state["ns"])
        self.assertIn(allowance.text(supervisor.current().allowance), lab("status").stdout)

    def test_what_is_given_is_not_measured(self) -> None:
        for given, truth in (("0", 0), ("12us", 12_000)):
            self.up("--allowance", given)
            self.assertEqual(status()["allowance"]["blocks"], 0)
            self.assertEqual(self.in_force(), truth)

    def test_two_nodes_on_two_switches_have_one_too(self) -> None:
        done = lab("up", "--nodes", "2", "--servers", "0", "--switches", "2", "--uplink-rate", "50Mbit/s")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(status()["allowance"]["blocks"], 3)

    def test_a_node_alone_has_none(self) -> None:
        done = lab("up", "--nodes", "1", "--servers", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no allowance", done.stdout)


class Blocks(unittest.TestCase):
    def test_one_way_is_half_of_what_the_loopback_does_not_have(self) -> None:
        self.assertEqual(Block(between=141_000, loopback=5_000, asked=60_000).excess, 8_000)
