"""The switch: its configuration from the plan, and its process, which runs inside the laboratory."""

import json
import os
import select
import subprocess
from pathlib import Path
from typing import Any

from laboratory import cores
from laboratory.control import ask
from laboratory.errors import OWN_FAULT, LabError
from laboratory.network import DEVICE
from laboratory.plan import Laboratory
from laboratory.quantity import format_duration, format_rate

_QUEUE = "4MB"
_SPIN = "3ms"  # longer than the pauses between the messages of a program that communicates
_PATIENCE = 10.0  # seconds until it must be ready


def configuration(lab: Laboratory) -> dict[str, Any]:
    """What the switch reads. The latency from node to node is half on either cable; so is that of the uplink."""
    options = lab.options
    rate, cable = format_rate(options.rate), format_duration(options.latency // 2)
    names = [f"w{i}" for i in range(options.switches)]
    return {
        "control": str(lab.switch_socket), **_own_core(lab), "awake": True, "allowance": format_duration(options.allowance or 0),
        "switches": [{"name": name, "backplane": "0"} for name in names],
        "ports": [{"name": node.name, "switch": node.switch, "pid": node.inner_pid, "device": DEVICE, "mac": node.mac,
                   "mtu": options.mtu, "up": rate, "down": rate, "latency": cable, "queue": _QUEUE, "loss": "0",
                   "duplex": "full"} for node in lab.nodes],
        "uplinks": [{"name": f"{a}-{b}", "between": [a, b], "rate": format_rate(options.uplink_rate),
                     "latency": cable, "queue": _QUEUE, "duplex": "full"} for a, b in zip(names, names[1:])],
    }


def _own_core(lab: Laboratory) -> dict[str, Any]:
    core = cores.of_switch(lab.options)
    return {} if core is None else {"core": core, "spin": _SPIN}


def start(lab: Laboratory, program: Path) -> int:
    """Starts the switch and waits until its TAP devices exist; its pid inside the laboratory."""
    config = Path(lab.state) / "switch.json"
    config.write_text(json.dumps(configuration(lab), indent=1) + "\n")
    log = Path(lab.state) / "logs" / "switch.log"
    with log.open("w") as errors:
        process = subprocess.Popen([str(program), str(config)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=errors, start_new_session=True)
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], _PATIENCE)
    line = os.read(process.stdout.fileno(), 64).decode().strip() if ready else "(nothing)"
    if line != "ready":
        said = log.read_text().strip().splitlines()
        raise LabError("switch", said[0] if said else f"said {line!r} instead of ready", f"its log: {log}", OWN_FAULT)
    return process.pid


def counters(lab: Laboratory) -> dict[str, Any]:
    """Per port and direction: frames, bytes, drops, lost, max_queue_bytes."""
    return ask(lab.switch_socket, {"do": "counters"})


def lateness(lab: Laboratory) -> dict[str, Any]:
    """How late frames left the switch against its model: frames and percentiles in us."""
    return ask(lab.switch_socket, {"do": "lateness"})
