#!/usr/bin/env python3
"""Stands in for `plumbline` and for `otf2-print`, by the name it is called by. A recording is what the suite would have done,
without running it: calls of 1000 us, of MPI_Bcast 2000, of which 1000 us are expected. What it was asked for is appended to
the file $ACCURACY_SEEN; where the file $ACCURACY_SEEN.stop names a start, recording it fails."""

import json
import os
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from accuracy import cells  # noqa: E402

_US = 1_000_000
_COLUMNS = ("rank,operation,node,call,kind,site,comm_size,peer,tag,bytes,file,begin_ps,observed_ps,free_begin_ps,free_ps,"
            "lower_ps,upper_ps,band_ps,own_ps,inherited_ps,structure_ps,stack_ps,gained_ps,judged,reason")


def calls_of(suites: list[str]) -> list[tuple[str, str]]:
    """Call and site, of every rank."""
    listed = {cell.suite: cell for cell in cells.read(Path(os.environ["ACCURACY_CELLS"]))}
    found = [("MPI_Init", "main (main.c:1)")]
    for suite in suites:
        cell = listed[suite]
        for part in range(cell.parts):
            found.append(("MPI_Barrier", "begin (data.c:35)"))
            found += [(call, f"{cell.kind} (cell.c:1)") for _ in range(cell.repetitions if part == cell.parts - 1 else 1)
                      for call in cell.calls]
        found.append(("MPI_Reduce", "main (main.c:69)"))
    return found


def record(words: list[str]) -> int:
    """plumbline record -o OUT -- mpirun.MPI -n RANKS SUITE [--directory DIR] CELLS.."""
    line = words[words.index("--") + 1:]
    ranks, rest = int(line[2]), line[4:]
    suites = rest[2:] if rest[0] == "--directory" else rest
    out = Path(words[words.index("-o") + 1])
    stop = Path(os.environ["ACCURACY_SEEN"] + ".stop")
    out.mkdir()
    if stop.exists() and stop.read_text() in str(out):
        print("no luck", file=sys.stderr)
        return 9
    (out / "calls.json").write_text(json.dumps({"ranks": ranks, "calls": calls_of(suites)}))
    return 0


def replay(words: list[str]) -> int:
    """Either an expected archive, which is what otf2-print prints of it, or times."""
    made = json.loads((Path(words[0]) / "calls.json").read_text())
    count, ranks = len(made["calls"]), made["ranks"]
    if "--times" in words:
        spans = [number * 1000 * _US + end for number in range(count) for end in (0, 1000 * _US)]
        head = b"PLTIMES1" + struct.pack(f"<3Q{ranks}Q", 1, ranks, 0, *[count] * ranks)
        data = head + struct.pack(f"<{2 * count}q", *spans) * ranks
        Path(words[words.index("--times") + 1]).write_bytes(data)
        return 0
    expected = Path(words[words.index("-o") + 1])
    expected.mkdir()
    lines = []
    for call, _ in made["calls"]:  # the ranks' in turn, as in an archive
        for rank in range(ranks):
            lines += [f'LEAVE {rank} 1 Region: "{call}" <1>',
                      f'    ADDITIONAL ATTRIBUTES: ("PLUMBLINE::EXPECTED" <56>; UINT64; {1000 * _US}), '
                      f'("PLUMBLINE::EXPECTED_BAND" <58>; UINT64; 5), ("PLUMBLINE::AS_RUN" <59>; UINT64; {1000 * _US}), '
                      f'("PLUMBLINE::AS_RUN_UPPER" <60>; UINT64; {1000 * _US}), '
                      f'("PLUMBLINE::AS_CONFIGURED" <61>; UINT64; {1250 * _US}), '
                      f'("PLUMBLINE::AS_CONFIGURED_UPPER" <62>; UINT64; {1250 * _US})',
                      'METRIC 9007199254740993 5 Metric: 10']
    (expected / "traces.otf2").write_text("\n".join(lines))
    return 0


def convert(words: list[str]) -> int:
    """The table of the recording."""
    made = json.loads((Path(words[0]) / "calls.json").read_text())
    print(_COLUMNS)
    for rank in range(made["ranks"]):
        begin = 0
        for number, (call, site) in enumerate(made["calls"]):
            took = (2000 if call == "MPI_Bcast" else 1000) * _US
            judged, reason = ("0", "start-up and shutdown") if call == "MPI_Init" else ("1", "")
            lower = str(1000 * _US) if judged == "1" else ""
            print(f"{rank},{number},n{rank},{call},x,{site},2,0,,8,,{begin},{took},0,0,{lower},{lower},,,,,,,{judged},{reason}")
            begin += took
    return 0


def bench(words: list[str]) -> int:
    """A campaign, or its ping-pong."""
    if words[0] == "show":
        print("operation,implementation,mpi,nodes,per_node,parameters,timing,isolation,bytes,median_s")
        for size in (1, 1024, 65536):
            median = 2 * (1e-4 + size * 1e-7)
            print(f"prtt,library,openmpi,8,1,delay_ns=0 messages=1 part=one ranks=0-1,own,own,{size},{median}")
        return 0
    Path(words[words.index("-o") + 1]).write_text(Path(words[0]).read_text())
    return 0


def calibrate(words: list[str]) -> int:
    """A platform."""
    Path(words[words.index("-o") + 1]).write_text('<between><range upto="65480B" protocol="eager"/></between>')
    return 0


def main() -> int:
    """By name and verb."""
    if Path(sys.argv[0]).name == "otf2-print":
        print(Path(sys.argv[1]).read_text())
        return 0
    with open(os.environ["ACCURACY_SEEN"], "a", encoding="utf-8") as file:
        file.write(json.dumps(sys.argv[1:]) + "\n")
    if sys.argv[1] == "--version":
        print("plumbline 0\nand libraries")
        return 0
    verbs = {"record": record, "replay": replay, "convert": convert, "bench": bench, "calibrate": calibrate}
    return verbs[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
