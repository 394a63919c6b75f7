"""How faults are brought about and taken back.

What a fault changes is not undone step by step: after every change, the settings of the healthy laboratory with all
faults that are on over them are computed and put in force. So faults can come and go in any order.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from laboratory import cgroups, cores, node_settings, remote_shell, residents, stated, storage, switch
from laboratory.control import ask
from laboratory.errors import BAD_INPUT, CANNOT_RUN_HERE, LabError
from laboratory.fault_table import FAULTS, MACHINE
from laboratory.plan import Laboratory, Server
from laboratory.quantity import parse_bytes, parse_fraction, parse_rate
from laboratory.residents import Resident

Parameters = dict[str, str]


def of_kind(lab: Laboratory, *effects: str) -> list[tuple[str, Parameters]]:
    """The faults of these effects that are on, in the order in which they were put on."""
    return [(name, entry["parameters"]) for name, entry in lab.faults.items() if FAULTS[name].effect in effects]


def servers_of(lab: Laboratory, name: str) -> list[Server]:
    """The servers that `s0` or `all` stands for."""
    return lab.servers if name == "all" else [lab.server(name)]


def put_in_force(lab: Laboratory, name: str) -> None:
    """Brings the laboratory to the faults in lab.faults, as far as `name` (just put on or off) can have changed it."""
    _ENFORCE[FAULTS[name].effect](lab)


def _port_fields(parameters: Parameters) -> dict[str, str]:
    fields = {key: value for key, value in parameters.items() if key in ("latency", "loss", "duplex")}
    if "rate" in parameters:
        fields |= {"up": parameters["rate"], "down": parameters["rate"]}
    return fields


def _ports_of(lab: Laboratory, parameters: Parameters) -> list[str]:
    if "server" in parameters:
        return [server.name for server in servers_of(lab, parameters["server"])]
    return [parameters["node"]]


def wanted_ports(lab: Laboratory) -> dict[str, dict[str, str]]:
    """The settings of every port under the faults that are on."""
    keys = ("up", "down", "latency", "loss", "duplex")
    ports = {port["name"]: {key: port[key] for key in keys} for port in switch.configuration(lab)["ports"]}
    for _, parameters in of_kind(lab, "port"):
        for port in _ports_of(lab, parameters):
            ports[port].update(_port_fields(parameters))
    return ports


def wanted_stated(lab: Laboratory) -> dict[str, stated.Stated]:
    """What every interface states: what was built, but for faults that a negotiation has noticed."""
    wanted = stated.as_planned(lab)
    for _, parameters in of_kind(lab, "port"):
        if parameters.get("stated") == "yes":
            for port in _ports_of(lab, parameters):
                rate = parse_rate(parameters["rate"]) if "rate" in parameters else wanted[port].rate
                wanted[port] = replace(wanted[port], rate=rate, duplex=parameters.get("duplex", wanted[port].duplex))
    return wanted


def _enforce_ports(lab: Laboratory) -> None:
    for port, settings in wanted_ports(lab).items():
        ask(lab.switch_socket, {"do": "set", "port": port, **settings})
    refused = stated.put(lab, wanted_stated(lab))
    if refused and refused not in lab.notes:
        lab.notes.append(refused)
        print(f"lab: {refused}", file=sys.stderr)


def _enforce_switches(lab: Laboratory) -> None:
    rates = {entry["name"]: entry["backplane"] for entry in switch.configuration(lab)["switches"]}
    rates |= {parameters["switch"]: parameters["rate"] for _, parameters in of_kind(lab, "switch")}
    for name, rate in rates.items():
        ask(lab.switch_socket, {"do": "set", "switch": name, "backplane": rate})


def _enforce_servers(lab: Laboratory) -> None:
    rates = {server.name: lab.options.disk_rate for server in lab.servers}
    for name, parameters in of_kind(lab, "disk", "cache"):
        servers = servers_of(lab, parameters["server"])
        if FAULTS[name].effect == "cache":
            residents.keep(lab, name, [_forgetter(lab, server, parameters["keep"]) for server in servers])
        rates |= {server.name: parse_rate(parameters["rate"]) // 8 for server in servers}
    for server in lab.servers:
        storage.throttle(lab, server, rates[server.name])


def _forgetter(lab: Laboratory, server: Server, keep: str) -> Resident:
    """It writes what is dirty, and so shares the limit of the server's disk."""
    return Resident("lab-forget", [str(server.brick_pid), str(storage.files(lab)), "--keep", keep], server.cgroups)


def _enforce_processors(lab: Laboratory) -> None:
    shares = {server.name: 0.0 for server in lab.servers}
    for _, parameters in of_kind(lab, "processor"):
        shares |= {server.name: parse_fraction(parameters["share"]) for server in servers_of(lab, parameters["server"])}
    for server in lab.servers:
        cgroups.limit_processor(server.cgroups, shares[server.name])


