"""The blind evaluation without a laboratory: what is drawn, how it goes on, how answers are judged."""

import re
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

from evaluate import judge, results, score, table
from evaluate.draw import Choice, Draw, can_be_named, draw
from evaluate.results import Result
from evaluate.sequence import one_after_the_other
from laboratory.errors import LabError
from laboratory.fault_table import FAULTS, SHAPES
from laboratory.statistics import wilson

EVERYTHING = Choice(list(FAULTS), ["openmpi", "mpich"], 0.25)


def a_draw(fault: str = "slow-link", index: int = 0, **parameters: str) -> Draw:
    return Draw(index, fault, "openmpi", "cluster", parameters or ({"node": "n3"} if fault == "slow-link" else {}))


def a_result(fault: str, *diagnoses: dict[str, Any], status: int | None = 1, index: int = 0, **parameters: str) -> Result:
    return Result(1, a_draw(fault, index, **parameters), status, 9.0, list(diagnoses), reported=True)


def says(check: str, component: str = "", *places: str, **more: Any) -> dict[str, Any]:
    return {"id": check, "component": component, "places": list(places), "cost_s": 1.0, **more}


class OwnFindings(unittest.TestCase):
    """Of the laboratory without a fault."""

    SPLIT = says("io.hints.split", "MPI-IO on /run/shared/plumbline-suite/write_level#")
    AGGREGATORS = says("io.hints.aggregators", "aggregators of MPI-IO on /run/shared/plumbline-suite/read_level#")

    def of(self, mpi: str, *diagnoses: dict[str, Any], fault: str = "", **parameters: str) -> Result:
        return Result(1, Draw(0, fault, mpi, "cluster", parameters), 1, 9.0, list(diagnoses), reported=True)

    def test_count_nowhere(self) -> None:
        for healthy in (self.of("mpich", self.SPLIT), self.of("openmpi", self.AGGREGATORS)):
            self.assertEqual(judge.false_findings(healthy), [])
            found = score.score([healthy])
            self.assertEqual((found.accused, found.healthy, found.named, found.own), (0, 1, 0, 1))
            self.assertIn("true without a fault", table.text([healthy]))

    def test_are_those_of_one_library_and_of_some_files(self) -> None:
        other_library = self.of("openmpi", self.SPLIT)
        other_file = self.of("mpich", says("io.hints.split", "MPI-IO on /run/shared/checkpoint.dat"))
        of_romio = self.of("mpich", self.AGGREGATORS)
        for accused in (other_library, other_file, of_romio):
            self.assertEqual(len(judge.false_findings(accused)), 1)
            self.assertEqual(score.score([accused]).accused, 1)

    def test_do_not_keep_a_fault_from_being_first(self) -> None:
        broken = self.of("mpich", self.SPLIT, says("server.slow", "server s1:/brick", "s1"), fault="slow-disk", server="s1")
        self.assertTrue(judge.judge(broken).first)
        self.assertEqual(score.score([broken]).named, 1)


class Names(unittest.TestCase):
    def test_what_a_fault_is_named_by_is_a_check_of_the_catalogue(self) -> None:
        pages = (Path(__file__).parents[3] / "docs" / "reference").glob("checks-*.md")
        checks = {check for page in pages for check in re.findall(r"^## `([a-z0-9.-]+)`", page.read_text(), re.MULTILINE)}
        self.assertIn("net.link.rate", checks)
        for name, fault in FAULTS.items():
            for check, _component in fault.named:
                self.assertIn(check, checks, name)


