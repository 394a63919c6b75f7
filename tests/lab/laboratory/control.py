"""Talking to the switch: one JSON object per line over a UNIX socket, one JSON reply per line."""

import json
import os
import socket
from pathlib import Path
from typing import Any

from laboratory.errors import BAD_INPUT, OWN_FAULT, LabError

_PATIENCE = 5.0  # seconds


def ask(socket_path: Path | str, request: dict[str, Any]) -> dict[str, Any]:
    """The reply to one request; LabError when the switch refuses it or cannot be reached."""
    try:
        reply = json.loads(_exchange(Path(socket_path), json.dumps(request) + "\n"))
    except (OSError, ValueError) as error:
        raise LabError("switch", f"does not answer on {socket_path}: {error}", "lab status; lab down and up again",
                       OWN_FAULT) from error
    if not reply.get("ok"):
        raise LabError("switch", str(reply.get("error", "refused without a reason")), "", BAD_INPUT)
    return reply


def _exchange(path: Path, line: str) -> str:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_PATIENCE)
        connection.connect(_short(path))
        connection.sendall(line.encode())
        with connection.makefile("r") as replies:
            reply = replies.readline()
    if not reply:
        raise OSError("it closed the connection")
    return reply


def _short(path: Path) -> str:
    """An address of at most 107 bytes (sun_path, unix(7)), from here when the whole path is longer."""
    text = str(path)
    return text if len(text.encode()) <= 107 else os.path.relpath(text)
