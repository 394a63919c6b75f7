"""The table of faults, the parameters, and what the laboratory is told when faults come and go."""

import re
import unittest
from unittest import mock

from faults_support import WithLaboratory
from laboratory import cells, faults, residents, storage
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.fault_table import FAULTS, MACHINE, SHAPES, place_of
from laboratory.plan import Laboratory, Options, Server, planned_nodes


class Ports(WithLaboratory):
    def test_a_slow_link_slows_both_directions_of_one_cable(self) -> None:
        self.put("slow-link", "rate=25Mbit/s")
        self.assertEqual((self.switch.settings["n3"]["up"], self.switch.settings["n3"]["down"]), ("25Mbit/s",) * 2)
        self.assertEqual(self.switch.settings["n2"]["up"], "100Mbit/s")

    def test_two_faults_of_one_cable_end_in_any_order(self) -> None:
        self.put("slow-link")
        self.put("latency")
        faults.remove(self.lab, "slow-link")
        cable = self.switch.settings["n3"]
        self.assertEqual((cable["up"], cable["latency"]), ("100Mbit/s", "1ms"))
        faults.remove(self.lab, "latency")
        self.assertEqual(self.switch.settings["n3"]["latency"], "25us")

    def test_changing_a_parameter_repairs_the_cable_that_was_slow(self) -> None:
        self.put("slow-link", "node=n3")
        self.put("slow-link", "node=n5")
        settings = self.switch.settings
        self.assertEqual((settings["n3"]["up"], settings["n5"]["up"]), ("100Mbit/s", "50Mbit/s"))

    def test_all_servers_can_be_slow(self) -> None:
        self.put("slow-server-link", "server=all")
        self.assertEqual({self.switch.settings[name]["up"] for name in ("s0", "s1")}, {"25Mbit/s"})

    def test_a_backplane_is_of_its_switch(self) -> None:
        self.put("backplane")
        self.assertEqual(self.switch.settings["w0"], {"backplane": "200Mbit/s"})
        faults.remove_all(self.lab)
        self.assertEqual(self.switch.settings["w0"], {"backplane": "0"})


class Launch(WithLaboratory):
    def test_hints_and_environment_of_several_faults_add_up_and_vanish(self) -> None:
        self.put("one-aggregator")
        self.put("tiny-cb-buffer", "size=8KiB")
        self.assertEqual(self.lab.romio_hints, {"cb_nodes": "1", "cb_buffer_size": "8192"})
        self.assertEqual(self.lab.launch_environment["openmpi"]["OMPI_MCA_io_ompio_bytes_per_agg"], "8192")
        faults.remove(self.lab, "one-aggregator")
        self.assertEqual(self.lab.romio_hints, {"cb_buffer_size": "8192"})
        faults.remove_all(self.lab)
        self.assertEqual((self.lab.romio_hints, self.lab.launch_environment), ({}, {"openmpi": {}, "mpich": {}}))

    def test_a_file_of_hints_is_for_both_libraries(self) -> None:
        self.put("hints-file")
        self.assertEqual(self.lab.romio_hints["romio_ds_read"], "disable")
        self.assertEqual(self.lab.launch_environment["openmpi"], {"OMPI_MCA_io": "romio321"})
        faults.remove_all(self.lab)
        self.assertEqual(self.lab.romio_hints, {})

    def test_transports_are_taken_from_both_libraries(self) -> None:
        self.put("tcp-only")
        self.assertEqual(self.lab.launch_environment,
                         {"openmpi": {"OMPI_MCA_btl": "tcp,self"}, "mpich": {"UCX_TLS": "tcp,self"}})

    def test_bad_placement_deals_ranks_to_two_switches(self) -> None:
        self.lab.options.switches = 2
        self.lab.nodes = planned_nodes(self.lab.options)
        self.put("bad-placement")
        self.assertEqual(self.lab.placement, ["n0", "n4", "n1", "n5", "n2", "n6", "n3", "n7"])
        faults.remove_all(self.lab)
        self.assertIsNone(self.lab.placement)

    def test_behind_one_switch_there_is_no_bad_place(self) -> None:
        with self.assertRaises(LabError) as caught:
            self.put("bad-placement")
        self.assertEqual(caught.exception.status, 3)