class Drawing(unittest.TestCase):
    def test_the_same_seed_draws_the_same_and_another_does_not(self) -> None:
        self.assertEqual(draw(7, 100, EVERYTHING), draw(7, 100, EVERYTHING))
        self.assertNotEqual(draw(7, 100, EVERYTHING), draw(8, 100, EVERYTHING))

    def test_a_longer_evaluation_begins_with_the_shorter_one(self) -> None:
        self.assertEqual(draw(7, 300, EVERYTHING)[:40], draw(7, 40, EVERYTHING))
        self.assertEqual([each.index for each in draw(7, 300, EVERYTHING)], list(range(300)))

    def test_what_is_drawn_does_not_depend_on_the_hashes_of_this_process(self) -> None:
        self.assertEqual([each.fault for each in draw(1, 4, Choice(["slow-link", "noise"], ["mpich"], 0.5))],
                         ["", "", "noise", "slow-link"])

    def test_a_quarter_is_healthy_and_every_fault_is_equally_often_under_each_library(self) -> None:
        possible = sum(can_be_named(fault, mpi, shape) for fault in FAULTS for mpi in ("openmpi", "mpich") for shape in SHAPES)
        block = possible + round(possible / 3)
        runs = draw(3, 2 * block, EVERYTHING)
        counted = Counter((each.fault, each.mpi, each.shape) for each in runs if each.fault)
        self.assertEqual((len(counted), set(counted.values())), (possible, {2}))
        self.assertAlmostEqual(sum(not each.fault for each in runs) / len(runs), 0.25, delta=0.01)

    def test_healthy_laboratories_have_the_shapes_of_the_others(self) -> None:
        shapes = {each.shape for each in draw(3, 3000, EVERYTHING) if not each.fault}
        self.assertEqual(shapes, set(SHAPES))

    def test_only_chosen_shapes_are_drawn_the_healthy_ones_too(self) -> None:
        for wanted in (["machine"], ["node", "machine"], ["cluster"]):
            runs = draw(3, 300, Choice(list(FAULTS), ["openmpi", "mpich"], 0.25, wanted))
            self.assertEqual({each.shape for each in runs if each.fault}, set(wanted))
            self.assertEqual({each.shape for each in runs if not each.fault}, set(wanted))
        with self.assertRaises(LabError):
            draw(3, 5, Choice(["slow-link"], ["mpich"], 0.25, ["machine"]))

    def test_the_machine_has_no_nodes_to_choose_from_and_its_cores_are_drawn(self) -> None:
        runs = draw(3, 300, Choice(["one-core", "small-shm", "busy-core"], ["openmpi"], 0.0, ["machine"]))
        drawn = {each.fault: {tuple(run.parameters.items()) for run in runs if run.fault == each.fault} for each in runs}
        self.assertEqual(drawn, {"one-core": {()}, "small-shm": {(("size", "64KiB"),)},
                                 "busy-core": {(("core", "first"),), (("core", "last"),)}})

    def test_places_are_at_random_and_severities_are_those_of_the_table(self) -> None:
        runs = draw(5, 200, Choice(["slow-link"], ["openmpi"], 0.0))
        self.assertEqual({each.parameters["node"] for each in runs}, {f"n{i}" for i in range(8)})
        self.assertEqual({each.parameters["stated"] for each in runs}, {"yes", "no"})
        self.assertEqual({each.parameters["rate"] for each in runs}, {"50Mbit/s"})
        disks = draw(5, 50, Choice(["slow-disk", "small-server-cache"], ["mpich"], 0.0))
        self.assertEqual({each.parameters["server"] for each in disks}, {"s0", "s1", "all"})

    def test_what_shows_nowhere_is_not_drawn(self) -> None:
        with self.assertRaises(LabError) as caught:
            draw(1, 5, Choice(["han", "lock-algorithm"], ["mpich"], 0.25))
        self.assertEqual(caught.exception.status, 2)
        self.assertFalse(can_be_named("small-unaligned-requests", "openmpi", "cluster"))

    def test_all_can_be_healthy(self) -> None:
        self.assertEqual({each.fault for each in draw(1, 30, Choice(list(FAULTS), ["mpich"], 1.0))}, {""})


