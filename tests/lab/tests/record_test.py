"""plumbline record over several nodes: each rank's spool lies on its own node until it is brought to the archive."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from core_support import LAB, PLUMBLINE, lab, status, up_for_plumbline
from laboratory import paths
from laboratory.plan import Options



class Record(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        up_for_plumbline(Options(servers=0), "--nodes", "3", "--servers", "0")

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

    def test_spools_that_stay_on_their_nodes_are_fetched_and_assembled(self) -> None:
        for flavour in self.flavours():
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                done = self.record(flavour, directory, "--stay")
                self.assertEqual(done.returncode, 0, done.stderr)
                said = done.stderr + done.stdout
                stayed = dict(re.findall(r"the spools of node (\S+) stay in \S+:(\S+)", said))
                self.assertEqual(sorted(stayed), ["n0", "n1", "n2"], said)
                self.assertIn("1 of 3 spools are in " + stayed["n0"], said)
                self.assertEqual(os.listdir(directory), [], "nothing is assembled from a part of the ranks")
                for node, spools in stayed.items():  # as by scp
                    lab("run", "--on", node, "--", "cp", "-r", spools, f"{directory}/{node}.spools")
                subprocess.run([PLUMBLINE, "assemble", *(f"{directory}/{node}.spools" for node in stayed), "-o",
                                f"{directory}/observed"], check=True, capture_output=True)
                info = subprocess.run([PLUMBLINE, "info", f"{directory}/observed"], text=True, capture_output=True,
                                      check=True)
                self.assertIn("3 ranks on 3 nodes", info.stdout)

    def test_starts_no_rank_on_a_node_that_does_not_see_where_spools_are_gathered(self) -> None:
        for flavour in self.flavours():
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                private = paths.state_directory() / "tmp" / f"spools.{flavour}"  # there on the first node only
                lab("run", "--on", "n0", "--", "mkdir", "-p", str(private))
                done = self.record(flavour, directory, "--gather", str(private))
                self.assertNotIn(done.returncode, (0, 124), "the job neither ran nor waited for the missing ranks")
                self.assertIn("is no directory", done.stderr + done.stdout)
                self.assertIn("--stay", done.stderr + done.stdout)


class Cluster(unittest.TestCase):
    """All eight nodes, and their parallel file system as the place where spools are gathered."""

    @classmethod
    def setUpClass(cls) -> None:
        up_for_plumbline(Options())

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")

    def test_eight_nodes_are_recorded_into_the_file_system_that_they_share(self) -> None:
        private, shared = paths.state_directory() / "tmp", paths.state_directory() / "shared"
        for flavour in [flavour for flavour in ("openmpi", "mpich") if shutil.which(f"mpirun.{flavour}")]:
            with self.subTest(flavour):
                archive = shared / f"observed.{flavour}"
                done = lab("run", "--timeout", "100", "--", "env", f"TMPDIR={private}", str(PLUMBLINE), "record", "-o",
                           str(archive), "--", f"mpirun.{flavour}", *(["-x", "TMPDIR"] if flavour == "openmpi" else []),
                           str(paths.build_directory() / "bin" / "examples" / f"jacobi-{flavour}"), "--rows", "64",
                           "--columns", "64", "--iterations", "20", "--file", str(shared / "checkpoint.dat"))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("8 ranks", done.stderr)
                left = lab("run", "--on", "n5", "--", "ls", str(shared)).stdout.split()
                self.assertEqual([name for name in left if "spools" in name], [])
                info = lab("run", "--on", "n0", "--", str(PLUMBLINE), "info", str(archive)).stdout
                self.assertIn("8 ranks on 8 nodes", info)
                self.assertNotIn("incomplete", info)


class Clocks(unittest.TestCase):
    """Nodes whose clocks differ by known amounts: time namespaces shift them to the nanosecond."""

    AHEAD_NS = {"n1": 5_000_000_000, "n2": -2_000_000_000}

    @classmethod
    def setUpClass(cls) -> None:
        up_for_plumbline(Options(servers=0, clock_offsets={"n1": 5}), "--nodes", "3", "--servers", "0", "--clock-offset", "n1=5s", "--clock-offset", "n2=-2s")

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")

    def check(self, archive: Path) -> None:
        info = subprocess.run([PLUMBLINE, "info", archive], text=True, capture_output=True, check=True).stdout
        clocks = re.findall(r"clock of (n\d): (-?\d+) ns from that of (n\d), \S+ ppm, ±(\d+) ns by (\d+) exchanges", info)
        self.assertIn("the reference", info)
        self.assertEqual(len(clocks), 2, info)
        truth = {"n0": 0, **self.AHEAD_NS}
        for node, offset, reference, bound, _ in clocks:
            wrong = int(offset) - (truth[reference] - truth[node])
            self.assertLessEqual(abs(wrong), int(bound), info)
            apart = abs(truth[reference] - truth[node])
            self.assertLess(100 * int(bound), apart, f"a bound of more than a hundredth of what is to be found: {info}")

    def test_differ_by_what_the_exchanges_find(self) -> None:
        for flavour in ("openmpi", "mpich"):
            if not shutil.which(f"mpirun.{flavour}"):
                continue
            ring = paths.build_directory() / "bin" / "examples" / f"ring-{flavour}"
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                archive = Path(directory) / "observed"
                done = lab("run", "--timeout", "60", "--", str(PLUMBLINE), "record", "-o", str(archive), "--",
                           f"mpirun.{flavour}", str(ring))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("real time", done.stderr)
                self.assertNotIn("disagree", done.stderr)
                self.check(archive)

    def test_are_compared_by_the_keepers_alone_where_nobody_else_records(self) -> None:
        for flavour in ("openmpi", "mpich"):
            if not shutil.which(f"mpirun.{flavour}"):
                continue
            ring = paths.build_directory() / "bin" / "examples" / f"ring-{flavour}"
            with self.subTest(flavour), tempfile.TemporaryDirectory() as directory:
                done = lab("run", "--timeout", "60", "--", f"mpirun.{flavour}", str(PLUMBLINE), "record", "--rank",
                           "--gather", directory, "--", str(ring))
                self.assertEqual(done.returncode, 0, done.stderr)
                archive = Path(directory) / "observed"
                done = subprocess.run([PLUMBLINE, "assemble", directory, "-o", archive], text=True, capture_output=True,
                                      check=True)
                self.assertNotIn("real time", done.stderr)
                self.check(archive)

    def test_of_a_file_server_and_of_its_clients_are_compared_too(self) -> None:
        programs = paths.build_directory() / "bin" / "traced" / "openmpi"
        if not (programs / "file_server").exists() or not shutil.which("mpirun.openmpi"):
            self.skipTest("file_server of tests/tracer/programs is not built for Open MPI")
        with tempfile.TemporaryDirectory() as directory:
            gather = Path(directory) / "gather"
            gather.mkdir()
            server = subprocess.Popen([sys.executable, str(LAB), "run", "--on", "n1", "--timeout", "60", "--",
                                       str(PLUMBLINE), "record", "--server", "--gather", str(gather), "--",
                                       str(programs / "file_server"), f"{directory}/port", directory])
            port = Path(directory) / "port"
            while not port.exists() and server.poll() is None:
                time.sleep(0.05)
            address = next(node["address"] for node in status()["nodes"] if node["name"] == "n1")
            done = lab("run", "--nodes", "n0,n2", "--timeout", "60", "--", str(PLUMBLINE), "record",
                       "--gather", str(gather), "-o", f"{directory}/alone", "--", "mpirun.openmpi",
                       str(programs / "file_client"), port.read_text().strip(), "10", address)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(server.wait(60), 0)
            archive = Path(directory) / "joined"
            done = subprocess.run([PLUMBLINE, "assemble", gather, "-o", archive], text=True, capture_output=True,
                                  check=True)
            self.assertNotIn("real time", done.stderr)
            self.assertIn("2 ranks, 1 process without MPI", done.stderr)
            self.check(archive)


if __name__ == "__main__":
    unittest.main()
