"""What is made of the operations of a recording, and of many recordings, by hand-made ones."""

import struct
import unittest

from accuracy import causes, cells, figure, measured, operations, summary, table
from accuracy.measured import Measured
from accuracy.store import Result
from accuracy.summary import Ratio, ratio_of
from laboratory.errors import LabError


def an_operation(call: str = "MPI_Bcast", site: str = "bcast (c.c:1)", observed: int = 10, judged: bool = True,
                 begin: int = 0) -> operations.Operation:
    bracket = operations.Bracket(5_000_000, 5_000_000)
    reason = "" if judged else "why"
    return operations.Operation(call, site, 0, None, 8, begin, observed * 1_000_000, judged, reason, bracket, bracket)


class Judging(unittest.TestCase):
    CELL = cells.Cell("bcast", "bcast:bytes=8,repetitions=2", ("MPI_Bcast",), "s-1", 1, 8, 2, 1)
    BEGIN = an_operation("MPI_Barrier", "begin (data.c:3)")

    def measured(self, *calls: operations.Operation) -> Measured:
        return measured.measured(cells.Start("s-1", 1, (self.CELL,)), [[self.BEGIN, *calls]])["bcast/8/1"]

    def test_a_repetition_that_is_mostly_not_judged_is_left_out_with_the_reason(self) -> None:
        found = self.measured(an_operation(judged=False), an_operation())
        self.assertEqual((found.observed, found.left_out, found.reason), ([10.0], 1, "why"))

    def test_a_small_part_that_is_not_judged_is_left_out_on_both_sides(self) -> None:
        found = self.measured(an_operation(observed=100), an_operation(observed=1, judged=False), an_operation(observed=100),
                              an_operation(observed=1, judged=False))
        self.assertEqual((found.observed, found.as_run, found.left_out), ([100.0, 100.0], [(5.0, 5.0)] * 2, 0))

    def test_calls_that_are_no_whole_repetitions_are_refused(self) -> None:
        with self.assertRaises(LabError):
            self.measured(an_operation())

    def test_a_recording_that_ended_early_is_refused(self) -> None:
        with self.assertRaises(LabError) as caught:
            measured.measured(cells.Start("s-1", 1, (self.CELL,)), [[]])
        self.assertIn("0] timed parts, not 1", str(caught.exception))