class GoingOn(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "deep" / "results.jsonl"
        self.runs = draw(1, 6, EVERYTHING)

    def append(self, *indices: int, seed: int = 1) -> None:
        for index in indices:
            results.append(self.path, Result(seed, self.runs[index], 0, 1.5))

    def missing(self) -> list[int]:
        done = results.read(self.path)
        return [each.index for each in results.still_to_do(self.runs, 1, done, self.path)]

    def test_what_was_written_is_read_as_it_was(self) -> None:
        result = a_result("slow-link", says("net.link.rate", "eth0", "n3", one_of=["a", "b"]))
        results.append(self.path, result)
        self.assertEqual(results.read(self.path), [result])

    def test_only_what_is_missing_is_run_whatever_the_order(self) -> None:
        self.assertEqual(self.missing(), [0, 1, 2, 3, 4, 5])
        self.append(4, 0, 1)
        self.assertEqual(self.missing(), [2, 3, 5])

    def test_another_seed_does_not_count(self) -> None:
        self.append(0, 1, seed=2)
        self.assertEqual(self.missing(), [0, 1, 2, 3, 4, 5])

    def test_a_line_that_was_cut_short_is_run_again_and_does_not_spoil_the_next(self) -> None:
        self.append(0, 1)
        with self.path.open("a") as file:
            file.write('{"kind": "run", "seed": 1, "dra')
        self.assertEqual(self.missing(), [2, 3, 4, 5])
        self.append(2)
        self.assertEqual(self.missing(), [3, 4, 5])

    def test_a_line_of_something_else_is_named(self) -> None:
        self.append(0)
        for line in ("{}", "[1]", "nonsense", '{"kind": "run", "draw": {"index": 1}}'):
            self.path.write_text(self.path.read_text().splitlines()[0] + f"\n{line}\n")
            with self.assertRaises(LabError, msg=line) as caught:
                results.read(self.path)
            self.assertIn("results.jsonl:2", str(caught.exception))

    def test_another_table_under_the_same_seed_is_refused(self) -> None:
        results.append(self.path, Result(1, Draw(3, "no-such-fault", "mpich", "cluster", {}), 0))
        with self.assertRaises(LabError) as caught:
            self.missing()
        self.assertIn("run 3 of seed 1 is no-such-fault", str(caught.exception))

    def test_published_runs_stay_and_one_that_was_made_again_takes_the_place_of_the_first(self) -> None:
        published = self.path.with_name("published.jsonl")
        first, again, other = (Result(seed, self.runs[index], status) for seed, index, status in ((2, 1, 0), (2, 1, 1), (1, 4, 0)))
        self.assertEqual((results.published(published, []), published.exists()), ([], False))
        self.assertEqual(results.published(published, [first]), [first])
        self.assertEqual(results.published(published, [again, other]), [other, again])
        self.assertEqual(results.published(published, []), [other, again])
        self.assertEqual(results.read(published), [other, again])
        self.assertEqual([each.name for each in published.parent.iterdir()], ["published.jsonl"])

    def test_results_among_the_sources_are_refused(self) -> None:
        with self.assertRaises(LabError) as caught:
            results.outside_the_tree(Path(__file__).with_name("results.jsonl"))
        self.assertEqual(caught.exception.status, 2)

    def test_one_laboratory_that_does_not_come_up_is_left_and_three_in_a_row_end_it(self) -> None:
        def once(each: Draw) -> Result:
            if each.index in bad:
                raise LabError("switch", "is not ready")
            return Result(1, each, 0)

        bad = {0, 1, 3}
        with mock.patch("builtins.print"):
            self.assertEqual([result.draw.index for result in one_after_the_other(self.runs, once)], [2, 4, 5])
            bad = {3, 4, 5}
            with self.assertRaises(LabError):
                one_after_the_other(self.runs, once)


class Bounds(unittest.TestCase):
    def test_are_those_of_published_tables(self) -> None:
        for count, total, low, high in ((140, 150, 0.882, 0.963), (139, 150, 0.873, 0.959), (0, 150, 0.0, 0.025),
                                        (1, 150, 0.001, 0.037), (1, 44, 0.004, 0.118), (10, 10, 0.722, 1.0)):
            found = wilson(count, total)
            self.assertAlmostEqual(found[0], low, delta=0.0006, msg=f"{count} of {total}")
            self.assertAlmostEqual(found[1], high, delta=0.0006, msg=f"{count} of {total}")

    def test_of_nothing_are_everything_and_contain_the_share(self) -> None:
        self.assertEqual(wilson(0, 0), (0.0, 1.0))
        for total in range(1, 60):
            for count in range(total + 1):
                low, high = wilson(count, total)
                self.assertTrue(0 <= low <= count / total <= high <= 1, (count, total))


class Judging(unittest.TestCase):
    def right(self, diagnosis: dict[str, Any], fault: str = "slow-link", **parameters: str) -> bool:
        return judge.names(diagnosis, fault, parameters or {"node": "n3"})

    def test_the_check_and_the_place_must_both_be_right(self) -> None:
        self.assertTrue(self.right(says("net.link.rate", "eth0", "n3")))
        self.assertTrue(self.right(says("net.link.rate", "cable of n3")))
        self.assertFalse(self.right(says("net.link.rate", "eth0", "n4")))
        self.assertFalse(self.right(says("net.latency", "eth0", "n3")))
        self.assertFalse(self.right(says("net.link.rate", "n31", "n30")))
        self.assertFalse(self.right(says("net.link.rate")))

    def test_pairs_name_a_node_only_if_all_have_it(self) -> None:
        self.assertTrue(self.right(says("net.link.rate", "", "n0-n3", "n3-n5")))
        self.assertFalse(self.right(says("net.link.rate", "", "n0-n3", "n1-n5")))

    def test_a_set_that_cannot_be_told_apart_is_found_and_not_first(self) -> None:
        diagnosis = says("net.link.rate", "n2", "n2", one_of=["n2", "n3"])
        self.assertFalse(self.right(diagnosis))
        self.assertTrue(judge.includes(diagnosis, "slow-link", {"node": "n3"}))

    def test_where_all_servers_are_broken_any_is_right(self) -> None:
        self.assertTrue(self.right(says("storage.slow", "/shared"), "small-server-cache", server="all"))
        self.assertFalse(self.right(says("storage.slow", "/shared"), "slow-disk", server="s0"))

    def test_a_setting_is_known_by_its_name(self) -> None:
        self.assertTrue(self.right(says("mpi.setting.changed", "btl_tcp_use_nagle"), "nagle"))
        self.assertFalse(self.right(says("mpi.setting.changed", "btl_tcp_eager_limit"), "nagle"))

    def test_runs_are_counted_by_fault_and_diagnoses_by_what_they_accuse(self) -> None:
        link, wrong = says("net.link.rate", "", "n3"), says("net.backplane", "w0")
        found = score.score([
            a_result("slow-link", link, wrong), a_result("slow-link", wrong, link), a_result("slow-link", status=5),
            a_result("slow-link", status=6), a_result("backplane", wrong), a_result("noise", status=None, node="n1"),
            a_result("", status=0), a_result("", wrong), a_result("", says("suite.slower"))])
        counts = {name: (each.runs, each.first, each.found) for name, each in found.faults.items()}
        self.assertEqual(counts, {"slow-link": (4, 1, 2), "backplane": (1, 1, 1)})
        self.assertEqual([(each.runs, each.first, each.found) for each in (found.like, found.uniform, found.broken)],
                         [(4, 1, 2), (1, 1, 1), (5, 2, 3)])
        self.assertEqual((found.right, found.named), (3, 6))  # suite.slower accuses nothing
        self.assertEqual((found.accused, found.healthy), (2, 3))
        self.assertEqual((found.runs, found.too_noisy, found.failed, found.not_on), (8, 1, 1, 1))

    def test_the_table_has_shares_with_their_bounds(self) -> None:
        link = says("net.link.rate", "", "n3")
        text = table.text([a_result("slow-link", link, index=i) for i in range(10)] + [a_result("", status=0)])
        self.assertRegex(text, r"slow-link +10  100.0 % \[72.2, 100.0\] +100.0 %")
        self.assertIn("healthy runs with a finding: 0 of 1    0.0 % [0.0, 79.3]", text)
        self.assertIn("named components that are right: 10 of 10", text)


if __name__ == "__main__":
    unittest.main()
