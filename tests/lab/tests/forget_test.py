"""A server that forgets: lab-forget alone, and the fault small-server-cache in a laboratory."""

import ctypes
import mmap
import os
import select
import signal
import subprocess
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

from core_support import lab, left, need, need_root
from laboratory import paths, residents, storage
from laboratory.errors import LabError
from laboratory.plan import Laboratory, Options

MEGABYTE = 1 << 20
_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.mmap.restype = ctypes.c_void_p
_LIBC.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)


def setUpModule() -> None:
    try:
        paths.program("lab-forget")
    except LabError as error:
        raise unittest.SkipTest(str(error)) from None


def in_memory(path: Path) -> int:
    """How many bytes of a file are in memory, in whole pages (mincore(2))."""
    size = path.stat().st_size
    with path.open("rb") as file:
        start = _LIBC.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    pages = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
    status = _LIBC.mincore(ctypes.c_void_p(start), ctypes.c_size_t(size), pages)
    _LIBC.munmap(ctypes.c_void_p(start), ctypes.c_size_t(size))
    assert status == 0, os.strerror(ctypes.get_errno())
    return sum(page & 1 for page in pages) * mmap.PAGESIZE


def soon(what: Callable[[], bool], patience: float = 10.0) -> bool:
    """Whether it becomes true."""
    deadline = time.monotonic() + patience
    while not what():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


class TheProgram(unittest.TestCase):
    """On a file system of this machine's disk: what is in memory only cannot be dropped from there."""

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory(dir=paths.build_directory())
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.server = self.started("sleep", "300")

    def started(self, *command: str, **kw: int) -> "subprocess.Popen[str]":
        process = subprocess.Popen(command, text=True, **kw)

        def end() -> None:
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def forget(self, keep: str) -> "subprocess.Popen[str]":
        process = self.started(str(paths.program("lab-forget")), str(self.server.pid), str(self.place), "--keep", keep,
                               stdout=subprocess.PIPE)
        assert process.stdout is not None
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def file(self, name: str) -> Path:
        """A megabyte that is on the disk and in memory."""
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(os.urandom(MEGABYTE))
            file.flush()
            os.fsync(file.fileno())
        path.read_bytes()
        if in_memory(path) != MEGABYTE:
            self.skipTest(f"{self.place} does not keep files in memory")
        return path

    def test_drops_files_of_all_depths_but_not_the_hard_links_of_glusterfs(self) -> None:
        dropped = [self.file(name) for name in ("a", "b/c", "b/d/e/f", ".shard/g.1")]
        left_out = self.file(".glusterfs/00/h")
        self.forget("1ms")
        self.assertTrue(soon(lambda: [in_memory(path) for path in dropped] == [0] * 4))
        self.assertEqual(in_memory(left_out), MEGABYTE)

    def test_finds_files_that_come_later_and_keeps_none_that_is_deleted(self) -> None:
        process = self.forget("1ms")
        later = self.place / "new" / "later"
        later.parent.mkdir()
        later.write_bytes(bytes(MEGABYTE))
        self.assertTrue(soon(lambda: in_memory(later) == 0))
        later.unlink()
        files = Path(f"/proc/{process.pid}/fd")
        self.assertTrue(soon(lambda: not [file for file in files.iterdir() if str(later) in os.path.realpath(file)]))

    def test_takes_less_than_a_twenty_fifth_of_a_core_of_any_number_of_files(self) -> None:
        for number in range(2000):
            (self.place / str(number)).touch()
        process = self.forget("1ms")

        def used() -> float:
            return int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[0]) / 1e9

        before, started = used(), time.monotonic()
        time.sleep(2)
        # CPU time beside the time that passed: a fiftieth, and going to sleep.
        self.assertLess(used() - before, (time.monotonic() - started) / 25)

    def test_ends_with_its_process(self) -> None:
        process = self.forget("1000s")
        self.server.kill()
        self.assertEqual(process.wait(timeout=60), 0)

    def test_ends_by_a_signal_however_long_its_pauses(self) -> None:
        for keep in ("1000s", "1us"):
            process = self.forget(keep)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=60), 0, keep)

    def test_says_what_is_wrong_by_its_status(self) -> None:
        program, pid = str(paths.program("lab-forget")), str(self.server.pid)
        none = str(self.place / "none")
        for arguments, status in (
                (["--help"], 0), ([], 2), ([pid, "/", "--keep", "10"], 2), ([pid, "/", "--time", "1s"], 2),
                ([pid, none, "--keep", "1s"], 6), (["0", "/", "--keep", "1s"], 6)):
            done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=10)
            self.assertEqual(done.returncode, status, arguments)
            self.assertEqual(bool(done.stderr), status != 0)


