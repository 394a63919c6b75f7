"""A laboratory that was never started, for tests of what faults change: who would have been told keeps what it was told."""

import unittest
from typing import Any
from unittest import mock

from laboratory import fault_effects, faults, stated
from laboratory.plan import Laboratory, Options, Server, planned_nodes
from laboratory.stated import Stated


class Switch:
    """Keeps what the switch was told last."""

    def __init__(self) -> None:
        self.settings: dict[str, dict[str, str]] = {}

    def ask(self, _: object, request: dict[str, Any]) -> dict[str, Any]:
        values = {key: value for key, value in request.items() if key not in ("do", "port", "switch")}
        self.settings.setdefault(request.get("port") or request["switch"], {}).update(values)
        return {"ok": True}


class WithLaboratory(unittest.TestCase):
    def setUp(self) -> None:
        options = Options()
        self.lab = Laboratory("/nowhere", 0, 0, options, nodes=planned_nodes(options),
                              servers=[Server("s0"), Server("s1")])
        self.switch = Switch()
        self.stated: dict[str, Stated] = {}
        self.refused_speed = ""  # why interfaces state nothing
        for patch in (mock.patch.object(fault_effects, "ask", self.switch.ask), mock.patch.object(Laboratory, "save"),
                      mock.patch.object(stated, "put", self.state)):
            patch.start()
            self.addCleanup(patch.stop)

    def state(self, _: Laboratory, wanted: dict[str, Stated]) -> str:
        self.stated = dict(wanted)
        return self.refused_speed

    def put(self, name: str, *words: str) -> None:
        faults.apply(self.lab, name, faults.parse_parameters(self.lab, name, list(words)))
