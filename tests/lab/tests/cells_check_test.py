"""The order of runs, what is repeated, and what is printed: with fakes for the runs."""

import json
import os
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from laboratory import canary, check, check_report, faults
from laboratory.canary import Reading
from laboratory.cells import Printed, Run, parse
from laboratory.errors import LabError
from laboratory.plan import Laboratory, Options, planned_nodes

QUIET = Reading(0.0, 0.0, 0.001, 50.0, 300.0, 100.0, 100.0)


def a_run(mpi: str = "openmpi", cell: float = 10.0, disturbed: str = "", status: int = 0,
          on: tuple[str, ...] = ()) -> Run:
    return Run(mpi, list(on), 0, status, 1.0, {"ring_32k": [cell] * 3}, disturbed=disturbed)


def a_laboratory() -> Laboratory:
    options = Options()
    return Laboratory("/nowhere", 0, 0, options, nodes=planned_nodes(options))


class Canary(unittest.TestCase):
    def test_says_nothing_about_a_quiet_run(self) -> None:
        self.assertEqual(canary.complaint(QUIET, canary.limits_from([QUIET] * 3)), "")

    def test_says_which_sign_was_too_much(self) -> None:
        late = replace(QUIET, late_p99_us=240.0)
        limits = canary.limits_from([QUIET] * 3)
        self.assertIn("the switch was late (p99): 240 over 150", canary.complaint(late, limits))

    def test_one_disturbed_run_of_the_calibration_does_no_harm(self) -> None:
        disturbed = Reading(0.5, 0.5, 0.5, 9000.0, 90000.0, 400.0, 400.0)
        limits = canary.limits_from([QUIET, disturbed, QUIET])
        self.assertEqual(limits, canary.limits_from([QUIET] * 3))
        self.assertEqual(len(canary.complaint(disturbed, limits).split("; ")), 6)

    def test_says_that_the_host_moved_the_cores_nearer_or_farther_before_or_after_the_run(self) -> None:
        near, far = QUIET, replace(QUIET, apart_ns=380.0, apart_after_ns=410.0)
        for start, run, said in (
                (near, replace(near, apart_ns=134.0), ""),
                (near, replace(near, apart_after_ns=380.0), "the host moved the cores: 380 ns apart, not 100"),
                (near, replace(near, apart_ns=350.0), "the host moved the cores: 350 ns apart, not 100"),
                (far, far, ""),
                (far, replace(far, apart_ns=90.0), "the host moved the cores: 90 ns apart, not 395")):
            self.assertEqual(canary.complaint(run, canary.limits_from([start] * 3)), said)

    def test_waits_for_the_cores_but_not_for_ever(self) -> None:
        limits = canary.limits_from([QUIET])
        for readings, looks in (([90.0], 1), ([400.0, 400.0, 90.0], 3), ([400.0] * 9, 5)):
            with mock.patch.object(canary, "apart_ns", side_effect=readings) as apart, mock.patch("time.sleep"), \
                    mock.patch("time.monotonic", side_effect=range(100)):
                canary.wait_for_cores(limits, 5.0)
            self.assertEqual(apart.call_count, looks)

    def test_reads_the_time_stolen_from_proc_stat(self) -> None:
        with mock.patch("os.sysconf", return_value=100):
            self.assertEqual(canary.steal_seconds("cpu  1 2 3 4 5 6 7 250 0 0\ncpu0 ..."), 2.5)


    def test_counts_the_time_of_others_but_not_of_the_laboratory_and_the_kernel(self) -> None:
        ours, laboratory = "pid:[1]", "pid:[2]"
        processes = {"self": (ours, 0, 0, "x"), "10": (ours, 0, 100, "a) b"), "11": (laboratory, 0, 1000, "rank"),
                     "12": (ours, 0x00200000, 5000, "kworker"), "13": (ours, 0, 6000, "lab-freeze"),
                     "14": (ours, 0, 6000, "lab-forget"),
                     str(os.getpid()): (ours, 0, 7000, "lab")}
        with tempfile.TemporaryDirectory() as directory:
            for name, (namespace, flags, ticks, comm) in processes.items():
                process = Path(directory) / name
                (process / "ns").mkdir(parents=True)
                (process / "ns/pid").symlink_to(namespace)
                (process / "stat").write_text(f"{name} ({comm}) S 1 1 1 0 -1 {flags} 0 0 0 0 {ticks} 20 3 0 20 0 1 0\n")
            with mock.patch("os.sysconf", return_value=100):
                self.assertEqual(canary.other_seconds(Path(directory)), (100 + 20 + 3 + 0) / 100)


