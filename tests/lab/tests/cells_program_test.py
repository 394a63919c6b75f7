"""The measured program itself, on this machine without a laboratory: what it does again, and what one sample is."""

import json
import os
import shutil
import socketserver
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any

from laboratory import paths
from laboratory.errors import LabError

FLAVOURS = [flavour for flavour in ("openmpi", "mpich") if shutil.which(f"mpirun.{flavour}")]
CORES = sorted(os.sched_getaffinity(0))


def setUpModule() -> None:
    try:
        for flavour in FLAVOURS:
            paths.program(f"cells-{flavour}")
    except LabError as error:
        raise unittest.SkipTest(str(error)) from None


def run(flavour: str, *words: str) -> dict[str, dict[str, Any]]:
    """Cell -> what was printed of it, by two ranks."""
    return {line["cell"]: line for line in run_lines(flavour, *words)}


def run_lines(flavour: str, *words: str) -> list[dict[str, Any]]:
    """What was printed of cells, in that order."""
    launcher = [f"mpirun.{flavour}", "-n", "2"]
    if flavour == "openmpi":
        launcher += ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
    done = subprocess.run([*launcher, str(paths.program(f"cells-{flavour}")), *words], capture_output=True, text=True,
                          check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"cell"')]


class Switch(socketserver.ThreadingUnixStreamServer):
    """Notes what it is asked for."""
    daemon_threads = True

    def __init__(self, path: str) -> None:
        self.asked: list[dict[str, Any]] = []
        super().__init__(path, Answer)


class Answer(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Switch)
        self.server.asked.append(json.loads(self.rfile.readline()))
        self.wfile.write(b'{"ok": true}\n')


class MovedCores(unittest.TestCase):
    def setUp(self) -> None:
        if len(CORES) < 2:
            self.skipTest("there is one core")
        self.cores = ["--quiet", "1e6", "--cores", f"{CORES[1]},{CORES[0]}"]

    def test_are_looked_at_and_nothing_is_done_again_while_they_are_near(self) -> None:
        for flavour in FLAVOURS:
            cell = run(flavour, "--cells", "pingpong_8", *self.cores, "--near", "1e6")["pingpong_8"]
            self.assertEqual((cell["redone"], cell["disturbed"], len(cell["samples"])), (0, 0, 1500), flavour)

    def test_are_both_asked_how_fast_they_and_their_caches_are(self) -> None:
        for flavour in FLAVOURS:
            cell = run(flavour, "--cells", "pingpong_8", *self.cores, "--near", "1e6")["pingpong_8"]
            (here, cache), (at_switch, cache_at_switch) = cell["canary"], cell["switch_canary"]
            self.assertGreater(min(here, at_switch, cache, cache_at_switch), 0, flavour)
            self.assertLess(max(here, at_switch), 5 * min(here, at_switch), "a shared core is half as fast")
            cell = run(flavour, "--cells", "pingpong_8", "--quiet", "1e6")["pingpong_8"]
            self.assertEqual(cell["switch_canary"], [0, 0], "nobody looked")

    def test_that_are_slow_or_whose_caches_are_have_the_iterations_done_again_while_patience_lasts(self) -> None:
        for flavour in FLAVOURS:
            for limits in ("0.01", "1e6,0.01"):
                cell = run(flavour, "--cells", "pingpong_8", "--quiet", limits, "--patience", "0.3")["pingpong_8"]
                self.assertEqual(len(cell["samples"]), 1500)
                self.assertGreater(cell["redone"], 0)
                self.assertGreater(cell["disturbed"], 0, "what is left of it when the patience has gone")

    def test_have_the_iterations_done_again_while_patience_lasts_and_may_sleep_meanwhile(self) -> None:
        for flavour in FLAVOURS:
            with tempfile.TemporaryDirectory() as directory, Switch(f"{directory}/s") as switch:
                threading.Thread(target=switch.serve_forever, daemon=True).start()
                cell = run(flavour, "--cells", "pingpong_8", *self.cores, "--near", "1", "--patience", "1", "--switch", f"{directory}/s")["pingpong_8"]
                switch.shutdown()
            self.assertEqual(len(cell["samples"]), 1500)
            self.assertGreater(cell["redone"], 0)
            self.assertGreater(cell["disturbed"], 0, "what is left of it when the patience has gone")
            self.assertEqual(switch.asked, [{"do": "set", "awake": False}, {"do": "set", "awake": True}] * cell["redone"])


class Turns(unittest.TestCase):
    def test_have_a_part_of_the_iterations_each_and_a_cell_of_few_is_left_out_of_some(self) -> None:
        for flavour in FLAVOURS:
            lines = run_lines(flavour, "--cells", "pingpong_8,pingpong_1m,allreduce_32k", "--turns", "7")
            parts: dict[str, list[int]] = {}
            for line in lines:
                parts.setdefault(line["cell"], []).append(len(line["samples"]))
            # 1500 = 214 + 214 + 215 + .., 25 = 3 + 4 + .., 3 = 1 + 1 + 1
            self.assertEqual({cell: sum(counts) for cell, counts in parts.items()},
                             {"pingpong_8": 1500, "pingpong_1m": 3, "allreduce_32k": 25}, flavour)
            self.assertEqual([len(parts[cell]) for cell in ("pingpong_8", "pingpong_1m", "allreduce_32k")], [7, 3, 7])
            self.assertLessEqual(max(parts["pingpong_8"]) - min(parts["pingpong_8"]), 1)
            self.assertNotEqual([line["cell"] for line in lines[:2]], ["pingpong_8"] * 2, "in turn")

    def test_keep_what_gives_one_sample_together(self) -> None:
        for flavour, closes in (("openmpi", 60), ("mpich", 120)):
            if flavour in FLAVOURS:
                with tempfile.TemporaryDirectory() as directory:
                    lines = run_lines(flavour, "--cells", "io_close", "--io", directory, "--turns", "7")
                self.assertEqual(sum(len(line["samples"]) for line in lines), closes // 2)


class Samples(unittest.TestCase):
    def test_of_a_close_are_the_faster_of_two_in_a_row(self) -> None:
        for flavour, closes in (("openmpi", 60), ("mpich", 120)):
            if flavour in FLAVOURS:
                with tempfile.TemporaryDirectory() as directory:
                    cell = run(flavour, "--cells", "io_close", "--io", directory)["io_close"]
                self.assertEqual(len(cell["samples"]), closes // 2)


if __name__ == "__main__":
    unittest.main()
