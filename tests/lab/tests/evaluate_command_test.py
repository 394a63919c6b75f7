"""What the blind evaluation runs, and what it keeps of a report."""

import contextlib
import json
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from evaluate import results, run
from evaluate.draw import Draw
from evaluate.programs.main import COMMAND as COMMAND_WITH_PROGRAMS
from laboratory.errors import CANNOT_RUN_HERE, LabError


def says(check: str, **more: Any) -> dict[str, Any]:
    return {"id": check, "component": "", "places": [], "cost_s": 1.0, **more}


class Reports(unittest.TestCase):
    def test_the_diagnoses_are_kept_without_what_is_suppressed(self) -> None:
        text = json.dumps({"diagnoses": [says("a.b", evidence=[1]), says("c.d", suppressed_by="x:3")], "checks": []})
        self.assertEqual(results.of_report(text), results.Said([says("a.b")], []))

    def test_observations_are_kept_with_who_has_set_what_they_name(self) -> None:
        origin = {"how": "environment", "file": "UCX_TLS", "line": 0}
        seen = {"id": "a.b", "component": "UCX_TLS", "places": [], "origin": origin}
        text = json.dumps({"diagnoses": [], "observations": [{**seen, "text": "long", "rows": [1], "explained": True}]})
        self.assertEqual(results.of_report(text), results.Said([], [seen]))

    def test_what_is_no_report_is_none(self) -> None:
        for text in ("", "{}", "[]", "null", '{"diagnoses": 3}', '{"diagnoses": [3]}', '{"diagnoses": [{}]}', "Killed",
                     '{"diagnoses": [], "observations": [{}]}', '{"diagnoses": [], "observations": 3}'):
            self.assertIsNone(results.of_report(text), text)
        self.assertEqual(results.of_report('{"diagnoses": []}'), results.Said([], []))


class Commands(unittest.TestCase):
    VALUES = {"plumbline": "/p", "out": "/o o", "hosts": "/h", "per_node": "2", "mpi": "mpich"}

    def test_the_usual_one_is_filled_in_word_by_word(self) -> None:
        where = ["--hosts", "/h", "--per-node", "2"]
        self.assertEqual(run.words(run.COMMAND, self.VALUES, {"{io}": ["--io", "/shared"], "{where}": where}),
                         ["/p", "validate", "-o", "/o o", *where, "--mpi", "mpich", "--io", "/shared", "--quick", "--json"])

    def test_on_the_machine_itself_validate_finds_ranks_and_files_by_itself(self) -> None:
        self.assertEqual(run.words(run.COMMAND, self.VALUES, {}),
                         ["/p", "validate", "-o", "/o o", "--mpi", "mpich", "--quick", "--json"])

    def test_programs_of_a_user_are_words_of_their_own(self) -> None:
        programs = ["--program", "mpirun.mpich -n 8 /p/jacobi"]
        self.assertEqual(run.words(COMMAND_WITH_PROGRAMS, self.VALUES, {"{programs}": programs})[-3:], ["--json", *programs])

    def test_a_run_in_a_laboratory_has_more_time_than_on_the_machine_unless_it_is_told(self) -> None:
        self.assertEqual([run.How(1).seconds(shape) for shape in ("machine", "cluster", "node")], [900, 1800, 1800])
        self.assertEqual([run.How(1, timeout=60).seconds(shape) for shape in ("machine", "cluster")], [60, 60])

    def test_one_that_cannot_be_filled_in_says_what_it_may_have(self) -> None:
        for line in ("x {fault}", "x '", "x {}", "x {0}"):
            with self.assertRaises(LabError, msg=line) as caught:
                run.check_command(run.How(1, line))
            self.assertIn("{per_node}", caught.exception.hint)

    def test_a_plumbline_that_is_not_there_is_said_before_anything_runs(self) -> None:
        with self.assertRaises(LabError) as caught:
            run.check_command(run.How(1, plumbline=Path("/nowhere/plumbline")))
        self.assertIn("/nowhere/plumbline: not built", str(caught.exception))

    def test_a_laboratory_that_cannot_come_up_is_no_result_of_a_run(self) -> None:
        missing = LabError("lab/lab-hold", "not built", "./dev build", CANNOT_RUN_HERE)
        with (mock.patch.object(run.bring_up, "up", side_effect=missing), mock.patch.object(run.down, "remove"),
              mock.patch.object(run, "exclusive", contextlib.nullcontext), self.assertRaises(LabError) as caught):
            run.once(Draw(0, "", "mpich", "cluster", {}), run.How(1))
        self.assertIn("lab/lab-hold: not built\n  ./dev build", str(caught.exception))
        self.assertEqual(caught.exception.status, CANNOT_RUN_HERE)


if __name__ == "__main__":
    unittest.main()