class AServerThatForgets(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        need_root()
        need(Options(nodes=2, servers=1))

    def setUp(self) -> None:
        done = lab("up", "--nodes", "2", "--servers", "1", "--allowance", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.addCleanup(lab, "down")
        self.server = self.state().servers[0]
        self.file = self.state().shared / "file"
        self.on_server = Path(f"/proc/{self.server.brick_pid}/root{storage.files(self.state())}/file")

    def state(self) -> Laboratory:
        found = Laboratory.load()
        assert found is not None
        return found

    def fault(self, *words: str) -> None:
        done = lab("fault", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def forgetters(self) -> list[int]:
        return list(self.state().faults["small-server-cache"]["pids"])

    def node(self, script: str) -> str:
        done = lab("run", "--", "sh", "-c", script)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def reads_from_disk(self) -> bool:
        """Whether the disk gives the file when a node reads it: what the server's process has had read, for the counters
        of the device are everybody's. The server may read some of its own program."""
        def bytes_read() -> int:
            counters = Path(f"/proc/{self.server.brick_pid}/io").read_text().splitlines()
            return int(dict(counter.split(": ") for counter in counters)["read_bytes"])

        before = bytes_read()
        self.node(f"cat {self.file} >/dev/null")
        read = bytes_read() - before
        self.assertTrue(read < MEGABYTE / 2 or read >= MEGABYTE, f"{read} B were read")
        return read >= MEGABYTE

    def disk_written(self) -> int:
        """Bytes; a field of /sys/block/DEVICE/stat, in sectors of 512 bytes."""
        return 512 * int(Path(f"/sys/dev/block/{self.server.device}/stat").read_text().split()[6])

    def test_reads_from_the_disk_what_was_just_read_until_the_fault_is_off(self) -> None:
        self.node(f"head -c {MEGABYTE} /dev/urandom >{self.file} && sync {self.file}")
        self.assertFalse(self.reads_from_disk())
        self.fault("small-server-cache", "on")
        for _ in range(3):
            self.assertTrue(self.reads_from_disk())
        self.fault("small-server-cache", "off")
        self.reads_from_disk()
        self.assertFalse(self.reads_from_disk())

    def test_writes_what_nobody_has_synced_within_the_limit_of_the_disk_and_loses_nothing(self) -> None:
        self.fault("small-server-cache", "on")
        groups = self.server.cgroups.values()
        for group in groups:
            self.assertIn(str(self.forgetters()[0]), Path(group, "cgroup.procs").read_text().split())
        before = self.disk_written()
        sums = self.node(f"seq 200000 | head -c {MEGABYTE} | tee {self.file} | sha256sum")
        self.assertTrue(soon(lambda: in_memory(self.on_server) == 0))
        self.assertGreaterEqual(self.disk_written() - before, MEGABYTE)
        self.assertEqual(self.node(f"sha256sum <{self.file}"), sums)

    def test_one_that_was_killed_is_replaced_by_the_next_fault_of_the_servers(self) -> None:
        self.node(f"head -c {MEGABYTE} /dev/urandom >{self.file} && sync {self.file}")
        self.fault("small-server-cache", "on")
        killed = self.forgetters()
        os.kill(killed[0], signal.SIGKILL)
        self.assertTrue(soon(lambda: not residents.is_running(killed[0])))
        self.fault("slow-disk", "rate=4MB/s", "on")
        self.assertNotEqual(self.forgetters(), killed)
        self.assertTrue(self.reads_from_disk())
        os.kill(self.forgetters()[0], signal.SIGKILL)
        self.fault("all", "off")
        self.reads_from_disk()
        self.assertFalse(self.reads_from_disk())

    def test_nothing_is_left_by_down_or_when_the_supervisor_dies(self) -> None:
        for die in (lambda: None, lambda: os.kill(self.state().supervisor, signal.SIGKILL)):
            lab("up", "--nodes", "2", "--servers", "1", "--allowance", "0")
            self.fault("small-server-cache", "on")
            ends = [os.pidfd_open(pid) for pid in self.forgetters()]
            die()
            self.assertEqual(lab("down").returncode, 0)
            self.assertEqual(len(select.select(ends, [], [], 5)[0]), len(ends))
            self.assertEqual(left(), {})
            for end in ends:
                os.close(end)


if __name__ == "__main__":
    unittest.main()
