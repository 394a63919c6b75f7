"""The models of others that expected times are held against: what they are calibrated by, and what they say."""

import unittest
from unittest import mock

from accuracy import cells, hockney, ping_pong, smpi
from accuracy.cells import Cell, Start
from accuracy.operations import Bracket, Operation
from accuracy.ping_pong import Line, Point
from laboratory.errors import LabError

US = 1_000_000  # ps


def a_cell(kind: str, size: int, ranks: int, calls: tuple[str, ...] = (), repetitions: int = 1) -> Cell:
    return Cell(kind, f"{kind}:bytes={size}", calls, f"s-{ranks}", ranks, size, repetitions, 1)


class PingPong(unittest.TestCase):
    def test_is_half_of_the_round_trip_of_the_first_pair_in_the_campaign(self) -> None:
        table = ("operation,per_node,parameters,bytes,median_s\n"
                 "prtt,1,delay_ns=0 messages=1 part=one ranks=0-1,1,0.0002\n"
                 "prtt,1,delay_ns=0 messages=10 part=many ranks=0-1,1,0.9\n"
                 "prtt,1,delay_ns=5 messages=1 part=one ranks=0-1,1,0.9\n"
                 "pairs,1,in_flight=1 ranks=0-1,1,0.3\n"  # of a size that prtt has, prtt counts
                 "pairs,1,in_flight=1 ranks=0-1,1048576,0.2\n"
                 "pairs,2,in_flight=1 ranks=0-1,4096,0.9\n"
                 "pairs,1,in_flight=1 ranks=0-2,2048,0.9\n"
                 "prtt,1,delay_ns=0 messages=1 part=one ranks=0-1,64,0.0004\n")
        self.assertEqual(ping_pong.of_table(table), [Point(1, 1e-4), Point(64, 2e-4), Point(1048576, 0.1)])

    def test_line_comes_back_from_points_on_it(self) -> None:
        line = ping_pong.line_through([Point(n, 5e-5 + n * 8e-8) for n in (1, 100, 10000, 1000000)])
        self.assertAlmostEqual(line.fixed, 5e-5)
        self.assertAlmostEqual(line.each, 8e-8)

    def test_line_has_no_number_below_0(self) -> None:
        for points in ([Point(1, 2.0), Point(2, 1.0)], [Point(10, 1.0), Point(20, 5.0)]):
            line = ping_pong.line_through(points)
            self.assertGreaterEqual(line.fixed, 0)
            self.assertGreaterEqual(line.each, 0)

    def test_pieces_are_cut_where_the_protocol_changes(self) -> None:
        points = [Point(1 << k, (1e-4 + (1 << k) * 1.6e-7) if k < 13 else (7e-4 + (1 << k) * 8e-8)) for k in range(20)]
        found = ping_pong.pieces(points)
        self.assertEqual([line.first for line in found], [1, 8192])
        self.assertAlmostEqual(found[0].fixed, 1e-4)
        self.assertAlmostEqual(found[1].each, 8e-8)

    def test_limit_is_the_greatest_eager_size_between_nodes(self) -> None:
        inside = '<inside><range upto="9B" protocol="eager"/></inside>'
        text = (inside + '<between x="y"><range upto="512B" protocol="eager"/>'
                '<range upto="65480B" protocol="eager" send="1s"/><range protocol="rendezvous"/></between>')
        self.assertEqual(ping_pong.eager_limit(text), 65480)
        self.assertEqual(ping_pong.eager_limit(inside), 0)


