#!/usr/bin/env python3
"""When `./dev bench gate` fails, and when it says that it cannot compare. Valgrind and the workloads are stand-ins."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GATE = Path(__file__).resolve().parent / "gate.py"
PACKETS, LOGGP, FILES = ("halo exchange of 256 ranks, packets", "halo exchange of 256 ranks, LogGP",
                         "collective write of 128 ranks in two phases")
VALGRIND = """#!/bin/sh
[ "$1" = --version ] && { echo valgrind-3.19.0; exit; }
while [ "${1#-}" != "$1" ]; do shift; done
case "$*" in
  *fat-tree*) n=$PACKETS ;;
  *loggp*) n=$LOGGP ;;
  *) n=$FILES ;;
esac
"$@" || exit
echo "==1== I   refs:      $n" >&2
"""
CACHE = """CMAKE_BUILD_TYPE:STRING=RelWithDebInfo
CMAKE_CXX_COMPILER:FILEPATH={compiler}
CMAKE_CXX_FLAGS:STRING=
CMAKE_CXX_FLAGS_RELWITHDEBINFO:STRING=-O2 -g1
"""


class Gate(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        for name in ("build/bin", "path"):
            (self.place / name).mkdir(parents=True)
        self.script("path/valgrind", VALGRIND)
        self.script("path/c++", "#!/bin/sh\necho 'c++ 12.2.0'\n")
        for name in ("halo", "replay_file", "two_phase"):
            self.script(f"build/bin/{name}", "#!/bin/sh\n")
        for name in ("sh", "python3", "env"):
            (self.place / "path" / name).symlink_to(shutil.which(name))
        (self.place / "build/CMakeCache.txt").write_text(CACHE.format(compiler=self.place / "path/c++"))
        self.file = self.place / "instructions.json"

    def script(self, name, text):
        (self.place / name).write_text(text)
        (self.place / name).chmod(0o755)

    def gate(self, *options, packets="1,000,000", loggp="2,000,000", files="3,000,000"):
        figures = {"PACKETS": packets, "LOGGP": loggp, "FILES": files, "PATH": str(self.place / "path"),
                   "TMPDIR": os.environ.get("TMPDIR", "/tmp")}
        return subprocess.run([sys.executable, GATE, self.place / "build", "--file", self.file, *options],
                              env=figures, capture_output=True, text=True, check=False)

    def test_passes_below_ten_percent_more_and_fails_from_there_on(self):
        self.assertEqual(self.gate("--write").returncode, 0)
        self.assertEqual(json.loads(self.file.read_text())["instructions"],
                         {PACKETS: 1_000_000, LOGGP: 2_000_000, FILES: 3_000_000})
        for loggp, status in (("2,000,000", 0), ("2,199,999", 0), ("2,200,001", 1), ("1,000", 0)):
            with self.subTest(loggp):
                self.assertEqual(self.gate(loggp=loggp).returncode, status)

    def test_names_what_became_slower_and_shows_every_figure(self):
        self.gate("--write")
        done = self.gate(packets="1,250,000", files="2,400,000")
        self.assertIn(f"10% more, or beyond: {PACKETS}.", done.stderr)
        self.assertEqual([line.strip() for line in done.stdout.splitlines()[1:]], [
            f"{PACKETS}: 1.2 million, before 1.0: +25.0%", f"{LOGGP}: 2.0 million, before 2.0: +0.0%",
            f"{FILES}: 2.4 million, before 3.0: -20.0%"])

    def test_compares_nothing_with_figures_of_another_compiler_counter_or_option(self):
        self.gate("--write")
        for key, value in (("compiler", "c++ 13.1.0"), ("counter", "valgrind-3.20.0"), ("options", "-O3"),
                           ("processor", "riscv64")):
            with self.subTest(key):
                known = json.loads(self.file.read_text())
                kept, known["conditions"][key] = known["conditions"][key], value
                self.file.write_text(json.dumps(known))
                done = self.gate(packets="9,000,000")
                self.assertEqual((done.returncode, done.stdout), (4, ""))
                self.assertIn(f"Here: {key} {kept!r}, not {value!r}", done.stderr)
                known["conditions"][key] = kept
                self.file.write_text(json.dumps(known))

    def test_says_where_it_cannot_count(self):
        self.gate("--write")
        (self.place / "path/valgrind").unlink()
        done = self.gate()
        self.assertEqual((done.returncode, done.stdout), (6, ""))
        self.assertEqual(done.stderr, "Instructions cannot be counted here: valgrind is not installed (Debian: valgrind)\n")
        self.script("path/valgrind", "#!/bin/sh\necho valgrind-3.19.0\n")
        self.assertEqual(self.gate().returncode, 6)

    def test_a_missing_or_broken_file_and_a_workload_that_fails_are_told(self):
        self.assertEqual(self.gate().returncode, 3)
        self.file.write_text('{"release": "1"}')
        self.assertIn('cannot be read: it has no "conditions"', self.gate().stderr)
        self.gate("--write")
        self.script("build/bin/two_phase", "#!/bin/sh\necho broken >&2; exit 9\n")
        done = self.gate()
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, rf"(?s){FILES} fails with status 9: .*broken")


if __name__ == "__main__":
    sys.exit(unittest.main())
