"""The order of runs, what is repeated, and what is printed: with fakes for the runs."""

import json
import os
import tempfile
import unittest
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

from laboratory import canary, cells, check, check_report, faults
from laboratory.canary import Reading
from laboratory.cells import Printed, Run, Speed, parse
from laboratory.errors import LabError
from laboratory.plan import Laboratory, Options, planned_nodes

QUIET = Reading(0.0, 0.0, 0.001, 50.0, 300.0, 100.0, 100.0)


def a_run(mpi: str = "openmpi", cell: float = 10.0, disturbed: str = "", status: int = 0,
          on: tuple[str, ...] = ()) -> Run:
    return Run(mpi, list(on), 0, status, 1.0, {"ring_32k": [cell] * 3}, disturbed=disturbed)


def all_cells(_: str, part: Sequence[str]) -> list[str]:
    return list(part)


def a_laboratory() -> Laboratory:
    options = Options()
    return Laboratory("/nowhere", 0, 0, options, nodes=planned_nodes(options))


class Canary(unittest.TestCase):
    def test_says_nothing_about_a_quiet_run(self) -> None:
        self.assertEqual(canary.complaint(QUIET, canary.limits_from([QUIET] * 3, [100.0])), "")

    def test_says_which_sign_was_too_much(self) -> None:
        late = replace(QUIET, late_p99_us=240.0)
        limits = canary.limits_from([QUIET] * 3, [100.0])
        self.assertIn("the switch was late (p99): 240 over 150", canary.complaint(late, limits))

    def test_one_disturbed_run_of_the_calibration_does_no_harm(self) -> None:
        disturbed = Reading(0.5, 0.5, 0.5, 9000.0, 90000.0, 400.0, 400.0)
        limits = canary.limits_from([QUIET, disturbed, QUIET], [100.0])
        self.assertEqual(limits, canary.limits_from([QUIET] * 3, [100.0]))
        self.assertEqual(len(canary.complaint(disturbed, limits).split("; ")), 5)

    def test_leaves_cores_that_go_away_to_the_cells_and_says_when_they_are_nearer_than_at_the_start(self) -> None:
        near, far = QUIET, replace(QUIET, apart_ns=380.0, apart_after_ns=410.0)
        for start, run, said in (
                (near, near, ""), (near, far, ""), (far, far, ""),
                (far, replace(far, apart_ns=90.0), "the cores are nearer than at the start: 90 ns, not 380; start again")):
            self.assertEqual(canary.complaint(run, canary.limits_from([start] * 3, [start.apart_ns])), said)

    def test_tells_the_cells_from_when_on_the_cores_are_apart(self) -> None:
        with mock.patch.object(canary.cores, "of_switch_and_nodes", return_value=(0, 1)):
            for awake, control in ((True, ["--switch", "/nowhere/switch.sock"]), (False, [])):
                with mock.patch.object(canary, "ask", return_value={"awake": awake}):
                    near = canary.near(a_laboratory(), canary.limits_from([QUIET], [100.0]))
                    self.assertEqual(near.options(), ["--cores", "1,0", "--near", "250", *control])
        with mock.patch.object(canary.cores, "of_switch_and_nodes", return_value=None):
            self.assertIsNone(canary.near(a_laboratory(), canary.limits_from([QUIET], [100.0])))

    def test_keeps_cores_awake_again_only_where_they_were(self) -> None:
        for control, asked in (("/nowhere/switch.sock", 1), ("", 0)):
            with mock.patch.object(canary, "ask") as ask:
                canary.keep_awake(a_laboratory(), cells.Near((1, 0), 250.0, control))
            self.assertEqual(ask.call_count, asked)

    def test_expects_the_cores_where_they_came_when_drawn_together(self) -> None:
        self.assertEqual(canary.limits_from([QUIET], [360.0, 400.0, 60.0, 130.0, 410.0]).apart_ns, 95.0)
        self.assertEqual(canary.limits_from([QUIET], [360.0, 400.0]).apart_ns, 380.0)

    def test_draws_cores_together_a_dozen_times_when_nothing_is_enough(self) -> None:
        with mock.patch.object(canary, "apart_ns", return_value=90.0), \
                mock.patch.object(canary, "ask", return_value={"awake": True}):
            self.assertEqual(canary.draw_cores(a_laboratory(), lambda _: False), [90.0] * 12)

    def test_draws_moved_cores_together_while_they_may_sleep_but_not_for_ever(self) -> None:
        limits = canary.limits_from([QUIET], [100.0])
        for awake, readings, looks in ((True, [90.0], 1), (True, [400.0, 400.0, 90.0], 3), (True, [400.0] * 20, 13),
                                       (False, [400.0, 90.0], 2)):
            asked: list[str] = []

            def ask(_: object, request: dict[str, object], asked: list[str] = asked, awake: bool = awake) -> dict[str, object]:
                asked.append(f"{request['do']} {request.get('awake', '')}".strip())
                return {"awake": awake}

            with mock.patch.object(canary, "apart_ns", side_effect=readings) as apart, mock.patch.object(canary, "ask", ask):
                canary.bring_cores_back(a_laboratory(), limits)
            self.assertEqual(apart.call_count, looks)
            sleeping = ["set False", "set True"] if awake else []
            self.assertEqual(asked, ["show", *sleeping] if looks > 1 else [])

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

        def once(mpi: str, number: int, wanted: Sequence[str]) -> Run:
            done.append((on[-1] if on else "", mpi))
            return a_run(mpi)

        with mock.patch.object(faults, "apply", lambda lab, name: on.append(name)), \
                mock.patch.object(faults, "remove", lambda lab, name: on.remove(name)):
            check.rounds(a_laboratory(), 2, ["openmpi", "mpich"], ["loss"], [["jacobi"]], all_cells, once, lambda _: None)
        self.assertEqual(done, [(fault, mpi) for mpi in ("openmpi", "mpich") for fault in ("", "loss", "loss", "")])


    def test_each_part_of_the_cells_is_run_by_all_flavours_in_two_rounds_before_the_next(self) -> None:
        done: list[tuple[str, list[str]]] = []

        def once(mpi: str, number: int, wanted: Sequence[str]) -> Run:
            done.append((mpi, list(wanted)))
            return a_run(mpi, disturbed="steal" if len(done) == 1 else "")

        check.rounds(a_laboratory(), 3, ["openmpi", "mpich"], [], [["a", "b"], ["c"]], all_cells, once, lambda _: None)
        repeated = [("openmpi", ["a", "b"])]
        twice = [(mpi, part) for part in (["a", "b"], ["c"]) for mpi in ("openmpi", "mpich") for _ in range(2)]
        once_more = [(mpi, part) for part in (["a", "b"], ["c"]) for mpi in ("openmpi", "mpich")]
        self.assertEqual(done, repeated + twice + once_more)

    def test_a_fault_is_not_brought_about_for_a_part_without_its_cells(self) -> None:
        done: list[tuple[str, list[str]]] = []
        on: list[str] = []

        def once(mpi: str, number: int, wanted: Sequence[str]) -> Run:
            done.append((on[-1] if on else "", list(wanted)))
            return a_run(mpi)

        def cells_under(fault: str, part: Sequence[str]) -> list[str]:
            return [cell for cell in part if not fault or cell == "c"]

        with mock.patch.object(faults, "apply", lambda lab, name: on.append(name)), \
                mock.patch.object(faults, "remove", lambda lab, name: on.remove(name)):
            check.rounds(a_laboratory(), 1, ["mpich"], ["loss"], [["a", "b"], ["c", "d"]], cells_under, once, lambda _: None)
        self.assertEqual(done, [("", ["a", "b"]), ("", ["c", "d"]), ("loss", ["c"])])


