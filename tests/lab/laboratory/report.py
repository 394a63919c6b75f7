"""What `lab up` and `lab status` print."""

import json
from dataclasses import asdict
from typing import Any

from laboratory import allowance, supervisor, switch
from laboratory.errors import LabError
from laboratory.plan import Laboratory
from laboratory.quantity import format_duration, format_rate


def summary(lab: Laboratory, seconds: float) -> str:
    """The one paragraph after `lab up`."""
    lines = [f"{shape(lab)}; up in {seconds:.1f} s", allowance.text(lab.allowance)]
    if lab.servers:
        lines.append(f"shared file system: {lab.shared}")
    return "\n".join(lines)


def shape(lab: Laboratory) -> str:
    """8 nodes and 2 servers at 100Mbit/s, …"""
    options = lab.options
    servers = f" and {options.servers} server{'s' * (options.servers != 1)}" if options.servers else ""
    text = (f"{options.nodes} node{'s' * (options.nodes != 1)}{servers} at {format_rate(options.rate)}, "
            f"{format_duration(options.latency)} from node to node, MTU {options.mtu}")
    return text + (f", two switches joined at {format_rate(options.uplink_rate)}" if options.switches == 2 else "")


def status_text(lab: Laboratory | None, left: list[int]) -> str:
    """For a person."""
    if lab is None:
        return "no laboratory is up" + (f"; one is left over (processes {_list(left)}): lab down" if left else "")
    if not supervisor.is_alive(lab):
        return "a laboratory has died; lab down removes what is left"
    if not lab.ready:
        return "a laboratory is coming up, or did not: lab down removes it"
    lines = [shape(lab), ""]
    for node in lab.nodes:
        clock = f"  clock {node.clock_offset_ns / 1e9:+g} s" if node.clock_offset_ns else ""
        lines.append(f"  {node.name:4} {node.address:12} switch {node.switch}  holder {node.pid}{_disk(lab, node.name)}"
                     f"{clock}")
    lines += ["", f"switch: process {lab.switch_pid}, control socket {lab.switch_socket}", f"  {_lateness(lab)}",
              f"  {allowance.text(lab.allowance)}"]
    lines.append(f"shared file system: {lab.shared}" if lab.servers else "no shared file system")
    lines.append("faults on: " + (", ".join(sorted(lab.faults)) or "none"))
    return "\n".join(lines + lab.notes)


def status_json(lab: Laboratory | None, left: list[int]) -> str:
    """For programs: the state, whether it lives, and supervisors or holders that no state file knows."""
    data: dict[str, Any] = {"up": False, "left_over": left if lab is None else []}
    if lab is not None:
        alive = supervisor.is_alive(lab)
        data = {**asdict(lab), "up": alive and lab.ready, "shared": str(lab.shared) if lab.servers else None,
                "switch_socket": str(lab.switch_socket), "left_over": [] if alive else left}
    return json.dumps(data, indent=1)


def _disk(lab: Laboratory, name: str) -> str:
    for server in lab.servers:
        if server.name == name:
            limit = f"{server.disk_rate / 1e6:g} MB/s" if server.disk_rate else "no limit"
            return f"  disk {server.loop}, {limit}"
    return ""


def _lateness(lab: Laboratory) -> str:
    try:
        reply = switch.lateness(lab)
    except LabError as error:
        return str(error)
    late = reply.get("us", {})
    return (f"{reply.get('frames', 0)} frames, late by " +
            ", ".join(f"{name} {value:g} us" for name, value in late.items()))


def _list(pids: list[int]) -> str:
    return ", ".join(map(str, pids))
