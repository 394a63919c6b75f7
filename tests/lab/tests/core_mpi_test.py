"""Real MPI jobs over real storage, both libraries: placement, verified files, statuses, what a job leaves behind."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from core_support import LAB, lab, need, need_root, status
from laboratory import cores, paths, storage
from laboratory.plan import Laboratory, Options

FLAVOURS = [flavour for flavour in ("openmpi", "mpich") if shutil.which(f"mpicc.{flavour}")]
SOURCE = Path(__file__).with_name("core_strided.c")
READ_DIRECTLY = """
import mmap, os, sys, time
handle = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT); block = mmap.mmap(-1, 1 << 20); started = time.monotonic()
while os.readv(handle, [block]) == 1 << 20: pass
print(time.monotonic() - started)
"""


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        need_root()
        need(Options())
        if not FLAVOURS:
            raise unittest.SkipTest("neither mpicc.openmpi nor mpicc.mpich is installed")
        cls.programs = tempfile.TemporaryDirectory()
        for flavour in FLAVOURS:
            subprocess.run([f"mpicc.{flavour}", "-O1", str(SOURCE), "-o", cls.program(flavour)], check=True)
        done = lab("up")
        assert done.returncode == 0, done.stderr
        cls.shared = Path(status()["shared"])

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")
        cls.programs.cleanup()

    @classmethod
    def program(cls, flavour: str) -> str:
        return str(Path(cls.programs.name) / f"strided-{flavour}")

    def each(self) -> "list[tuple[str, str, str]]":
        return [(flavour, f"mpirun.{flavour}", self.program(flavour)) for flavour in FLAVOURS]

    def test_ranks_that_are_bound_leave_the_switch_its_core(self) -> None:
        switch = cores.of_switch(Options(**status()["options"]))
        if switch is None:
            self.skipTest("the switch has no core of its own here")
        bind = {"openmpi": ["--bind-to", "core:overload-allowed"], "mpich": ["-bind-to", "core"]}
        for flavour, mpirun, _ in self.each():
            with self.subTest(flavour):
                done = lab("run", "--timeout", "60", "--", mpirun, *bind[flavour], "-n", "8", "grep", "Cpus_allowed_list",
                           "/proc/self/status")
                self.assertEqual(done.returncode, 0, done.stderr)
                lists = [line.split(":")[1].strip() for line in done.stdout.splitlines() if "Cpus_allowed" in line]
                self.assertEqual(len(lists), 8, done.stdout)
                self.assertNotIn(str(switch), {core for cores_of in lists for core in cores_of.split(",")})

    def test_one_rank_on_each_node_and_a_file_that_is_read_as_it_was_written(self) -> None:
        for flavour, mpirun, program in self.each():
            for blocks in ("64", "512"):  # 2 MiB on one server, 16 MiB on both
                with self.subTest(f"{flavour}, {blocks} blocks"):
                    done = lab("run", "--timeout", "60", "--", mpirun, program, str(self.shared / "strided"), blocks)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(sorted(line for line in done.stdout.splitlines() if line.startswith("rank")),
                                     [f"rank {i} of 8 on n{i}" for i in range(8)])

    def test_all_nodes_see_one_file(self) -> None:
        lab("run", "--on", "n1", "--", "sh", "-c", f"echo here > {self.shared}/note")
        self.assertEqual(lab("run", "--on", "n6", "--", "cat", f"{self.shared}/note").stdout, "here\n")

    def test_a_disk_does_not_run_out_of_inodes_however_many_files_come_and_go(self) -> None:
        # GlusterFS keeps a directory for the first two bytes of every random identity, in one for the first byte.
        for server in ("s0", "s1"):
            inodes = lab("run", "--on", server, "--", "stat", "-f", "-c", "%c", str(self.shared.with_name("brick")))
            self.assertGreater(int(inodes.stdout), 65536 + 256 + 8192, inodes.stderr)

    def test_hosts_can_be_chosen_and_have_several_ranks(self) -> None:
        for flavour, mpirun, program in self.each():
            with self.subTest(flavour):
                done = lab("run", "--nodes", "n5,n2", "--ranks-per-node", "2", "--timeout", "60", "--",
                           mpirun, "-n", "4", program)
                self.assertEqual(sorted(line for line in done.stdout.splitlines() if line.startswith("rank")),
                                 ["rank 0 of 4 on n5", "rank 1 of 4 on n5", "rank 2 of 4 on n2", "rank 3 of 4 on n2"])

    def test_the_status_of_a_rank_becomes_the_status_of_the_run(self) -> None:
        for flavour, mpirun, _ in self.each():
            with self.subTest(flavour):
                self.assertEqual(lab("run", "--", mpirun, "-n", "2", "sh", "-c",
                                     "sleep 0.5; exit 9").returncode, 9)

    def test_an_interrupt_and_a_time_limit_end_all_ranks_on_all_nodes(self) -> None:
        for flavour, mpirun, program in self.each():
            with self.subTest(flavour):
                self.assertEqual(lab("run", "--timeout", "3", "--", mpirun, program, "--wait").returncode, 124)
                self.assertEqual(self.ranks(program, at_most=0), 0)
                command = [sys.executable, str(LAB), "run", "--", mpirun, program, "--wait"]
                job = subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
                assert job.stdout is not None
                for _ in range(8):
                    self.assertIn("rank", job.stdout.readline())
                os.killpg(job.pid, signal.SIGINT)  # what Ctrl-C in a terminal does
                job.communicate(timeout=20)
                self.assertNotEqual(job.returncode, 0)
                self.assertEqual(self.ranks(program, at_most=0), 0)

    def test_a_signal_ends_a_check_with_the_run_that_it_was_in(self) -> None:
        for number, status_of_it in ((signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGINT, 130)):
            with self.subTest(number):
                cells = paths.program(f"cells-{FLAVOURS[0]}")
                command = [sys.executable, str(LAB), "check", "--mpi", FLAVOURS[0], "--rounds", "50", "--cells", "comm"]
                check = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
                for _ in range(600):  # until ranks are under way
                    if self.ranks(str(cells), at_most=0, patience=1) > 0:
                        break
                    time.sleep(0.05)
                os.killpg(check.pid, number)
                self.assertEqual(check.wait(timeout=20), status_of_it)
                self.assertEqual(self.ranks(str(cells), at_most=0), 0)

    def ranks(self, program: str, at_most: int, patience: int = 60) -> int:
        """How many are there, after they had up to 3 s to go (60 looks)."""
        for _ in range(patience):
            found = subprocess.run(["pgrep", "-c", "-f", f"^{program}"], capture_output=True, text=True, check=False)
            if int(found.stdout) <= at_most:
                break
            time.sleep(0.05)
        return int(found.stdout)

    def test_the_file_system_tells_on_which_server_each_file_is(self) -> None:
        told = ("import os, sys\nfor i in range(20):\n path = f'{sys.argv[1]}/placed{i}'; open(path, 'w').close()\n"
                " print(os.getxattr(path, 'glusterfs.pathinfo').decode())")
        answer = lab("run", "--", sys.executable, "-c", told, str(self.shared)).stdout
        self.assertEqual(set(re.findall(r"<POSIX\([^)]*\):(\w+):", answer)), {"s0", "s1"}, answer)

    def test_disks_are_as_much_slower_as_was_asked(self) -> None:
        path = str(self.shared / "disk")
        state = Laboratory.load()
        assert state is not None
        for server in state.servers:
            for group in server.cgroups.values():
                self.assertEqual(Path(group, "cgroup.procs").read_text().split(), [str(server.brick_pid)])
        lab("run", "--", "dd", "if=/dev/zero", f"of={path}", "bs=1M", "count=8", "conv=fsync")

        def seconds_to_read(disk_rate: int) -> float:
            for server in state.servers:
                storage.throttle(state, server, disk_rate)
            return float(lab("run", "--", sys.executable, "-c", READ_DIRECTLY, path).stdout)

        try:
            fast, slow = seconds_to_read(32_000_000), seconds_to_read(2_000_000)
        finally:
            for server in state.servers:
                storage.throttle(state, server, state.options.disk_rate)
        self.assertGreater(slow, 2 * fast, "at a sixteenth of the rate; the network is the limit of the other")


class Speed(unittest.TestCase):
    def test_up_takes_less_than_forty_starts_of_the_program_and_down_less_than_fifteen(self) -> None:
        need_root()
        need(Options())

        def seconds(*words: str) -> float:
            started = time.monotonic()
            self.assertEqual(lab(*words).returncode, 0)
            return time.monotonic() - started

        start = sorted(seconds("--help") for _ in range(3))[1]
        up, down = seconds("up"), seconds("down")
        self.assertLess(up, 40 * start)  # 5 on a busy machine
        self.assertLess(down, 15 * start)  # 1.3
