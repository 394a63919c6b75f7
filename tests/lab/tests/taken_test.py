"""How much of their time cores are taken away: lab-taken."""

import os
import subprocess
import unittest
from unittest import mock

import program_support
from laboratory import taken
from laboratory.errors import LabError


def setUpModule() -> None:
    program_support.need("lab-taken")


class TheProgram(unittest.TestCase):
    def test_tells_a_share_of_each_core(self) -> None:
        done = program_support.run("lab-taken", "50ms")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([int(line.split()[0]) for line in done.stdout.splitlines()], sorted(os.sched_getaffinity(0)))

    def test_a_program_that_computes_beside_it_takes_a_third_and_more(self) -> None:
        core = min(os.sched_getaffinity(0))
        own = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {core})
        try:
            with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as busy:
                done = program_support.run("lab-taken", "1s")
                busy.kill()
        finally:
            os.sched_setaffinity(0, own)
        share = float(done.stdout.split()[1])
        self.assertGreater(share, 0.3)
        self.assertLess(share, 1)

    def test_says_what_is_wrong_by_its_status(self) -> None:
        for words, status in ((["--help"], 0), ([], 2), (["1"], 2), (["1s", "1s"], 2)):
            self.assertEqual(program_support.run("lab-taken", *words).returncode, status, words)


class TheShare(unittest.TestCase):
    def test_is_the_least_of_cores_and_seconds(self) -> None:
        said = [mock.Mock(returncode=0, stdout=text) for text in ("0 0.06\n1 0.05\n", "0 0.30\n1 0.40\n")]
        with mock.patch.object(subprocess, "run", side_effect=said):
            self.assertEqual(taken.share(), 0.05)
        with mock.patch.object(subprocess, "run", return_value=mock.Mock(returncode=6, stdout="", stderr="")), \
                self.assertRaises(LabError):
            taken.share()


if __name__ == "__main__":
    unittest.main()