class Limit(unittest.TestCase):
    def test_limit_follows_a_drift_in_both_directions_but_not_a_core_that_is_shared(self) -> None:
        for percent, now, limit in ((4, 25.0, 26.0), (4, 26.0, 27.04), (4, 24.0, 24.96), (4, 31.0, 27.5), (20, 31.0, 30.0)):
            self.assertAlmostEqual(check.slow_above(percent, Speed(25.0, 4.0), Speed(now, 4.0)).us, limit)
        for now, limit in ((4.0, 4.8), (6.0, 4.8), (3.5, 4.2)):
            self.assertAlmostEqual(check.slow_above(4, Speed(25.0, 4.0), Speed(25.0, now)).cache_ns, limit)


class Cells(unittest.TestCase):
    def test_of_a_run_are_few(self) -> None:
        self.assertEqual(check.in_parts(list("abcdefg")), [list("abcde"), list("fg")])

    def test_come_from_names_and_groups_in_the_order_of_running(self) -> None:
        with mock.patch.object(cells, "known_cells", return_value={"a": "comm", "b": "comm", "io_c": "io"}):
            for names, storage, found in (([], True, ["a", "b", "io_c"]), ([], False, ["a", "b"]),
                                          (["io_c", "a"], True, ["a", "io_c"]), (["comm"], True, ["a", "b"])):
                self.assertEqual(cells.expand("mpich", names, storage), found)

    def test_those_of_several_faults_are_taken_once(self) -> None:
        self.assertEqual(check.cells_of(["half-duplex", "slow-link"]), ["alltoall_16k", "allreduce_32k"])


