"""A laboratory that is up: its nodes, that nothing leaves it, commands on it, and that it goes without a trace."""

import os
import signal
import socket
import subprocess
import sys
import time
import unittest

from core_support import LAB, lab, left, need, status
from laboratory.plan import Options

SHAPE = ("--nodes", "4", "--servers", "0")
# Where somebody would go who wanted to leave: a public resolver, and the link-local address of cloud services.
OUTSIDE = ("8.8.8.8", "169.254.169.254", "10.78.0.1")
TRY_TO_LEAVE = """
import socket, sys
for address in sys.argv[1:]:
    s = socket.socket(); s.settimeout(2)
    try:
        s.connect((address, 53)); print(address, "REACHED")
    except OSError as error:
        print(address, error.errno)
"""


def setUpModule() -> None:
    need(Options(nodes=4, servers=0, clock_offsets={"n3": 5}))


class AUsualLaboratory(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.host_interfaces = sorted(os.listdir("/sys/class/net"))
        done = lab("up", *SHAPE, "--clock-offset", "n3=5s", "--clock-offset", "n2=-2s")
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls) -> None:
        lab("down")

    def on(self, node: str, *command: str) -> str:
        done = lab("run", "--on", node, "--", *command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_node_has_its_own_name_and_knows_the_others(self) -> None:
        self.assertEqual(self.on("n2", "hostname"), "n2\n")
        self.assertEqual(self.on("n2", "getent", "hosts", "n3").split(), ["10.77.0.4", "n3"])

    def test_traffic_has_no_way_out_of_the_laboratory(self) -> None:
        self.assertEqual(self.on("n1", "ls", "/sys/class/net").split(), ["eth0", "lo"])
        self.assertEqual(self.on("n1", "ip", "route").split()[:3], ["10.77.0.0/24", "dev", "eth0"])
        self.assertEqual(len(self.on("n1", "ip", "route").splitlines()), 1)
        self.assertEqual(self.on("n1", "ip", "-6", "route"), "")
        own = [address for address in {socket.gethostbyname(socket.gethostname())} if not address.startswith("127.")]
        for line in self.on("n1", sys.executable, "-c", TRY_TO_LEAVE, *OUTSIDE, *own).splitlines():
            self.assertEqual(line.split()[1], "101", f"{line}: not ENETUNREACH")
        self.assertEqual(sorted(os.listdir("/sys/class/net")), self.host_interfaces)

    def test_nodes_reach_each_other(self) -> None:
        server = "import socket; s = socket.create_server(('', 5000)); s.settimeout(20); print(s.accept()[1][0])"
        command = [sys.executable, str(LAB), "run", "--on", "n3", "--", sys.executable, "-c", server]
        listening = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        client = ("import socket, time\nfor _ in range(50):\n try:\n  socket.create_connection(('n3', 5000)); break\n"
                  " except OSError: time.sleep(0.1)")
        self.on("n1", sys.executable, "-c", client)
        self.assertEqual(listening.communicate(timeout=20)[0], "10.77.0.2\n")

    def test_a_clock_offset_moves_the_monotonic_clock_of_that_node_alone(self) -> None:
        read = "import time; print(time.clock_gettime(time.CLOCK_MONOTONIC))"

        for node, truth in (("n0", 0), ("n1", 0), ("n2", -2), ("n3", 5)):
            before = time.monotonic()
            inside = float(self.on(node, sys.executable, "-c", read))
            after = time.monotonic()
            self.assertTrue(before - 0.1 <= inside - truth <= after + 0.1, node)

    def test_output_and_status_pass_through(self) -> None:
        done = lab("run", "--", "sh", "-c", "printf out; printf err >&2; exit 7")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("out", "err", 7))
        self.assertEqual(lab("run", "--", "sh", "-c", "kill -9 $$").returncode, 128 + 9)
        self.assertEqual(lab("run", "--", "cat", input="through").stdout, "through")
        self.assertEqual(lab("run", "--", "/no/such/program").returncode, 127)

    def test_the_directory_is_the_callers(self) -> None:
        self.assertEqual(lab("run", "--", "pwd", cwd="/usr/share").stdout, "/usr/share\n")

    def test_a_command_that_takes_too_long_is_ended_with_124(self) -> None:
        done = lab("run", "--timeout", "1", "--", "sh", "-c", "echo begun; sleep 60; echo ended")
        self.assertEqual((done.returncode, done.stdout), (124, "begun\n"), "what comes behind was not to run")

    def test_signals_end_the_command_and_what_dies_takes_its_command_along(self) -> None:
        for number, code in ((signal.SIGTERM, 128 + 15), (signal.SIGKILL, -9)):
            process = subprocess.Popen([sys.executable, str(LAB), "run", "--", "sleep", "61"])
            self.wait_for_sleep(there=True)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=10), code)
            self.wait_for_sleep(there=False)

    def wait_for_sleep(self, there: bool) -> None:
        for _ in range(100):
            found = subprocess.run(["pgrep", "-f", "^sleep 61"], capture_output=True, check=False).returncode == 0
            if found == there:
                return
            time.sleep(0.05)
        self.fail(f"sleep is {'not ' if there else 'still '}there")

    def test_status_says_what_is_up(self) -> None:
        self.assertIn("4 nodes at 100Mbit/s, 50us from node to node, MTU 9000", lab("status").stdout)
        self.assertIn("clock +5 s", lab("status").stdout)
        state = status()
        self.assertTrue(state["up"])
        self.assertEqual([node["name"] for node in state["nodes"]], ["n0", "n1", "n2", "n3"])

    def test_a_node_that_is_not_there_is_named(self) -> None:
        done = lab("run", "--on", "n9", "--", "true")
        self.assertEqual(done.returncode, 3)
        self.assertIn("node 'n9': no such node\n  there are n0, n1, n2, n3", done.stderr)


