"""Stands in for `plumbline validate`: looks at the laboratory with one trick for each of a few faults, and prints a report.

evaluate_fake.py OUT HOSTS PER_NODE MPI; what it saw is appended to the file $PLUMBLINE_EVALUATE_SEEN."""

import json
import os
import subprocess
import sys
from pathlib import Path

# In one write: the launchers pass on what the ranks print as it comes.
_SHOW = """
import os
words = [os.uname().nodename, open('/sys/class/net/eth0/mtu').read().strip(), os.environ.get('ROMIO_HINTS', '-'),
         os.environ.get('LD_PRELOAD', '-'), str(len(os.sched_getaffinity(0)))]
os.write(1, (' '.join(words) + '\\n').encode())
"""


def main(out: str, hosts: str, per_node: str, mpi: str) -> int:
    nodes = Path(hosts).read_text().split()
    ranks = subprocess.run([f"mpirun.{mpi}", "-n", str(len(nodes) * int(per_node)), sys.executable, "-c", _SHOW],
                           text=True, capture_output=True, check=False)
    rows = [line.split() for line in ranks.stdout.splitlines() if line.startswith("n")]
    seen = {"nodes": nodes, "per_node": per_node, "mpi": mpi, "rows": rows, "status": ranks.returncode,
            "environment": sorted(os.environ), "arguments": sys.argv[1:], "error": ranks.stderr[-300:]}
    with open(os.environ["PLUMBLINE_EVALUATE_SEEN"], "a", encoding="utf-8") as file:
        file.write(json.dumps(seen) + "\n")
    most = max((int(row[1]) for row in rows), default=0)
    found = [{"id": "net.mtu.uniform", "component": "eth0", "places": [row[0]], "cost_s": 1.0}
             for row in rows if int(row[1]) < most]
    found += [{"id": "io.hints.file", "component": "ROMIO_HINTS", "places": [], "cost_s": 1.0}
              for row in rows[:1] if row[2] != "-"]
    Path(out).mkdir()
    Path(out, "report.json").write_text(json.dumps({"diagnoses": found}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
