"""Sittings of real programs under faults, with stand-ins for the laboratory and for plumbline: what is begun, and going on."""

import json
import tempfile
import unittest
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest import mock

from evaluate.draw import Draw
from evaluate.programs import main
from evaluate.programs.store import Store
from evaluate.results import Result
from laboratory.errors import LabError


class Sittings(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.kept = Store(self.directory / "kept")
        self.begun: list[str] = []
        self.fails = False
        for where, name, instead in (
                (main.run, "once", self.once), (main.run, "check_command", lambda _: None), (main, "_plumbline", self.verb),
                (main.listed, "check_built", lambda *_: None), (main.bring_up, "require_none", lambda _: None),
                (main, "say", lambda _: None), (main, "_version", lambda _: "1.0"), (main.signal, "signal", lambda *_: None)):
            patch = mock.patch.object(where, name, instead)
            patch.start()
            self.addCleanup(patch.stop)

    def once(self, each: Draw, how: Any, taken: Any) -> Result:
        if self.fails:
            raise LabError("switch", "is not ready", "", 70)
        self.begun.append("healthy" if each.index < 0 else str(each.index))
        self.words = how.programs(each.mpi, 8, Path("/shared"))
        out = self.directory / "out"
        (out / "suite" / "observed").mkdir(parents=True, exist_ok=True)
        (out / "platform.xml").write_text("<platform/>")
        entry = {"name": "program-1", "archive": "suite/observed", "observed_s": 2.0, "again_s": [], "fault": ""}
        (out / "report.json").write_text(json.dumps({"platform": "platform.xml", "suite": [entry]}))
        taken(out)
        return Result(how.seed, each, 0, 600.0, reported=True)

    def verb(self, _program: Path, words: list[str]) -> "CompletedProcess[str]":
        if words[0] == "compare":
            Path(words[4]).write_text('{"findings": []}')
        return CompletedProcess(words, 0, "", "")

    def evaluate(self, *words: str) -> list[str]:
        """What was begun."""
        self.begun = []
        with mock.patch("builtins.print"):
            main.main(["--directory", str(self.kept.directory), "--program", "jacobi", "--mpi", "openmpi", *words])
        return self.begun

    def test_a_healthy_cluster_is_measured_first_and_only_once_and_the_same_again_goes_on(self) -> None:
        self.assertEqual(self.evaluate("--runs", "2"), ["healthy", "0", "1"])
        self.assertEqual(self.evaluate("--runs", "4"), ["2", "3"])
        self.assertEqual(self.evaluate("--runs", "4"), [])
        self.assertEqual([trial.validated.name for trial in self.kept.trials()], ["1-0", "1-1", "1-2", "1-3"])
        self.assertEqual((self.words[0], self.words[1].split()[:3]), ("--program", ["mpirun.openmpi", "-n", "8"]))

    def test_each_library_has_a_healthy_cluster_of_its_own(self) -> None:
        self.assertEqual(self.evaluate("--runs", "8", "--mpi", "both").count("healthy"), 2)

    def test_nothing_is_begun_when_the_time_is_over(self) -> None:
        with mock.patch("time.monotonic", side_effect=[0.0, 30.0, 59.0, 61.0]):
            self.assertEqual(self.evaluate("--runs", "5", "--minutes", "1"), ["healthy", "0"])

    def test_a_replay_needs_no_laboratory_and_again_replays_all(self) -> None:
        self.evaluate("--runs", "2")
        self.assertEqual(self.evaluate("--runs", "9", "--replay"), [])
        self.assertEqual(len(self.kept.results.read_text().splitlines()), 2)
        self.evaluate("--runs", "9", "--replay", "--again")
        self.assertEqual((len(self.kept.results.read_text().splitlines()), len(self.kept.trials())), (4, 2))

    def test_a_laboratory_that_does_not_come_up_leaves_nothing_and_three_in_a_row_end_it(self) -> None:
        self.evaluate("--runs", "1")
        self.fails = True
        with mock.patch("sys.stderr"), self.assertRaises(LabError):
            self.evaluate("--runs", "5")
        self.fails = False
        self.assertEqual(self.evaluate("--runs", "3"), ["1", "2"])

    def test_a_healthy_cluster_that_lacks_a_program_is_not_gone_on_with(self) -> None:
        self.evaluate("--runs", "1")
        with self.assertRaises(LabError) as caught:
            self.evaluate("--runs", "2", "--program", "sort")
        self.assertIn("has no sort/observed", str(caught.exception))

    def test_a_fault_that_no_comparison_can_name_is_refused(self) -> None:
        with self.assertRaises(LabError) as caught:
            self.evaluate("--fault", "busy-core")
        self.assertEqual(caught.exception.where, "--fault")


if __name__ == "__main__":
    unittest.main()
