"""What a campaign counts of the frames of the laboratory, whose headers are known."""

import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from core_support import LAB, PLUMBLINE, lab, up_for_plumbline
from laboratory.plan import Options

ACKNOWLEDGEMENT = 14 + 20 + 32  # Ethernet, IP, TCP with time stamps (network.SETTINGS)
MOST_OF_MPI = 64  # what a library puts before a message; Open MPI has 22 B, MPICH 13
CAMPAIGN = """
[campaign]
mpi = ["{flavour}"]
runs = 1
[[layout]]
nodes = 2
per_node = 1
launcher = "{lab} run -- mpirun.{flavour} {{program}}"
[[measure]]
operation = "frames"
sizes = [1, 101]
"""


class Frames(unittest.TestCase):
    """Two nodes, without storage."""

    @classmethod
    def setUpClass(cls) -> None:
        up_for_plumbline(Options(servers=0), "--servers", "0", "--nodes", "2", "--allowance", "0")

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")

    def rows(self, flavour: str) -> dict[int, dict[str, float]]:
        """By size, the numbers of the row."""
        if not shutil.which(f"mpirun.{flavour}"):
            self.skipTest(f"mpirun.{flavour} is not installed")
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            (directory / "frames.toml").write_text(CAMPAIGN.format(flavour=flavour, lab=LAB))
            result = directory / "frames.h5"
            done = subprocess.run([PLUMBLINE, "bench", directory / "frames.toml", "-o", result], text=True,
                                  capture_output=True, check=False, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            shown = subprocess.run([PLUMBLINE, "bench", "show", result, "--json"], text=True, capture_output=True,
                                   check=True, timeout=60)
        rows = json.loads(shown.stdout)["rows"]
        self.assertTrue(all(row["words"]["interface"] == "eth0" for row in rows), rows)
        return {row["bytes"]: row["numbers"] for row in rows}

    def check(self, flavour: str) -> None:
        rows = self.rows(flavour)
        self.assertEqual(sorted(rows), [1, 101])
        for size, row in rows.items():
            self.assertEqual(row["acknowledgement_bytes"], ACKNOWLEDGEMENT)
            self.assertEqual(row["ethernet"], 1)
            self.assertAlmostEqual(row["wire_frames"], 2, delta=0.05)  # each is acknowledged at once
            beside = row["wire_bytes"] - size - (row["wire_frames"] - 1) * ACKNOWLEDGEMENT
            self.assertGreater(beside, ACKNOWLEDGEMENT)
            self.assertLess(beside, ACKNOWLEDGEMENT + MOST_OF_MPI)
        self.assertAlmostEqual(rows[101]["wire_bytes"] - rows[1]["wire_bytes"], 100, delta=2)

    def test_of_open_mpi_are_message_and_headers(self) -> None:
        self.check("openmpi")

    def test_of_mpich_are_message_and_headers(self) -> None:
        self.check("mpich")


if __name__ == "__main__":
    unittest.main()