class Order(unittest.TestCase):
    def test_flavours_and_faults_alternate_and_every_second_round_is_reversed(self) -> None:
        done: list[tuple[str, str]] = []
        on: list[str] = []

        def once(mpi: str, number: int) -> Run:
            done.append((on[-1] if on else "", mpi))
            return a_run(mpi)

        with mock.patch.object(faults, "apply", lambda lab, name: on.append(name)), \
                mock.patch.object(faults, "remove", lambda lab, name: on.remove(name)):
            check.rounds(a_laboratory(), 2, ["openmpi", "mpich"], ["loss"], once, lambda _: None)
        self.assertEqual(done, [("", "openmpi"), ("", "mpich"), ("loss", "openmpi"), ("loss", "mpich"),
                                ("loss", "mpich"), ("loss", "openmpi"), ("", "mpich"), ("", "openmpi")])


class Cells(unittest.TestCase):
    def test_those_of_several_faults_are_taken_once(self) -> None:
        self.assertEqual(check.cells_of(["half-duplex", "slow-link"]), ["alltoall_16k", "allreduce_32k"])


class Repetition(unittest.TestCase):
    def test_a_disturbed_run_is_repeated_and_kept_apart(self) -> None:
        waiting = [a_run(disturbed="steal"), a_run(disturbed="steal"), a_run()]
        tried = check.undisturbed(lambda: waiting.pop(0), lambda _: None)
        self.assertEqual([run.counts for run in tried], [False, False, True])

    def test_ends_after_three_tries(self) -> None:
        self.assertEqual(len(check.undisturbed(lambda: a_run(disturbed="steal"), lambda _: None)), 3)

    def test_a_failed_run_is_not_repeated(self) -> None:
        self.assertEqual(len(check.undisturbed(lambda: a_run(status=1), lambda _: None)), 1)


class Report(unittest.TestCase):
    def test_says_statuses_spread_and_what_a_fault_moved(self) -> None:
        runs = [a_run(cell=value) for value in (10, 11, 10, 12, 11)]
        runs += [a_run(cell=99, disturbed="steal: 1 over 0"), a_run(cell=99, status=1)]
        runs += [a_run(cell=value, on=("backplane",)) for value in (20, 22)]
        text = check_report.tables(runs)
        self.assertIn("9 runs, 1 of them disturbed", text)
        self.assertIn("status 0 in 8, status 1 in 1", text)
        self.assertRegex(text, r"ring_32k +11\.0 +7\.75! +- ")
        self.assertRegex(text, r"\* ring_32k +21\.0 +1\.91 +2/2 yes")

    def test_without_a_run_that_counts_the_status_says_too_noisy(self) -> None:
        quiet, noisy = a_run("openmpi"), a_run("mpich", disturbed="steal: 1 over 0")
        self.assertEqual(check.status_of([quiet]), 0)
        self.assertEqual(check.status_of([quiet, noisy]), 5)
        self.assertEqual(check.status_of([quiet, noisy, a_run(status=1)]), 1)

    def test_is_the_same_from_the_raw_lines(self) -> None:
        runs = [a_run(cell=value) for value in (10, 11)]
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, "raw.jsonl")
            path.write_text('{"kind": "limits"}\n' + "".join(run.to_json() + "\n" for run in runs))
            self.assertEqual(check_report.tables(check.read(path)), check_report.tables(runs))

    def test_refuses_a_file_that_is_something_else(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            for text in ("not json", "{}", '{"kind": "limits"}'):
                Path(directory, "x").write_text(text)
                with self.assertRaises(LabError) as caught:
                    check.read(Path(directory, "x"))
                self.assertEqual(caught.exception.status, 3)


class Parsing(unittest.TestCase):
    def test_takes_cells_and_passes_over_what_others_print(self) -> None:
        lines = ['{"program": "cells", "ranks": 8}', "[n3:12] a warning",
                 json.dumps({"cell": "a", "samples": [1, 2.5], "redone": 3, "disturbed": 1}),
                 json.dumps({"cell": "b", "samples": [4], "redone": 2, "disturbed": 0, "canary": 33.5})]
        self.assertEqual(parse("\n".join(lines)), Printed({"a": [1.0, 2.5], "b": [4.0]}, 5, 1, {"b": 33.5}))


if __name__ == "__main__":
    unittest.main()
