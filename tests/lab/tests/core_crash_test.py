"""Whatever dies at whatever moment: the next `lab down` or `lab up` finds what is left and removes it."""

import os
import random
import signal
import subprocess
import sys
import time
import unittest

from core_support import LAB, lab, left, need, need_root, status
from laboratory import cgroups, paths
from laboratory.plan import Laboratory, Options

FULL = Options(nodes=4, servers=2)
SHAPE = ("--nodes", "4", "--servers", "2")


class AfterACrash(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        need_root()
        need(FULL)

    def tearDown(self) -> None:
        lab("down")
        self.assertEqual(left(), {})

    def up(self) -> Laboratory:
        done = lab("up", *SHAPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = Laboratory.load()
        assert found is not None
        return found

    def test_up_killed_at_any_moment_leaves_nothing_that_down_does_not_remove(self) -> None:
        started = time.monotonic()
        self.up()
        whole = time.monotonic() - started
        lab("down")
        chance = random.Random(3)
        for attempt in range(12):
            moment = whole * chance.random()
            with self.subTest(f"attempt {attempt}: killed after {moment:.3f} s"):
                process = subprocess.Popen([sys.executable, str(LAB), "up", *SHAPE], stderr=subprocess.DEVNULL,
                                           stdout=subprocess.DEVNULL)
                time.sleep(moment)
                process.kill()
                process.wait()
                done = lab("down")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(left(), {})

    def test_up_killed_at_any_moment_does_not_hinder_the_next_up(self) -> None:
        for moment in (0.25, 0.4, 0.6):
            process = subprocess.Popen([sys.executable, str(LAB), "up", *SHAPE], stderr=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL)
            time.sleep(moment)
            process.kill()
            process.wait()
            self.up()
            self.assertTrue(status()["up"])

    def test_up_that_is_interrupted_or_terminated_removes_what_it_made(self) -> None:
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = subprocess.Popen([sys.executable, str(LAB), "up", *SHAPE], stderr=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL)
            while not (paths.state_directory() / "state.json").exists():
                time.sleep(0.002)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=20), code)
            self.assertEqual(left(), {})

    def test_a_supervisor_without_a_state_file_is_found(self) -> None:
        self.up()
        (paths.state_directory() / "state.json").unlink()
        self.assertIn("one is left over", lab("status").stdout)
        self.assertEqual(lab("down").stdout, "laboratory removed\n")

    def test_a_state_file_without_a_supervisor_is_said_and_removed(self) -> None:
        os.kill(self.up().supervisor, signal.SIGKILL)
        time.sleep(0.5)
        self.assertIn("has died", lab("status").stdout)
        done = lab("run", "--", "true")
        self.assertEqual(done.returncode, 3)
        self.assertIn("it has died", done.stderr)
        self.assertEqual(lab("down").stdout, "laboratory removed\n")

    def test_a_broken_state_file_does_not_hinder_down(self) -> None:
        self.up()
        (paths.state_directory() / "state.json").write_text("{")
        self.assertEqual(lab("status").returncode, 70)
        self.assertEqual(lab("down").returncode, 0)

    def test_control_groups_that_were_left_are_removed(self) -> None:
        for place in set(cgroups.hierarchies().values()):
            (place / f"{paths.NAME}-0-s9").mkdir()
        self.assertEqual(lab("down").stdout, "laboratory removed\n")
        self.assertEqual(cgroups.left_over(), [])

    def test_the_end_of_the_supervisor_ends_every_process_of_the_laboratory(self) -> None:
        state = self.up()
        members = [state.switch_pid, *(node.pid for node in state.nodes)]
        members += [server.brick_pid for server in state.servers]
        self.assertTrue(all(os.path.exists(f"/proc/{pid}") for pid in members))
        lab("down")
        self.assertFalse(any(os.path.exists(f"/proc/{pid}") for pid in members))
