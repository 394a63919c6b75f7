#!/usr/bin/env python3
"""What tests/tidy/tidy.py makes of a clang-tidy that says what the test wants."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WARNED = f"{ROOT}/base/error.cpp:12:3: warning: too long [made-up]"
ELSEWHERE = "/usr/include/c++/12/vector:1:1: warning: not ours [made-up]"
UNKNOWN = f"{ROOT}/base/error.hpp:7:1: error: no such thing [clang-diagnostic-error]"


class Tidy(unittest.TestCase):
    def run_over(self, said: dict[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
        """`said`: by source of the project, what clang-tidy prints of a joined unit with that source."""
        with tempfile.TemporaryDirectory() as directory:
            build = pathlib.Path(directory)
            tool = build / "clang-tidy"
            tool.write_text('#!/bin/sh\nfor last; do :; done\ncat "$last.said"\n')
            tool.chmod(0o755)
            commands = []
            for number, (source, text) in enumerate(said.items()):
                unit = build / f"unit_{number}_cxx.cxx"
                unit.write_text(f'#include "{ROOT}/{source}"\n')
                unit.with_name(unit.name + ".said").write_text(text + "\n")
                commands.append({"directory": directory, "file": str(unit), "command": ""})
            (build / "compile_commands.json").write_text(json.dumps(commands))
            return subprocess.run([sys.executable, HERE / "tidy.py", "--build", directory, *words], text=True,
                                  capture_output=True, check=False,
                                  env=os.environ | {"PATH": f"{directory}:{os.environ['PATH']}"})

    def test_a_warning_of_several_units_is_told_once_and_is_status_1(self):
        done = self.run_over({"base/error.cpp": WARNED, "base/progress.cpp": WARNED}, "--jobs", "2")
        self.assertEqual((done.returncode, done.stdout), (1, "base/error.cpp:12: too long [made-up]\n"), done.stderr)
        self.assertIn("2 units, 1 warnings", done.stderr)

    def test_what_others_wrote_is_not_told(self):
        done = self.run_over({"base/error.cpp": ELSEWHERE})
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_unit_that_cannot_be_read_whole_is_named(self):
        done = self.run_over({"base/error.cpp": UNKNOWN, "base/progress.cpp": ""})
        self.assertEqual((done.returncode, done.stdout), (0, ""), "the fault is clang's")
        self.assertEqual(done.stderr.count("not read whole: "), 1, done.stderr)
        self.assertIn("not read whole: unit_0_cxx.cxx", done.stderr)

    def test_it_is_status_2_where_no_unit_can_be_read(self):
        self.assertEqual(self.run_over({"base/error.cpp": UNKNOWN}).returncode, 2)

    def test_only_the_rooms_that_are_asked_for_are_looked_at(self):
        done = self.run_over({"base/error.cpp": WARNED, "sim/event_queue.cpp": ""}, "sim")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 units, 0 warnings", done.stderr)


if __name__ == "__main__":
    unittest.main()
