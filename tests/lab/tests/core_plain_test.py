"""What needs no laboratory: quantities, the plan, texts for others, and arguments."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from core_support import lab
from laboratory import arguments, cgroups, cores, network, remote_shell, switch, volumes
from laboratory.callers import flavour_called
from laboratory.errors import LabError
from laboratory.launch import common_environment, find_launcher
from laboratory.paths import ROOT
from laboratory.plan import Laboratory, Options, Server, planned_nodes
from laboratory.quantity import format_duration, format_rate, parse_bytes, parse_duration, parse_fraction, parse_rate


def some_laboratory(state: str = "/run/x", **options: object) -> Laboratory:
    """Never started."""
    chosen = Options(**options)  # type: ignore[arg-type]
    return Laboratory(state, 100, 7, chosen, nodes=planned_nodes(chosen))


class Quantities(unittest.TestCase):
    def test_rates_are_bits_per_second_however_they_are_written(self) -> None:
        written = (("100Mbit/s", 10**8), ("100Mbit", 10**8), ("12.5MB/s", 10**8), ("1 kbit/s", 1000), ("0", 0))
        for text, truth in written:
            self.assertEqual(parse_rate(text), truth, text)

    def test_durations_are_nanoseconds_and_sizes_bytes(self) -> None:
        self.assertEqual([parse_duration(text) for text in ("50us", "1.5s", "2 ms", "0")],
                         [50_000, 1_500_000_000, 2_000_000, 0])
        self.assertEqual([parse_bytes(text) for text in ("64KiB", "4MB", "9000B")], [65536, 4000000, 9000])
        self.assertEqual(parse_fraction("1%"), 0.01)

    def test_what_is_no_quantity_is_refused(self) -> None:
        for text in ("100", "fast", "-1Mbit/s", "1Mbit/s2", "1e3bit/s", "", "1.Mbit/s"):
            with self.assertRaises(LabError, msg=text):
                parse_rate(text)

    def test_what_is_formatted_is_read_back(self) -> None:
        for rate in (0, 1, 1500, 10**8, 123456789):
            self.assertEqual(parse_rate(format_rate(rate)), rate)
        for duration in (0, 1, 25000, 62500, 10**9):
            self.assertEqual(parse_duration(format_duration(duration)), duration)


class Plan(unittest.TestCase):
    def test_two_switches_have_half_of_either_kind_each(self) -> None:
        nodes = planned_nodes(Options(nodes=4, servers=2, switches=2))
        self.assertEqual([(node.name, node.address, node.switch) for node in nodes],
                         [("n0", "10.77.0.1", "w0"), ("n1", "10.77.0.2", "w0"), ("n2", "10.77.0.3", "w1"),
                          ("n3", "10.77.0.4", "w1"), ("s0", "10.77.0.101", "w0"), ("s1", "10.77.0.102", "w1")])

    def test_a_saved_laboratory_is_loaded_as_it_was(self) -> None:
        with tempfile.TemporaryDirectory() as state:
            saved = some_laboratory(state, nodes=2, clock_offsets={"n1": 5})
            saved.servers = [Server("s0", 5, "7:0", "/dev/loop0", {"blkio": "/g"}, 40)]
            saved.faults = {"slow-link": {"parameters": {"node": "n1"}}}
            saved.save()
            self.assertEqual(Laboratory.load(Path(state)), saved)

    def test_a_broken_state_file_is_an_error_that_says_where(self) -> None:
        with tempfile.TemporaryDirectory() as state:
            for text in ("", "[]", '{"format": 1}', '{"format": 99}', '{"format": 1, "options": {"x": 1}}'):
                Path(state, "state.json").write_text(text)
                with self.assertRaisesRegex(LabError, "state.json"):
                    Laboratory.load(Path(state))


class Texts(unittest.TestCase):
    def test_the_latency_between_nodes_is_half_on_either_cable(self) -> None:
        config = switch.configuration(some_laboratory(nodes=2, servers=0, latency=50_000))
        self.assertEqual([port["latency"] for port in config["ports"]], ["25us", "25us"])
        self.assertEqual(config["ports"][1]["mac"], "02:77:00:00:00:02")
        self.assertEqual(config["uplinks"], [])

    def test_two_switches_are_joined_by_one_uplink_at_its_own_rate(self) -> None:
        config = switch.configuration(some_laboratory(nodes=2, switches=2, uplink_rate=50_000_000))
        self.assertEqual(config["uplinks"], [{"name": "w0-w1", "between": ["w0", "w1"], "rate": "50Mbit/s",
                                              "latency": "25us", "queue": "4MB", "duplex": "full"}])

    def test_a_node_knows_all_others_and_paces_three_percent_above_the_rate(self) -> None:
        nodes = planned_nodes(Options(nodes=3, servers=1))
        text = network.ip_commands(nodes[1], nodes, Options())
        self.assertEqual(text.count("neighbour replace"), 3)
        self.assertIn("address add 10.77.0.2/24 dev eth0", text)
        self.assertEqual(network.pacing_command(Options())[6:10], ["rate", "103000000bit", "burst", "18200"])

    def test_blocks_of_files_are_placed_by_their_number_alone(self) -> None:
        text = volumes.client_volume(planned_nodes(Options(nodes=1, servers=2))[1:])
        self.assertIn("option extra-hash-regex ^[0-9a-f-]+([.][0-9]+)$", text)
        self.assertIn("subvolumes client-s0 client-s1", text)

    def test_whole_files_have_no_shards(self) -> None:
        servers = planned_nodes(Options(nodes=1, servers=2))[1:]
        self.assertIn("features/shard", volumes.client_volume(servers))
        text = volumes.client_volume(servers, whole_files=True)
        self.assertNotIn("features/shard", text)
        self.assertIn("volume lab\n  type cluster/distribute", text)

    def test_control_groups_of_both_versions_are_found(self) -> None:
        mountinfo = ("30 24 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                     "31 24 0:27 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n"
                     "32 24 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n")
        self.assertEqual({name: str(path) for name, path in cgroups.mounts(mountinfo).items()},
                         {"cpu": "/sys/fs/cgroup/cpu,cpuacct", "blkio": "/sys/fs/cgroup/blkio",
                          "unified": "/sys/fs/cgroup/unified"})

    def test_the_remote_shell_refuses_a_host_that_is_no_node(self) -> None:
        with tempfile.TemporaryDirectory() as state:
            script = remote_shell.write(some_laboratory(state, nodes=2))
            done = subprocess.run([str(script), "-x", "elsewhere", "true"], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (255, "remote-shell: elsewhere is no node of the laboratory\n"))

    def test_open_mpi_looks_at_its_sockets_as_often_as_the_shim_expects_of_ranks_that_wait(self) -> None:
        shim = (ROOT / "tests" / "lab" / "node" / "wait_shim.c").read_text()
        busy = re.search(r"kBusyNanoseconds = ([0-9]+)", shim)
        assert busy
        with tempfile.TemporaryDirectory() as state:
            apart = common_environment(some_laboratory(state, nodes=2), [], 1)["OMPI_MCA_mpi_event_tick_rate"]
        self.assertLess(1000 * int(apart), int(busy[1]))


class Cores(unittest.TestCase):
    def test_the_switch_has_one_to_itself_unless_the_nodes_are_to_share_all(self) -> None:
        with mock.patch.object(cores, "_ALL", [0, 1]):
            self.assertEqual((cores.of_switch(Options(nodes=2)), cores.of_nodes(Options(nodes=2))), (0, [1]))
            shared = Options(nodes=2, share_cores=True)
            self.assertEqual((cores.of_switch(shared), cores.of_nodes(shared)), (None, [0, 1]))
            self.assertIsNone(cores.of_switch_and_nodes(shared))
            self.assertEqual(cores.of_each_node(Options(nodes=3, share_cores=True)), {"n0": 0, "n1": 1, "n2": 0})
            self.assertEqual(cores.of_each_node(Options(nodes=3)), {})
            alone = Options(nodes=1, servers=0)
            self.assertEqual((cores.of_switch(alone), cores.of_nodes(alone)), (None, [0, 1]), "no frame passes a switch")

    def test_a_switch_without_a_core_of_its_own_sleeps(self) -> None:
        with mock.patch.object(cores, "_ALL", [0, 1]):
            self.assertIn("spin", switch.configuration(some_laboratory(nodes=2)))
            asleep = switch.configuration(some_laboratory(nodes=2, share_cores=True))
        self.assertFalse({"core", "spin"} & set(asleep))


class Arguments(unittest.TestCase):
    def test_lists_and_ranges_of_nodes(self) -> None:
        self.assertEqual(arguments.node_list("n7,n0-n2,s0"), ["n7", "n0", "n1", "n2", "s0"])
        for text in ("", "n", "n2-n1", "n0-s1", "x3", "n0,,n1"):
            with self.assertRaises(LabError, msg=text):
                arguments.node_list(text)

    def test_a_launcher_is_found_behind_another_program(self) -> None:
        self.assertEqual(find_launcher(["hostname", "-f"]), (0, None))
        with self.assertRaisesRegex(LabError, "no such program"):
            find_launcher(["plumbline", "record", "--", "mpirun.nowhere"])

    def test_our_own_commands_say_whose_launcher_they_call(self) -> None:
        for line, flavour in (("plumbline validate --quick --mpi openmpi", "openmpi"),
                              ("bin/plumbline bench guidelines -n 2 --mpi=mpich", "mpich"),
                              ("plumbline validate --help", None), ("plumbline record -- ./program --mpi mpich", None),
                              ("program validate", None)):
            self.assertEqual(flavour_called(line.split()), flavour, line)
        for line in ("plumbline validate --quick", "plumbline validate --mpi openmpi,mpich", "plumbline bench --mpi other"):
            with self.assertRaisesRegex(LabError, "whose ranks"):
                flavour_called(line.split())

    def test_bad_arguments_end_with_2_or_3_and_say_what_to_do(self) -> None:
        for line, code, words in (("up --nodes 0", 3, "1 to 64"), ("up --rate fast", 3, "100Mbit/s"),
                                  ("fly", 2, "invalid"), ("up --uplink-rate 1Gbit/s", 3, "--switches 2"),
                                  ("up --nodes x", 2, "invalid"),
                                  ("up --clock-offset n9=1s", 3, "no node n9"), ("up --clock-offset 5s", 3, "n3=5s"),
                                  ("up --switches 2 --nodes 1", 3, "--nodes 2"), ("run", 2, "no command"),
                                  ("up --disk-rate 5", 3, "40MB/s"), ("run --timeout x", 2, "invalid")):
            with self.subTest(line):
                done = lab(*line.split())
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_every_verb_teaches_by_examples(self) -> None:
        for verb in ("up", "run", "status", "down", "shell"):
            done = lab(verb, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"\n  lab {verb}", done.stdout)
