"""Faults of the machine itself, without bringing one on: their rows, and what a command gets under each."""

import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from laboratory import cgroups, cores, fault_effects, faults, machine_effects
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.fault_table import (FAULTS, MACHINE, invisible_in, is_free, named_in, parameters_in, place_of, shapes_of)
from laboratory.machine_effects import Busy, Conditions, conditions, together
from laboratory.plan import Laboratory, Options, planned_nodes

FLAVOURS = ("openmpi", "mpich")
ON_MACHINE = [name for name, fault in FAULTS.items() if MACHINE in shapes_of(fault)]


class Rows(unittest.TestCase):
    def test_what_no_laboratory_has_the_machine_has(self) -> None:
        for name, fault in FAULTS.items():
            self.assertTrue(fault.shape != MACHINE or fault.machine, name)

    def test_each_shows_under_one_library_at_least_and_gives_reasons_where_not(self) -> None:
        for name in ON_MACHINE:
            fault = FAULTS[name]
            invisible = invisible_in(fault, MACHINE)
            self.assertLess(len(invisible), 2, f"{name} shows nowhere")
            assert fault.machine is not None
            for flavour, reason in [*invisible.items(), *fault.machine.free.items()]:
                self.assertIn(flavour, FLAVOURS, name)
                self.assertGreater(len(reason), 10, name)
            self.assertFalse(set(invisible) & set(fault.machine.free), f"{name}: free, and invisible")

    def test_a_setting_is_for_every_library_under_which_it_is_not_invisible(self) -> None:
        for name in ON_MACHINE:
            fault = FAULTS[name]
            if fault.effect == "launch":
                for flavour in set(FLAVOURS) - set(invisible_in(fault, MACHINE)):
                    self.assertTrue(fault.settings.get(flavour) or fault.settings.get("romio"), f"{name}, {flavour}")

    def test_what_costs_nothing_is_named_by_a_check_that_reads_and_does_not_time(self) -> None:
        from evaluate.judge import TIMED
        for name in ON_MACHINE:
            if any(is_free(FAULTS[name], MACHINE, flavour) for flavour in FLAVOURS):
                readers = [check for check, _ in named_in(FAULTS[name], MACHINE) if not TIMED.fullmatch(check)]
                self.assertTrue(readers, name)

    def test_what_names_a_fault_needs_only_parameters_that_it_has_there(self) -> None:
        for name in ON_MACHINE:
            for _, pattern in named_in(FAULTS[name], MACHINE):
                re.compile(pattern.format(**{key: "x" for key in parameters_in(FAULTS[name], MACHINE)}))

    def test_only_single_cores_have_peers(self) -> None:
        self.assertEqual([name for name in ON_MACHINE if place_of(FAULTS[name], MACHINE)], ["busy-core", "periodic-work"])

    def test_a_laboratory_refuses_the_faults_of_the_machine_and_says_how_to_have_them(self) -> None:
        options = Options()
        lab = Laboratory("/nowhere", 0, 0, options, nodes=planned_nodes(options))
        for name in ("busy-core", "sync-mount", "yielding"):
            with self.assertRaises(LabError) as caught:
                faults.check_possible(lab, name)
            self.assertIn(f"lab evaluate --shape machine --fault {name}", caught.exception.hint)
            self.assertIn("lab evaluate --shape machine", faults._details(name))
        fault_effects.check_possible(lab, "tcp-only", {})


class WhatACommandGets(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        for patch in (mock.patch.object(cores, "every", lambda: [2, 3, 5]), mock.patch.object(os, "getuid", lambda: 0),
                      mock.patch.object(machine_effects, "tool", lambda name: f"/bin/{name}"),
                      mock.patch.object(cgroups, "hierarchies", lambda: {"cpu": Path("/sys/fs/cgroup/cpu")})):
            patch.start()
            self.addCleanup(patch.stop)

    def under(self, name: str, mpi: str = "openmpi", **parameters: str) -> Conditions:
        defaults = {key: parameter.default for key, parameter in parameters_in(FAULTS[name], MACHINE).items()}
        return conditions(name, defaults | parameters, mpi, self.directory)

    def test_a_healthy_one_gets_nothing(self) -> None:
        self.assertEqual(together([]), Conditions())

    def test_every_fault_gives_something_under_every_library_that_shows_it(self) -> None:
        for name in ON_MACHINE:
            for mpi in set(FLAVOURS) - set(invisible_in(FAULTS[name], MACHINE)):
                self.assertNotEqual(self.under(name, mpi), Conditions(), f"{name}, {mpi}")

    def test_settings_are_those_of_the_library_with_the_values_in_bytes(self) -> None:
        self.assertEqual(self.under("absurd-memory-eager-limit", size="8KiB").environment,
                         {"OMPI_MCA_btl_vader_eager_limit": "128", "OMPI_MCA_btl_vader_max_send_size": "8192"})
        self.assertEqual(self.under("tcp-only", "mpich").environment, {"UCX_TLS": "tcp,self"})

    def test_hints_are_in_a_file_whose_name_tells_nothing(self) -> None:
        environment = self.under("tiny-cb-buffer", "mpich").environment
        self.assertEqual(environment, {"ROMIO_HINTS": str(self.directory / "hints")})
        self.assertEqual((self.directory / "hints").read_text(), "cb_buffer_size 4096\n")
        self.assertIn("OMPI_MCA_io", self.under("hints-file", "openmpi").environment)

    def test_ranks_on_one_core_and_programs_on_the_first_or_last(self) -> None:
        self.assertEqual(self.under("one-core").prefix, ["/bin/taskset", "-c", "2"])
        self.assertEqual(self.under("busy-core", core="first").busy, [Busy(2)])
        self.assertEqual(self.under("periodic-work", core="last").busy, [Busy(5, 0.005, 0.05)])

    def test_a_share_of_a_core_is_for_all(self) -> None:
        self.assertEqual(self.under("cpu-quota", share="60%").share, 0.6)

    def test_mounts_are_apart_and_the_files_go_there(self) -> None:
        self.assertEqual(self.under("small-shm", size="1MB").prefix[:4],
                         ["/bin/unshare", "--mount", "--propagation", "private"])
        self.assertEqual(self.under("small-shm", size="1MB").prefix[-1], "1000000")
        self.assertEqual((self.under("sync-mount").prefix[-2:], self.under("sync-mount").io),
                         (["noatime,sync,dirsync", "0"], self.directory / "io"))
        self.assertEqual(self.under("full-file-system", full="93%").prefix[-2:], ["noatime", "93"])

    def test_what_a_machine_cannot_have_is_said_before(self) -> None:
        with mock.patch.object(os, "getuid", lambda: 1000), mock.patch.object(cores, "every", lambda: [0]):
            for name in ("small-shm", "sync-mount", "cpu-quota", "one-core"):
                with self.assertRaises(LabError, msg=name) as caught:
                    self.under(name)
                self.assertEqual(caught.exception.status, CANNOT_RUN_HERE)


if __name__ == "__main__":
    unittest.main()
