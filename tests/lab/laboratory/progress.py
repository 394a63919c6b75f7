"""What a person at a terminal sees while something takes long; nothing when stderr is not a terminal."""

import sys


def say(text: str) -> None:
    """Replaces the previous line of progress; an empty text clears it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
