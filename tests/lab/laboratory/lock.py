"""One command at a time changes the laboratory."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

from laboratory.errors import CANNOT_RUN_HERE, LabError
from laboratory.paths import state_directory

_PATIENCE = 30.0  # seconds


@contextlib.contextmanager
def exclusive() -> Iterator[None]:
    """Held by a file lock, which the kernel drops when the holder dies. The children of `up` do not inherit it."""
    directory = state_directory()
    path = directory.with_name(directory.name + ".lock")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    deadline = time.monotonic() + _PATIENCE
    try:
        while True:
            try:
                fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # POSIX lock: not inherited by fork
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise LabError(str(path), "another lab command is at work", "wait for it, or end it",
                                   CANNOT_RUN_HERE) from None
                time.sleep(0.05)
        yield
    finally:
        os.close(handle)
