"""The faults that the laboratory knows, as plain data: what each breaks, by how much, where that must show, and what names
it."""

from laboratory.fault import SHAPES, Fault, Parameter, Shape
from laboratory.machine_faults import MACHINE_FAULTS
from laboratory.setting_faults import SETTING_FAULTS

__all__ = ["FAULTS", "SHAPES", "Fault", "Parameter", "Shape", "place_of"]

FAULTS: dict[str, Fault] = {**MACHINE_FAULTS, **SETTING_FAULTS}

_PLACES = ("node", "compute", "server")  # kinds of parameters


def place_of(fault: Fault) -> str | None:
    """The parameter that says which of several like nodes is broken; None for what is the same everywhere, which no
    comparison of like with like can find."""
    return next((key for key, parameter in fault.parameters.items() if parameter.kind in _PLACES), None)