class Hockney(unittest.TestCase):
    """With a = 1 s and b = 0.001 s by hand."""

    LINE = Line(0, 1.0, 0.001)

    def test_costs_are_those_of_the_textbook(self) -> None:
        for kind, size, ranks, seconds in (
                ("ping_pong", 1000, 8, 4.0), ("exchange", 1000, 2, 2.0), ("barrier", 0, 8, 3.0), ("barrier", 0, 5, 3.0),
                ("bcast", 1000, 8, 3 * 2.0),  # binomial
                ("bcast", 100_000, 8, 6 + 2 * 7 / 8 * 100),  # scatter, then gather by doubling
                ("bcast", 100_000, 4, 2 * 101.0),  # of fewer than eight ranks binomial
                ("allreduce", 8, 4, 2 * 1.008), ("allreduce", 10_000, 4, 4 + 2 * 3 / 4 * 10), ("gather", 1000, 4, 2 + 3.0),
                ("allgather", 1000, 8, 3 + 7.0), ("allgather", 100_000, 8, 7 + 700.0), ("alltoall", 100, 4, 2 * 1.2),
                ("alltoall", 1000, 4, 3 * 2.0), ("scan", 1000, 8, 6.0), ("stream", 100, 2, 1 + 1.6 + 1),
                ("halo", 10, 8, 1 + 3 * 0.08 + 0.3 * 1.008), ("halo", 10, 2, 1 + 0.08 + 0.1 * 1.008)):
            with self.subTest(kind=kind, size=size, ranks=ranks):
                found = hockney.seconds(a_cell(kind, size, ranks), self.LINE)
                self.assertAlmostEqual(found if found is not None else -1, seconds)

    def test_it_says_something_of_every_cell_without_files_and_nothing_of_others(self) -> None:
        for cell in cells.read():
            self.assertEqual(hockney.seconds(cell, self.LINE) is None, cell.is_io, cell.name)


def an_operation(call: str, begin: int, took: int, peer: int | None = None, site: str = "x (cell.c:1)", size: int = 8,
                 tag: int | None = None) -> Operation:
    bracket = Bracket(0, 0)
    return Operation(call, site, peer, tag, size, begin * US, took * US, True, "", bracket, bracket)


def begin_barrier() -> Operation:
    return an_operation("MPI_Barrier", 0, 1, site="begin (data.c:35)")


