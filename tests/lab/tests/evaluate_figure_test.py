"""The figure of an evaluation: what a run is drawn as, and that each run and each fault without one is in it."""

import unittest
import xml.etree.ElementTree as etree
from typing import Any

from evaluate import figure
from evaluate.draw import Draw
from evaluate.results import Result
from laboratory import svg
from laboratory.fault_table import FAULTS

FORCED = {"id": "mpi.collectives.forced", "component": "coll_tuned_bcast_algorithm", "places": []}
QUOTA = {"id": "cpu.quota", "component": "cgroup", "places": []}
OTHER = {"id": "rule.sendrecv", "component": "", "places": []}


def a_result(fault: str, *diagnoses: dict[str, Any], seen: tuple[dict[str, Any], ...] = (), shape: str = "machine",
             index: int = 0, seed: int = 1, second: str = "", status: int | None = 1) -> Result:
    return Result(seed, Draw(index, fault, "openmpi", shape, {}, second), status, 60.0, list(diagnoses), observations=list(seen))


class Figures(unittest.TestCase):
    def titles(self, *results: Result) -> list[str]:
        root = etree.fromstring(figure.svg(results))
        return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]

    def words(self, *results: Result) -> list[str]:
        root = etree.fromstring(figure.svg(results))
        return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]

    def test_a_mark_is_the_best_that_was_said_of_the_fault(self) -> None:
        for result, mark in ((a_result("cpu-quota", QUOTA, OTHER), figure.FIRST),
                             (a_result("cpu-quota", OTHER, QUOTA), figure.FOUND),
                             (a_result("cpu-quota", OTHER, seen=(QUOTA,)), figure.OBSERVED),
                             (a_result("cpu-quota", OTHER), figure.MISSED),
                             (a_result("bad-bcast", seen=(FORCED,)), figure.FOUND),  # it costs two ranks nothing
                             (a_result("bad-bcast", FORCED), figure.FOUND),
                             (a_result("bad-bcast", seen=(FORCED,), shape="cluster"), figure.OBSERVED)):
            self.assertEqual(figure.mark_of(result, result.draw.broken[0]), mark, result.draw.text())

    def test_marks_are_drawn_differently(self) -> None:
        marks = (figure.FIRST, figure.FOUND, figure.OBSERVED, figure.MISSED)
        self.assertEqual(len({(mark.sign, mark.colour) for mark in marks}), 4)

    def test_each_fault_of_each_run_is_drawn_once_but_of_what_was_not_on(self) -> None:
        titles = self.titles(a_result("cpu-quota", QUOTA, OTHER), a_result("", index=1),
                             a_result("cpu-quota", QUOTA, seen=(FORCED,), second="bad-bcast", index=2),
                             a_result("sync-mount", index=3, status=None))
        self.assertEqual([title for title in titles if title.startswith("1-")],
                         ["1-2, cpu-quota + bad-bcast, openmpi, machine: found",
                          "1-0, cpu-quota, openmpi, machine: found and named first",
                          "1-2, cpu-quota + bad-bcast, openmpi, machine: found and named first"])

    def test_shares_are_of_each_round_and_of_all_without_pairs(self) -> None:
        titles = self.titles(a_result("cpu-quota", QUOTA), a_result("cpu-quota", QUOTA, index=1, second="bad-bcast"),
                             a_result("cpu-quota", seed=2), a_result("", seed=3))
        self.assertEqual([title.partition(" %")[0] for title in titles[:3]],
                         ["round 1: 1 of 1  100.0", "round 2: 0 of 1    0.0", "all: 1 of 2   50.0"])
        self.assertNotIn("round 3", " ".join(titles), "a round of healthy runs has no share")
        words = self.words(a_result("cpu-quota", QUOTA), a_result("cpu-quota", seed=2), a_result("cpu-quota", seed=2, index=1))
        self.assertTrue({"round 1, 1 run", "round 2, 2 runs", "all, 3 runs"} <= set(words), words)

    def test_a_fault_without_a_run_is_not_drawn_where_it_could_be(self) -> None:
        few, more = self.words(a_result("")), self.words(a_result("cpu-quota"), a_result("one-core", index=1, shape="node"))
        self.assertTrue(set(FAULTS) <= set(few))
        self.assertEqual(few.count("not drawn") - more.count("not drawn"), 2)

    def test_many_runs_of_a_fault_stay_in_its_column(self) -> None:
        many = [a_result("bad-bcast", seen=(FORCED,), index=index, shape="cluster") for index in range(500)]
        root = etree.fromstring(figure.svg([*many, a_result("bad-bcast", seen=(FORCED,), index=1000)]))
        places = [float(circle.attrib["cx"]) for circle in root.iter("{http://www.w3.org/2000/svg}circle")]
        self.assertLess(max(places[-501:-1]), places[-1])


class Elements(unittest.TestCase):
    def test_words_may_have_what_is_markup_in_xml(self) -> None:
        drawn = svg.document(10, 20, [svg.text(1, 2, "a < b & c"), svg.dot(1, 2, 3, 'fill="#222222"', "<d>"),
                                      svg.cross(1, 2, 3, "#222222", "<e>")])
        root = etree.fromstring(drawn)
        self.assertEqual([element.text for element in root.iter() if (element.text or "").strip()], ["a < b & c", "<d>", "<e>"])
        self.assertEqual((root.attrib["width"], root.attrib["height"]), ("10", "20"))

    def test_a_band_is_between_its_corners(self) -> None:
        drawn = etree.fromstring(svg.band(10, 20, 30, 25, "#eeeeee")).attrib
        self.assertEqual([float(drawn[key]) for key in ("x", "y", "width", "height")], [10, 20, 20, 5])


if __name__ == "__main__":
    unittest.main()
