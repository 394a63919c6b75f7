"""The accuracy of expected times without a laboratory: the list of cells, going on after an interruption, and the way from
a recording to the tables, with stand-ins for plumbline and the launcher (accuracy_fake.py)."""

import json
import os
import re
import subprocess
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest import mock

from accuracy import cells, main, page, sitting, store, table
from accuracy.store import Result, Store
from laboratory.errors import LabError
from laboratory.paths import ROOT

FAKE = Path(__file__).with_name("accuracy_fake.py")

FEW = """
[[cells]]
suite = "barrier"
calls = ["MPI_Barrier"]
start = "small"
ranks = [2, 4]
sizes = {0 = 4}
[[cells]]
suite = "bcast"
calls = ["MPI_Bcast"]
start = "small"
ranks = [2, 4]
sizes = {1024 = 6}
[[cells]]
suite = "read_level0"
calls = ["MPI_File_read_at"]
start = "files"
ranks = [2]
count = "calls"
sizes = {4096 = 3}
parts = 2
"""


class List(unittest.TestCase):
    CELLS = cells.read()

    def test_has_what_is_to_be_judged_at_several_sizes_and_numbers_of_ranks(self) -> None:
        self.assertGreaterEqual(len(self.CELLS), 40)
        kinds = {cell.kind for cell in self.CELLS}
        self.assertGreaterEqual(kinds, {"ping_pong", "exchange", "barrier", "bcast", "reduce", "allreduce", "gather", "scatter",
                                        "allgather", "alltoall", "reduce_scatter_block", "scan", "halo", "own_files_write",
                                        "own_files_read", *(f"read_level{level}" for level in range(4)),
                                        *(f"write_level{level}" for level in range(4))})
        for kind in ("bcast", "allreduce", "allgather", "alltoall", "halo"):
            mine = [cell for cell in self.CELLS if cell.kind == kind]
            self.assertEqual({cell.ranks for cell in mine}, {2, 4, 8}, kind)
            self.assertGreaterEqual(len({cell.size for cell in mine}), 2, kind)

    def test_names_cells_and_parameters_that_the_suite_has(self) -> None:
        source = (ROOT / "bench" / "suite" / "program" / "cells.c").read_text()
        known = set(re.findall(r'^    \{"(\w+)",$', source, re.M)) | set(re.findall(r'^    \{"(\w+)", "', source, re.M))
        self.assertLessEqual({cell.suite.partition(":")[0] for cell in self.CELLS}, known)
        for cell in self.CELLS:
            self.assertRegex(cell.suite, rf"[:,](repetitions|calls|steps)={cell.repetitions}\b")

    def test_has_each_once_and_every_start_has_one_number_of_ranks(self) -> None:
        self.assertEqual(len({cell.name for cell in self.CELLS}), len(self.CELLS))
        starts = cells.starts(self.CELLS)
        self.assertEqual(sum(len(start.cells) for start in starts), len(self.CELLS))
        for start in starts:
            self.assertEqual({cell.ranks for cell in start.cells}, {start.ranks}, start.name)
            self.assertEqual(len({cell.is_io for cell in start.cells}), 1, start.name)

    def test_says_all_that_is_wrong_with_another(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "cells.toml"
            path.write_text('[[cells]]\nsuite = "x"\nstart = "y"\nspeed = 3\nranks = [2]\nsizes = {8 = 1}\n'
                            '[[cells]]\nsuite = "x"\ncalls = []\nstart = "y"\nranks = [0]\nsizes = {big = 1}\n')
            with self.assertRaises(LabError) as caught:
                cells.read(path)
        for fault in ("row 1: there is no key 'speed'", "row 1: 'calls' is missing", "row 2: 'ranks'", "row 2: 'sizes'"):
            self.assertIn(fault, str(caught.exception))

    def test_campaign_measures_neither_collectives_nor_programs_and_storage_by_one_client(self) -> None:
        text = sitting.campaign_text("mpich", ["n0", "n1"], Path("/shared"))
        self.assertEqual(set(re.findall(r'^operation = "(\w+)"', text, re.M)),
                         {"prtt", "pairs", "streams", "protocol", "overheads", "progress", "order", "queue", "frames",
                          "storage_calls", "storage_metadata"})
        self.assertIn('nodes = 1\nper_node = 1\nhosts = ["n0"]\nonly = ["storage_calls", "storage_metadata"]', text)
        self.assertNotRegex(text, r"\{(mpi|hosts|first|directory)\}")


class Site:
    """A place where stand-ins are started; interrupted at the n-th start."""

    def __init__(self, shared: Path) -> None:
        self.shared, self.hosts = shared, ["n0", "n1"]
        self.interrupt_at, self.started = -1, 0

    def settle(self) -> None:
        pass

    def run(self, command: list[str], nodes: int, calls: str | None, timeout: float) -> CompletedProcess[str]:
        if self.started == self.interrupt_at:
            raise KeyboardInterrupt
        self.started += 1
        at = next((i for i, word in enumerate(command) if word.startswith("mpirun.")), None)
        if at is not None:
            command = [*command[:at + 1], "-n", str(nodes), *command[at + 1:]]
        return subprocess.run(command, text=True, capture_output=True, check=False, timeout=timeout)

    def watch(self, work: Callable[[], CompletedProcess[str]]) -> tuple[CompletedProcess[str], dict[str, float]]:
        return work(), {"steal": 0.0, "others": 0.2}


class WithStandIns(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = Path(directory.name)
        build = self.work / "build"
        for name in ("bin/plumbline", "tools/otf2-print", "lib/plumbline/plumbline-suite-openmpi"):
            (build / name).parent.mkdir(parents=True, exist_ok=True)
            (build / name).symlink_to(FAKE) if "suite" not in name else (build / name).touch()
        (build / "bin" / "plumbline").unlink()  # by a name of its own, whatever links are resolved to
        (build / "bin" / "plumbline").write_text(f"#!/bin/sh\nexec {FAKE} \"$@\"\n")
        (build / "bin" / "plumbline").chmod(0o755)
        self.listed = self.work / "cells.toml"
        self.listed.write_text(FEW)
        self.seen_path = self.work / "seen"
        environment = {"PLUMBLINE_BUILD": str(build), "ACCURACY_SEEN": str(self.seen_path), "ACCURACY_CELLS": str(self.listed),
                       "PATH": f"{build / 'tools'}:{os.environ['PATH']}"}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)
        self.kept, self.site = Store(self.work / "store"), Site(self.work)
        self.cells = cells.read(self.listed)
        self.wanted = store.all_recordings(["openmpi"], cells.starts(self.cells), 2)

    def sit(self, seconds: float = 1000) -> None:
        missing = [each for each in self.wanted if not self.kept.has(each)]
        sitting.sit(self.site, self.kept, missing, time.monotonic() + seconds, lambda _: None)

    def replay(self, again: bool = False) -> list[Result]:
        with mock.patch.object(main, "say"), mock.patch("accuracy.smpi.is_there", return_value=False):
            main._replay(self.kept, self.wanted, again)
        return store.newest(store.read(self.kept.results))

    def seen(self, verb: str) -> list[list[str]]:
        if not self.seen_path.exists():
            return []
        return [words for line in self.seen_path.read_text().splitlines() if (words := json.loads(line))[0] == verb]


class GoingOn(WithStandIns):
    def test_each_start_is_recorded_once_before_any_comes_again(self) -> None:
        self.sit()
        self.assertEqual([Path(words[2]).parts[-3:-1] for words in self.seen("record")],
                         [("small-2", "run-0.part"), ("files-2", "run-0.part"), ("small-4", "run-0.part"),
                          ("small-2", "run-1.part"), ("files-2", "run-1.part"), ("small-4", "run-1.part")])
        self.assertEqual(len(self.seen("bench")), 1)
        self.sit()
        self.assertEqual((len(self.seen("record")), len(self.seen("bench"))), (6, 1), "nothing is made twice")

    def test_an_interruption_costs_only_what_was_under_way(self) -> None:
        for place in (0, 1, 4):  # the campaign, and two of six recordings
            with self.subTest(place):
                self.kept = Store(self.work / f"store-{place}")
                self.site = Site(self.work)
                self.site.interrupt_at = place
                with self.assertRaises(KeyboardInterrupt):
                    self.sit()
                self.assertEqual(sum(self.kept.has(each) for each in self.wanted), max(0, place - 1))
                self.site.interrupt_at = -1
                self.sit()
                self.assertTrue(all(self.kept.has(each) for each in self.wanted))
                self.assertEqual(self.site.started, 7)

    def test_a_campaign_that_was_cut_off_goes_on(self) -> None:
        self.kept.campaign("openmpi").parent.mkdir(parents=True)
        (self.kept.campaign("openmpi").parent / "machine.part.h5.parts").mkdir()
        self.sit()
        self.assertIn("--resume", self.seen("bench")[0])

    def test_nothing_is_begun_when_the_time_is_over(self) -> None:
        self.sit(seconds=-1)
        self.assertEqual(self.site.started, 0)

    def test_one_start_that_fails_is_left_and_three_in_a_row_end_it(self) -> None:
        stop = Path(f"{self.seen_path}.stop")
        stop.write_text("files-2")
        self.sit()
        self.assertEqual([each.text() for each in self.wanted if not self.kept.has(each)],
                         ["openmpi, files-2, run 1", "openmpi, files-2, run 2"])
        self.assertEqual(list(self.kept.directory.rglob("*.part")), [])
        stop.write_text("small")
        self.kept = Store(self.work / "other")
        self.wanted = [each for each in self.wanted if each.start.name.startswith("small")]
        with self.assertRaises(LabError) as caught:
            self.sit()
        self.assertIn("no luck", str(caught.exception))

    def test_only_what_has_no_result_is_replayed_and_again_replays_all(self) -> None:
        self.wanted = self.wanted[:3]
        self.sit()
        self.replay()
        self.wanted = store.all_recordings(["openmpi"], cells.starts(self.cells), 2)
        self.sit()
        self.assertEqual(len(self.replay()), 6)
        self.assertEqual(len(store.read(self.kept.results)), 6)
        self.assertEqual(len(self.replay(again=True)), 6)
        self.assertEqual(len(store.read(self.kept.results)), 12, "earlier results stay in the file")

    def test_a_result_that_was_cut_short_is_made_again(self) -> None:
        self.sit()
        self.replay()
        whole = self.kept.results.read_bytes()
        self.kept.results.write_bytes(whole[:-40])
        before = [Result.from_data(json.loads(line)) for line in whole.decode().splitlines()]
        self.assertEqual(self.replay(), before)

    def test_the_directory_is_not_among_the_sources(self) -> None:
        with self.assertRaises(LabError) as caught:
            main.main(["--table", "--directory", str(Path(__file__).parent)])
        self.assertEqual(caught.exception.status, 2)


class Settling(unittest.TestCase):
    def test_cores_are_drawn_together_only_when_the_host_has_moved_them(self) -> None:
        lab: Any = object()
        with mock.patch.object(sitting.canary, "draw_cores", return_value=[300.0, 60.0, 55.0]) as draw, \
                mock.patch.object(sitting.canary, "apart_ns", side_effect=[60.0, 130.0, 140.0, 330.0, 0.0]):
            site = sitting.InLaboratory.of(lab)
            self.assertEqual((site.near_ns, draw.call_count), (55.0, 1))
            for calls in (1, 1, 2, 3):
                site.settle()
                self.assertEqual(draw.call_count, calls)
            enough = draw.call_args.args[1]
            self.assertEqual([enough(apart) for apart in (60.0, 137.0, 138.0)], [True, True, False])


class OfARecording(WithStandIns):
    def test_each_repetition_has_the_sums_of_all_ranks(self) -> None:
        self.sit()
        first = next(result for result in self.replay() if result.start == "small-4")
        bcast = first.cells["bcast/1024/4"]
        self.assertEqual(bcast.observed, [8000.0] * 6)
        self.assertEqual(bcast.as_run, [(4000.0, 4000.0)] * 6)
        self.assertEqual(bcast.as_configured, [(5000.0, 5000.0)] * 6)
        self.assertEqual((bcast.length, bcast.free, bcast.left_out), (2000.0, 1000.0, 0))
        self.assertAlmostEqual(bcast.models["hockney"], 2 * (100 + 1024 * 0.1), places=1)
        self.assertRegex(first.plumbline, r"^plumbline 0 \([0-9a-f]{8}\)$")

    def test_a_barrier_of_the_suite_itself_is_none_of_its_cell(self) -> None:
        self.sit()
        first = next(result for result in self.replay() if result.start == "small-2")
        self.assertEqual(first.cells["barrier/0/2"].observed, [2000.0] * 4)

    def test_of_two_parts_the_last_counts(self) -> None:
        self.sit()
        files = next(result for result in self.replay() if result.start == "files-2")
        self.assertEqual(files.cells["read_level0/4096/2"].observed, [2000.0] * 3)
        self.assertEqual(files.cells["read_level0/4096/2"].models, {})

    def test_the_table_says_what_is_off(self) -> None:
        self.sit()
        results = self.replay()
        text = table.text(results, self.cells)
        self.assertRegex(text, r"bcast/1024/2 +Open MPI +2 ms +2x6 +2.000 \[2.000, 2.000\] +1.600 \[1.600, 1.600\]")
        self.assertIn("; 6 of them on a machine that others used", text)
        self.assertIn("as run, Open MPI: 5 cells, off by 0.0 % (median), 100.0 % (95th percentile); within 5 %: 3", text)

    def test_the_pages_are_written_between_their_marks_and_list_what_is_far_off_and_all_cells(self) -> None:
        self.sit()
        results = self.replay()
        target, every, picture = self.work / "accuracy.md", self.work / "cells.md", self.work / "accuracy.svg"
        for path in (target, every):
            path.write_text(f"# Title\n\n{page.BEGIN}\nold\n{page.END}\n\nAfter.\n")
        for _ in range(2):  # the second time nothing changes
            page.write(results, self.cells, target, every, picture)
        for text in (target.read_text(), every.read_text()):
            self.assertTrue(text.startswith("# Title\n") and text.endswith("\n\nAfter.\n"))
            self.assertNotIn("old", text)
        self.assertEqual(len(re.findall(r"^\| \S+/\S+ \|", every.read_text(), re.M)), 5)
        far = target.read_text().partition("## Cells off by more than 10 %")[2]
        self.assertEqual(re.findall(r"^\| (\S+/\S+) \|.*\| (.*) \|$", far, re.M),
                         [("bcast/1024/2", "not known"), ("bcast/1024/4", "not known")])
        self.assertIn("<svg ", picture.read_text())
        self.assertEqual(picture.read_text().count("<circle"), 5)

    def test_what_was_published_makes_the_pages_again_where_nothing_is_kept(self) -> None:
        self.sit()
        results = self.replay()
        published = self.work / "published.jsonl"
        self.assertEqual(store.published(published, results), store.published(published, []))
        again = Result.from_data({**results[0].to_data(), "plumbline": "of later"})
        newer = store.published(published, [again])
        self.assertEqual(len(newer), len(results))
        self.assertEqual([result for result in newer if result.plumbline == "of later"], [again])
        self.assertEqual(store.published(self.work / "none.jsonl", []), [])
        self.assertFalse((self.work / "none.jsonl").exists())

    def test_the_report_of_an_evaluation_writes_the_pages_of_accuracy_only_from_results(self) -> None:
        self.assertEqual(main.publish(self.kept.directory), [])
        self.sit()
        results = self.replay()
        published = self.work / "published.jsonl"
        with mock.patch.object(page, "PUBLISHED", published), mock.patch.object(page, "write", return_value=["page"]) as write:
            self.assertEqual(main.publish(self.kept.directory), ["page"])
        self.assertEqual(write.call_args.args, (store.published(published, results), cells.read()))

    def test_a_page_without_marks_is_not_touched(self) -> None:
        self.sit()
        marked, mine = self.work / "accuracy.md", self.work / "mine.md"
        marked.write_text(f"{page.BEGIN}\n{page.END}\n")
        mine.write_text("mine")
        results = self.replay()
        for target, every in ((mine, marked), (marked, mine)):
            with self.assertRaises(LabError):
                page.write(results, self.cells, target, every, self.work / "x.svg")
            self.assertEqual((mine.read_text(), marked.read_text()), ("mine", f"{page.BEGIN}\n{page.END}\n"))


if __name__ == "__main__":
    unittest.main()
