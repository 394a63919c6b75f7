"""The blind evaluation in real laboratories, and on the machine itself, with stand-ins for validate (evaluate_fake.py,
evaluate_fake_machine.py) that know two faults each."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

from core_support import LAB, lab, left, need, need_root
from evaluate import results
from laboratory.fault_table import FAULTS
from laboratory.plan import Options

FAKE = Path(__file__).with_name("evaluate_fake.py")
COMMAND = f"{sys.executable} {FAKE} {{out}} {{hosts}} {{per_node}} {{mpi}}"
ON_MACHINE = f"{sys.executable} {Path(__file__).with_name('evaluate_fake_machine.py')} {{out}} {{mpi}} {{where}} {{io}}"
FLAVOURS = [flavour for flavour in ("openmpi", "mpich") if shutil.which(f"mpirun.{flavour}")]


def setUpModule() -> None:
    need_root()
    need(Options())
    if not FLAVOURS:
        raise unittest.SkipTest("neither mpirun.openmpi nor mpirun.mpich is installed")


class Evaluation(unittest.TestCase):
    def setUp(self) -> None:
        lab("down")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path, self.log = Path(directory.name) / "results.jsonl", Path(directory.name) / "seen.jsonl"
        self.environment = {**os.environ, "PLUMBLINE_EVALUATE_SEEN": str(self.log)}

    def arguments(self, *words: str) -> list[str]:
        mpi = ["--mpi", FLAVOURS[0]] if len(FLAVOURS) == 1 else []
        return ["evaluate", "--results", str(self.path), "--command", COMMAND, "--timeout", "100", *mpi, *words]

    def evaluate(self, *words: str) -> str:
        done = lab(*self.arguments(*words), env=self.environment, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def seen(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def test_faults_are_brought_on_and_found_without_a_word_about_them(self) -> None:
        faults = ("--fault", "mtu-mismatch", "--fault", "hints-file", "--healthy", "50%", "--pairs", "0", "--shape",
                  "cluster")
        text = self.evaluate("--runs", "4", *faults)
        text = self.evaluate("--runs", str(4 * len(FLAVOURS)), *faults)  # goes on
        runs = results.read(self.path)
        self.assertEqual([each.draw.index for each in runs], list(range(4 * len(FLAVOURS))))
        self.assertEqual(len(self.seen()), len(runs), "no run was made twice")
        for result, seen in zip(runs, self.seen()):
            with self.subTest(result.draw.text()):
                self.assertEqual(result.status, 1 if result.draw.fault else 0, seen["error"])
                self.assertEqual((len(seen["rows"]), seen["mpi"]), (8, result.draw.mpi))
                self.assertTrue(all("liblab_wait.so" in row[3] for row in seen["rows"]), seen["rows"])
                words = " ".join([*seen["arguments"], *seen["environment"]]).lower()
                self.assertEqual([name for name in FAULTS if name in words], [])
        self.assertRegex(text, rf"mtu-mismatch +{len(FLAVOURS)}  100.0 %.*100.0 %")
        self.assertIn(f"healthy runs with a finding: 0 of {2 * len(FLAVOURS)}", text)
        self.assertEqual(lab("evaluate", "--results", str(self.path), "--table").stdout, text)
        self.assertEqual(left(), {})

    def test_a_fault_of_one_node_has_a_laboratory_of_one_node_with_two_ranks(self) -> None:
        self.evaluate("--runs", "1", "--fault", "tcp-only", "--healthy", "0", "--shape", "node")
        (seen,) = self.seen()
        self.assertEqual((seen["nodes"], seen["per_node"], len(seen["rows"])), (["n0"], "2", 2))
        self.assertEqual({int(row[4]) for row in seen["rows"]}, {len(os.sched_getaffinity(0))})

    def test_on_the_machine_itself_there_is_no_laboratory_and_no_word_about_the_fault(self) -> None:
        chosen = ["--command", ON_MACHINE, "--shape", "machine", "--fault", "small-shm", "--fault", "no-collective-buffering",
                  "--fault", "sync-mount", "--healthy", "40%", "--pairs", "0", "--keep", str(self.path.with_name("kept"))]
        count = 5 * len(FLAVOURS)  # one block: each fault and two healthy runs under each library
        text = self.evaluate("--runs", str(count), *chosen)
        runs = results.read(self.path)
        for result, seen in zip(runs, self.seen()):
            with self.subTest(result.draw.text()):
                self.assertEqual(result.status, 1 if result.draw.fault == "small-shm" else 0, result.error)
                self.assertEqual((seen["mpi"], seen["empty"]), (result.draw.mpi, True))
                self.assertEqual(seen["words"][1:2], ["--io"] if result.draw.fault == "sync-mount" else [])
                words = " ".join([*seen["words"], *seen["environment"], seen["directory"]]).lower()
                self.assertEqual([name for name in chosen[5:11:2] if name in words], [])
                self.assertTrue(self.path.with_name("kept").joinpath(f"{result.name}.json").exists())
        self.assertRegex(text, rf"small-shm \(machine\) +{len(FLAVOURS)} +100.0 %.* 100.0 %.*witness {len(FLAVOURS)}")
        self.assertRegex(text, rf"no-collective-buffering \(machine\) +{len(FLAVOURS)} +100.0 %.*observation {len(FLAVOURS)}")
        self.assertRegex(text, rf"sync-mount \(machine\) +{len(FLAVOURS)} +0.0 %.* 0.0 %")
        self.assertEqual((len(runs), left()), (count, {}))
        every = self.path.with_name("runs.md")
        done = lab("evaluate", "report", "--results", str(self.path), "--page", str(self.path.with_name("page.md")),
                   "--every", str(every), "--programs", str(self.path.with_name("none")), "--accuracy",
                   str(self.path.with_name("none")), "--published", str(self.path.with_name("published.jsonl")))
        self.assertEqual((done.returncode, done.stdout), (0, text), done.stderr)
        self.assertEqual(every.read_text().count("sync-mount mode=sync"), len(FLAVOURS))

    def test_two_faults_of_the_machine_are_brought_on_at_once(self) -> None:
        if "openmpi" not in FLAVOURS:
            self.skipTest("MPICH starts no program with so little shared memory")
        text = self.evaluate("--runs", "12", "--command", ON_MACHINE, "--shape", "machine", "--mpi", "openmpi", "--fault",
                             "small-shm", "--fault", "sync-mount", "--healthy", "0", "--pairs", "70%")
        pairs = [(result, seen) for result, seen in zip(results.read(self.path), self.seen(), strict=True) if result.draw.second]
        self.assertGreater(len(pairs), 3)
        for result, seen in pairs:
            self.assertEqual([each["id"] for each in result.diagnoses], ["node.shm.size"], result.draw.text())
            self.assertEqual(seen["words"][1], "--io", result.draw.text())
        self.assertRegex(text, rf"two faults at once, both found: 0 of {len(pairs)} ")
        self.assertRegex(text, rf"two faults at once, one of them: {len(pairs)} of {len(pairs)} ")
        self.assertEqual(left(), {})

    def test_an_interrupt_on_the_machine_leaves_no_control_group_and_no_half_of_a_run(self) -> None:
        process = subprocess.Popen([sys.executable, str(LAB), *self.arguments("--runs", "1")[:3], "--command", "sleep 62",
                                    "--healthy", "0", "--shape", "machine", "--fault", "cpu-quota"],
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(600):
            if subprocess.run(["pgrep", "-f", "^sleep 62"], capture_output=True, check=False).returncode == 0:
                break
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 128 + signal.SIGTERM)
        self.assertEqual((left(), results.read(self.path)), ({}, []))

    def test_a_command_that_prints_no_report_is_a_run_that_failed(self) -> None:
        done = lab("evaluate", "--results", str(self.path), "--runs", "1", "--healthy", "100%",
                   "--shape", "cluster", "--command", "sh -c 'echo sorry >&2; exit 4'", timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        (result,) = results.read(self.path)
        self.assertEqual((result.status, result.reported, result.error), (4, False, "sorry"))
        self.assertIn("ended with another status than 0, 1 and 5: 1 of 1", done.stdout)

    def test_a_laboratory_that_is_up_is_left_alone(self) -> None:
        self.assertEqual(lab("up", "--nodes", "1", "--servers", "0").returncode, 0)
        self.addCleanup(lab, "down")
        done = lab(*self.arguments("--runs", "1"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("a laboratory is up", done.stderr)

    def test_an_interrupt_leaves_no_laboratory_and_no_half_of_a_run(self) -> None:
        process = subprocess.Popen([sys.executable, str(LAB), *self.arguments("--runs", "1")[:3], "--command", "sleep 62",
                                    "--healthy", "100%", "--shape", "cluster"], stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(600):
            if subprocess.run(["pgrep", "-f", "^sleep 62"], capture_output=True, check=False).returncode == 0:
                break
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        self.assertEqual((left(), results.read(self.path)), ({}, []))


if __name__ == "__main__":
    unittest.main()
