"""lab fault: lists what can be broken, breaks it, and repairs it. The table itself is fault_table.py."""

import sys
import textwrap
import time

from laboratory import fault_effects as effects
from laboratory import residents
from laboratory.errors import WRONG_USE, LabError
from laboratory.fault import FIRST_OR_LAST
from laboratory.fault_table import FAULTS, MACHINE, SHAPES, Fault, Parameter
from laboratory.lock import exclusive
from laboratory.plan import Laboratory
from laboratory.quantity import parse_bytes, parse_duration, parse_fraction, parse_rate
from laboratory.supervisor import current

__all__ = ["FAULTS", "MACHINE", "SHAPES", "apply", "check_possible", "main", "named", "parse_parameters", "remove", "remove_all"]

_HELP = """usage: lab fault                                  the table of faults
       lab fault NAME                             one fault: what it does, and its parameters
       lab fault NAME [KEY=VALUE ...] on          break it; again with other values changes them
       lab fault NAME off | lab fault all off     repair it

  lab fault slow-link on                      n3's cable at 50 Mbit/s
  lab fault slow-link node=n5 rate=10Mbit/s on
  lab fault noise noise=1ms period=10ms on    several faults may be on at once

Faults of cables, disks and nodes work at once, also on programs that run; the others on what `lab run` starts next.
"""

_EXAMPLES = {"rate": "50Mbit/s or 1MB/s", "time": "2ms or 500us", "bytes": "64B, 4KiB or 2MB", "share": "1%",
             "factor": "a number above 1", "half": "half", "mtu": "576 to 9000"}


def main(argv: list[str]) -> int:
    """The verb `lab fault`; its exit status."""
    if argv and argv[0] in ("-h", "--help"):
        print(_HELP, end="")
        return 0
    if not argv:
        print(_table(Laboratory.load()))
        return 0
    name, words = argv[0], argv[1:]
    if name != "all":
        _known(name)
    if not words and name != "all":
        print(_details(name))
        return 0
    if not words or words[-1] not in ("on", "off") or (name == "all" and words != ["off"]):
        raise LabError("lab fault", f"`{' '.join(argv)}` does not end with on or off", f"lab fault {name} off",
                       WRONG_USE)
    with exclusive():
        _switch(current(), name, words)
    return 0


def _switch(lab: Laboratory, name: str, words: list[str]) -> None:
    if words[-1] == "on":
        apply(lab, name, parse_parameters(lab, name, words[:-1]))
    elif len(words) > 1:
        raise LabError("lab fault", "`off` takes no parameters", f"lab fault {name} off", WRONG_USE)
    elif name == "all":
        remove_all(lab)
    else:
        remove(lab, name)
    on = [_with_values(each, entry["parameters"]) for each, entry in lab.faults.items()]
    print("faults on: " + (", ".join(on) or "none"), file=sys.stderr)


def apply(lab: Laboratory, name: str, parameters: dict[str, str] | None = None) -> None:
    """Puts a fault on, or changes its parameters; those not given have their defaults."""
    _known(name)
    values = {key: parameter.default for key, parameter in FAULTS[name].parameters.items()} | (parameters or {})
    effects.check_possible(lab, name, values)
    if name in lab.faults:
        remove(lab, name)
    lab.faults[name] = {"parameters": values, "since": time.time()}
    try:
        effects.put_in_force(lab, name)
    except LabError:
        residents.end(lab.faults.pop(name))
        raise
    lab.save()


def remove(lab: Laboratory, name: str) -> None:
    """Takes a fault off; nothing happens when it is not on."""
    _known(name)
    entry = lab.faults.pop(name, None)
    if entry is None:
        return
    residents.end(entry)
    effects.put_in_force(lab, name)
    lab.save()


def remove_all(lab: Laboratory) -> None:
    """The healthy laboratory."""
    for name in list(lab.faults):
        remove(lab, name)


def parse_parameters(lab: Laboratory, name: str, words: list[str]) -> dict[str, str]:
    """KEY=VALUE words, checked; LabError with what is allowed."""
    known = FAULTS[name].parameters
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            allowed = ", ".join(f"{key}={known[key].default}" for key in known) or "no parameters"
            raise LabError(name, f"'{word}' is not one of its parameters", f"it has {allowed}", WRONG_USE)
        _check_value(lab, f"{name} {key}", known[key], value)
        values[key] = value
    return values


