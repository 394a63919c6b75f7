"""Two faults at once in the blind evaluation: which can be together, how often they are drawn, how answers are judged."""

import itertools
import json
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

from evaluate import judge, main, page, results, runs_page, score, table
from evaluate.draw import Choice, Draw, can_be_named, draw, possible_pairs
from evaluate.results import Result
from evaluate.sequence import one_after_the_other
from laboratory.errors import LabError
from laboratory.fault_pairs import why_not_both
from laboratory.fault_table import FAULTS, MACHINE, SHAPES
from laboratory.machine_effects import Busy, Conditions, together

FLAVOURS = ("openmpi", "mpich")
ON_MACHINE = Choice(list(FAULTS), FLAVOURS, 0.25, [MACHINE], 1 / 6)


def says(check: str, component: str = "", *places: str, **more: Any) -> dict[str, Any]:
    return {"id": check, "component": component, "places": list(places), "cost_s": 1.0, **more}


def a_result(one: str, other: str, *diagnoses: dict[str, Any], seen: tuple[dict[str, Any], ...] = (), index: int = 0,
             seed: int = 1, mpi: str = "openmpi") -> Result:
    drawn = Draw(index, one, mpi, MACHINE, {}, other, {})
    return Result(seed, drawn, 1, 60.0, list(diagnoses), reported=True, observations=list(seen), when="2026-11-26")


class Together(unittest.TestCase):
    def test_what_excludes_each_other_says_why(self) -> None:
        for one, other, mpi, why in (
                ("yielding", "yielding", "openmpi", "the same"),
                ("small-shm", "one-core", "mpich", "no program starts"),
                ("sync-mount", "full-file-system", "mpich", "one mount"),
                ("tcp-only", "no-single-copy", "mpich", "both set UCX_TLS"),
                ("tiny-cb-buffer", "no-data-sieving", "mpich", "one file of hints"),
                ("tcp-only", "absurd-memory-eager-limit", "openmpi", "tcp-only leaves shared memory unused"),
                ("wrong-transport", "nagle", "openmpi", "leaves TCP of ob1 unused"),
                ("one-core", "busy-core", "openmpi", "leaves other cores unused"),
                ("segments-on-disk", "small-shm", "openmpi", "unused"),
                ("bad-bcast", "bad-allreduce", "openmpi", "mpi.collectives.forced may name either"),
                ("busy-core", "periodic-work", "mpich", "cpu.interference may name either")):
            self.assertIn(why, why_not_both(one, other, mpi), f"{one}, {other}, {mpi}")

    def test_what_does_not_may_be_together(self) -> None:
        for one, other, mpi in (("tcp-only", "cpu-quota", "openmpi"), ("small-shm", "sync-mount", "openmpi"),
                                ("bad-bcast", "hints-file", "mpich"), ("nagle", "yielding", "openmpi"),
                                ("one-core", "full-file-system", "mpich"), ("busy-core", "no-single-copy", "openmpi")):
            self.assertEqual(why_not_both(one, other, mpi), "", f"{one}, {other}, {mpi}")

    def test_it_does_not_matter_which_is_the_first(self) -> None:
        for one, other in itertools.combinations(FAULTS, 2):
            for mpi in FLAVOURS:
                self.assertEqual(bool(why_not_both(one, other, mpi)), bool(why_not_both(other, one, mpi)), (one, other))

    def test_a_laboratory_has_one_fault_of_an_effect_at_a_time(self) -> None:
        for one, other, mpi, why in (("slow-link", "latency", "mpich", "one port"),
                                     ("slow-node", "noise", "openmpi", "one freeze"),
                                     ("slow-disk", "small-server-cache", "mpich", "storage.slow may name either"),
                                     ("tiny-cb-buffer", "no-data-sieving", "mpich", "one file of hints"),
                                     ("slow-link", "noise", "openmpi", ""), ("backplane", "bad-bcast", "mpich", ""),
                                     ("loss", "slow-disk", "openmpi", "")):
            said = why_not_both(one, other, mpi, "cluster")
            self.assertIn(why, said, f"{one}, {other}, {mpi}")
            self.assertEqual(bool(why), bool(said), f"{one}, {other}, {mpi}")

    def test_every_fault_that_lets_programs_start_is_in_some_pair(self) -> None:
        for shape in ("cluster", MACHINE):
            choice = Choice(list(FAULTS), FLAVOURS, 0.25, [shape], 1 / 6)
            drawn = {(fault, mpi) for one, other, mpi, _ in possible_pairs(choice) for fault in (one, other)}
            for fault, mpi in itertools.product(FAULTS, FLAVOURS):
                if can_be_named(fault, mpi, shape) and mpi not in FAULTS[fault].ends:
                    self.assertIn((fault, mpi), drawn)

    def test_a_command_has_what_both_give_it(self) -> None:
        both = together([Conditions({"A": "1"}, ["taskset"], busy=[Busy(1)]),
                         Conditions({"B": "2"}, ["unshare"], 0.6, [Busy(2)], Path("/io"))])
        self.assertEqual(both, Conditions({"A": "1", "B": "2"}, ["taskset", "unshare"], 0.6, [Busy(1), Busy(2)], Path("/io")))


