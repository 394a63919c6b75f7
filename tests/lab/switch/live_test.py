#!/usr/bin/env python3
"""The switch among real network stacks: namespaces of our own, its TAP devices, ping and UDP through it.

usage: live_test.py SWITCH    (77: not possible here, the reason is printed)
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

SWITCH = ""
NODES = 3
DATAGRAM = 8000

# Echo requests, one after the other; status 1 when one has no answer within a second.
PING = """
import socket, struct, sys
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
s.settimeout(1)
s.connect((sys.argv[1], 0))
for i in range(int(sys.argv[2])):
    packet = struct.pack("!BBHHH", 8, 0, 0, 78, i)
    words = sum(struct.unpack("!4H", packet))
    s.send(packet[:2] + struct.pack("!H", ~(words + (words >> 16)) & 0xffff) + packet[4:])
    try:
        while s.recv(2048)[20:] != b"\\0\\0" + struct.pack("!H", ~(78 + i) & 0xffff) + packet[4:]:
            pass
    except socket.timeout:
        sys.exit(1)
"""

# The kernel's own time of arrival of each datagram: when the switch handed it out, however late this process runs.
RECEIVER = """
import socket, struct
SO_TIMESTAMPNS = 35
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
s.setsockopt(socket.SOL_SOCKET, 33, 1 << 23)  # SO_RCVBUFFORCE
s.bind(("0.0.0.0", 7000))
s.settimeout(10)
print("listening", flush=True)
times = []
try:
    while True:
        ancillary = s.recvmsg(65536, 64)[1]
        seconds, nanoseconds = struct.unpack("qq", ancillary[0][2])
        times.append(seconds * 10**9 + nanoseconds)
        s.settimeout(1)
except socket.timeout:
    pass
print(len(times), times[-1] - times[0] if times else 0)
"""

SENDER = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, 32, 1 << 23)  # SO_SNDBUFFORCE
for i in range(int(sys.argv[2])):
    s.sendto(bytes(int(sys.argv[3])), (sys.argv[1], 7000))
"""


def missing():
    """Why the switch cannot run here, or None."""
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "/dev/net/tun cannot be opened"
    if subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode != 0:
        return "no network namespace can be made (CAP_SYS_ADMIN and CAP_NET_ADMIN)"
    return None


def address(node):
    return f"10.78.0.{node + 1}"


def mac(node):
    return f"02:78:00:00:00:{node + 1:02x}"


