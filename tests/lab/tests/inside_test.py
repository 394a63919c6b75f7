"""Collectives over the laboratory's nodes do inside what the libraries' tables say: one rank a node, and two."""

import shutil
import tempfile
import unittest
from pathlib import Path

from core_support import PLUMBLINE, lab, up_for_plumbline
from laboratory import paths
from laboratory.plan import Options

SIZES = "8,1024,16384"


class Inside(unittest.TestCase):
    """All eight nodes, without storage."""

    @classmethod
    def setUpClass(cls) -> None:
        up_for_plumbline(Options(servers=0), "--servers", "0")

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")

    def uses(self, flavour: str, ranks: int) -> str:
        """What `info --collectives` says."""
        program = paths.build_directory() / "bin" / "traced" / flavour / "collective_points"
        if not program.exists() or not shutil.which(f"mpirun.{flavour}"):
            self.skipTest(f"collective_points is not built for {flavour}")
        with tempfile.TemporaryDirectory() as directory:
            archive = Path(directory) / "observed"
            done = lab("run", "--ranks-per-node", str(ranks // 8), "--timeout", "280", "--",
                       str(PLUMBLINE), "record", "--internals=on", "-o", str(archive),
                       "--", f"mpirun.{flavour}", "-n", str(ranks), str(program), "all", SIZES)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return lab("run", "--on", "n0", "--", str(PLUMBLINE), "info", "--collectives", str(archive)).stdout

    def check(self, flavour: str, ranks: int) -> None:
        text = self.uses(flavour, ranks)
        rows = [line for line in text.splitlines() if line.startswith("MPI_")]
        self.assertGreaterEqual(len(rows), 45, text)  # 17 operations of three sizes; barriers are one row
        for row in rows:
            self.assertIn(" the same ", row, text)

    def test_of_open_mpi_with_a_rank_on_each_node(self) -> None:
        self.check("openmpi", 8)

    def test_of_mpich_with_a_rank_on_each_node(self) -> None:
        self.check("mpich", 8)

    def test_of_open_mpi_with_two_ranks_on_each_node(self) -> None:
        self.check("openmpi", 16)

    def test_of_mpich_with_two_ranks_on_each_node(self) -> None:
        self.check("mpich", 16)


if __name__ == "__main__":
    unittest.main()
