"""The tests of mpi4py on one rank: mpi4py_results.py TEST_DIRECTORY RESULT_PREFIX [spawn]

Writes what became of each test to RESULT_PREFIX.<rank>.json, also as far as it came before a test that ends the job. All
ranks run the same tests in the same order, as their messages need it. With `spawn` those that start processes, which
ends the job where the launcher cannot do that; else all others.
"""

import json
import sys
import unittest
from pathlib import Path

tests, prefix = sys.argv[1:3]
spawning = sys.argv[3:] == ["spawn"]
sys.path.insert(0, tests)
sys.argv[1:] = []

from mpi4py import MPI  # noqa: E402  (after the path)


class Results(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.of: dict[str, str] = {}

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.of[test.id()] = "passed"

    def addError(self, test: unittest.TestCase, err: object) -> None:
        self.of[test.id()] = f"error: {err[1]}"

    def addFailure(self, test: unittest.TestCase, err: object) -> None:
        self.of[test.id()] = f"failed: {err[1]}"

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self.of[test.id()] = "skipped"

    def addExpectedFailure(self, test: unittest.TestCase, err: object) -> None:
        self.of[test.id()] = "passed"


results = Results()
for path in sorted(Path(tests).glob("test_*.py")):
    if (path.stem == "test_spawn") == spawning:
        unittest.defaultTestLoader.loadTestsFromName(path.stem).run(results)
        Path(f"{prefix}.{MPI.COMM_WORLD.Get_rank()}.json").write_text(json.dumps(results.of, indent=1))
