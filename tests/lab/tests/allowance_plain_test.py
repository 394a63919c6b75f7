"""What the allowance is computed from, without a laboratory: times that were asked for, pairs, the choice."""

import unittest
from pathlib import Path
from unittest import mock

from core_support import lab
from laboratory import allowance, switch
from laboratory.allowance import Block
from laboratory.errors import LabError
from laboratory.plan import Allowance, Laboratory, Options, planned_nodes

ASKED = 65_680  # ns: 50 us, and 98 B on two wires of 100 Mbit/s


def blocks(*excess_us: float) -> list[Block]:
    """Blocks of an echo that takes so much longer one way than was asked for, of which 3 us are at home as well."""
    return [Block(2 * (ASKED + round(1e3 * value)) + 5_000, 5_000, ASKED) for value in excess_us]


class AskedFor(unittest.TestCase):
    def test_one_way_is_two_cables_of_half_the_latency_and_the_wire_of_a_frame(self) -> None:
        self.assertEqual(allowance.asked_one_way(Options(), uplinks=0), 50_000 + 2 * 98 * 80)

    def test_an_uplink_has_the_latency_of_a_cable_and_a_wire_of_its_own(self) -> None:
        options = Options(switches=2, uplink_rate=50_000_000)
        self.assertEqual(allowance.asked_one_way(options, uplinks=1), 75_000 + 2 * 98 * 80 + 98 * 160)

    def test_what_is_nothing_or_too_far_for_an_echo_is_not_measured(self) -> None:
        for latency, truth in ((0, False), (1, True), (50_000, True), (1_000_000, True), (10_000_000, False)):
            self.assertEqual(allowance.can_be_measured(Options(latency=latency)), truth, latency)
        self.assertFalse(allowance.can_be_measured(Options(rate=1_000_000, latency=3_000_000)))


class Pairs(unittest.TestCase):
    def of(self, **options: int) -> list[str]:
        return [f"{one.name}-{other.name}" for one, other in allowance.pairs(planned_nodes(Options(**options)))]

    def test_they_are_disjoint_and_of_one_switch(self) -> None:
        self.assertEqual(self.of(nodes=8, servers=2), ["n0-n1", "n2-n3", "n4-n5", "n6-n7"])
        self.assertEqual(self.of(nodes=4, servers=0, switches=2), ["n0-n1", "n2-n3"])

    def test_two_nodes_on_two_switches_are_a_pair_and_one_node_is_none(self) -> None:
        self.assertEqual(self.of(nodes=2, servers=0, switches=2), ["n0-n1"])
        self.assertEqual(self.of(nodes=1, servers=1), ["n0-s0"])
        self.assertEqual(self.of(nodes=1, servers=0), [])


class Choice(unittest.TestCase):
    def test_it_is_the_median_of_what_is_beyond_the_loopback_and_what_was_asked(self) -> None:
        chosen = allowance.decide(blocks(21, 20, 22, 21.5, 20.5), 50_000)
        self.assertEqual((chosen.ns, chosen.found, chosen.blocks, chosen.note), (21_000, 21_000, 5, ""))

    def test_one_disturbed_block_moves_it_little(self) -> None:
        self.assertEqual(allowance.decide(blocks(21, 20, 22, 900), 50_000).ns, 21_500)

    def test_it_is_never_more_than_the_latency_nor_less_than_nothing(self) -> None:
        chosen = allowance.decide(blocks(21, 20, 22), 20_000)
        self.assertEqual((chosen.ns, chosen.found), (20_000, 21_000))
        self.assertIn("takes 21.0us beside the switch; --latency 20us is less", chosen.note)
        self.assertEqual(allowance.decide(blocks(-3, -2, -2.5), 50_000).ns, 0)

    def test_what_blocks_do_not_agree_on_is_not_used(self) -> None:
        for excess in ((10, 20, 30, 40), (5, 21, 37), (150, 150, 151)):
            chosen = allowance.decide(blocks(*excess), 50_000)
            self.assertEqual(chosen.ns, 0, excess)
            self.assertIn("too busy to measure", chosen.note)
            self.assertIn("--allowance TIME", chosen.note)


class Failing(unittest.TestCase):
    def test_an_echo_that_fails_leaves_a_laboratory_without_and_a_note(self) -> None:
        options = Options(nodes=2, servers=0)
        laboratory = Laboratory("/run/x", 100, 7, options, nodes=planned_nodes(options))
        with mock.patch.object(allowance, "measure", side_effect=LabError("node n0", "lab-echo: no answer")):
            chosen = allowance.settle(laboratory, Path("lab-echo"))
        self.assertEqual((chosen.ns, chosen.blocks), (0, 0))
        self.assertIn("node n0: lab-echo: no answer", chosen.note)

    def test_what_nobody_measures_needs_no_echo(self) -> None:
        for options in (Options(nodes=1, servers=0), Options(latency=0), Options(allowance=5_000)):
            laboratory = Laboratory("/run/x", 100, 7, options, nodes=planned_nodes(options))
            with mock.patch.object(allowance, "measure", side_effect=AssertionError):
                self.assertEqual(allowance.settle(laboratory, Path("x")), Allowance(options.allowance or 0))


class Written(unittest.TestCase):
    def test_the_switch_starts_with_what_was_given_and_without_until_it_is_measured(self) -> None:
        for given, truth in ((None, "0"), (0, "0"), (20_500, "20500ns")):
            options = Options(nodes=2, servers=0, allowance=given)
            laboratory = Laboratory("/run/x", 100, 7, options, nodes=planned_nodes(options))
            self.assertEqual(switch.configuration(laboratory)["allowance"], truth)

    def test_a_person_reads_what_it_is_and_whether_it_was_measured(self) -> None:
        self.assertEqual(allowance.text(Allowance()), "no allowance")
        self.assertEqual(allowance.text(Allowance(20_500)), "allowance 20.5us")
        self.assertEqual(allowance.text(allowance.decide(blocks(21, 20, 22), 50_000)),
                         "allowance 21.0us (measured 21.0us ± 1.5us)")

    def test_more_than_the_latency_and_what_is_no_time_are_refused(self) -> None:
        for given, words in (("60us", "0 to 50000"), ("much", "50us"), ("-1us", "50us")):
            done = lab("up", f"--allowance={given}")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(words, done.stderr)
