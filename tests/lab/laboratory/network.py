"""The network settings of a node: its interface, neighbours, route, pacing and TCP. Run inside the laboratory."""

import os
import subprocess
from pathlib import Path

from laboratory import namespaces
from laboratory.errors import CANNOT_RUN_HERE, OWN_FAULT, LabError
from laboratory.paths import tool
from laboratory.plan import Laboratory, Node, Options

DEVICE = "eth0"

# docs/internals/laboratory-network.md says what each is for.
SETTINGS = {
    "net/ipv6/conf/all/disable_ipv6": "1",
    "net/ipv6/conf/default/disable_ipv6": "1",
    "net/ipv4/ip_forward": "0",
    "net/ipv4/tcp_no_metrics_save": "1",
    "net/ipv4/tcp_timestamps": "1",
    "net/ipv4/tcp_congestion_control": "reno",
    "net/ipv4/tcp_slow_start_after_idle": "0",
    "net/ipv4/tcp_limit_output_bytes": "36000",
    "net/ipv4/tcp_notsent_lowat": "32768",
    "net/ipv4/tcp_rmem": "4096 131072 2097152",
    "net/ipv4/tcp_wmem": "4096 65536 131072",
}
OPTIONAL = {"net/ipv6/conf/all/disable_ipv6", "net/ipv6/conf/default/disable_ipv6"}  # a kernel without IPv6

_WINDOW = 50  # segments, initial congestion and receive window: no slow start in short exchanges
_PACE_PERCENT = 103  # of the rate: the queue stands on the node, where TCP feels it, and the switch stays the limit
_PACE_QUEUE = 4_000_000  # bytes


def ip_commands(node: Node, nodes: list[Node], options: Options) -> str:
    """The input of `ip -batch`."""
    lines = ["link set lo up",
             f"link set dev {DEVICE} address {node.mac} mtu {options.mtu}",
             f"link set dev {DEVICE} txqueuelen 10000 up",
             f"address add {node.address}/24 dev {DEVICE}"]
    lines += [f"neighbour replace {other.address} lladdr {other.mac} dev {DEVICE} nud permanent"
              for other in nodes if other is not node]
    lines.append(f"route replace 10.77.0.0/24 dev {DEVICE} src {node.address} initcwnd {_WINDOW} initrwnd {_WINDOW}"
                 " quickack 1")
    return "\n".join(lines) + "\n"


def pacing_command(options: Options) -> list[str]:
    """The arguments of `tc`: a token bucket of a little over two frames."""
    return ["qdisc", "replace", "dev", DEVICE, "root", "tbf", "rate", f"{options.rate * _PACE_PERCENT // 100}bit",
            "burst", str(2 * options.mtu + 200), "limit", str(_PACE_QUEUE)]


def configure(lab: Laboratory) -> None:
    """Configures all nodes at the same time; their TAP devices must exist."""
    waiting = [namespaces.start_inside(node.inner_pid, ("net",), lambda node=node: _configure(lab, node))
               for node in lab.nodes]
    for wait in waiting:
        wait()


def _configure(lab: Laboratory, node: Node) -> None:
    for name, value in SETTINGS.items():
        try:
            Path("/proc/sys", name).write_text(value)
        except FileNotFoundError:
            if name not in OPTIONAL:
                raise LabError(f"node {node.name}", f"this kernel has no setting {name}", "Linux 5.15 or later has it",
                               CANNOT_RUN_HERE) from None
    _run(node, ["ip", "-batch", "-"], ip_commands(node, lab.nodes, lab.options))
    _run(node, ["tc", *pacing_command(lab.options)])


def _run(node: Node, command: list[str], text: str = "") -> None:
    done = subprocess.run([tool(command[0]) or command[0], *command[1:]], input=text, text=True, capture_output=True,
                          check=False, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        raise LabError(f"node {node.name}", f"{' '.join(command)}: {done.stderr.strip()}", "", OWN_FAULT)