class Lives(unittest.TestCase):
    def tearDown(self) -> None:
        lab("down")

    def test_down_leaves_nothing_and_may_be_repeated(self) -> None:
        self.assertEqual(lab("up", *SHAPE).returncode, 0)
        self.assertEqual(lab("down").stdout, "laboratory removed\n")
        self.assertEqual(left(), {})
        self.assertEqual(lab("down").stdout, "no laboratory was up\n")

    def test_a_laboratory_that_is_up_keeps_no_file_of_its_caller_open(self) -> None:
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        self.assertEqual(lab("up", *SHAPE, pass_fds=(write,)).returncode, 0)
        os.close(write)
        os.set_blocking(read, False)
        self.assertEqual(os.read(read, 1), b"")  # the end of the pipe; BlockingIOError while somebody could write

    def test_up_takes_the_place_of_an_earlier_one(self) -> None:
        lab("up", *SHAPE)
        before = status()["supervisor"]
        done = lab("up", "--nodes", "2", "--servers", "0")
        self.assertIn("removed an earlier laboratory", done.stderr)
        self.assertNotEqual(status()["supervisor"], before)
        self.assertEqual(len(status()["nodes"]), 2)

    def test_two_switches_carry_traffic_across_their_uplink(self) -> None:
        done = lab("up", "--nodes", "2", "--servers", "0", "--switches", "2", "--uplink-rate", "50Mbit/s")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = lab("run", "--", sys.executable, "-c", "import socket; socket.create_connection(('n1', 9), timeout=5)")
        self.assertIn("ConnectionRefusedError", done.stderr)  # an answer of n1: the frames went there and back

    def test_without_a_laboratory_verbs_say_so(self) -> None:
        lab("down")
        done = lab("run", "--", "true")
        self.assertEqual((done.returncode, done.stderr), (3, "lab: laboratory: none is up\n  lab up\n"))
        self.assertEqual(status(), {"up": False, "left_over": []})