class Drawing(unittest.TestCase):
    def test_one_run_in_six_has_two_and_one_in_four_has_none(self) -> None:
        runs = draw(4, 2000, ON_MACHINE)
        shares = {count: sum(len(run.broken) == count for run in runs) / len(runs) for count in (0, 1, 2)}
        for count, share in {0: 1 / 4, 1: 7 / 12, 2: 1 / 6}.items():
            self.assertAlmostEqual(shares[count], share, delta=0.015, msg=f"{count} faults")

    def test_single_faults_are_equally_often_there_beside_them(self) -> None:
        single = sum(can_be_named(fault, mpi, MACHINE) for fault in FAULTS for mpi in FLAVOURS)
        pairs = round(single * (1 / 6) / (7 / 12))
        block = single + pairs + round((single + pairs) / 3)
        counted = Counter((run.fault, run.mpi) for run in draw(4, 2 * block, ON_MACHINE) if len(run.broken) == 1)
        self.assertEqual((len(counted), set(counted.values())), (single, {2}))

    def test_only_pairs_that_can_be_told_apart_are_drawn(self) -> None:
        runs = draw(4, 3000, Choice(list(FAULTS), FLAVOURS, 0.25, list(SHAPES), 1 / 6))
        pairs = [run for run in runs if run.second]
        self.assertGreater(len(pairs), 400)
        self.assertLessEqual({"cluster", MACHINE}, {run.shape for run in pairs})
        self.assertEqual([run.text() for run in pairs if why_not_both(run.fault, run.second, run.mpi, run.shape)], [])
        self.assertEqual({run.mpi for run in pairs}, set(FLAVOURS))

    def test_both_have_parameters_of_their_own(self) -> None:
        choice = Choice(["busy-core", "sync-mount"], ["mpich"], 0.0, [MACHINE], 0.9)
        pairs = [run for run in draw(4, 40, choice) if run.second]
        self.assertEqual({(run.fault, run.second) for run in pairs}, {("busy-core", "sync-mount")})
        self.assertEqual({run.parameters["core"] for run in pairs}, {"first", "last"})
        self.assertEqual({tuple(run.second_parameters.items()) for run in pairs}, {(("mode", "sync"),)})
        self.assertRegex(pairs[0].text(), r"busy-core core=\w+ \+ sync-mount mode=sync, mpich, machine")

    def test_without_pairs_runs_are_what_they_were_before_there_were_any(self) -> None:
        runs = draw(21, 3, Choice(["cpu-quota", "tcp-only"], FLAVOURS, 0.25, [MACHINE]))
        self.assertEqual([run.text() for run in runs], ["healthy, openmpi, machine", "cpu-quota share=60%, mpich, machine",
                                                        "cpu-quota share=60%, openmpi, machine"])

    def test_the_same_seed_draws_the_same_and_a_longer_evaluation_begins_with_the_shorter_one(self) -> None:
        self.assertEqual(draw(7, 300, ON_MACHINE)[:40], draw(7, 40, ON_MACHINE))
        self.assertNotEqual([run.second for run in draw(7, 100, ON_MACHINE)], [run.second for run in draw(8, 100, ON_MACHINE)])

    def test_shares_that_leave_no_run_with_one_fault_are_refused(self) -> None:
        with tempfile.TemporaryDirectory() as directory, self.assertRaises(LabError) as caught:
            main.main(["--healthy", "50%", "--pairs", "50%", "--command", "true", "--results", f"{directory}/r"])
        self.assertEqual((caught.exception.where, caught.exception.status), ("--pairs", 3))

    def test_nothing_is_begun_when_the_time_is_over(self) -> None:
        begun: list[int] = []

        def once(each: Draw) -> Result:
            begun.append(each.index)
            return Result(1, each, 0)

        with mock.patch("time.monotonic", side_effect=[5.0, 9.0, 10.0]):
            one_after_the_other(draw(7, 5, ON_MACHINE), once, until=10.0)
        self.assertEqual(begun, [0, 1])


