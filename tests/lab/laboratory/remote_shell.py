"""The replacement of ssh(1) that both MPI launchers use: it maps a host name or address to a node's holder."""

from pathlib import Path

from laboratory.paths import tool
from laboratory.plan import Laboratory

_SCRIPT = """#!/bin/sh
# remote-shell [-OPTION...] HOST COMMAND...   like ssh, to the nodes of the laboratory; works on its nodes only
while [ "${{1#-}}" != "$1" ]; do shift; done
host=$1
shift
while read -r name address pid core; do
  if [ "$host" = "$name" ] || [ "$host" = "$address" ]; then
    [ -z "$core" ] || {taskset} -p -c "$core" $$ >/dev/null || exit
    exec {nsenter} -t "$pid" -m -r -n -u -i {clock}-- /bin/sh -c "$*"
  fi
done <'{table}'
echo "remote-shell: $host is no node of the laboratory" >&2
exit 255
"""


def write(lab: Laboratory) -> Path:
    """Writes the script and its table; the inner pids of the nodes must be known."""
    table = Path(lab.state) / "nodes"
    table.write_text("".join(f"{node.name} {node.address} {node.inner_pid} {lab.bound.get(node.name, '')}".rstrip() + "\n"
                             for node in lab.nodes))
    script = Path(lab.state) / "remote-shell"
    clock = "-T " if any(node.clock_offset_ns for node in lab.nodes) else ""
    script.write_text(_SCRIPT.format(nsenter=tool("nsenter"), taskset=tool("taskset") or "taskset", table=table, clock=clock))
    script.chmod(0o755)
    return script
