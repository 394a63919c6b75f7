#!/usr/bin/env python3
"""Runs one file of tests. Status 77, for ctest a skip, when none of them could run here; the reasons are printed."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent
SKIPPED = 77


def main() -> int:
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern=sys.argv[1])
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    if not result.wasSuccessful():
        return 1
    return SKIPPED if result.testsRun == len(result.skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