class Together(unittest.TestCase):
    """Of a table, an expected archive and times that belong together, or do not."""

    ROWS = ("rank,operation,call,site,peer,tag,bytes,begin_ps,observed_ps,lower_ps,judged,reason\n"
            '0,0,MPI_Send,"f (a.c:1)",1,7,64,5,100,90,1,\n')
    PRINTED = ['LEAVE  0  5  Region: "MPI_Send" <1>', '  ADDITIONAL ATTRIBUTES: ("PLUMBLINE::EXPECTED" <1>; UINT64; 90), '
               '("PLUMBLINE::AS_RUN" <1>; UINT64; 95), ("PLUMBLINE::AS_RUN_UPPER" <1>; UINT64; 97)']

    @staticmethod
    def times(*spans: int) -> bytes:
        return b"PLTIMES1" + struct.pack(f"<4Q{len(spans)}q", 9, 1, 0, len(spans) // 2, *spans)

    def test_an_operation_has_all_that_is_known_of_it(self) -> None:
        ((found,),) = operations.of_texts(self.ROWS, self.PRINTED, self.times(3, 93))
        self.assertEqual((found.call, found.file, found.peer, found.tag, found.end), ("MPI_Send", "a.c", 1, 7, 105))
        self.assertEqual((found.as_run, found.as_configured), (operations.Bracket(95, 97), operations.Bracket(90, 90)))
        self.assertEqual(found.free, (3, 93))

    def test_another_count_or_another_order_is_refused(self) -> None:
        other = [self.PRINTED[0], self.PRINTED[1].replace("; 90)", "; 91)")]
        for printed, times in ((self.PRINTED * 2, self.times(3, 93)), (self.PRINTED, self.times(3, 93, 94, 95)),
                               (other, self.times(3, 93)), (self.PRINTED, b"nonsense")):
            with self.assertRaises(LabError):
                operations.of_texts(self.ROWS, printed, times)


class Statistics(unittest.TestCase):
    def test_within_the_bracket_is_as_expected(self) -> None:
        for observed, lower, upper, ratio in ((15, 10, 20, 1.0), (30, 10, 20, 1.5), (5, 10, 20, 0.5), (20, 20, 20, 1.0)):
            self.assertEqual(summary.over(observed, lower, upper), ratio)

    def test_a_cell_is_the_median_over_runs_of_medians(self) -> None:
        self.assertEqual(ratio_of([[1.0, 1.0, 9.0], [1.2, 1.2, 1.2], [1.4, 1.4, 0.1]], "seed").median, 1.2)
        self.assertEqual(ratio_of([[1.0], [1.2], [1.4]], "seed"), Ratio(1.2, 1.0, 1.4))

    def test_bounds_of_six_runs_and_more_are_order_statistics(self) -> None:
        runs = [[float(n)] for n in (3, 1, 2, 6, 5, 4)]
        self.assertEqual(ratio_of(runs, "x"), Ratio(3.5, 1.0, 6.0))
        nine = [[float(n)] for n in range(1, 10)]
        self.assertEqual(ratio_of(nine, "x"), Ratio(5.0, 2.0, 8.0))  # 96.1 %

    def test_bounds_by_drawing_are_the_same_each_time_and_hold_the_median(self) -> None:
        runs = [[1.0, 1.1, 1.3, 1.2], [0.9, 1.0, 1.05]]
        first = ratio_of(runs, "cell")
        self.assertEqual(first, ratio_of(runs, "cell"))
        self.assertTrue(first.low <= first.median <= first.high, first)

    def test_brackets_are_explained_where_a_cell_has_one(self) -> None:
        for upper, explained in ((10.0, False), (12.0, True)):
            run = Measured([10.0, 10.0], [(10.0, upper)] * 2, [(8.0, 8.0)] * 2, length=12.0, free=10.0)
            text = table.text([Result("mpich", "s-1", 0, "p", cells={Judging.CELL.name: run})], [Judging.CELL])
            self.assertEqual(("'of N'" in text, " of 1.20" in text), (explained, explained), text)

    def test_shares_count_cells(self) -> None:
        found = summary.share([(0.01, 0.15), (0.04, 0.15), (0.12, 0.15), (0.3, 0.4), (0.5, 0.15)])
        self.assertEqual(found, summary.Share(5, 0.12, 0.5, 2, 4))
        self.assertIsNone(summary.share([]))

    def test_models_are_compared_on_cells_that_all_of_them_have(self) -> None:
        cell = Judging.CELL
        run = Measured([10.0, 10.0], [(10.0, 10.0)] * 2, [(8.0, 8.0)] * 2, length=12.0, free=10.0, models={"hockney": 6.0})
        both = Measured([10.0], [(10.0, 10.0)], [(8.0, 8.0)], length=12.0, free=10.0, models={"hockney": 6.0, "simgrid": 15.0})
        results = [Result("openmpi", "s-1", 0, "p", cells={cell.name: run}),
                   Result("mpich", "s-1", 0, "p", cells={cell.name: both})]
        rows = summary.rows(results, [cell])
        self.assertEqual([row.models for row in rows],
                         [{"plumbline": 1.2, "hockney": 2.0}, {"plumbline": 1.2, "hockney": 2.0, "simgrid": 0.8}])
        for name, off in (("plumbline", 0.2), ("simgrid", 0.2), ("hockney", 1.0)):
            share = summary.share_of_model(rows, name)
            self.assertIsNotNone(share)
            self.assertAlmostEqual(share.median if share else 0, off)
            self.assertEqual(share.cells if share else 0, 1)

    def test_a_cell_that_was_never_judged_has_no_ratio(self) -> None:
        never = Measured(left_out=2, reason="why", length=5.0, free=5.0)
        results = [Result("mpich", "s-1", 0, "p", cells={Judging.CELL.name: never})]
        (row,) = summary.rows(results, [Judging.CELL])
        self.assertEqual((row.as_run, row.left_out, row.reason), (None, 2, "why"))
        self.assertIn("2 left out: why", table.text(results, [Judging.CELL]))
        self.assertIn("<svg ", figure.svg([row]))


class Causes(unittest.TestCase):
    def test_the_file_is_well_formed_and_its_patterns_fit_cells(self) -> None:
        names = [cell.name for cell in cells.read()]
        for each in causes.read():
            self.assertTrue(each.cause)
            for pattern in each.cells:
                fits = causes.Cause((pattern,), "both", "any", "").fits
                self.assertTrue(any(fits(name, "mpich", 2) for name in names), pattern)

    def test_the_first_that_fits_is_told(self) -> None:
        known = [causes.Cause(("halo/*",), "mpich", "slower", "a"), causes.Cause(("halo/*", "scan/*"), "both", "any", "b")]
        for cell, mpi, ratio, cause in (("halo/64/2", "mpich", 1.2, "a"), ("halo/64/2", "mpich", 0.8, "b"),
                                        ("halo/64/2", "openmpi", 1.2, "b"), ("scan/8/4", "mpich", 1.2, "b"),
                                        ("bcast/8/4", "mpich", 1.2, "not known")):
            self.assertEqual(causes.of(known, cell, mpi, ratio), cause)


if __name__ == "__main__":
    unittest.main()
