#!/usr/bin/env python3
"""What `./dev bench build` prints of a small project: what is compiled, how often, and what takes longest."""

import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = {
    # Two sources joined to a batch, one that is compiled twice, one that takes far longer than the others; of all programs
    # one more. The last is compiled as programs of an MPI are, by a command that runs OMPI_CC.
    "CMakeLists.txt": """
        cmake_minimum_required(VERSION 3.25)
        project(small LANGUAGES C CXX)
        add_library(joined STATIC one.cpp two.cpp)
        set_target_properties(joined PROPERTIES UNITY_BUILD ON)
        add_executable(slow slow.cpp shared.c)
        target_link_libraries(slow joined)
        add_executable(other shared.c)
        add_custom_command(OUTPUT ranks COMMAND sh -c "$OMPI_CC -o ranks ${CMAKE_SOURCE_DIR}/shared.c" VERBATIM)
        add_custom_target(demo_programs DEPENDS slow ranks)
        add_custom_target(programs DEPENDS demo_programs other)
        """,
    "CMakePresets.json": """
        {"version": 6, "configurePresets": [{"name": "quick", "generator": "Ninja", "binaryDir": "${sourceDir}/build"}]}
        """,
    "one.cpp": "int one() { return 1; }\n",
    "two.cpp": "int two() { return 2; }\n",
    "shared.c": "#ifndef __cplusplus\nint main(void) { return 0; }\n#endif\n",
    "slow.cpp": "#include <regex>\n#include <map>\nbool slow(const char* s) { return std::regex_match(s, std::regex(s)); }\n",
}


class BuildCost(unittest.TestCase):
    def test_counts_compilations_and_names_the_largest(self):
        with tempfile.TemporaryDirectory() as place:
            for name, text in PROJECT.items():
                Path(place, name).write_text(textwrap.dedent(text))
            done = subprocess.run([HERE / "build_cost.py", place], capture_output=True, text=True, check=False)
            left = sorted(path.name for path in Path(place).iterdir())
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        said = done.stdout.splitlines()
        # slow.cpp, shared.c, the batch of one.cpp and two.cpp, and shared.c by OMPI_CC; then shared.c for `other`.
        self.assertRegex(said[0], r"^demo_programs: \d+\.\d CPU s, \d+\.\d of them in 4 compilations of 5 sources$")
        self.assertRegex(said[1], r"^programs, beside those: \d+\.\d CPU s, \d+\.\d of them in 1 compilations of 1 sources$")
        self.assertEqual(said[2], "largest:")
        self.assertRegex(said[3], r"^ +\d+\.\d s  slow\.cpp \(slow\)$")
        rest = sorted(re.sub(r"^ +\d+\.\d s  ", "", line) for line in said[4:])
        self.assertEqual(rest, ["one.cpp and 1 more (joined)", "shared.c (other)", "shared.c (ranks)", "shared.c (slow)"])
        self.assertEqual(left, sorted(PROJECT), "something is left in the source tree")

    def test_what_cannot_be_built_is_said_with_the_compilers_words(self):
        with tempfile.TemporaryDirectory() as place:
            for name, text in {**PROJECT, "slow.cpp": "#error wrong\n"}.items():
                Path(place, name).write_text(textwrap.dedent(text))
            done = subprocess.run([HERE / "build_cost.py", place], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("demo_programs cannot be built:", done.stderr)
        self.assertIn("#error wrong", done.stderr)

    def test_the_launcher_passes_output_and_status_through(self):
        with tempfile.TemporaryDirectory() as place:
            costs = Path(place, "costs")
            for script, status in (("echo out; echo err >&2; exit 3", 3), ("kill -9 $$", 128 + 9)):
                done = subprocess.run([HERE / "timed_compiler.py", "sh", "-c", script], capture_output=True, text=True,
                                      env={"PATH": "/usr/bin:/bin", "PLUMBLINE_BUILD_COST": str(costs)}, check=False)
                self.assertEqual(done.returncode, status)
            self.assertEqual(len(costs.read_text().splitlines()), 2)


if __name__ == "__main__":
    sys.exit(unittest.main())
