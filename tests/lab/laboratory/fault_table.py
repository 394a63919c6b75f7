"""The faults that the laboratory knows, as plain data: what each breaks, by how much, where that must show, and what names
it."""

from collections.abc import Mapping

from laboratory.fault import MACHINE, SHAPES, Fault, OnMachine, Parameter, Shape
from laboratory.machine_faults import MACHINE_FAULTS
from laboratory.setting_faults import SETTING_FAULTS
from laboratory.single_machine_faults import SINGLE_MACHINE_FAULTS

__all__ = ["FAULTS", "MACHINE", "SHAPES", "Fault", "OnMachine", "Parameter", "Shape", "invisible_in", "is_free",
           "named_in", "parameters_in", "place_of", "shapes_of"]

FAULTS: dict[str, Fault] = {**MACHINE_FAULTS, **SETTING_FAULTS, **SINGLE_MACHINE_FAULTS}

_PLACES = ("node", "compute", "server", "core")  # kinds of parameters
_OF_LABORATORIES = ("node", "compute", "server", "switch")


def shapes_of(fault: Fault) -> list[str]:
    """Where it can be."""
    return list(dict.fromkeys([fault.shape, *([MACHINE] if fault.machine else [])]))


def parameters_in(fault: Fault, shape: str) -> dict[str, Parameter]:
    """Those that it has there: the machine itself has no nodes to choose from."""
    return {key: parameter for key, parameter in fault.parameters.items()
            if shape != MACHINE or parameter.kind not in _OF_LABORATORIES}


def invisible_in(fault: Fault, shape: str) -> Mapping[str, str]:
    """Flavours under which it shows nowhere in this shape, each with the reason."""
    return fault.machine.invisible if fault.machine and shape == MACHINE else fault.invisible


def is_free(fault: Fault, shape: str, mpi: str) -> bool:
    """Whether it costs nothing there, so that it need not be a finding: an observation must name it."""
    return fault.machine is not None and shape == MACHINE and mpi in fault.machine.free


def named_in(fault: Fault, shape: str) -> tuple[tuple[str, str], ...]:
    """What may name it there; see Fault.named."""
    return fault.named + (fault.machine.named if fault.machine and shape == MACHINE else ())


def place_of(fault: Fault, shape: str = "") -> str | None:
    """The parameter that says which of several like nodes, or cores, is broken; None for what is the same everywhere, which
    no comparison of like with like can find."""
    return next((key for key, parameter in parameters_in(fault, shape).items() if parameter.kind in _PLACES), None)
