"""Faults of the machine itself, brought on: what a command sees of each, and that nothing is left however it ends."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from core_support import need_root
from laboratory import cgroups, down, machine_effects, machine_run
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.fault_table import FAULTS, MACHINE, parameters_in
from laboratory.machine_effects import Conditions

LIBRARIES = str(Path(__file__).resolve().parents[1])
_CALLER = """
import sys; sys.path.insert(0, sys.argv[1])
from pathlib import Path
from laboratory import machine_effects, machine_run
directory = Path(sys.argv[2])
parameters = dict(word.split("=") for word in sys.argv[4:])
machine_run.run(["sh", "-c", f"(setsid sleep 71 &); touch {directory}/begun; sleep 72"],
                machine_effects.conditions(sys.argv[3], parameters, "openmpi", directory), directory)
"""


def setUpModule() -> None:
    need_root()
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
        raise unittest.SkipTest("this root may not have mounts of its own")


def programs(*words: str) -> list[int]:
    """Processes with all these words in their command lines or environment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            texts = [Path(f"/proc/{name}/{file}").read_bytes().split(b"\0") for file in ("cmdline", "environ")]
            if all(any(word.encode() in text for text in texts) for word in words):
                found.append(int(name))
    return found


class Machine(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def under(self, fault: str, mpi: str = "openmpi", **parameters: str) -> Conditions:
        """Skips where this machine cannot have it."""
        if FAULTS[fault].effect == "mount" and not os.path.exists("/dev/loop-control"):
            self.skipTest("there are no loop devices")
        defaults = {key: parameter.default for key, parameter in parameters_in(FAULTS[fault], MACHINE).items()}
        try:
            return machine_effects.conditions(fault, defaults | parameters, mpi, self.directory)
        except LabError as error:
            self.skipTest(str(error))

    def said(self, script: str, wanted: Conditions, timeout: float | None = 30) -> str:
        done = machine_run.run([sys.executable, "-c", script], wanted, self.directory, timeout)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def assert_nothing_left(self) -> None:
        self.assertEqual(down.loop_devices(machine_effects.NODE), [])
        self.assertEqual([path for path in cgroups.left_over() if path.name.endswith(f"-{machine_effects.NODE}")], [])
        self.assertNotIn(str(self.directory), Path("/proc/self/mounts").read_text())
        for _ in range(100):
            if not programs("sleep", "71") and not programs("time.perf_counter", "PLUMBLINE_LAB_RUN"):
                return
            time.sleep(0.02)
        self.fail("programs are left")

    def test_little_shared_memory_is_little_for_the_command_alone(self) -> None:
        size = "import os; s = os.statvfs('/dev/shm'); print(s.f_blocks * s.f_frsize)"
        before = os.statvfs("/dev/shm")
        self.assertEqual(self.said(size, self.under("small-shm", size="64KiB")), "65536")
        after = os.statvfs("/dev/shm")
        self.assertEqual((before.f_blocks, before.f_frsize), (after.f_blocks, after.f_frsize))

    def test_files_are_on_a_file_system_where_writes_wait(self) -> None:
        wanted = self.under("sync-mount")
        line = self.said(f"print([l for l in open('/proc/self/mounts') if l.split()[1] == '{wanted.io}'][0])", wanted)
        self.assertRegex(line, r"ext4 \S*\bsync\b\S*dirsync")
        self.assert_nothing_left()

    def test_a_full_file_system_has_the_room_that_was_asked_for(self) -> None:
        wanted = self.under("full-file-system", full="96%")
        free = float(self.said(f"import os; s = os.statvfs('{wanted.io}'); print(s.f_bavail / s.f_blocks)", wanted))
        self.assertTrue(0.03 < free < 0.05, f"{free} of its blocks are free, not 0.04")
        self.assert_nothing_left()

    def test_one_core_is_one_core(self) -> None:
        wanted = self.under("one-core")
        self.assertEqual(self.said("import os; print(len(os.sched_getaffinity(0)))", wanted), "1")

    def test_a_quota_stops_what_needs_more(self) -> None:
        spin = ("import time; e = time.perf_counter() + 1\nwhile time.perf_counter() < e: pass\n"
                "print(time.process_time())")
        used = float(self.said(spin, self.under("cpu-quota", share="30%")))
        self.assertLess(used, 0.7, "of 1 s")
        self.assert_nothing_left()

    def test_a_busy_core_has_a_program_as_long_as_the_command_runs(self) -> None:
        count = "import os; print(sum(b'time.perf_counter' in open(f'/proc/{p}/cmdline', 'rb').read() for p in os.listdir('/proc') "
        count += "if p.isdigit() and p != str(os.getpid())))"
        wanted = self.under("busy-core", core="first")
        self.assertEqual(int(self.said(count, wanted)) - int(self.said(count, Conditions())), 1)
        self.assert_nothing_left()

    def test_a_periodic_program_takes_its_share_of_the_core_and_not_more(self) -> None:
        wanted = self.under("periodic-work", work="10ms", period="50ms")
        times = ("import os, time; time.sleep(1)\nprint(sum(sum(map(int, open(f'/proc/{p}/stat').read().rpartition(')')[2]"
                 ".split()[11:13])) for p in os.listdir('/proc') if p.isdigit() and p != str(os.getpid())"
                 " and b'time.perf_counter' in open(f'/proc/{p}/cmdline', 'rb').read()) / os.sysconf('SC_CLK_TCK'))")
        self.assertTrue(0.02 < float(self.said(times, wanted)) < 0.6)

    def test_mounts_that_fail_are_no_result_of_the_command(self) -> None:
        wanted = self.under("small-shm")
        wanted.prefix[-3] = wanted.prefix[-3].replace("tmpfs /dev/shm", "tmpfs /nowhere/at/all")
        with self.assertRaises(LabError) as caught:
            machine_run.run(["true"], wanted, self.directory)
        self.assertEqual(caught.exception.status, CANNOT_RUN_HERE)

    def test_what_takes_too_long_is_ended_with_all_that_it_started(self) -> None:
        for fault in ("busy-core", "sync-mount", "cpu-quota"):
            with self.subTest(fault):
                done = machine_run.run(["sh", "-c", "(setsid sleep 71 &); sleep 71"], self.under(fault), self.directory, 1.0)
                self.assertEqual(done.returncode, 124)
                self.assert_nothing_left()

    def test_an_interrupt_or_the_end_of_the_caller_leaves_nothing(self) -> None:
        for fault, number in (("cpu-quota", signal.SIGINT), ("sync-mount", signal.SIGINT), ("busy-core", signal.SIGINT)):
            with self.subTest(fault, number=number):
                self.under(fault)
                self.interrupt(fault, number)
                self.assert_nothing_left()

    def test_mounts_and_busy_programs_do_not_outlive_a_caller_that_was_killed(self) -> None:
        self.interrupt("busy-core", signal.SIGKILL)
        for pid in programs("sleep", "71"):  # in a session of its own nobody is left to end it
            os.kill(pid, signal.SIGKILL)
        self.assert_nothing_left()

    def interrupt(self, fault: str, number: signal.Signals) -> None:
        words = [f"{key}={parameter.default}" for key, parameter in parameters_in(FAULTS[fault], MACHINE).items()]
        process = subprocess.Popen([sys.executable, "-c", _CALLER, LIBRARIES, str(self.directory), fault, *words],
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        begun = self.directory / "begun"
        for _ in range(500):
            if begun.exists():
                break
            time.sleep(0.02)
        self.assertTrue(begun.exists())
        begun.unlink()
        os.kill(process.pid, number)
        self.assertNotEqual(process.wait(timeout=30), 0)


if __name__ == "__main__":
    unittest.main()
