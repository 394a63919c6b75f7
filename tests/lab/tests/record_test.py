"""plumbline record over several nodes: each rank's spool lies on its own node until it is brought to the archive."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from core_support import lab, need, need_root
from laboratory import paths
from laboratory.plan import Options

PLUMBLINE = paths.build_directory() / "bin" / "plumbline"


class Record(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        need_root()
        need(Options(servers=0))
        if not PLUMBLINE.exists():
            raise unittest.SkipTest(f"{PLUMBLINE} is not built")
        done = lab("up", "--nodes", "3", "--servers", "0")
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")

    def record(self, flavour: str, directory: str, *options: str) -> "subprocess.CompletedProcess[str]":
        """With a temporary directory that is another one on each node."""
        private = paths.state_directory() / "tmp"
        archive = Path(directory) / "observed"
        return lab("run", "--timeout", "60", "--", "env", f"TMPDIR={private}", str(PLUMBLINE), "record",
                   "-o", str(archive), *options, "--", f"mpirun.{flavour}", *(["-x", "TMPDIR"] if flavour == "openmpi" else []),
                   str(paths.build_directory() / "bin" / "examples" / f"ring-{flavour}"))

    def flavours(self) -> list[str]:
        return [flavour for flavour in ("openmpi", "mpich") if shutil.which(f"mpirun.{flavour}")]

    def test_brings_the_spools_of_all_nodes_to_the_archive(self) -> None:
        for flavour in self.flavours():
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                done = self.record(flavour, directory)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("3 ranks", done.stderr)
                self.assertEqual(os.listdir(directory), ["observed"], "gathered spools are removed in the end")
                info = subprocess.run([PLUMBLINE, "info", Path(directory) / "observed"], text=True, capture_output=True,
                                      check=True)
                self.assertIn("3 ranks on 3 nodes", info.stdout)

    def test_starts_no_rank_on_a_node_that_does_not_see_where_spools_are_gathered(self) -> None:
        for flavour in self.flavours():
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                private = paths.state_directory() / "tmp" / "spools"  # there on the first node only
                lab("run", "--on", "n0", "--", "mkdir", "-p", str(private))
                done = self.record(flavour, directory, "--gather", str(private))
                self.assertNotIn(done.returncode, (0, 124), "the job neither ran nor waited for the missing ranks")
                self.assertIn("is no directory", done.stderr + done.stdout)


if __name__ == "__main__":
    unittest.main()