def _allowed(lab: Laboratory, kind: str) -> list[str] | None:
    names = {"node": [node.name for node in lab.nodes], "compute": [node.name for node in lab.compute],
             "server": [server.name for server in lab.servers] + ["all"],
             "switch": sorted({node.switch for node in lab.nodes}), "half": ["half"], "sync": ["sync"],
             "core": list(FIRST_OR_LAST), "yes|no": ["yes", "no"]}
    return names.get(kind)


def _check_value(lab: Laboratory, where: str, parameter: Parameter, value: str) -> None:
    allowed = _allowed(lab, parameter.kind)
    if allowed is not None:
        if value not in allowed:
            raise LabError(where, f"'{value}' is not one", "one of " + ", ".join(allowed), WRONG_USE)
        return
    try:
        number = _number(parameter.kind, value)
    except (LabError, ValueError):
        number = 0.0
    if parameter.kind == "mtu" and not (value.isdigit() and 576 <= number <= 9000):
        number = 0.0
    if number <= (1.0 if parameter.kind == "factor" else 0.0) or (parameter.kind == "share" and number > 1):
        raise LabError(where, f"'{value}' is not allowed", f"write {_EXAMPLES[parameter.kind]}", WRONG_USE)


def _number(kind: str, value: str) -> float:
    readers = {"rate": parse_rate, "time": parse_duration, "bytes": parse_bytes, "share": parse_fraction}
    return float(readers[kind](value)) if kind in readers else float(value)


def check_possible(lab: Laboratory, name: str) -> None:
    """LabError when this laboratory cannot have the fault, with its default parameters."""
    effects.check_possible(lab, name, {key: parameter.default for key, parameter in FAULTS[name].parameters.items()})


def named(name: str) -> None:
    """LabError unless it is a fault, or all."""
    if name != "all":
        _known(name)


def _known(name: str) -> None:
    if name not in FAULTS:
        raise LabError("lab fault", f"no fault '{name}'", "one of " + ", ".join(FAULTS), WRONG_USE)


def _with_values(name: str, parameters: dict[str, str]) -> str:
    return " ".join([name, *(f"{key}={value}" for key, value in parameters.items())])


def _up_line(fault: Fault) -> str:
    if fault.shape == MACHINE:
        return ": lab evaluate --shape machine"
    shape = SHAPES[fault.shape]
    ranks = f"; lab run --ranks-per-node {shape.ranks_per_node}" if shape.ranks_per_node > 1 else ""
    return f": lab up {' '.join(shape.options)}{ranks}"


def _table(lab: Laboratory | None) -> str:
    on = lab.faults if lab else {}
    rows = []
    for name, fault in FAULTS.items():
        defaults = " ".join(f"{key}={parameter.default}" for key, parameter in fault.parameters.items())
        rows.append(f"{'*' if name in on else ' '} {name:25} {fault.what}")
        rows += [f"{'':28}{defaults}"] if defaults else []
    return "\n".join([*rows, "", "* is on.  lab fault NAME tells more; lab fault NAME on breaks it."])


def _details(name: str) -> str:
    fault = FAULTS[name]
    lines = [f"{name}: {fault.what}", f"  component  {fault.component}", f"  severity   {fault.severity}",
             *textwrap.wrap(fault.shows, 100, initial_indent="  shows in   ", subsequent_indent=" " * 13)]
    lines += [f"  cells      {', '.join(fault.cells)} ({fault.statistic})"] if fault.cells else []
    lines += [f"  shape      {SHAPES[fault.shape].what}" + _up_line(fault)] if fault.shape != "cluster" else []
    lines += [f"  not with {flavour}: {reason}" for flavour, reason in fault.invisible.items()]
    if fault.machine:
        lines += ["  the machine itself can have it: lab evaluate --shape machine"] if fault.shape != MACHINE else []
        lines += [f"  not there with {flavour}: {reason}" for flavour, reason in fault.machine.invisible.items()]
        lines += [f"  costs nothing there with {flavour}: {reason}" for flavour, reason in fault.machine.free.items()]
    lines += [f"  {flavour} does not start: {reason}" for flavour, reason in fault.ends.items()]
    lines += [f"  {key}={parameter.default:12} {parameter.what} ({_EXAMPLES.get(parameter.kind, parameter.kind)})"
              for key, parameter in fault.parameters.items()]
    lines += [f"  {target}: {key}={value}" for target, settings in fault.settings.items()
              for key, value in settings.items()]
    return "\n".join(lines)