class Lines(unittest.TestCase):
    def test_a_run_of_two_faults_is_read_as_it_was_written(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "results.jsonl"
            result = Result(1, Draw(3, "busy-core", "mpich", MACHINE, {"core": "last"}, "sync-mount", {"mode": "sync"}), 0)
            results.append(path, result)
            self.assertEqual(results.read(path), [result])

    def test_lines_from_before_there_were_pairs_are_runs_of_one_fault(self) -> None:
        line = {"kind": "run", "seed": 2, "draw": {"index": 0, "fault": "tcp-only", "mpi": "mpich", "shape": MACHINE,
                                                   "parameters": {}}, "status": 1}
        drawn = Result.from_data(json.loads(json.dumps(line))).draw
        self.assertEqual((drawn.second, len(drawn.broken)), ("", 1))


NO_MEMORY, QUOTA = says("mpi.transport.no-shared-memory", "btl"), says("cpu.quota", "control group")
YIELD = says("mpi.setting.changed", "mpi_yield_when_idle", origin={"how": "environment", "file": "OMPI_MCA_x", "line": 0})
WRONG = says("rule.sendrecv", "sendrecv")


class Judging(unittest.TestCase):
    def verdict(self, *arguments: Any, **more: Any) -> tuple[tuple[bool, bool], bool, bool]:
        found = judge.judge_pair(a_result(*arguments, **more))
        return found.found, found.both, found.first

    def test_both_one_or_none_are_found_and_the_first_may_be_either(self) -> None:
        for diagnoses, expected in (
                ((NO_MEMORY, QUOTA), ((True, True), True, True)), ((QUOTA, NO_MEMORY), ((True, True), True, True)),
                ((WRONG, QUOTA, NO_MEMORY), ((True, True), True, False)), ((QUOTA,), ((False, True), False, True)),
                ((WRONG, NO_MEMORY), ((True, False), False, False)), ((WRONG,), ((False, False), False, False)),
                ((), ((False, False), False, False))):
            said = [each["id"] for each in diagnoses]
            self.assertEqual(self.verdict("tcp-only", "cpu-quota", *diagnoses), expected, said)

    def test_what_costs_nothing_by_itself_need_only_be_observed(self) -> None:
        self.assertEqual(self.verdict("yielding", "cpu-quota", QUOTA, seen=(YIELD,)), ((True, True), True, True))
        self.assertEqual(self.verdict("yielding", "cpu-quota", seen=(YIELD, QUOTA)), ((True, False), False, False))

    def test_one_finding_stands_for_one_of_the_two(self) -> None:
        forced = says("mpi.collectives.forced", "coll_tuned_bcast_algorithm")
        self.assertEqual(self.verdict("bad-bcast", "bad-alltoall", forced), ((True, True), False, True))
        self.assertEqual(self.verdict("bad-bcast", "bad-alltoall", forced, forced), ((True, True), True, True))

    def test_false_is_what_accuses_neither(self) -> None:
        slower = says("suite.slower")
        result = a_result("yielding", "cpu-quota", QUOTA, WRONG, slower, YIELD)
        self.assertEqual(judge.false_findings(result), [WRONG])
        self.assertEqual(judge.false_findings(a_result("yielding", "nagle", slower)), [slower], "both cost nothing")


class Counting(unittest.TestCase):
    RESULTS = [a_result("tcp-only", "cpu-quota", NO_MEMORY, QUOTA), a_result("tcp-only", "cpu-quota", WRONG, QUOTA, index=1),
               a_result("yielding", "nagle", seen=(YIELD,), index=2, seed=2), a_result("tcp-only", "", NO_MEMORY, index=3),
               a_result("", "", index=4)]

    def test_they_are_counted_apart_from_single_faults(self) -> None:
        found = score.score(self.RESULTS)
        self.assertEqual((found.broken.runs, found.healthy, found.runs), (1, 1, 5))
        self.assertEqual(found.pairs, score.PairCount(3, both=1, one=2, costly=2, first=1, seconds=60.0))
        self.assertEqual(set(found.faults), {"tcp-only (machine)"})
        self.assertEqual((found.right, found.named), (4, 5), "diagnoses of pairs count among all that name components")

    def test_the_table_has_lines_of_their_own_and_what_is_wanted(self) -> None:
        text = table.text(self.RESULTS)
        self.assertRegex(text, r"two faults at once, both found: 1 of 3 .*33\.3 %.*wanted: 70 %")
        self.assertRegex(text, r"two faults at once, the first finding is right: 1 of 2 ")
        self.assertNotIn("two faults", table.text(self.RESULTS[3:]))

    def test_the_page_has_a_row_for_each_round_and_a_line_for_each_miss(self) -> None:
        text = page.generated(self.RESULTS)
        rows = {line.split("|")[1].strip(): [cell.partition(" %")[0].strip() for cell in line.split("|")[2:6]]
                for line in text.partition("## Two faults at once")[2].splitlines() if "|" in line}
        self.assertEqual(rows["1"], ["2", "1 of 2 50.0", "1 of 2 50.0", "1 of 2 50.0"])
        self.assertEqual(rows["**all**"], ["3", "1 of 3 33.3", "2 of 3 66.7", "1 of 2 50.0"])
        missed = runs_page.generated(self.RESULTS, []).partition("## Missed")[2].partition("## False")[0]
        self.assertIn("| 1-1 | tcp-only + cpu-quota share", missed.replace(", openmpi", " share"))
        self.assertIn("cpu-quota found |", missed)
        self.assertNotIn("| 1-0 |", missed)
        self.assertIn("| 2-2 | yielding + nagle, openmpi, machine | status 1: nothing, yielding found |", missed)


if __name__ == "__main__":
    unittest.main()
