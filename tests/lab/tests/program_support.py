"""Tests of the small programs of the laboratory."""

import subprocess
import unittest

from laboratory import paths
from laboratory.errors import LabError


def need(name: str) -> None:
    """Skips where it was not built."""
    try:
        paths.program(name)
    except LabError as error:
        raise unittest.SkipTest(str(error)) from None


def run(name: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """Its status and what it printed."""
    return subprocess.run([str(paths.program(name)), *words], capture_output=True, text=True, check=False, timeout=60)