def _enforce_mtu(lab: Laboratory) -> None:
    wanted = {node.name: lab.options.mtu for node in lab.nodes}
    node_settings.put_mtu(lab, wanted | {each["node"]: int(each["mtu"]) for _, each in of_kind(lab, "mtu")})


def _enforce_shm(lab: Laboratory) -> None:
    wanted = {node.name: node_settings.WHOLE for node in lab.compute}
    for _, parameters in of_kind(lab, "shm"):
        wanted[parameters["node"]] = str(parse_bytes(parameters["size"]))
    node_settings.put_shm(lab, wanted)


def _enforce_binding(lab: Laboratory) -> None:
    core = cores.of_nodes(lab.options)[0]
    lab.bound = cores.of_each_node(lab.options) | {parameters["node"]: core for _, parameters in of_kind(lab, "binding")}
    remote_shell.write(lab)


def _enforce_freezing(lab: Laboratory) -> None:
    for name, parameters in of_kind(lab, "freeze"):
        options = [word for key, value in parameters.items() if key != "node" for word in (f"--{key}", value)]
        node = lab.node(parameters["node"])
        residents.keep(lab, name, [Resident("lab-freeze", [str(node.pid), *options])])


def _enforce_launch(lab: Laboratory) -> None:
    lab.launch_environment = {"openmpi": {}, "mpich": {}}
    lab.romio_hints = {}
    for name, parameters in of_kind(lab, "launch"):
        values = {key: str(parse_bytes(value)) for key, value in parameters.items()}
        for target, settings in FAULTS[name].settings.items():
            place = lab.romio_hints if target == "romio" else lab.launch_environment[target]
            place.update({key: value.format(**values) for key, value in settings.items()})


def _enforce_placement(lab: Laboratory) -> None:
    lab.placement = dealt(lab) if of_kind(lab, "placement") else None


def dealt(lab: Laboratory) -> list[str]:
    """The compute nodes, one from each switch in turn."""
    by_switch: dict[str, list[str]] = {}
    for node in lab.compute:
        by_switch.setdefault(node.switch, []).append(node.name)
    longest = max(map(len, by_switch.values()))
    return [names[i] for i in range(longest) for names in by_switch.values() if i < len(names)]


def check_possible(lab: Laboratory, name: str, parameters: Parameters) -> None:
    """LabError when this laboratory cannot have the fault."""
    effect = FAULTS[name].effect
    if FAULTS[name].shape == MACHINE:
        raise LabError(name, "is a fault of this machine itself, not of a laboratory",
                       f"lab evaluate --shape machine --fault {name}", BAD_INPUT)
    _check_nodes(lab, name, parameters)
    if effect in ("disk", "cache") or "server" in parameters:
        if not lab.servers:
            raise LabError(name, "this laboratory has no servers", "lab up --servers 2", BAD_INPUT)
    if effect in ("disk", "cache") and not any(server.cgroups for server in lab.servers):
        raise LabError(name, "limits need control groups, which need root", "the faults of cables and hints work",
                       CANNOT_RUN_HERE)
    if effect == "placement" and len({node.switch for node in lab.compute}) < 2:
        raise LabError(name, "behind one switch all places are equal", "lab up --switches 2 --uplink-rate 100Mbit/s",
                       BAD_INPUT)


def _check_nodes(lab: Laboratory, name: str, parameters: Parameters) -> None:
    """The faults of settings inside of nodes, and of the processors of servers."""
    effect = FAULTS[name].effect
    if effect == "binding" and (len(cores.of_nodes(lab.options)) < 2 or lab.options.share_cores):
        raise LabError(name, "the nodes have one core here anyway", "lab up --nodes 1 --servers 0: a node alone has all",
                       CANNOT_RUN_HERE)
    if effect == "processor" and not all(map(cgroups.can_limit_processor, (each.cgroups for each in lab.servers))):
        raise LabError(name, "limits of processors need the control group cpu", "slow-disk works", CANNOT_RUN_HERE)
    if effect == "mtu" and int(parameters["mtu"]) > lab.options.mtu:
        raise LabError(name, f"an MTU of {parameters['mtu']} is more than that of the cables, {lab.options.mtu}",
                       "give a smaller one, such as mtu=1500", BAD_INPUT)


_ENFORCE: dict[str, Callable[[Laboratory], Any]] = {
    "port": _enforce_ports, "switch": _enforce_switches, "freeze": _enforce_freezing, "disk": _enforce_servers,
    "cache": _enforce_servers, "launch": _enforce_launch, "placement": _enforce_placement,
    "processor": _enforce_processors, "mtu": _enforce_mtu, "shm": _enforce_shm, "binding": _enforce_binding}

assert {fault.effect for fault in FAULTS.values() if fault.shape != MACHINE} <= _ENFORCE.keys()