class Repetition(unittest.TestCase):
    def test_a_disturbed_run_is_repeated_and_kept_apart(self) -> None:
        waiting = [a_run(disturbed="steal"), a_run()]
        tried = check.undisturbed(lambda: waiting.pop(0), lambda _: None)
        self.assertEqual([run.counts for run in tried], [False, True])

    def test_ends_after_two_tries(self) -> None:
        self.assertEqual(len(check.undisturbed(lambda: a_run(disturbed="steal"), lambda _: None)), 2)

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
                    check.read_all([str(Path(directory, "x"))])
                self.assertEqual(caught.exception.status, 3)


class Parsing(unittest.TestCase):
    def test_takes_cells_and_passes_over_what_others_print(self) -> None:
        lines = ['{"program": "cells", "ranks": 8}', "[n3:12] a warning",
                 json.dumps({"cell": "a", "samples": [1, 2.5], "redone": 3, "looks": 0, "disturbed": 0}),
                 json.dumps({"cell": "b", "samples": [4], "redone": 2, "looks": 50, "disturbed": 0, "canary": [33.5, 4.5],
                             "switch_canary": [34.5, 5.5]})]
        self.assertEqual(parse("\n".join(lines)), Printed({"a": [1.0, 2.5], "b": [4.0]}, 5, 0, {"b": 33.5}, {"b": 34.5},
                                                          {"b": 4.5}, {"b": 5.5}))

    def test_counts_what_was_slow_where_it_is_more_than_a_median_can_pass_over(self) -> None:
        lines = [json.dumps({"cell": name, "samples": [1], "redone": 0, "looks": 100, "disturbed": slow})
                 for name, slow in (("a", 5), ("b", 6), ("c", 50))]
        self.assertEqual(parse("\n".join(lines)).slow, 56)

    def test_takes_the_turns_of_a_cell_together(self) -> None:
        # 2 + 6 + 1 of 3 * 50 looks are more than a twentieth, 2 of 50 are not; medians of 33, 36, 34 and of 4, 6, 5
        lines = [json.dumps({"cell": "a", "samples": [turn, turn + 0.5], "redone": turn, "looks": 50, "disturbed": slow,
                             "canary": [us, ns], "switch_canary": [2 * us, 2 * ns]})
                 for turn, slow, us, ns in ((0, 2, 33, 4), (1, 6, 36, 6), (2, 1, 34, 5))]
        self.assertEqual(parse("\n".join(lines)), Printed({"a": [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]}, 3, 9, {"a": 34.0},
                                                          {"a": 68.0}, {"a": 5.0}, {"a": 10.0}))
        self.assertEqual(parse(lines[0]).slow, 0)


if __name__ == "__main__":
    unittest.main()
