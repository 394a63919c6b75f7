"""How an evaluation is scored where faults cost nothing, and the page that is made of it with the causes that are known."""

import random
import re
import tempfile
import tomllib
import unittest
from pathlib import Path
from typing import Any

from evaluate import causes, judge, page, runs_page, score, table
from evaluate.causes import Cause
from evaluate.draw import Draw
from evaluate.results import Result
from laboratory.errors import LabError
from laboratory.fault_table import FAULTS

ENVIRONMENT = {"how": "environment", "file": "OMPI_MCA_coll_tuned_bcast_algorithm", "line": 0}
FORCED = {"id": "mpi.collectives.forced", "component": "coll_tuned_bcast_algorithm", "places": [], "origin": ENVIRONMENT}


def says(check: str, component: str = "", *places: str, **more: Any) -> dict[str, Any]:
    return {"id": check, "component": component, "places": list(places), "cost_s": 1.0, "cost_share": 0.021, **more}


def a_result(fault: str, *diagnoses: dict[str, Any], seen: tuple[dict[str, Any], ...] = (), shape: str = "machine",
             index: int = 0, seed: int = 1, status: int | None = 1, mpi: str = "openmpi",
             parameters: dict[str, str] | None = None, **more: Any) -> Result:
    return Result(seed, Draw(index, fault, mpi, shape, parameters or {}), status, 60.0, list(diagnoses), reported=True,
                  observations=list(seen), when="2026-11-26", **more)


class Judging(unittest.TestCase):
    def test_what_costs_nothing_must_be_observed_and_what_costs_must_be_a_finding(self) -> None:
        free = judge.judge(a_result("bad-bcast", seen=(FORCED,)))
        self.assertEqual((free.free, free.found, free.named, free.first, free.reference),
                         (True, True, True, False, "observation"))
        self.assertFalse(judge.judge(a_result("bad-bcast")).found)
        quota = {"id": "cpu.quota", "component": "cgroup", "places": []}
        costly = judge.judge(a_result("cpu-quota", seen=(quota,)))
        self.assertEqual((costly.free, costly.found, costly.named), (False, False, True))
        cluster = judge.judge(a_result("bad-bcast", seen=(FORCED,), shape="cluster"))
        self.assertEqual((cluster.free, cluster.found), (False, False), "of eight ranks it costs something")

    def test_a_finding_is_right_too_where_an_observation_is_enough(self) -> None:
        verdict = judge.judge(a_result("bad-bcast", says("mpi.collectives.forced", reference="witness"), seen=(FORCED,)))
        self.assertEqual((verdict.found, verdict.reference), (True, "witness"))

    def test_what_the_system_has_set_is_there_in_healthy_runs_and_names_nothing(self) -> None:
        of_debian = {"id": "mpi.setting.changed", "component": "btl", "places": [],
                     "origin": {"how": "file", "file": "/etc/openmpi/openmpi-mca-params.conf", "line": 66}}
        self.assertFalse(judge.judge(a_result("tcp-only", seen=(of_debian,))).named)
        self.assertTrue(judge.judge(a_result("tcp-only", seen=({**of_debian, "origin": ENVIRONMENT},))).named)

    def test_what_did_not_hold_when_measured_again_names_nothing(self) -> None:
        split = {"id": "io.hints.split", "component": "MPI-IO", "places": []}
        hints = {"id": "io.hints.file", "component": "ROMIO_HINTS", "places": []}
        self.assertFalse(judge.judge(a_result("no-data-sieving", seen=(split,))).named)
        self.assertTrue(judge.judge(a_result("no-data-sieving", seen=(hints,))).named)

    def test_checks_that_time_are_the_rules_and_the_suite_of_the_catalogue(self) -> None:
        text = (Path(__file__).parents[3] / "docs" / "reference" / "checks.md").read_text()
        sections = {part.partition("\n")[0]: re.findall(r"^### `([a-z0-9.-]+)`", part, re.MULTILINE)
                    for part in text.split("\n## ")[1:]}
        self.assertEqual(list(sections), ["Pre-flight", "Witnesses", "Rules", "Suite"])
        for section, checks in sections.items():
            for check in checks:
                self.assertEqual(bool(judge.TIMED.fullmatch(check)), section in ("Rules", "Suite"), check)

    def test_a_status_of_cannot_run_is_right_where_no_program_starts_and_it_says_why(self) -> None:
        small = says("launch.world.size", "/dev/shm", "vm")
        self.assertFalse(judge.is_failure(a_result("small-shm", small, status=6, mpi="mpich")))
        self.assertTrue(judge.judge(a_result("small-shm", small, status=6, mpi="mpich")).first)
        self.assertTrue(judge.is_failure(a_result("small-shm", status=6, mpi="mpich")))
        self.assertTrue(judge.is_failure(a_result("small-shm", small, status=6, mpi="openmpi")))
        self.assertTrue(judge.is_failure(a_result("", status=70)))

    def test_noise_of_a_machine_that_had_it_before_is_neither_right_nor_false(self) -> None:
        everywhere, of_one = says("cpu.noise", "processors"), says("cpu.noise", "n3", "n3")
        for lost, found, expected in ((0.05, everywhere, []), (0.01, everywhere, [everywhere]), (0.05, of_one, [of_one])):
            self.assertEqual(judge.false_findings(a_result("", found, lost=lost)), expected, lost)
        behind = a_result("cpu-quota", everywhere, says("cpu.quota"), lost=0.05)
        self.assertTrue(judge.judge(behind).first, "what would be said anyway takes no place")

    def test_false_findings_are_all_of_healthy_runs_and_what_accuses_something_else(self) -> None:
        slower, rule, right = says("suite.slower"), says("rule.sendrecv"), says("cpu.quota")
        for result, expected in ((a_result("", slower, rule), [slower, rule]), (a_result("cpu-quota", right, slower), []),
                                 (a_result("cpu-quota", rule, right), [rule]), (a_result("bad-bcast", slower), [slower])):
            self.assertEqual(judge.false_findings(result), expected, result.draw.text())


