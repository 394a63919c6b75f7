"""Starting programs in the laboratory: MPI jobs across the nodes, other commands on one node.

The settings go to both launchers by environment, so that options on the user's own mpirun line win over them.
"""

import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

from laboratory import cores, handing_on, idling, processors, sweep
from laboratory.enter import on_node
from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.network import DEVICE
from laboratory.paths import tool
from laboratory.plan import Laboratory, Node

TIMED_OUT = 124


def run(lab: Laboratory, command: list[str], *, ranks_per_node: int = 1, env: Mapping[str, str] | None = None,
        capture: bool = False, timeout: float | None = None, nodes: list[str] | None = None,
        on: str | None = None, calls: str | None = None) -> CompletedProcess[str]:
    """Runs `command` in n0 (or `on`): its status, -N for signal N, 124 when ended by `timeout`.

    An MPI launcher finds the hosts (`nodes`, else the placement in force, else all compute nodes) and the settings of
    its flavour. `env` is for the ranks. `calls`: the flavour whose launcher the command will call by itself. Whatever a job
    that failed leaves on the nodes is ended.
    """
    at, flavour = (0, calls) if calls else find_launcher(command)
    start, hosts = lab.node(on) if on else lab.compute[0], _hosts(lab, nodes)
    _take_cores(lab, start)
    tag = uuid.uuid4().hex
    settings = {sweep.TAG: tag, **common_environment(lab, hosts, ranks_per_node)}
    if flavour:
        ranks = {**idling.environment(lab, flavour, len(hosts), ranks_per_node),
                 **lab.launch_environment.get(flavour, {}), **(env or {})}
        if calls:
            settings.update(_of_a_caller(lab, calls, ranks))
        else:
            command = _mpi_command(lab, command, at, flavour, ranks, settings)
    else:
        settings.update(env or {})
    try:
        with processors.of_nodes(lab.options):
            done = on_node(lab, start, command, env=settings, capture=capture, timeout=timeout)
    except (KeyboardInterrupt, SystemExit):
        sweep.end_tagged(lab, tag)
        raise
    if done.returncode != 0:
        sweep.end_tagged(lab, tag)
    return done


def _take_cores(lab: Laboratory, start: Node) -> None:
    cores.leave_to_switch(lab.options)
    if start.name in lab.bound:
        os.sched_setaffinity(0, {lab.bound[start.name]})


def find_launcher(command: list[str]) -> tuple[int, str | None]:
    """Where in the command an MPI launcher stands and whose it is: "openmpi", "mpich", None for no MPI at all."""
    for at, word in enumerate(command):
        name = os.path.basename(word)
        if not name.startswith(("mpirun", "mpiexec", "orterun")):
            continue
        found = tool(word)
        if found is None:
            raise LabError(word, "no such program", "install openmpi-bin or mpich", CANNOT_RUN_HERE)
        real = os.path.basename(os.path.realpath(found))
        if "openmpi" in real or "orterun" in real:
            return at, "openmpi"
        if "mpich" in real or "hydra" in real:
            return at, "mpich"
        raise LabError(word, f"is {real}, neither of Open MPI nor of MPICH", "use mpirun.openmpi or mpirun.mpich")
    return 0, None


def common_environment(lab: Laboratory, hosts: list[Node], ranks_per_node: int) -> dict[str, str]:
    """What both launchers read, whoever calls them. Writes the files that it names."""
    state = Path(lab.state)
    host_file = state / "hostfile-openmpi"
    host_file.write_text("".join(f"{node.name} slots={ranks_per_node}\n" for node in hosts))
    machine_file = state / "hostfile-mpich"
    machine_file.write_text("".join(f"{node.name}:{ranks_per_node}\n" for node in hosts))
    shell = str(state / "remote-shell")
    transports = "tcp,self" if ranks_per_node == 1 else "tcp,self,{}"
    settings = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_plm_rsh_agent": shell, "OMPI_MCA_plm_rsh_no_tree_spawn": "1",
        "OMPI_MCA_orte_default_hostfile": str(host_file), "OMPI_MCA_orte_tmpdir_base": str(state / "tmp"),
        "OMPI_MCA_oob_tcp_if_include": DEVICE, "OMPI_MCA_btl_tcp_if_include": DEVICE,
        "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": transports.format("vader"),
        "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_rmaps_base_mapping_policy": "slot",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_mpi_yield_when_idle": "0",  # as with a core for each rank: they wait in the kernel (wait_shim.c)
        # In us: how often two ranks look at their sockets, at times. Farther apart than the shim takes for waiting
        # (wait_shim.c: kBusyNanoseconds) they would spin.
        "OMPI_MCA_mpi_event_tick_rate": "20",
        "HYDRA_LAUNCHER": "ssh", "HYDRA_LAUNCHER_EXEC": shell, "HYDRA_HOST_FILE": str(machine_file),
        "HYDRA_IFACE": DEVICE, "UCX_TLS": transports.format("sm"), "UCX_NET_DEVICES": DEVICE,
    }
    if lab.romio_hints:
        hints = state / "romio-hints"
        hints.write_text("".join(f"{key} {value}\n" for key, value in lab.romio_hints.items()))
        settings["ROMIO_HINTS"] = str(hints)
    return settings


def _hosts(lab: Laboratory, names: list[str] | None) -> list[Node]:
    if names is None:
        names = lab.placement
    return lab.compute if names is None else [lab.node(name) for name in names]


def _mpi_command(lab: Laboratory, command: list[str], at: int, flavour: str, ranks: dict[str, str],
                 settings: dict[str, str]) -> list[str]:
    """The command with what only the ranks may have; where the launcher is started by another program, which may add
    libraries of its own, the preload goes through the environment to that program."""
    ranks = dict(ranks)
    preload = _preload(lab, ranks.pop("LD_PRELOAD", ""))
    settings.update(ranks)
    forwarded = _forwarded(lab, ranks)
    options: list[str] = []
    if flavour == "openmpi":  # hydra forwards the whole environment by itself
        options += [word for name in forwarded for word in ("-x", name)]
    if preload and at == 0:
        options += ["-x", f"LD_PRELOAD={preload}"] if flavour == "openmpi" else ["-genv", "LD_PRELOAD", preload]
    elif preload:
        settings["LD_PRELOAD"] = preload
    return [*command[:at + 1], *options, *command[at + 1:]]


def _of_a_caller(lab: Laboratory, flavour: str, ranks: dict[str, str]) -> dict[str, str]:
    """The environment of a program that calls the launcher of a flavour by itself."""
    settings = {**ranks, "LD_PRELOAD": _preload(lab, ranks.get("LD_PRELOAD", ""))}
    if flavour == "openmpi":
        settings["PATH"] = f"{handing_on.write(lab, _forwarded(lab, ranks))}:{os.environ.get('PATH', os.defpath)}"
    return settings


def _preload(lab: Laboratory, others: str) -> str:
    library = Path(lab.build) / "lab" / "liblab_wait.so"
    return ":".join(filter(None, [str(library) if library.exists() else "", others]))


def _forwarded(lab: Laboratory, ranks: dict[str, str]) -> list[str]:
    """What Open MPI does not hand on to the ranks by itself."""
    names = [*ranks, *(["ROMIO_HINTS"] if lab.romio_hints else [])]
    return [name for name in names if not name.startswith("OMPI_MCA_") and name != "LD_PRELOAD"]