class Residents(WithLaboratory):
    """Processes by number: `running` is what would run."""

    def setUp(self) -> None:
        super().setUp()
        self.lab.servers = [Server(name, brick_pid=pid, cgroups={"blkio": f"/groups/{name}"})
                            for name, pid in (("s0", 7), ("s1", 8))]
        self.running: dict[int, residents.Resident] = {}
        self.rates: dict[str, int] = {}
        self.refused = ""  # the process that it would work on does not let it
        self.started = 0
        for patch in (mock.patch.object(residents, "_start", self.start),
                      mock.patch.object(residents, "_end", lambda pid: self.running.pop(pid, None)),
                      mock.patch.object(residents, "is_running", lambda pid: pid in self.running),
                      mock.patch.object(storage, "throttle", self.throttle)):
            patch.start()
            self.addCleanup(patch.stop)

    def throttle(self, _: Laboratory, server: Server, rate: int) -> None:
        self.rates[server.name] = rate

    def start(self, _: Laboratory, resident: residents.Resident) -> int:
        if resident.arguments[0] == self.refused:
            raise LabError(resident.name, "did not begin")
        self.started += 1
        self.running[self.started] = resident
        return self.started

    def test_one_slow_disk_of_several_leaves_the_others_as_they_were(self) -> None:
        self.put("slow-disk")
        self.assertEqual(self.rates, {"s0": 1_000_000, "s1": 40_000_000})
        faults.remove_all(self.lab)
        self.assertEqual(self.rates, {"s0": 40_000_000, "s1": 40_000_000})

    def test_every_server_forgets_by_a_program_in_its_own_groups(self) -> None:
        self.put("small-server-cache", "keep=30ms")
        files = "/nowhere/brick/data"
        self.assertEqual(list(self.running.values()), [
            residents.Resident("lab-forget", ["7", files, "--keep", "30ms"], {"blkio": "/groups/s0"}),
            residents.Resident("lab-forget", ["8", files, "--keep", "30ms"], {"blkio": "/groups/s1"})])
        self.assertEqual(self.rates, {"s0": 2_000_000, "s1": 2_000_000})
        faults.remove(self.lab, "small-server-cache")
        self.assertEqual((self.running, self.rates), ({}, {"s0": 40_000_000, "s1": 40_000_000}))

    def test_other_values_take_the_place_of_the_earlier_ones(self) -> None:
        self.put("small-server-cache")
        self.put("small-server-cache", "server=s1", "keep=1s")
        self.assertEqual([resident.arguments for resident in self.running.values()],
                         [["8", "/nowhere/brick/data", "--keep", "1s"]])
        self.assertEqual(self.rates["s0"], 40_000_000)

    def test_one_that_has_ended_is_started_again_with_the_next_fault_of_its_kind(self) -> None:
        self.put("small-server-cache")
        del self.running[1]
        self.put("slow-disk")
        self.assertEqual(len(self.running), 2)
        faults.remove(self.lab, "slow-disk")
        self.assertEqual(self.started, 4)  # those that run are left alone
        faults.remove_all(self.lab)
        self.assertEqual(self.running, {})

    def test_a_fault_of_which_one_does_not_begin_is_not_on(self) -> None:
        self.refused = "8"
        with self.assertRaises(LabError):
            self.put("small-server-cache")
        self.assertEqual((self.lab.faults, self.running, self.rates), ({}, {}, {}))

    def test_two_faults_of_processors_have_a_program_each(self) -> None:
        self.put("noise")
        self.put("slow-node", "slow=2")
        faults.remove(self.lab, "noise")
        self.assertEqual([(resident.name, resident.arguments[1:]) for resident in self.running.values()],
                         [("lab-freeze", ["--slow", "2", "--period", "4ms"])])