class Live(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.path = pathlib.Path(self.directory.name)
        self.holders = []
        for _ in range(NODES):
            holder = subprocess.Popen(["unshare", "-n", "sh", "-c", "echo here; exec sleep 300"],
                                      stdout=subprocess.PIPE)
            self.addCleanup(self.end, holder)
            self.assertEqual(holder.stdout.readline(), b"here\n")
            self.holders.append(holder)

    def end(self, process):
        process.kill()
        process.wait()
        process.stdout.close()

    def configure(self, **changes):
        """Writes the configuration with one port per node, n0 .. ; returns the command that starts the switch."""
        ports = [{"name": f"n{i}", "switch": "w0", "pid": holder.pid, "mac": mac(i), "mtu": 9000, "up": "100Mbit/s",
                  "down": "100Mbit/s", "latency": "25us"} for i, holder in enumerate(self.holders)]
        config = {"control": str(self.path / "switch.sock"), "switches": [{"name": "w0"}], "ports": ports, **changes}
        (self.path / "switch.json").write_text(json.dumps(config))
        return [SWITCH, str(self.path / "switch.json")]

    def start(self, **changes):
        """The switch at work; the nodes can talk to each other when this returns."""
        self.switch = subprocess.Popen(self.configure(**changes), stdout=subprocess.PIPE)
        self.addCleanup(self.end, self.switch)
        self.assertEqual(self.switch.stdout.readline(), b"ready\n")
        for i in range(NODES):
            self.on_node(i, ["ip", "addr", "add", address(i) + "/24", "dev", "eth0"])

    def command(self, node, command):
        return ["nsenter", "-t", str(self.holders[node].pid), "-n", *command]

    def on_node(self, node, command, check=True):
        return subprocess.run(self.command(node, command), check=check, capture_output=True, text=True, timeout=60)

    def ask(self, **request):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.path / "switch.sock"))
            with connection.makefile("rw") as stream:
                stream.write(json.dumps(request) + "\n")
                stream.flush()
                reply = json.loads(stream.readline())
        self.assertTrue(reply["ok"], reply)
        return reply

    def ping(self, source, target, count=3):
        command = [sys.executable, "-c", PING, address(target), str(count)]
        return self.on_node(source, command, check=False).returncode == 0

    def burst(self, count):
        """Datagrams from n0 to n1: how many arrive, and in how many nanoseconds between the first and the last."""
        receiver = subprocess.Popen(self.command(1, [sys.executable, "-c", RECEIVER]),
                                    stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, receiver)
        self.assertEqual(receiver.stdout.readline(), "listening\n")
        self.on_node(0, [sys.executable, "-c", SENDER, address(1), str(count), str(DATAGRAM)])
        return [int(word) for word in receiver.stdout.readline().split()]

    def test_nodes_reach_each_other(self):
        self.start()
        self.assertTrue(self.ping(0, 1))
        self.assertTrue(self.ping(1, 2))
        counters = self.ask(do="counters")["ports"]
        self.assertGreaterEqual(counters["n0"]["up"]["frames"], 3)
        self.assertGreaterEqual(counters["n1"]["down"]["frames"], 3)
        self.assertGreater(self.ask(do="lateness")["frames"], 0)

    def test_two_switches_reach_each_other_over_their_uplink(self):
        self.start(switches=[{"name": "w0"}, {"name": "w1"}],
                   ports=[{"name": f"n{i}", "switch": "w0" if i == 0 else "w1", "pid": holder.pid, "mac": mac(i),
                           "up": "100Mbit/s", "down": "100Mbit/s"} for i, holder in enumerate(self.holders)],
                   uplinks=[{"name": "u", "between": ["w0", "w1"], "rate": "50Mbit/s", "latency": "1ms"}])
        self.assertTrue(self.ping(0, 1))
        self.assertGreaterEqual(self.ask(do="counters")["uplinks"]["u"]["to w1"]["frames"], 3)

    def test_half_the_rate_takes_twice_the_time(self):
        self.start()
        self.assertTrue(self.ping(0, 1))
        fast_count, fast = self.burst(200)
        self.ask(do="set", port="n1", down="50Mbit/s")
        slow_count, slow = self.burst(200)
        self.assertEqual((fast_count, slow_count), (200, 200))
        self.assertAlmostEqual(slow / fast, 2, delta=0.2)

    def test_loss_of_everything_stops_the_traffic_until_it_is_taken_away(self):
        self.start()
        self.assertTrue(self.ping(0, 1))
        self.ask(do="set", port="n1", loss="100%")
        self.assertFalse(self.ping(0, 1, count=2))
        self.assertTrue(self.ping(0, 2))
        self.ask(do="set", port="n1", loss="0")
        self.assertTrue(self.ping(0, 1))

    def test_a_capture_holds_the_frames(self):
        self.start()
        file = self.path / "frames.pcap"
        self.ask(do="capture", file=str(file), snap=64)
        self.assertTrue(self.ping(0, 1))
        reply = self.ask(do="capture", file="")
        self.assertGreaterEqual(reply["frames"], 6)
        self.assertGreaterEqual(file.stat().st_size, 24 + 6 * (16 + 42))

    def test_signals_and_quit_end_it_and_its_devices(self):
        for way in (signal.SIGTERM, signal.SIGINT, "quit"):
            self.start()
            if way == "quit":
                self.ask(do="quit")
            else:
                self.switch.send_signal(way)
            self.assertEqual(self.switch.wait(10), 0)
            self.assertFalse((self.path / "switch.sock").exists())
            self.assertNotEqual(self.on_node(0, ["ip", "link", "show", "eth0"], check=False).returncode, 0)

    def test_a_device_that_goes_does_not_stop_the_others(self):
        self.start()
        self.on_node(2, ["ip", "link", "delete", "eth0"])
        self.assertTrue(self.ping(0, 1))

    def test_without_a_privilege_it_says_which_one_and_ends_with_6(self):
        for privilege in ("net_admin", "sys_admin"):
            command = ["setpriv", f"--bounding-set=-{privilege}", *self.configure()]
            result = subprocess.run(command, capture_output=True, text=True, timeout=20)
            self.assertEqual(result.returncode, 6, result.stderr)
            self.assertIn(f"CAP_{privilege.upper()} is needed", result.stderr)


class Refusals(unittest.TestCase):
    def run_switch(self, *arguments):
        return subprocess.run([SWITCH, *arguments], capture_output=True, text=True, timeout=20)

    def test_help_teaches(self):
        result = self.run_switch("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("usage: plumbline-switch CONFIG.json", result.stdout)

    def test_wrong_use_is_2(self):
        self.assertEqual(self.run_switch().returncode, 2)

    def test_a_bad_configuration_is_3_and_says_where(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write('{"control": "/tmp/s", "switches": [{"name": "w0"}], "ports": [],\n "prots": []}')
            file.flush()
            result = self.run_switch(file.name)
        self.assertEqual(result.returncode, 3)
        self.assertIn(f'{file.name}: has an unknown member "prots"', result.stderr)

    def test_a_port_of_a_process_that_is_not_there_is_3(self):
        with tempfile.NamedTemporaryFile("w") as file:
            json.dump({"control": "/tmp/s", "switches": [{"name": "w0"}],
                       "ports": [{"name": "n0", "switch": "w0", "pid": 2147483647, "mac": mac(0), "up": "1Mbit/s",
                                  "down": "1Mbit/s"}]}, file)
            file.flush()
            result = self.run_switch(file.name)
        self.assertEqual(result.returncode, 3)
        self.assertIn("port n0: there is no process 2147483647", result.stderr)


if __name__ == "__main__":
    SWITCH = sys.argv.pop(1)
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    unittest.main()
