"""The command under a launcher of MPI over several nodes: one process on each, as a job script of a cluster starts it."""

import filecmp
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from core_support import PLUMBLINE, lab, up_for_plumbline
from laboratory import paths
from laboratory.plan import Options

JACOBI = paths.ROOT / "examples" / "jacobi1d"
NODES = 3
FLAVOURS = [flavour for flavour in ("openmpi", "mpich") if shutil.which(f"mpirun.{flavour}")]
PLATFORM = f"""<platform version="1" name="made up">
 <nodes name="n0-n{NODES - 1}" cores="1" memory-rate="2GB/s" interface-rate="100MB/s"/>
 <star members="n0-n{NODES - 1}" latency="5us" rate="100MB/s" switch-rate="1GB/s"/>
 <inside><range protocol="eager" send="1us" receive="1us" latency="1us"/></inside>
 <between><range protocol="eager" send="2us" receive="2us" latency="1us"/></between>
</platform>
"""


def entries(directory: Path) -> list[Path]:
    """What lies below it, by relative path."""
    return sorted(path.relative_to(directory) for path in directory.rglob("*") if path.is_file())


class OverNodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        if not FLAVOURS:
            raise unittest.SkipTest("no launcher of MPI is installed")
        up_for_plumbline(Options(servers=0), "--nodes", str(NODES), "--servers", "0")

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")

    def launched(self, flavour: str, directory: str, *words: str) -> "subprocess.CompletedProcess[str]":
        """One process on each node."""
        done = lab("run", "--timeout", "60", "--", f"mpirun.{flavour}", str(PLUMBLINE), *words, cwd=directory)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def alone(self, directory: str, *words: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run([PLUMBLINE, *words], cwd=directory, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def record(self, flavour: str, directory: str) -> None:
        ring = paths.build_directory() / "bin" / "examples" / f"ring-{flavour}"
        done = lab("run", "--timeout", "60", "--", str(PLUMBLINE), "record", "-o", "observed", "--spool", "spools", "--",
                   f"mpirun.{flavour}", str(ring), cwd=directory)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        Path(directory, "platform.xml").write_text(PLATFORM)

    def test_the_processes_of_all_nodes_assemble_the_same_archive(self) -> None:
        for flavour in FLAVOURS:
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                self.record(flavour, directory)
                said = self.launched(flavour, directory, "assemble", "spools", "-o", "shared").stderr
                self.assertEqual(said.count(f"{NODES} ranks"), 1, said)
                self.alone(directory, "assemble", "spools", "-o", "alone")
                shared, alone = Path(directory, "shared"), Path(directory, "alone")
                self.assertEqual(entries(shared), entries(alone))
                for entry in entries(alone):
                    self.assertTrue(filecmp.cmp(shared / entry, alone / entry, shallow=False), entry)

    def test_replays_and_predictions_are_the_same_as_of_one_process(self) -> None:
        model = [str(JACOBI / "jacobi1d.c"), "-p", str(JACOBI / "made-up.xml"), "-n", "2,4", "--set", "iterations=10"]
        for flavour in FLAVOURS:
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                self.record(flavour, directory)
                for words in (["replay", "observed", "-p", "platform.xml", "--samples", "7"],
                              ["replay", "observed", "-p", "platform.xml", "--sweep", "node.n0.interface-rate=1MB/s,9MB/s"],
                              ["compare", "observed", "observed"], ["predict", *model, "--seeds", "7"]):
                    shared = self.launched(flavour, directory, *words)
                    self.assertEqual(shared.stdout, self.alone(directory, *words).stdout, words)

    def test_a_process_that_does_not_see_the_recording_ends_the_job_with_one_message(self) -> None:
        private = paths.state_directory() / "tmp"  # another one on each node
        for flavour in FLAVOURS:
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                self.record(flavour, directory)
                copied = lab("run", "--on", "n0", "--", "cp", "-r", os.path.join(directory, "spools"), f"{private}/{flavour}")
                self.assertEqual(copied.returncode, 0, copied.stderr)
                done = lab("run", "--timeout", "60", "--", f"mpirun.{flavour}", str(PLUMBLINE), "assemble",
                           f"{private}/{flavour}", "-o", f"{directory}/again", cwd=directory)
                self.assertNotIn(done.returncode, (0, 124), done.stdout + done.stderr)
                self.assertEqual(done.stderr.count("plumbline: "), 1, done.stderr)
                self.assertFalse(Path(directory, "again").exists())


if __name__ == "__main__":
    unittest.main()
