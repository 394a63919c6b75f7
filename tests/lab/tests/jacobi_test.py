"""The measured and predicted Jacobi without a laboratory: its list, what is done in which order, and what the page says."""

import re
import subprocess
import tempfile
import time
import unittest
import unittest.mock
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

from accuracy import sitting
from jacobi import cases, figure, here, main, measure, page, predict, store, summary
from jacobi.cases import Case
from jacobi.store import Prediction, Run, Store
from laboratory import launch
from laboratory.errors import LabError

CASE = Case("here", "computed", 2, 256, 8, 1000)
SOURCE = predict.MODEL.read_text()


class List(unittest.TestCase):
    CASES = cases.read()

    def test_has_both_places_and_the_row_of_the_paper_and_a_larger_one(self) -> None:
        self.assertEqual({(case.place, case.ranks) for case in self.CASES},
                         {("here", 2), ("laboratory", 2), ("laboratory", 4), ("laboratory", 8)})
        for place in cases.PLACES:
            self.assertEqual({case.message_bytes for case in self.CASES if case.place == place}, {1024, 131072})

    def test_has_each_once_and_every_rank_has_as_many_rows(self) -> None:
        self.assertEqual(len({case.name for case in self.CASES}), len(self.CASES))
        self.assertEqual([case.name for case in self.CASES if case.rows % case.ranks], [])

    def test_all_faults_are_told_together(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "cases.toml"
            path.write_text('[[cases]]\nplace = "moon"\nseries = "x"\nranks = [2]\ncolumns = 8\niterations = 1\nspeed = 3\n'
                            '[[cases]]\nplace = "moon"\nseries = "x"\nranks = [3]\ncolumns = 8\niterations = 1\nrows = 4\n'
                            '[[cases]]\nplace = "here"\nseries = "x"\nranks = [2]\ncolumns = "8"\niterations = 1\neach = 4\n'
                            '[[cases]]\nplace = "here"\nseries = "x"\nranks = [2]\ncolumns = 8\niterations = 1\n')
            with self.assertRaises(LabError) as caught:
                cases.read(path)
        for fault in ("row 1: there is no key 'speed'", "row 2: 'place' is here or laboratory",
                      "row 2: 'rows' are not as many for each rank", "row 3: 'columns' is missing, or not of its kind",
                      "row 4: has either 'rows' or 'each'"):
            self.assertIn(fault, str(caught.exception))

    def test_points_are_of_one_rank_with_the_rows_of_each(self) -> None:
        self.assertEqual((CASE.alone.ranks, CASE.alone.rows, CASE.alone.arguments), (1, 4, ["1000", "256", "4", "0"]))
        several = [Case("here", "x", ranks, 256, ranks, 10) for ranks in (2, 4, 8)]
        self.assertEqual(len(cases.with_computation_alone(several)), 4, "a row each: one point for all")

    def test_constants_are_those_of_the_model(self) -> None:
        self.assertEqual(set(re.findall(r"PEVPM Constant (\w+)", SOURCE)), {"iterations", "xsize", "rows", "point"})

    def test_campaigns_measure_messages_of_the_size_of_each_row_alone_and_with_others(self) -> None:
        here = measure.campaign_text("here", "mpich", ["one"])
        laboratory = measure.campaign_text("laboratory", "mpich", [f"n{i}" for i in range(8)])
        self.assertIn('operation = "one_way"\nsizes = "1..1MiB*2"', here)
        self.assertIn('hosts = ["n0", "n1", "n2", "n3"]\nonly = "round_trip"', laboratory)
        for size in ("1KiB", "128KiB"):
            for some in ("", r'ranks = (\["one", )?"rounds"\]?\n'):
                self.assertRegex(laboratory, rf'operation = "round_trip"\n{some}(ranks.*\n)?sizes = [^\n]*"{size}"')
        self.assertNotRegex(here + laboratory, r"\{(mpi|hosts|half)\}")


class Site:
    """A place where nothing is started; what would be is kept."""

    def __init__(self, status: int = 0) -> None:
        self.shared, self.hosts, self.status = Path("/"), ["n0", "n1"], status
        self.started: list[list[str]] = []
        self.others: list[float] = []  # shares, of the runs to come, the last one first

    def settle(self) -> None:
        pass

    def run(self, command: list[str], nodes: int, calls: str | None, timeout: float) -> CompletedProcess[str]:
        self.started.append(command)
        if calls:
            Path(command[command.index("-o") + 1]).touch()
            return CompletedProcess(command, self.status, "", "")
        return CompletedProcess(command, self.status, f"{nodes} ranks: 2.500000 s, of which rank 0 computed 1.000000 s: "
                                "0.500 ns a point\n", "no luck")

    def watch(self, work: Callable[[], CompletedProcess[str]]) -> tuple[CompletedProcess[str], dict[str, float]]:
        return work(), {"steal": 0, "others": self.others.pop() if self.others else 0}


class Measuring(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.kept, self.site = Store(Path(directory.name)), Site()
        self.cases = cases.with_computation_alone([CASE])
        for module, name in ((measure, "program"), (sitting, "plumbline")):
            patch = unittest.mock.patch.object(module, name, lambda *_: Path("/program"))
            patch.start()
            self.addCleanup(patch.stop)

    def wanted(self, runs: int = 2) -> list[measure.Wanted]:
        return measure.missing(self.kept, self.cases, ["openmpi", "mpich"], runs)

    def sit(self, seconds: float = 100) -> None:
        measure.sit(self.site, self.kept, "here", self.wanted, time.monotonic() + seconds, lambda _: None)

    def test_every_case_is_run_under_each_mpi_before_any_comes_again(self) -> None:
        self.assertEqual([(case.ranks, mpi, run) for case, mpi, run in self.wanted()],
                         [(2, "openmpi", 0), (2, "mpich", 0), (1, "openmpi", 0), (1, "mpich", 0),
                          (2, "openmpi", 1), (2, "mpich", 1), (1, "openmpi", 1), (1, "mpich", 1)])

    def test_nothing_is_made_twice_and_what_was_cut_short_is_made_again(self) -> None:
        self.sit()
        self.assertEqual((len(self.site.started), self.wanted()), (10, []), "2 campaigns and 8 runs")
        self.kept.results.write_bytes(self.kept.results.read_bytes()[:-30])
        self.assertEqual([(case.ranks, mpi, run) for case, mpi, run in self.wanted()], [(1, "mpich", 1)])

    def test_runs_beside_which_others_ran_are_made_again_but_not_for_ever(self) -> None:
        self.site.others = [0.5, 0.0, 0.5, 0.0]
        self.sit()
        self.assertEqual((len(self.site.started) - 2, self.wanted()), (10, []), "2 of 8 runs are made again")
        self.kept, self.site = Store(self.kept.directory / "other"), Site()
        self.site.others = [0.5] * 1000
        self.sit()
        self.assertEqual(len(self.site.started) - 2, 4 * 8)

    def test_what_others_used_is_what_the_kernel_counted_less_than_what_the_program_did(self) -> None:
        self.assertEqual(here.busy_seconds("cpu 100 20 30 5000 7 4 6 9 0 0\ncpu0 1 1 1 1\n"), 1.6)  # 100 ticks a second
        site = here.Here(Path("/"))
        work = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
        done, reading = site.watch(lambda: subprocess.run(["python3", "-c", work], text=True, capture_output=True, check=True))
        self.assertEqual(done.returncode, 0)
        self.assertTrue(all(0 <= reading[key] <= 1 for key in ("steal", "others")), reading)

    def test_runs_of_another_number_of_iterations_do_not_count(self) -> None:
        self.sit()
        self.cases = cases.with_computation_alone([Case("here", "computed", 2, 256, 8, 2000)])
        self.assertEqual(len(self.wanted()), 8)

    def test_nothing_is_begun_when_the_time_is_over(self) -> None:
        self.sit(seconds=-1)
        self.assertEqual(self.site.started, [])

    def test_a_campaign_that_is_ended_by_the_time_is_no_result(self) -> None:
        self.site.status = launch.TIMED_OUT
        measure.campaign(self.site, self.kept, "here", "mpich", 1)
        self.assertFalse(self.kept.campaign("here", "mpich").exists())
        Path(f"{self.kept.campaign('here', 'mpich').with_suffix('.part.h5')}.parts").mkdir()
        self.site.status = 0
        measure.campaign(self.site, self.kept, "here", "mpich", 1)
        self.assertTrue(self.kept.campaign("here", "mpich").exists())
        self.assertEqual(["--resume" in command for command in self.site.started], [False, True])

    def test_three_starts_in_a_row_that_fail_end_it(self) -> None:
        self.kept.campaign("here", "openmpi").parent.mkdir(parents=True)
        self.site.status = 1
        for mpi in ("openmpi", "mpich"):
            self.kept.campaign("here", mpi).parent.mkdir(parents=True, exist_ok=True)
            self.kept.campaign("here", mpi).touch()
        with self.assertRaises(LabError) as caught:
            self.sit()
        self.assertIn("no luck", str(caught.exception))
        self.assertEqual(len(self.site.started), 3)

    def test_what_the_program_prints_is_understood(self) -> None:
        printed = re.search(r'printf\("(.*?)",', SOURCE[SOURCE.index("int main"):], re.S)
        assert printed
        line = printed[1].replace("%d", "2").replace("%.6f", "1.500000").replace("%.3f", "0.250").replace("\\n", "\n")
        found = measure._PRINTED.search(line)
        self.assertTrue(found and found.groups() == ("2", "1.500000", "0.250"), line)

    def test_the_directory_is_not_among_the_sources(self) -> None:
        with self.assertRaises(LabError) as caught:
            main.main(["--page", "--directory", str(Path(__file__).parent)])
        self.assertEqual(caught.exception.status, 2)


def results() -> list[Run | Prediction]:
    """Seven runs of 1.00 to 1.06 s, points of 0.5 ns alone and 0.6 beside the other rank."""
    seconds = {"distributions": 1.03, "means_nxp": 0.9785, "means_2x1": 0.824, "least_2x1": 0.515, "loggp": 1.03, "packets": 1.0403}
    return [*(Run(CASE.name, "mpich", i, 1 + i / 100, 0.6, 1000) for i in range(7)),
            *(Run(CASE.alone.name, "mpich", i, 0.5, 0.5, 1000) for i in range(7)),
            Prediction(CASE.name, "mpich", 0.5, 1000, "plumbline 0", {key: 0.0 for key in seconds}),
            Prediction(CASE.name, "mpich", 0.5, 1000, "plumbline 0", seconds, 0.1, 0.4, 0.5)]


class Page(unittest.TestCase):
    ROWS = summary.rows(results(), [CASE, Case("here", "computed", 2, 512, 8, 1000)], ["openmpi", "mpich"])

    def test_a_row_has_the_median_of_the_runs_its_interval_and_the_last_prediction(self) -> None:
        self.assertEqual(len(self.ROWS), 1, "what is not measured has no row")
        row = self.ROWS[0]
        self.assertEqual([round(value) for value in (row.median, row.low, row.high)], [1030, 1000, 1060])
        self.assertEqual({way: round(row.error(way), 6) for way in row.predicted},
                         {"distributions": 0, "means_nxp": -0.05, "means_2x1": -0.2, "least_2x1": -0.5, "loggp": 0, "packets": 0.01})
        self.assertEqual([round(value, 3) for value in row.computing], [0.5 * 254 * 4 / 1000, 0.610])

    def test_runs_that_were_disturbed_do_not_count_where_others_are_enough(self) -> None:
        slow = [Run(CASE.name, "mpich", i, 9.0, 0.6, 1000, reading={"others": 0.3}) for i in range(7, 27)]
        row, = summary.rows([*results(), *slow], [CASE], ["mpich"])
        self.assertEqual((row.runs, row.quiet, round(row.median)), (7, True, 1030))
        few = [each for each in results() if not isinstance(each, Run) or each.case != CASE.name or each.run < 5]
        row, = summary.rows([*few, *slow], [CASE], ["mpich"])
        self.assertEqual((row.runs, row.quiet, round(row.median)), (25, False, 9000))

    def test_shares_are_those_of_the_papers_claim(self) -> None:
        self.assertEqual([(summary.within(self.ROWS, way, 0.0100001), summary.within(self.ROWS, way, 0.0500001))
                          for way in predict.WAYS], [(1, 1), (0, 1), (0, 0), (0, 0), (1, 1), (1, 1)])

    def test_it_is_written_between_its_marks_and_again_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            target, picture = Path(directory) / "jacobi.md", Path(directory) / "jacobi.svg"
            target.write_text(f"# Title\n\n{page.BEGIN}\nold\n{page.END}\n\nAfter.\n")
            for _ in range(2):
                page.write(self.ROWS, target, picture)
            text = target.read_text()
            self.assertTrue(text.startswith("# Title\n") and text.endswith("\n\nAfter.\n"))
            self.assertNotIn("old", text)
            self.assertIn("| this machine, computed | MPICH | 1 KiB | 2 | 1.03 ms | 1 ms to 1.06 ms | 7 | +0.0 % | −5.0 % | "
                          "−20.0 % | −50.0 % | +0.0 % | +1.0 % |", text)
            subprocess.run(["python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", str(picture)], check=True)
            self.assertEqual(picture.read_text().count("<circle"), len(predict.WAYS))

    def test_the_figure_puts_what_is_beyond_its_edge_at_it(self) -> None:
        self.assertEqual((figure.x(-3), figure.x(3)), (figure.x(-0.5), figure.x(0.5)))
        self.assertAlmostEqual(figure.x(0), (figure.x(-0.5) + figure.x(0.5)) / 2)

    def test_a_page_without_marks_is_not_touched(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            target = Path(directory) / "jacobi.md"
            target.write_text("mine")
            with self.assertRaises(LabError):
                page.write(self.ROWS, target, target)
            self.assertEqual(target.read_text(), "mine")


class Kept(unittest.TestCase):
    def test_what_is_added_is_read_again(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            kept = Store(Path(directory))
            for each in results():
                kept.add(each)
            self.assertEqual(kept.read(), results())
            self.assertEqual(store.prediction_of(kept.read(), CASE, "mpich"), results()[-1])
            self.assertEqual(predict.point_ns(kept.read(), CASE, "mpich"), 0.5)


if __name__ == "__main__":
    unittest.main()