class Counting(unittest.TestCase):
    RESULTS = [a_result("bad-bcast", seen=(FORCED,), index=0), a_result("bad-bcast", index=1, seed=2),
               a_result("cpu-quota", says("cpu.quota", reference="witness"), index=2),
               a_result("cpu-quota", says("suite.slower"), index=3, seed=2), a_result("", index=4, status=0),
               a_result("busy-core", says("rank.slow", "rank 0", reference="peers"), index=5),
               a_result("tcp-only", status=None, index=6, seed=2, error="cannot be")]

    def test_firsts_are_a_share_of_what_costs_something(self) -> None:
        found = score.score(self.RESULTS)
        self.assertEqual((found.broken.runs, found.broken.costly, found.broken.first, found.broken.found, found.broken.named),
                         (5, 3, 2, 3, 3))
        self.assertEqual(found.broken.references, {"observation": 1, "witness": 1, "peers": 1})
        self.assertEqual((found.like.runs, found.like.found, found.uniform.runs, found.uniform.found), (1, 1, 4, 2))
        self.assertEqual((found.laboratory.runs, found.machine.runs), (0, 5))
        self.assertEqual((found.not_on, found.seconds), (1, 60.0))

    def test_where_all_servers_are_broken_none_is_left_to_compare_with(self) -> None:
        one, every = (a_result("small-server-cache", shape="cluster", index=index, parameters={"server": server})
                      for index, server in enumerate(("s0", "all")))
        found = score.score([one, every])
        self.assertEqual((found.like.runs, found.uniform.runs, found.laboratory.runs, found.machine.runs), (1, 1, 2, 0))

    def test_the_table_has_each_round_and_the_machine_apart(self) -> None:
        text = table.text([*self.RESULTS, a_result("bad-bcast", says("mpi.collectives.forced"), shape="cluster", index=9)])
        self.assertRegex(text, r"bad-bcast \(machine\) +2 +50.0 %")
        self.assertRegex(text, r"\nbad-bcast +1 +100.0 %")
        self.assertRegex(text, r"seed 1 +4 +100.0 %.*100.0 %")
        self.assertRegex(text, r"seed 2 +2 +0.0 %.* +0.0 %")
        self.assertIn("named first, of what costs something and was found: 3 of 3", text)

    def test_nothing_is_a_table_too(self) -> None:
        self.assertIn("0 runs", table.text([]))


