"""What nodes of a laboratory see of faults of interfaces, /dev/shm and binding, and what ranks of one node lose by theirs."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from core_support import lab, need, need_root
from laboratory import paths
from laboratory.plan import Options

FLAVOURS = [flavour for flavour in ("openmpi", "mpich") if shutil.which(f"mpirun.{flavour}")]
COUNTER = Path(__file__).with_name("faults_copies.c")
MESSAGES, TRIES = 40, 4  # of the cell; UCX tries it twice in each process, to know whether it may
AFFINITY = "import os; print(*sorted(os.sched_getaffinity(0)))"


def setUpModule() -> None:
    need(Options(nodes=2, servers=0))


class Up(unittest.TestCase):
    """One laboratory for all tests of a class."""

    OPTIONS: tuple[str, ...] = ()

    @classmethod
    def setUpClass(cls) -> None:
        done = lab("up", "--servers", "0", *cls.OPTIONS)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")

    def tearDown(self) -> None:
        self.fault("all", "off")

    def fault(self, *words: str) -> None:
        done = lab("fault", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def on(self, node: str, *command: str) -> str:
        done = lab("run", "--on", node, "--", *command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()


class Interfaces(Up):
    OPTIONS = ("--nodes", "2", "--rate", "50Mbit/s", "--mtu", "4000", "--allowance", "0")

    def stated(self, node: str) -> list[str]:
        return self.on(node, "cat", "/sys/class/net/eth0/speed", "/sys/class/net/eth0/duplex").split()

    def setUp(self) -> None:
        if "do not state" in lab("status").stdout:
            self.skipTest("the kernel refuses a stated speed")

    def test_state_what_their_cables_were_built_for(self) -> None:
        self.assertEqual([self.stated("n0"), self.stated("n1")], [["50", "full"]] * 2)

    def test_state_a_lower_rate_only_where_the_fault_says_so(self) -> None:
        self.fault("slow-link", "node=n1", "rate=20Mbit/s", "on")
        self.assertEqual(self.stated("n1"), ["50", "full"])
        self.fault("slow-link", "node=n1", "rate=20Mbit/s", "stated=yes", "on")
        self.assertEqual([self.stated("n0"), self.stated("n1")], [["50", "full"], ["20", "full"]])
        self.fault("all", "off")
        self.assertEqual(self.stated("n1"), ["50", "full"])

    def test_state_half_duplex(self) -> None:
        self.fault("half-duplex", "node=n1", "on")
        self.assertEqual([self.stated("n0"), self.stated("n1")], [["50", "full"], ["50", "half"]])

    def test_have_an_mtu_of_their_own_and_messages_still_arrive(self) -> None:
        self.fault("mtu-mismatch", "node=n1", "on")
        read = ("cat", "/sys/class/net/eth0/mtu")
        self.assertEqual([self.on("n0", *read), self.on("n1", *read)], ["4000", "1500"])
        if shutil.which("mpirun.mpich"):
            cells = [str(paths.program("cells-mpich")), "--cells", "pingpong_64k"]
            self.assertEqual(lab("run", "--timeout", "60", "--", "mpirun.mpich", *cells).returncode, 0)
        self.fault("all", "off")
        self.assertEqual(self.on("n1", *read), "4000")


class ANodeAlone(Up):
    """Its ranks have all cores of the machine."""

    OPTIONS = ("--nodes", "1")

    def test_has_all_cores_until_it_is_bound_to_one(self) -> None:
        cores = len(os.sched_getaffinity(0))
        self.assertEqual(len(self.on("n0", sys.executable, "-c", AFFINITY).split()), cores)
        if cores > 1:
            self.fault("one-core", "on")
            self.assertEqual(len(self.on("n0", sys.executable, "-c", AFFINITY).split()), 1)

    def test_has_little_room_in_shared_memory_until_the_fault_is_off(self) -> None:
        size = ("stat", "-f", "-c", "%b %S", "/dev/shm")

        def room() -> int:
            blocks, block = map(int, self.on("n0", *size).split())
            return blocks * block

        before = room()
        self.fault("small-shm", "on")
        self.assertEqual(room(), 64 << 10)
        self.fault("small-shm", "off")
        self.assertLess(abs(room() - before), 1 << 20)  # half of the memory, rounded in another way

    def slower(self, fault: str, flavour: str, cell: str) -> float:
        """By what factor the fault slows the cell down: of the least sample of three runs each, in turn, which other programs
        on these cores do not move."""
        healthy, broken = [], []
        for _ in range(3):
            healthy.append(self.least(flavour, cell))
            self.fault(fault, "on")
            broken.append(self.least(flavour, cell))
            self.fault(fault, "off")
        return min(broken) / min(healthy)

    def least(self, flavour: str, cell: str) -> float:
        done = lab("run", "--ranks-per-node", "2", "--timeout", "60", "--", f"mpirun.{flavour}",
                   str(paths.program(f"cells-{flavour}")), "--cells", cell)
        self.assertEqual(done.returncode, 0, done.stderr)
        (samples,) = [json.loads(line)["samples"] for line in done.stdout.splitlines() if '"samples"' in line]
        return float(min(samples))

    def test_loses_by_tcp_under_both_libraries(self) -> None:
        need_root()
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("two ranks on one core take turns, whatever they talk through")
        for flavour in FLAVOURS:
            with self.subTest(flavour):
                self.assertGreater(self.slower("tcp-only", flavour, "pingpong_8"), 3)

    def copies(self, library: str, flavour: str) -> int:
        """How often the kernel copied between processes in a ping-pong of 64 KiB."""
        done = lab("run", "--ranks-per-node", "2", "--timeout", "60", "--", "env", f"LD_PRELOAD={library}",
                   f"mpirun.{flavour}", str(paths.program(f"cells-{flavour}")), "--cells", "pingpong_64k")
        self.assertEqual(done.returncode, 0, done.stderr)
        return sum(map(int, re.findall(r"copies (\d+)", done.stderr)))

    def test_copies_large_messages_once_until_the_fault_is_on(self) -> None:
        need_root()
        with tempfile.TemporaryDirectory() as directory:
            library = f"{directory}/copies.so"
            subprocess.run(["cc", "-shared", "-fPIC", "-o", library, str(COUNTER), "-ldl"], check=True)
            for flavour in FLAVOURS:
                with self.subTest(flavour):
                    healthy = self.copies(library, flavour)
                    if healthy < MESSAGES:
                        self.skipTest(f"the kernel does not let these ranks copy from each other: {healthy} times")
                    self.fault("no-single-copy", "on")
                    self.assertLessEqual(self.copies(library, flavour), TRIES)
                    self.fault("no-single-copy", "off")


if __name__ == "__main__":
    unittest.main()