class Traces(unittest.TestCase):
    START = Start("s-2", 2, (a_cell("ping_pong", 8, 2, ("MPI_Send", "MPI_Recv")), a_cell("bcast", 4096, 2, ("MPI_Bcast",))))

    def ranks(self) -> list[list[Operation]]:
        rank0 = [an_operation("MPI_Init", 0, 9), begin_barrier(), an_operation("MPI_Send", 10, 5, 1, tag=3),
                 an_operation("MPI_Recv", 18, 5, 1, tag=3), an_operation("MPI_Reduce", 30, 5, 0, "main (main.c:1)"),
                 begin_barrier(), an_operation("MPI_Bcast", 50, 5, 1, size=4096)]
        rank1 = [an_operation("MPI_Init", 0, 9), begin_barrier(), an_operation("MPI_Recv", 10, 5, 0, tag=3),
                 an_operation("MPI_Send", 15, 5, 0, tag=3), begin_barrier(), an_operation("MPI_Bcast", 50, 5, 1, size=4096)]
        return [rank0, rank1]

    def test_have_the_calls_of_timed_parts_and_what_was_computed_between(self) -> None:
        found = smpi.traces_of(self.START, self.ranks())
        self.assertEqual(found[0].lines, ["0 init", "0 barrier", "0 send 1 3 8 6", "0 compute 3000", "0 recv 1 3 8 6",
                                          "0 barrier", "0 bcast 4096 1 6", "0 finalize"])
        self.assertEqual(found[1].lines, ["1 init", "1 barrier", "1 recv 0 3 8 6", "1 send 0 3 8 6", "1 barrier",
                                          "1 bcast 4096 1 6", "1 finalize"])

    def test_collectives_are_told_with_the_suites_bytes_of_each_ranks_part(self) -> None:
        for call, line in (("MPI_Reduce_scatter_block", "reducescatter 16 16 16 0 6"), ("MPI_Alltoall", "alltoall 16 16 6 6"),
                           ("MPI_Gather", "gather 16 16 2 6 6"), ("MPI_Barrier", "barrier"), ("MPI_Waitall", "waitall 1"),
                           ("MPI_Allreduce", "allreduce 16 0 6"), ("MPI_Comm_dup", None)):
            self.assertEqual(smpi._line(an_operation(call, 0, 1, 2, size=999), 3, 16), line)
        self.assertIsNone(smpi._line(an_operation("MPI_Isend", 0, 1, None), 3, 16), "to nobody")

    def test_spans_are_read_from_what_smpi_prints(self) -> None:
        ranks = self.ranks()
        traces = smpi.traces_of(self.START, ranks)
        said = ("noise\n:0.0:xbt_cfg:Configuration change\n"
                "n0:1.000000:smpi_replay:0 barrier 1.000000\nn1:1.000000:smpi_replay:1 barrier 1.000000\n"
                "n0:3.000000:smpi_replay:0 send 1 3 8 6 2.000000\nn0:3.500000:smpi_replay:0 compute 3000 0.500000\n"
                "n1:4.000000:smpi_replay:1 recv 0 3 8 6 3.000000\nn1:5.000000:smpi_replay:1 send 0 3 8 6 1.000000\n"
                "n0:6.000000:smpi_replay:0 recv 1 3 8 6 2.500000\nn0:6.000000:smpi_replay:0 barrier 0.000000\n"
                "n1:6.000000:smpi_replay:1 barrier 1.000000\nn0:9.000000:smpi_replay:0 bcast 4096 1 6 3.000000\n"
                "n1:9.000000:smpi_replay:1 bcast 4096 1 6 4.000000\n")
        spans = smpi.spans_of(said, traces)
        self.assertEqual(spans[id(ranks[0][2])], (1.0, 3.0))
        self.assertEqual(spans[id(ranks[1][5])], (5.0, 9.0))
        with self.assertRaises(LabError):
            smpi.spans_of(said.replace(":1 bcast", ":1 gather"), traces)
        with self.assertRaises(LabError):
            smpi.spans_of("\n".join(said.splitlines()[:-1]), traces)

    def test_a_cell_in_which_smpirun_crashes_has_no_length_and_the_others_have(self) -> None:
        def run(traces: list[smpi.Trace], _: object, __: object) -> str | None:
            if any("bcast" in line for line in traces[0].lines):
                return None
            return "\n".join(f"n{rank}:2.0:smpi_replay:{line} 1.0" for rank, trace in enumerate(traces)
                             for line in trace.lines[1:-1])

        with mock.patch.object(smpi, "_run", run):
            found = smpi.lengths(self.START, self.ranks(), smpi.Calibration([Line(1, 1e-4, 1e-7)], 9, "mpich"))
        self.assertEqual(found, {"ping_pong/8/2": 1e6})

    def test_factors_are_of_the_cable_as_it_was_given(self) -> None:
        options = smpi.Calibration([Line(1, 1e-4, 1.6e-7), Line(8192, 0.0, 0.0)], 65480, "mpich").options()
        self.assertIn("--cfg=smpi/lat-factor:0:2;8192:0.001", options)
        self.assertIn("--cfg=smpi/bw-factor:0:0.5;8192:1000", options)
        self.assertIn("--cfg=smpi/coll-selector:mpich", options)


class SimGrid(unittest.TestCase):
    def setUp(self) -> None:
        if not smpi.is_there():
            self.skipTest("smpirun is not installed (Debian: libsimgrid-dev)")

    def test_a_ping_pong_takes_what_it_was_calibrated_by(self) -> None:
        calibration = smpi.Calibration([Line(1, 1e-4, 1.6e-7), Line(8192, 7e-4, 8.4e-8)], 65480, "openmpi")
        for size, one_way_us in ((8, 100 + 8 * 0.16), (4096, 100 + 4096 * 0.16), (262144, 700 + 262144 * 0.084)):
            start = Start("s-2", 2, (a_cell("ping_pong", size, 2, ("MPI_Send", "MPI_Recv"), 10),))
            ranks = [[begin_barrier()], [begin_barrier()]]
            for number in range(10):
                for rank, calls in enumerate((("MPI_Send", "MPI_Recv"), ("MPI_Recv", "MPI_Send"))):
                    ranks[rank] += [an_operation(call, number, 0, 1 - rank, size=size) for call in calls]
            found = smpi.lengths(start, ranks, calibration)
            self.assertAlmostEqual(found[f"ping_pong/{size}/2"] / (2 * one_way_us), 1, delta=0.03)


if __name__ == "__main__":
    unittest.main()
