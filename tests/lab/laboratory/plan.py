"""The laboratory as plain data, and its state file."""

import dataclasses
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laboratory.errors import OWN_FAULT, LabError
from laboratory.paths import state_directory

FORMAT = 1


@dataclass
class Node:
    """A machine of the cluster: a set of namespaces that a holder process keeps."""
    name: str
    address: str
    mac: str
    kind: str  # "compute" or "server"
    switch: str
    pid: int = 0  # of the holder, as everyone outside the laboratory sees it
    inner_pid: int = 0  # the same as seen inside
    clock_offset_ns: int = 0  # of CLOCK_MONOTONIC and CLOCK_BOOTTIME


@dataclass
class Server:
    """What a server node has beyond a node: a brick on a device."""
    name: str
    brick_pid: int = 0
    device: str = ""  # "7:0"
    loop: str = ""  # "/dev/loop0"
    cgroups: dict[str, str] = field(default_factory=dict)  # controller -> directory; "unified" for version 2
    disk_rate: int = 0  # bytes per second, 0 = not limited


@dataclass
class Options:
    """What `lab up` was asked for; rates in bit/s, times in ns."""
    nodes: int = 8
    servers: int = 2
    rate: int = 100_000_000
    latency: int = 50_000
    mtu: int = 9000
    switches: int = 1
    uplink_rate: int = 100_000_000
    disk_rate: int = 40_000_000  # byte/s; 0 = as fast as it goes
    clock_offsets: dict[str, int] = field(default_factory=dict)
    allowance: int | None = None  # None: as measured
    whole_files: bool = False  # no shards: each file is on one server
    share_cores: bool = False  # no core for the switch alone


@dataclass
class Allowance:
    """What the switch takes off the latency from node to node because the way itself takes it (allowance.py); ns."""
    ns: int = 0  # in force
    found: int = 0  # the median over the blocks
    spread: int = 0  # of a block
    blocks: int = 0  # 0: not measured
    note: str = ""  # what a user must know


@dataclass
class Laboratory:
    """Everything that a verb needs to know about the laboratory that is up."""
    state: str  # directory
    supervisor: int
    supervisor_start: int  # /proc/PID/stat, field 22: tells a reused pid from ours
    options: Options
    root: bool = True  # false: in a user namespace
    ready: bool = False
    build: str = ""
    nodes: list[Node] = field(default_factory=list)
    servers: list[Server] = field(default_factory=list)
    switch_pid: int = 0
    faults: dict[str, Any] = field(default_factory=dict)
    launch_environment: dict[str, dict[str, str]] = field(default_factory=lambda: {"openmpi": {}, "mpich": {}})
    romio_hints: dict[str, str] = field(default_factory=dict)
    placement: list[str] | None = None
    bound: dict[str, int] = field(default_factory=dict)  # node -> the only core of what is started on it
    notes: list[str] = field(default_factory=list)  # what does not work here
    allowance: Allowance = field(default_factory=Allowance)

    @property
    def switch_socket(self) -> Path:
        return Path(self.state) / "switch.sock"

    @property
    def shared(self) -> Path:
        """The shared file system, the same path on every compute node."""
        return Path(self.state) / "shared"

    @property
    def compute(self) -> list[Node]:
        return [node for node in self.nodes if node.kind == "compute"]

    def node(self, name: str) -> Node:
        for node in self.nodes:
            if node.name == name:
                return node
        raise LabError(f"node '{name}'", "no such node", "there are " + ", ".join(n.name for n in self.nodes))

    def server(self, name: str) -> Server:
        for server in self.servers:
            if server.name == name:
                return server
        raise LabError(f"server '{name}'", "no such server",
                       "there are " + (", ".join(s.name for s in self.servers) or "none"))

    def save(self) -> None:
        """The state file appears whole or not at all."""
        path = Path(self.state) / "state.json"
        fresh = path.with_name(f"state.json.{os.getpid()}")
        fresh.write_text(json.dumps({"format": FORMAT, **dataclasses.asdict(self)}, indent=1) + "\n")
        fresh.replace(path)

    @staticmethod
    def load(directory: Path | None = None) -> "Laboratory | None":
        """What the state file says, or None without one; whether it still lives is another question (supervisor.py)."""
        path = (directory or state_directory()) / "state.json"
        try:
            data = json.loads(path.read_text())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise LabError(str(path), f"cannot be read: {error}", "lab down removes it", OWN_FAULT) from error
        return _from_data(path, data)


def _from_data(path: Path, data: dict[str, Any]) -> Laboratory:
    try:
        if data.pop("format") != FORMAT:
            raise LabError(str(path), "was written by another version", "lab down removes that laboratory")
        data["options"] = Options(**data["options"])
        data["nodes"] = [Node(**node) for node in data["nodes"]]
        data["servers"] = [Server(**server) for server in data["servers"]]
        data["allowance"] = Allowance(**data.get("allowance", {}))
        return Laboratory(**data)
    except (KeyError, TypeError, AttributeError) as error:
        raise LabError(str(path), f"is not a state file: {error}", "lab down removes it") from error


def planned_nodes(options: Options) -> list[Node]:
    """n0.. and s0.., each half of either kind on one switch when there are two."""
    nodes = []
    for kind, letter, count, first in (("compute", "n", options.nodes, 1), ("server", "s", options.servers, 101)):
        for i in range(count):
            name = f"{letter}{i}"
            switch = f"w{i * options.switches // count}"
            nodes.append(Node(name, f"10.77.0.{first + i}", f"02:77:00:00:00:{first + i:02x}", kind, switch,
                              clock_offset_ns=options.clock_offsets.get(name, 0)))
    return nodes
