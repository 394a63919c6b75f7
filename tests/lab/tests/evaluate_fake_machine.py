"""Stands in for `plumbline validate` on the machine itself, and knows two faults: little shared memory, and a file of hints,
which it only observes. Prints a report.

evaluate_fake_machine.py OUT MPI WORDS...; what it saw is appended to the file $PLUMBLINE_EVALUATE_SEEN."""

import json
import os
import sys

_LITTLE = 1 << 20  # bytes


def main(out: str, mpi: str, *words: str) -> int:
    shm, hints = os.statvfs("/dev/shm"), os.environ.get("ROMIO_HINTS")
    found = [{"id": "node.shm.size", "component": "/dev/shm", "places": [os.uname().nodename], "cost_s": 1.0,
              "reference": "witness"}] if shm.f_blocks * shm.f_frsize < _LITTLE else []
    seen = [{"id": "io.hints.file", "component": "ROMIO_HINTS", "places": []}] if hints else []
    with open(os.environ["PLUMBLINE_EVALUATE_SEEN"], "a", encoding="utf-8") as file:
        file.write(json.dumps({"mpi": mpi, "words": [out, *words], "environment": [*os.environ, *os.environ.values()],
                               "directory": os.getcwd(), "empty": not os.listdir()}) + "\n")
    print(json.dumps({"diagnoses": found, "observations": seen}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
