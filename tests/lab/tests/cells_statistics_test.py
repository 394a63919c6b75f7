"""The statistics of lab check, against numbers computed by hand."""

import unittest

from laboratory import statistics as stats


class Percentile(unittest.TestCase):
    def test_is_the_nearest_rank(self) -> None:
        values = [5.0, 1.0, 4.0, 2.0, 3.0]
        self.assertEqual(stats.percentile(values, 0.5), 3.0)
        self.assertEqual(stats.percentile(values, 0.2), 1.0)
        self.assertEqual(stats.percentile(values, 0.21), 2.0)
        self.assertEqual(stats.percentile(values, 1.0), 5.0)

    def test_the_tail_is_the_396th_of_400_and_the_slowest_of_few(self) -> None:
        self.assertEqual(stats.tail([float(i) for i in range(1, 401)]), 396.0)
        self.assertEqual(stats.tail([1.0, 9.0, 2.0]), 9.0)


class Variation(unittest.TestCase):
    def test_is_the_sample_deviation_over_the_mean(self) -> None:
        # mean 10, deviations -1 0 1, sum of squares 2, over n - 1 = 2: deviation 1
        self.assertAlmostEqual(stats.variation([9.0, 10.0, 11.0]) or 0, 0.1)

    def test_is_unknown_for_one_value(self) -> None:
        self.assertIsNone(stats.variation([3.0]))


class Minima(unittest.TestCase):
    def test_take_five_consecutive_runs_and_leave_an_incomplete_group_out(self) -> None:
        self.assertEqual(stats.minima([5, 4, 3, 4, 5, 9, 8, 7, 8, 9, 1]), [3, 7])

    def test_hide_a_slow_run(self) -> None:
        summary = stats.summarise([[value] for value in (10, 10, 14, 10, 10, 10, 13, 10, 10, 10)])
        self.assertEqual(summary.variation_of_minima, 0.0)
        self.assertGreater(summary.variation or 0, 0.1)


class Interleaved(unittest.TestCase):
    def test_drops_what_drifts_slowly(self) -> None:
        # 10 runs around 10, then 10 around 20: all quotients of neighbours are 1.
        self.assertEqual(stats.interleaved_variation(stats.interleaved([10.0] * 10 + [20.0] * 10)), 0.0)
        self.assertAlmostEqual(stats.variation(stats.minima([10.0] * 10 + [20.0] * 10)) or 0, 0.3849, 4)

    def test_is_that_of_one_of_the_two(self) -> None:
        # quotients 1 and 1.2: deviation 0.1414 over a mean of 1.1, over the root of 2
        values = [10.0] * 10 + [12.0, 10.0] * 5
        self.assertAlmostEqual(stats.interleaved_variation(stats.interleaved(values)) or 0, 0.1 / 1.1)

    def test_is_unknown_below_twenty_runs(self) -> None:
        self.assertIsNone(stats.interleaved_variation(stats.interleaved([10.0] * 19)))

    def test_of_two_measurements_takes_no_run_of_the_one_with_runs_of_the_other(self) -> None:
        # 14 and 13 runs: one quotient each, 1 and 1.2; 27 runs in one piece would give two others
        one, other = [[10.0]] * 14, [[12.0], [10.0]] * 6 + [[50.0]]
        both = stats.summarise(one, other)
        self.assertEqual((both.runs, both.repetitions), (27, 2))
        self.assertAlmostEqual(both.variation_interleaved or 0, 0.1 / 1.1)

    def test_of_two_measurements_is_not_what_changed_from_the_one_to_the_other(self) -> None:
        self.assertAlmostEqual(stats.summarise([[10.0]] * 10, [[20.0]] * 10).variation or 0, 0.0)
        self.assertAlmostEqual(stats.summarise([[10.0]] * 10, [[20.0]] * 10).variation_of_minima or 0, 0.0)


class Outliers(unittest.TestCase):
    def test_lie_beyond_three_scaled_mad(self) -> None:
        # median 10, absolute deviations 0 1 1 2 90: MAD 1, limit 3 * 1.4826 = 4.4478
        self.assertEqual(stats.outliers([9.0, 10.0, 11.0, 12.0, 100.0]), [4])
        self.assertEqual(stats.outliers([8.0, 10.0, 9.0, 11.0, 14.4]), [])

    def test_are_none_when_half_of_the_values_are_equal(self) -> None:
        self.assertEqual(stats.outliers([10.0, 10.0, 10.0, 50.0]), [])


class Summaries(unittest.TestCase):
    def test_take_the_median_of_run_medians_and_pool_for_the_tail(self) -> None:
        summary = stats.summarise([[1.0, 2.0, 30.0], [4.0, 4.0, 4.0], [6.0, 5.0, 7.0]])
        self.assertEqual((summary.runs, summary.median, summary.maximum, summary.p99), (3, 4.0, 30.0, 30.0))


class Effects(unittest.TestCase):
    def test_are_visible_when_every_faulty_run_lies_above_every_healthy_one(self) -> None:
        found = stats.effect([10.0, 11.0, 12.0], [20.0, 22.0, 12.5])
        self.assertEqual((found.above, found.runs, found.visible), (3, 3, True))
        self.assertAlmostEqual(found.ratio, 20.0 / 11.0)

    def test_are_not_when_one_healthy_run_was_slower(self) -> None:
        found = stats.effect([10.0, 11.0, 13.0], [20.0, 22.0, 12.5])
        self.assertEqual((found.above, found.visible), (2, False))

    def test_equal_is_not_above(self) -> None:
        self.assertFalse(stats.effect([10.0], [10.0]).visible)


if __name__ == "__main__":
    unittest.main()