class Refusals(WithLaboratory):
    def test_a_wrong_parameter_says_what_is_allowed_with_status_2(self) -> None:
        for name, word, allowed in (
                ("slow-link", "rate=fast", "50Mbit/s"), ("slow-link", "rate=0", "50Mbit/s"),
                ("slow-link", "node=n9", "n0, n1"), ("slow-link", "speed=1", "node=n3, rate=50Mbit/s"),
                ("loss", "loss=101%", "1%"), ("slow-node", "slow=1", "above 1"), ("slow-node", "node=s0", "n0, n1"),
                ("slow-disk", "server=n0", "s0, s1, all"), ("one-aggregator", "n=1", "no parameters")):
            with self.subTest(word), self.assertRaises(LabError) as caught:
                self.put(name, word)
            self.assertEqual(caught.exception.status, 2)
            self.assertIn(allowed, caught.exception.hint)

    def test_an_unknown_fault_names_the_known_ones(self) -> None:
        with self.assertRaises(LabError) as caught:
            faults.main(["slow-cable", "on"])
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("slow-link", caught.exception.hint)

    def test_limits_without_control_groups_cannot_run_here(self) -> None:
        with self.assertRaises(LabError) as caught:
            self.put("slow-disk")
        self.assertEqual(caught.exception.status, CANNOT_RUN_HERE)
        self.assertEqual(self.lab.faults, {})


class Table(unittest.TestCase):
    def test_every_default_is_allowed(self) -> None:
        options = Options()
        lab = Laboratory("/nowhere", 0, 0, options, nodes=planned_nodes(options), servers=[Server("s0")])
        for name, fault in FAULTS.items():
            words = [f"{key}={parameter.default}" for key, parameter in fault.parameters.items()]
            self.assertEqual(len(faults.parse_parameters(lab, name, words)), len(words))

    def test_names_are_places_or_the_same_everywhere(self) -> None:
        self.assertEqual([place_of(FAULTS[name]) for name in ("slow-link", "noise", "slow-disk", "backplane", "tcp-only")],
                         ["node", "node", "server", None, None])

    def test_what_names_a_fault_can_be_searched_for_with_any_parameters(self) -> None:
        for name, fault in FAULTS.items():
            for check, pattern in fault.named:
                self.assertRegex(check, r"^[a-z-]+(\.[a-z-]+)+$", name)
                re.compile(pattern.format(**{key: "n0" for key in fault.parameters}))

    def test_every_fault_has_a_shape_a_cell_and_settings_if_it_needs_them(self) -> None:
        for name, fault in FAULTS.items():
            self.assertIn(fault.shape, SHAPES, name)
            self.assertEqual(bool(fault.cells), fault.shape != MACHINE, f"{name}: only laboratories have cells")
            self.assertEqual(fault.effect == "launch", bool(fault.settings), name)
            without = set(fault.invisible if fault.machine is None or fault.cells else fault.machine.invisible) | set(fault.ends)
            self.assertLess(len(without), 2, f"{name} shows nowhere")
            for flavour in {"openmpi", "mpich"} - without if fault.effect == "launch" else ():
                self.assertTrue(fault.settings.get(flavour) or fault.settings.get("romio"), f"{name}, {flavour}")

    def test_cells_are_those_of_the_program(self) -> None:
        try:
            known = cells.known_cells("mpich")
        except LabError as error:
            self.skipTest(str(error))
        for name, fault in FAULTS.items():
            self.assertLessEqual(set(fault.cells), set(known), name)

    def test_settings_use_only_known_parameters_and_targets(self) -> None:
        for name, fault in FAULTS.items():
            for target, settings in fault.settings.items():
                self.assertIn(target, ("romio", "openmpi", "mpich"), name)
                for value in settings.values():
                    value.format(**{key: "1" for key in fault.parameters})


if __name__ == "__main__":
    unittest.main()
