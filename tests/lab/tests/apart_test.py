"""How far two cores are from each other: lab-apart."""

import os
import time
import unittest

import program_support


def setUpModule() -> None:
    program_support.need("lab-apart")


class TheProgram(unittest.TestCase):
    def test_prints_the_nanoseconds_of_a_cache_line(self) -> None:
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            self.skipTest("there is one core")
        done = program_support.run("lab-apart", str(cores[0]), str(cores[1]))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(float(done.stdout), 5)  # some instructions and two ways

    def test_draws_the_cores_together_before(self) -> None:
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            self.skipTest("there is one core")
        begin = time.monotonic()
        done = program_support.run("lab-apart", str(cores[0]), str(cores[1]), "--draw", "0.3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(float(done.stdout), 5)
        self.assertGreater(time.monotonic() - begin, 0.3)

    def test_says_what_is_wrong_by_its_status(self) -> None:
        for words, status in ((["--help"], 0), ([], 2), (["0"], 2), (["0", "1", "--drag", "1"], 2), (["0", "1023"], 6), (["1023", "0"], 6)):
            done = program_support.run("lab-apart", *words)
            self.assertEqual(done.returncode, status, words)


if __name__ == "__main__":
    unittest.main()