class Causes(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "causes.toml"

    def test_the_first_that_fits_the_run_and_the_check_counts(self) -> None:
        self.path.write_text('[[causes]]\nruns = ["1-3"]\ncheck = "rule.*"\nkind = "statistics"\ncause = "few runs"\n'
                             '[[causes]]\nruns = ["1-3", "2-7"]\nkind = "model"\ncause = "caches"\n')
        known = causes.read(self.path)
        told = {(run, check): causes.of(known, run, check) for run in ("1-3", "2-7", "3-1") for check in ("rule.sendrecv", "")}
        self.assertEqual({key: each and each.cause for key, each in told.items()},
                         {("1-3", "rule.sendrecv"): "few runs", ("1-3", ""): "caches", ("2-7", "rule.sendrecv"): "caches",
                          ("2-7", ""): "caches", ("3-1", "rule.sendrecv"): None, ("3-1", ""): None})

    def test_all_that_is_wrong_is_said_at_once(self) -> None:
        self.path.write_text('[[causes]]\nruns = ["17"]\nkind = "model"\ncause = "x"\n'
                             '[[causes]]\nruns = ["1-7"]\nkind = "weather"\ncause = "x"\n')
        with self.assertRaises(LabError) as caught:
            causes.read(self.path)
        for words in ("row 1: '17' is no run", "row 2: no kind 'weather'", "causes.toml"):
            self.assertIn(words, str(caught.exception))

    def test_what_is_no_list_of_causes_is_an_error_and_no_file_is_none(self) -> None:
        self.assertEqual(causes.read(self.path), [])
        for text in ("[[causes]", "causes = 3", "[[causes]]\nruns = 3\nkind='model'\ncause='x'", "[[causes]]\nkind='model'"):
            self.path.write_text(text)
            with self.assertRaises(LabError, msg=text):
                causes.read(self.path)

    def test_random_text_is_read_or_refused_and_nothing_else(self) -> None:
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        words = ["[[causes]]", "\n", "runs", "=", "[", "]", '"1-2"', "kind", '"model"', "cause", '"', "3", "check", "é", "\0"]
        for _ in range(500):
            self.path.write_text("".join(chance.choices(words, k=chance.randrange(20))))
            try:
                causes.read(self.path)
            except LabError:
                continue
            except Exception as error:
                self.fail(f"seed {seed}: {error!r} of {self.path.read_text()!r}")

    def test_the_file_of_the_tree_can_be_read(self) -> None:
        causes.read()
        self.assertIsInstance(tomllib.loads(causes.FILE.read_text()), dict)


class Page(unittest.TestCase):
    KNOWN = [Cause(("2-3",), "", "no check", "nothing reads the quota of a group above"),
             Cause(("2-8",), "suite.slower", "statistics", "25 samples")]
    RESULTS = [*Counting.RESULTS, a_result("", says("suite.slower", "transport | inside"), index=8, seed=2),
               a_result("", says("rule.sendrecv"), index=9, seed=2)]

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "detection.md"
        self.every = Path(directory.name) / "notebook" / "runs.md"
        self.every.parent.mkdir()

    def row(self, text: str, begin: str) -> list[str]:
        (line,) = [line for line in text.splitlines() if line.startswith(f"| {begin} |")]
        return [cell.strip() for cell in line.strip("|").split("|")]

    def test_each_miss_and_false_finding_has_a_line_with_its_run_and_cause(self) -> None:
        text = runs_page.generated(self.RESULTS, self.KNOWN)
        self.assertEqual(self.row(text, "2-1")[2:], ["status 1: nothing", "not known"])
        self.assertEqual(self.row(text, "2-3")[2:], ["status 1: suite.slower ()", "no check, 1"])
        self.assertEqual(self.row(text, "2-8")[1:],
                         ["healthy, openmpi, machine", "suite.slower (transport / inside)", "2.1 %", "statistics, 2"])
        self.assertEqual(self.row(text, "2-9")[-1], "not known")
        self.assertIn("1. nothing reads the quota of a group above.\n2. 25 samples.", text)
        for run in ("1-0", "1-2", "1-4", "1-5", "2-6"):
            self.assertNotIn(f"| {run} |", text, "it was right, or not on")

    def test_the_directory_of_a_run_is_no_part_of_what_was_said(self) -> None:
        self.assertEqual(runs_page.component_of({"component": "MPI-IO on /scratch/plumbline-evaluate-a1_b/work/./suite/level"}),
                         "MPI-IO on suite/level")
        self.assertEqual(runs_page.component_of({"component": "MPI-IO on /scratch/level"}), "MPI-IO on /scratch/level")

    def test_faults_that_were_never_drawn_are_named(self) -> None:
        possible = [name for name in FAULTS if name != "small-unaligned-requests"]  # which nothing in the suite shows
        names = [name for name in possible if name not in ("loss", "nagle")]
        missing = "loss, nagle"
        drawn = [a_result(name, index=index) for index, name in enumerate(names)]
        self.assertIn(f"\n\nNever drawn in these rounds, 2 of {len(possible)} faults: {missing}. ", page.generated(drawn))
        two = [a_result("slow-disk", shape="cluster", index=100), a_result("slow-link", shape="pair", index=101)]
        self.assertRegex(page.generated([*drawn, *two]), r" Of the \d+ that laboratories can have, 2 were drawn there\.\n\n")
        not_on = a_result("loss", index=98, status=None)
        self.assertIn(missing, page.generated([*drawn, not_on]), "what could not be brought on was not tried")
        self.assertNotIn("Never drawn", page.generated([*drawn, a_result("loss", index=98), a_result("nagle", index=99)]))

    def test_every_round_has_its_scores_those_of_peers_and_of_uniform_faults_apart(self) -> None:
        text = page.generated(self.RESULTS)
        first, second = self.row(text, "1"), self.row(text, "2")
        self.assertEqual([cell.partition(" %")[0] for cell in first[1:]],
                         ["one machine", "3", "3 of 3 100.0", "2 of 2 100.0", "3 of 3 100.0", "1 of 1 100.0", "2 of 2 100.0", "0 of 1 0.0"])
        self.assertEqual([cell.partition(" %")[0] for cell in second[1:]],
                         ["one machine", "2", "0 of 2 0.0", "0 of 1 0.0", "0 of 2 0.0", "0 of 0", "0 of 2 0.0", "2 of 2 100.0"])

    def test_a_round_may_be_of_laboratories_and_of_one_machine(self) -> None:
        inside = a_result("slow-disk", shape="cluster", index=1)
        self.assertEqual([page.where(some) for some in ([inside], [inside, *self.RESULTS], [a_result("loss", status=None)])],
                         ["laboratories", "laboratories and one machine", ""])

    def test_all_rows_of_a_table_have_as_many_cells_as_its_head(self) -> None:
        both = f"{page.generated(self.RESULTS)}\n\n{runs_page.generated(self.RESULTS, self.KNOWN)}"
        for block in both.split("\n\n"):
            if block.startswith("|"):
                self.assertEqual(len({line.count("|") for line in block.splitlines()}), 1, block)

    def test_it_is_made_anew_between_the_marks_and_what_is_around_them_stays(self) -> None:
        page.write(self.RESULTS[:1], [], (), self.path, self.every)
        self.assertIn(f"](figures/{self.path.stem}.svg)", self.path.read_text())
        for path in (self.path, self.every):
            path.write_text("# Mine\n" + path.read_text() + "\nand mine\n")
        self.assertEqual(page.write(self.RESULTS, self.KNOWN, (), self.path, self.every),
                         [self.path, self.every, page.figure_of(self.path)])
        for path, begin, heading in ((self.path, "# How often", "## Rounds"), (self.every, "# Detection by", "## Missed")):
            text = path.read_text()
            self.assertTrue(text.startswith(f"# Mine\n{begin}") and text.endswith("\nand mine\n"), text)
            self.assertEqual((text.count(heading), text.count(page.BEGIN), text.count(page.END)), (1, 1, 1))
        self.assertIn("(notebook/runs.md)", self.path.read_text())

    def test_without_marks_or_runs_nothing_is_written(self) -> None:
        with self.assertRaises(LabError):
            page.write([a_result("tcp-only", status=None)], [], (), self.path, self.every)
        self.assertFalse(self.path.exists())
        self.path.write_text("# Mine\n")
        with self.assertRaises(LabError):
            page.write(self.RESULTS, [], (), self.path, self.every)
        self.assertEqual((self.path.read_text(), self.every.exists()), ("# Mine\n", False))


if __name__ == "__main__":
    unittest.main()
