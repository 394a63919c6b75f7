"""Real programs under faults, without a laboratory: the list, how answers are judged, and the page."""

import random
import re
import shlex
import tempfile
import unittest
from pathlib import Path
from typing import Any

from evaluate import page, runs_page
from evaluate.draw import Choice, Draw, draw
from evaluate.programs import listed, names, report, score
from evaluate.programs.store import HEALTHY, OWN, OfProgram, Said, Trial
from evaluate.results import Result
from laboratory.errors import LabError
from laboratory.fault_table import FAULTS, parameters_in

LINK = {"component": "rank 3 on node n3", "reference": "peers", "title": "slow", "cost_s": 1.0, "share": 0.1}
BETWEEN = {**LINK, "component": "transport between nodes", "reference": "nominal"}
STORAGE = {**LINK, "component": "storage /shared", "reference": "nominal"}
RATE = {"id": "net.link.rate", "component": "link n3-s0", "places": ["n3"], "reference": "peers"}


class Listed(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def read(self, text: str) -> list[listed.Program]:
        path = self.directory / "programs.toml"
        path.write_text(text)
        return listed.read(path)

    def test_the_list_of_the_tree_has_the_jacobi_of_the_demo_and_two_more(self) -> None:
        found = listed.read()
        self.assertEqual([program.name for program in found], ["jacobi", "sort", "wavefront"])
        examples = (listed.paths.ROOT / "examples" / "CMakeLists.txt").read_text()
        for program in found:
            self.assertRegex(examples, rf"\b{program.example}\b")

    def test_all_that_is_wrong_is_said_at_once(self) -> None:
        with self.assertRaises(LabError) as caught:
            self.read('[[programs]]\nname = "a"\nexample = 3\narguments = ["1"]\nwhat = "x"\nranks = 8\n'
                      '[[programs]]\nname = "a"\nexample = "b"\narguments = [1]\nwhat = "x"\n')
        for words in ("row 1: there is no key 'ranks'", "row 1: 'example' is missing", "row 2: 'arguments'", "row 2: there are two 'a'"):
            self.assertIn(words, str(caught.exception))

    def test_random_text_is_read_or_refused_and_nothing_else(self) -> None:
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        words = ["[[programs]]", "\n", "name", "=", "[", "]", '"a"', "example", "arguments", "what", '"', "3", "programs", "é", "\0"]
        for _ in range(500):
            text = "".join(chance.choices(words, k=chance.randrange(25)))
            try:
                self.read(text)
            except LabError:
                continue
            except Exception as error:
                self.fail(f"seed {seed}: {error!r} of {text!r}")

    def test_a_command_is_one_word_line_with_its_launcher_and_a_directory_that_all_see(self) -> None:
        program = listed.Program("x", "jacobi", ("--file", "{directory}/the plate"), "")
        words = shlex.split(program.command("mpich", 8, Path("/shared")))
        self.assertEqual((words[:3], Path(words[3]).name, words[4:]),
                         (["mpirun.mpich", "-n", "8"], "jacobi-mpich", ["--file", "/shared/the plate"]))

    def test_some_can_be_chosen_and_others_are_unknown(self) -> None:
        self.assertEqual([each.name for each in listed.chosen(listed.read(), ["sort"])], ["sort"])
        with self.assertRaises(LabError) as caught:
            listed.chosen(listed.read(), ["lammps"])
        self.assertIn("jacobi, sort, wavefront", caught.exception.hint)


class Names(unittest.TestCase):
    def test_every_fault_of_a_cluster_that_validate_can_name_a_comparison_can_name_in_its_way(self) -> None:
        runs = draw(1, 500, Choice(list(FAULTS), ["openmpi", "mpich"], 0.0, ["cluster"]))
        self.assertEqual({run.fault for run in runs}, set(names.NAMED))

    def test_patterns_need_only_parameters_that_the_fault_has(self) -> None:
        for fault, patterns in names.NAMED.items():
            for pattern in patterns:
                re.compile(pattern.format(**{key: "x" for key in parameters_in(FAULTS[fault], "cluster")}))

    def test_the_part_of_the_machine_or_the_rank_must_be_right(self) -> None:
        for component, fault, parameters, expected in (
                ("transport between nodes", "slow-link", {"node": "n3"}, True), ("rank 3 on node n3", "loss", {"node": "n3"}, True),
                ("rank 3 on node n31", "slow-link", {"node": "n3"}, False), ("rank 0 on node n0", "slow-link", {"node": "n3"}, False),
                ("transport inside a node", "slow-link", {"node": "n3"}, False), ("node n3", "slow-node", {"node": "n3"}, True),
                ("transport between nodes", "slow-node", {"node": "n3"}, False), ("storage /a/b", "slow-disk", {"server": "s0"}, True),
                ("MPI-IO on /a/plate", "slow-disk", {"server": "all"}, False), ("MPI-IO on /a/plate", "hints-file", {}, True),
                ("algorithm of MPI_Alltoall", "bad-alltoall", {}, True), ("algorithm of MPI_Alltoall", "bad-bcast", {}, False)):
            self.assertEqual(names.names(component, fault, parameters), expected, f"{component}, {fault}")


def a_draw(fault: str = "slow-link", index: int = 0, mpi: str = "openmpi") -> Draw:
    return Draw(index, fault, mpi, "cluster", {"node": "n3"} if fault in ("slow-link", "slow-node") else {})


def a_trial(fault: str, took: float, healthy: list[dict[str, Any]], own: list[dict[str, Any]], *diagnoses: dict[str, Any],
            index: int = 0, status: int | None = 1, noisy: bool = False) -> Trial:
    said = {HEALTHY: Said(bool(healthy), healthy), OWN: Said(5 if noisy else bool(own), own)}
    return Trial(Result(1, a_draw(fault, index), status, 600.0, list(diagnoses), reported=True),
                 {"jacobi": OfProgram(took, 1.0, said)}, "1.0")


TRIALS = [a_trial("slow-link", 2.0, [BETWEEN, STORAGE], [STORAGE, LINK], RATE, index=0),
          a_trial("slow-link", 1.5, [STORAGE], [], index=1, noisy=True), a_trial("slow-link", 1.0, [LINK], [], index=2),
          a_trial("", 1.0, [BETWEEN], [], index=3), a_trial("", 1.3, [], [], RATE, index=4),
          a_trial("slow-link", 9.0, [], [], index=5, status=None),
          Trial(Result(1, a_draw("slow-node", 6), 5), {"jacobi": OfProgram(error="rank 3: killed | by 9")}, "1.0")]


class Scoring(unittest.TestCase):
    def test_answers_are_counted_over_all_runs_and_over_those_that_the_fault_slowed(self) -> None:
        found = score.score(TRIALS)
        self.assertEqual(found[HEALTHY, "jacobi"], score.Count(4, named=2, slowed=3, named_slowed=1, first=1, healthy=2, accused=1,
                                                               references={"nominal": 1, "peers": 1}))
        self.assertEqual(found[OWN, score.ALL], score.Count(4, named=1, slowed=3, named_slowed=1, first=0, healthy=2, accused=0,
                                                            noisy=1, references={"peers": 1}))
        self.assertEqual(found[score.VALIDATE, score.ALL], score.Count(4, named=1, slowed=3, named_slowed=1, first=1, healthy=2,
                                                                       accused=1, noisy=1, references={"peers": 1}))

    def test_a_tenth_more_time_is_slowed_and_so_is_what_does_not_end(self) -> None:
        for program, expected in ((OfProgram(1.09, 1.0), False), (OfProgram(1.1, 1.0), True), (OfProgram(3.0, 0.0), False),
                                  (OfProgram(0.0, 1.0, {}, "killed"), True)):
            self.assertEqual(score.is_slowed(program), expected, program)


class Page(unittest.TestCase):
    def test_the_section_has_a_row_for_each_answer_and_lines_for_what_nobody_named(self) -> None:
        text = "\n\n".join([*report.section(TRIALS), *report.runs(TRIALS)])
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")]
        self.assertEqual([row[:3] for row in rows if row[0].startswith(("compare", "validate")) and row[1] != "program"][-1],
                         ["validate --program", "all", "4"])
        self.assertIn(["1-1", "slow-link node=n3, openmpi, cluster", "jacobi", "1.50", "healthy: storage /shared, own: too noisy to tell"], rows)
        self.assertIn(["1-6", "slow-node node=n3, openmpi, cluster", "jacobi", "did not end", "rank 3: killed / by 9"], rows)
        self.assertIn(["1-3", "healthy, openmpi, cluster", "jacobi: compare, platform of the healthy cluster",
                       "transport between nodes"], rows)
        self.assertIn(["1-4", "healthy, openmpi, cluster", "validate --program", "net.link.rate"], rows)
        for run in ("1-0", "1-2", "1-5"):
            self.assertNotIn(run, [row[0] for row in rows], "it was named, not slowed, or not on")
        for block in text.split("\n\n"):
            if block.startswith("|"):
                self.assertEqual(len({line.count("|") for line in block.splitlines()}), 1, block)

    def test_it_is_part_of_the_page_of_the_blind_evaluation_once_something_was_run(self) -> None:
        self.assertEqual((report.section([TRIALS[5]]), report.runs([TRIALS[5]])), ([], []))
        self.assertTrue(page.generated([], TRIALS).endswith(report.section(TRIALS)[-1]))
        self.assertTrue(runs_page.generated([], [], TRIALS).endswith(report.runs(TRIALS)[-1]))

    def test_the_text_has_the_same_counts(self) -> None:
        self.assertRegex(report.text(TRIALS), r"platform of the healthy cluster +jacobi +4  2 of 4 .* 3  1 of 3 .*nominal 1, peers 1")


if __name__ == "__main__":
    unittest.main()
