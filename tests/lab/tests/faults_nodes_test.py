"""What faults change of what interfaces state, and inside of nodes and servers: with fakes for the nodes."""

import unittest
from unittest import mock

from faults_support import WithLaboratory
from laboratory import cgroups, cores, faults, node_settings, remote_shell
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.plan import Server
from laboratory.stated import Stated


class StatedSpeeds(WithLaboratory):
    """What interfaces say of their cables, which a fault may have changed or not."""

    def test_a_cable_that_negotiated_right_but_is_slow_states_its_full_rate(self) -> None:
        self.put("slow-link")
        self.assertEqual(self.switch.settings["n3"]["up"], "50Mbit/s")
        self.assertEqual(self.stated["n3"], Stated(100_000_000, "full"))

    def test_a_cable_that_negotiated_a_lower_rate_states_it(self) -> None:
        self.put("slow-link", "node=n5", "rate=25.9Mbit/s", "stated=yes")
        self.assertEqual((self.stated["n5"].speed, self.stated["n5"].duplex), (25, "full"))
        self.assertEqual(self.stated["n3"].speed, 100)
        faults.remove_all(self.lab)
        self.assertEqual(self.stated["n5"].speed, 100)

    def test_half_duplex_is_stated_unless_it_is_to_be_hidden(self) -> None:
        self.put("half-duplex")
        self.assertEqual(self.stated["n3"], Stated(100_000_000, "half"))
        self.put("half-duplex", "stated=no")
        self.assertEqual(self.stated["n3"].duplex, "full")

    def test_two_faults_of_one_cable_are_stated_together(self) -> None:
        self.put("half-duplex")
        self.put("slow-link", "stated=yes")
        self.assertEqual(self.stated["n3"], Stated(50_000_000, "half"))

    def test_a_kernel_that_refuses_is_told_once_and_the_fault_is_on(self) -> None:
        self.refused_speed = "interfaces do not state"
        self.put("slow-link", "stated=yes")
        self.put("half-duplex")
        self.assertEqual(self.lab.notes, ["interfaces do not state"])
        self.assertEqual(set(self.lab.faults), {"slow-link", "half-duplex"})

    def test_speeds_are_whole_megabits_and_1_at_least(self) -> None:
        for rate, speed in ((100_000_000, 100), (999_999, 1), (25_999_999, 25), (10_000_000_000, 10_000)):
            self.assertEqual(Stated(rate).speed, speed)


class InsideNodes(WithLaboratory):
    """What a fault changes inside of nodes: the last that each was told."""

    def setUp(self) -> None:
        super().setUp()
        self.mtu: dict[str, int] = {}
        self.shm: dict[str, str] = {}
        self.shares: dict[str, float] = {}
        self.cores = [1, 2, 3]
        self.lab.servers = [Server(name, cgroups={"cpu": name, "blkio": name}) for name in ("s0", "s1")]
        for patch in (mock.patch.object(node_settings, "put_mtu", lambda _, wanted: self.mtu.update(wanted)),
                      mock.patch.object(node_settings, "put_shm", lambda _, wanted: self.shm.update(wanted)),
                      mock.patch.object(remote_shell, "write"),
                      mock.patch.object(cores, "of_nodes", lambda _: self.cores),
                      mock.patch.object(cgroups, "limit_processor",
                                        lambda groups, share: self.shares.update({groups["cpu"]: share}))):
            patch.start()
            self.addCleanup(patch.stop)

    def test_one_node_has_a_smaller_mtu_than_the_others(self) -> None:
        self.put("mtu-mismatch", "node=n2")
        self.assertEqual((self.mtu["n2"], self.mtu["n1"], self.mtu["s0"]), (1500, 9000, 9000))
        faults.remove_all(self.lab)
        self.assertEqual(set(self.mtu.values()), {9000})

    def test_an_mtu_that_cables_do_not_carry_is_refused(self) -> None:
        self.lab.options.mtu = 1500
        with self.assertRaises(LabError) as caught:
            self.put("mtu-mismatch", "mtu=9000")
        self.assertIn("more than that of the cables, 1500", str(caught.exception))
        for word in ("mtu=68", "mtu=9001", "mtu=1.5", "mtu=-1500", "mtu=much"):
            with self.assertRaises(LabError, msg=word) as caught:
                self.put("mtu-mismatch", word)
            self.assertIn("576 to 9000", str(caught.exception))

    def test_one_node_has_little_shared_memory(self) -> None:
        self.put("small-shm", "node=n1")
        self.assertEqual((self.shm["n1"], self.shm["n0"]), ("65536", "50%"))
        faults.remove_all(self.lab)
        self.assertEqual(set(self.shm.values()), {"50%"})

    def test_one_server_answers_slowly_and_the_other_does_not(self) -> None:
        self.put("slow-metadata")
        self.assertEqual(self.shares, {"s0": 0.03, "s1": 0.0})
        faults.remove_all(self.lab)
        self.assertEqual(self.shares, {"s0": 0.0, "s1": 0.0})

    def test_without_the_control_group_of_processors_no_server_is_slow_to_answer(self) -> None:
        self.lab.servers[1].cgroups = {"blkio": "s1"}
        with self.assertRaises(LabError) as caught:
            self.put("slow-metadata")
        self.assertEqual(caught.exception.status, CANNOT_RUN_HERE)

    def test_what_is_started_on_a_node_gets_one_core_of_several(self) -> None:
        self.put("one-core", "node=n4")
        self.assertEqual(self.lab.bound, {"n4": 1})
        faults.remove_all(self.lab)
        self.assertEqual(self.lab.bound, {})

    def test_nodes_that_have_one_core_anyway_cannot_be_bound_to_one(self) -> None:
        self.cores = [1]
        with self.assertRaises(LabError) as caught:
            self.put("one-core")
        self.assertEqual(caught.exception.status, CANNOT_RUN_HERE)
        self.assertIn("lab up --nodes 1 --servers 0", caught.exception.hint)


if __name__ == "__main__":
    unittest.main()
