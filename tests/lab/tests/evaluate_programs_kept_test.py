"""What is kept of validations with real programs, and how it is replayed: with a stand-in for plumbline."""

import json
import tempfile
import unittest
from pathlib import Path
from subprocess import CompletedProcess

from evaluate.draw import Draw
from evaluate.programs import replayed, store
from evaluate.programs.store import HEALTHY, OWN, OfProgram, Said, Store, Trial
from evaluate.results import Result
from laboratory.errors import LabError

DRAW = Draw(0, "slow-link", "openmpi", "cluster", {"node": "n3"})
LINK = {"component": "rank 3 on node n3", "reference": "peers", "title": "slow", "cost_s": 1.0, "share": 0.1}
BETWEEN = {**LINK, "component": "transport between nodes", "reference": "nominal"}
RATE = {"id": "net.link.rate", "component": "link n3-s0", "places": ["n3"], "reference": "peers"}


class OfValidations(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.kept = Store(self.directory / "kept")

    def validation(self, archives: dict[str, str], platform: bool = True) -> Path:
        """What `validate` writes; `archives`: by the number of a program, "" where it failed."""
        out = self.directory / "out"
        entries = [{"name": "messages", "archive": "suite/openmpi/messages/observed", "observed_s": 5.0, "again_s": [], "fault": ""}]
        for number, archive in archives.items():
            if archive:
                (out / archive).mkdir(parents=True)
                (out / archive / "traces.otf2").write_text(f"of program {number}")
            entries.append({"name": f"program-{number}", "archive": archive, "observed_s": 2.0 if archive else 0.0,
                            "again_s": [4.0, 3.0] if archive else [], "fault": "" if archive else "rank 3: killed"})
        out.mkdir(exist_ok=True)
        if platform:
            (out / "platform-openmpi.xml").write_text("<platform/>")
        (out / "report.json").write_text(json.dumps({"platform": "platform-openmpi.xml" if platform else "", "suite": entries}))
        return out


class Kept(OfValidations):
    def test_recordings_are_kept_under_the_names_of_programs_with_the_platform(self) -> None:
        target = self.kept.run(1, DRAW)
        store.keep(self.validation({"1": "suite/openmpi/program-1/observed", "2": ""}), ["jacobi", "sort"], target)
        self.assertEqual((target / "jacobi" / "observed" / "traces.otf2").read_text(), "of program 1")
        self.assertTrue((target / "platform.xml").is_file())
        self.assertFalse((target / "sort" / "observed").exists())
        self.assertEqual(json.loads((target / "sort" / "facts.json").read_text())["fault"], "rank 3: killed")
        self.assertEqual([path.name for path in target.parent.iterdir()], ["1-0"])

    def test_a_command_that_writes_no_report_is_told_what_it_must_do(self) -> None:
        with self.assertRaises(LabError) as caught:
            store.keep(self.directory, ["jacobi"], self.kept.run(1, DRAW))
        self.assertEqual((caught.exception.where, caught.exception.status), ("--command", 2))

    def test_a_healthy_run_must_be_whole_and_says_what_is_missing(self) -> None:
        target = self.kept.healthy("openmpi")
        store.keep(self.validation({"1": "suite/openmpi/program-1/observed", "2": ""}, platform=False), ["jacobi", "sort"], target)
        with self.assertRaises(LabError) as caught:
            store.check_whole(target, ["jacobi", "sort"])
        self.assertEqual(caught.exception.what, "has no platform.xml, sort/observed")

    def test_what_was_written_is_read_as_it_was_and_the_last_of_a_run_counts(self) -> None:
        first = Trial(Result(1, DRAW, 1, 600.0, [RATE]), {"jacobi": OfProgram(2.0, 1.0, {HEALTHY: Said(1, [LINK])})}, "1.0")
        again = Trial(first.validated, {"jacobi": OfProgram(2.0, 1.0, {OWN: Said(0, [])})}, "1.1")
        for trial in (first, again):
            self.kept.add(trial)
        self.assertEqual(self.kept.trials(), [again])


class Replayed(OfValidations):
    def run_verb(self, words: list[str]) -> "CompletedProcess[str]":
        """Stands in for plumbline: on the healthy platform the link is slow."""
        self.said.append(words)
        if words[0] == "replay":
            Path(words[5]).write_text(words[3])
        else:
            healthy = "healthy" in Path(words[2]).read_text()
            findings = [{**LINK, "withheld": "", "rows": []}, {**BETWEEN, "withheld": "too few"}] if healthy else []
            Path(words[4]).write_text(json.dumps({"findings": findings}))
        return CompletedProcess(words, self.status.get(words[0], 0), "", "why")

    def setUp(self) -> None:
        super().setUp()
        self.said: list[list[str]] = []
        self.status: dict[str, int] = {"compare": 1}

    def trial(self, archives: dict[str, str], platform: bool = True) -> Trial:
        store.keep(self.validation({"1": "suite/openmpi/program-1/observed"}), ["jacobi"], self.kept.healthy("openmpi"))
        (self.kept.healthy("openmpi") / "jacobi" / "facts.json").write_text(
            json.dumps({"observed_s": 1.5, "again_s": [], "fault": ""}))
        for path in sorted((self.directory / "out").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        store.keep(self.validation(archives, platform), ["jacobi", "sort"][:len(archives)], self.kept.run(1, DRAW))
        return replayed.trial(self.kept, Result(1, DRAW, 1), ["jacobi", "sort"], self.run_verb, "1.0")

    def test_each_program_is_held_against_both_platforms_and_what_is_withheld_is_left_out(self) -> None:
        found = self.trial({"1": "suite/openmpi/program-1/observed"}).programs
        self.assertEqual(found, {"jacobi": OfProgram(3.0, 1.5, {HEALTHY: Said(1, [LINK]), OWN: Said(1, [])})})
        self.assertEqual([words[0] for words in self.said], ["replay", "compare"] * 2)

    def test_a_program_that_failed_and_a_platform_that_could_not_be_made_are_answers_too(self) -> None:
        found = self.trial({"1": "suite/openmpi/program-1/observed", "2": ""}, platform=False).programs
        self.assertEqual(found["sort"], OfProgram(0.0, 0.0, {}, "rank 3: killed"))
        self.assertEqual(found["jacobi"].said, {HEALTHY: Said(1, [LINK])})

    def test_a_run_without_a_report_has_recorded_no_program(self) -> None:
        found = replayed.trial(self.kept, Result(1, DRAW, 124, error="ended after 1800 s"), ["jacobi"], self.run_verb, "1.0")
        self.assertEqual(found.programs, {"jacobi": OfProgram(error="ended after 1800 s")})

    def test_too_noisy_is_an_answer_and_what_cannot_be_replayed_is_an_error(self) -> None:
        self.status = {"compare": 5}
        self.assertEqual(self.trial({"1": "suite/openmpi/program-1/observed"}).programs["jacobi"].said[OWN].status, 5)
        self.status = {"replay": 3}
        with self.assertRaises(LabError) as caught:
            replayed.trial(self.kept, Result(1, DRAW, 1), ["jacobi"], self.run_verb, "1.0")
        self.assertIn("status 3: why", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
